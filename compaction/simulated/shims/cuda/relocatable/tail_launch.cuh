#pragma once

#include "compaction/cuda/detail/launch_kernel.cuh"

/// Launches from kernels on the simulated GPU.
namespace compaction::cuda::relocatable {

/// Launches the kernel with one block. It begins when the running launch has ended. One thread calls.
template <typename ArgumentT>
void launch_when_ended(void (*kernel)(ArgumentT), unsigned threads, const ArgumentT& argument) {
    launch_after_this_one([kernel, threads, argument] {
        detail::run(kernel, {.blocks = 1, .threads = threads, .shared_bytes = 0, .stream = nullptr},
                    argument);
    });
}

}  // namespace compaction::cuda::relocatable
