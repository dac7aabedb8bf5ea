#pragma once

#include <cstdint>

/// Launches of one stream that overlap, on Hopper and later. In code made for older cards the functions do
/// nothing, and the host lets no launch begin before those ahead of it have ended. Source: NVIDIA, PTX ISA
/// 7.8 "griddepcontrol", and 8.0 "cp.async.bulk.prefetch".
namespace compaction::cuda::detail {

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900

/// Lets the next launch of the stream begin, if it was launched so, once all blocks of this one have come
/// here. It sees nothing of what this one writes before it has waited.
__device__ inline void let_next_launch_begin() {
    asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
}

/// Waits until the launch before is complete and all it wrote is visible. At once where it is.
__device__ inline void wait_for_launch_before() {
    asm volatile("griddepcontrol.wait;" ::: "memory");
}

/// Calls for `bytes`, a multiple of 16, into the L2 cache, by one thread. The launch before may still be
/// writing them: that cache is where all writes meet, so what is called for early is never out of date.
__device__ inline void call_into_cache(const void* from, unsigned bytes) {
    asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" ::"l"(__cvta_generic_to_global(from)),
                 "r"(bytes)
                 : "memory");
}

#else

__device__ inline void let_next_launch_begin() {}
__device__ inline void wait_for_launch_before() {}
__device__ inline void call_into_cache(const void*, unsigned) {}
#endif

}  // namespace compaction::cuda::detail
