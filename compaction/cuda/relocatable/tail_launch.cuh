#pragma once

/// Launches from kernels. The simulated GPU has its own file of this name earlier in the include path.
///
/// Source: NVIDIA, CUDA C++ Programming Guide 13.0, "The Tail Launch Stream".
namespace compaction::cuda::relocatable {

/// Launches the kernel with one block. It begins when the running launch has ended. One thread calls.
template <typename ArgumentT>
__device__ void launch_when_ended(void (*kernel)(ArgumentT), unsigned threads, const ArgumentT& argument) {
    kernel<<<1, threads, 0, cudaStreamTailLaunch>>>(argument);
    if (cudaGetLastError() != cudaSuccess)
        __trap();  // otherwise a failed launch would look like the end of the stream
}

}  // namespace compaction::cuda::relocatable
