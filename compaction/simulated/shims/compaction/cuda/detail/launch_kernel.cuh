#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <utility>

#include "compaction/cuda/stamps.hpp"
#include "simulated/device.hpp"

/// The launches of the library on the simulated GPU: each ends before the call returns.
namespace compaction::cuda::detail {

struct LaunchConfig {
    unsigned blocks;
    unsigned threads;
    std::size_t shared_bytes;
    cudaStream_t stream;
    bool overlapping = false;
};

/// One launch. Throws as run_grid does.
template <typename... ParametersT, typename... ArgumentsT>
void run(void (*kernel)(ParametersT...), const LaunchConfig& config, ArgumentsT&&... arguments) {
    run_kernel(KernelName{.code = reinterpret_cast<const void*>(kernel)},
               {.blocks = config.blocks,
                .threads = config.threads,
                .shared_bytes = config.shared_bytes,
                .overlapping = config.overlapping},
               schedule_of(current_seed()), kernel, std::forward<ArgumentsT>(arguments)...);
}

/// A launch, followed by those that its kernel requests, one after the other.
template <typename... ParametersT, typename... ArgumentsT>
cudaError_t launch(void (*kernel)(ParametersT...), const LaunchConfig& config,
                   const ArgumentsT&... arguments) {
    run(kernel, config, on_grid(arguments, config.blocks, config.threads, 0)...);
    run_launches_of_kernels();
    return cudaSuccess;
}

}  // namespace compaction::cuda::detail
