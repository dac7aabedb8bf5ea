#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <utility>

#include "compaction/cuda/detail/neighbours.cuh"
#include "cuda/support/check.hpp"

namespace compaction::cuda {

/// Whether launches of a kernel may overlap the one before: whether its code is made for Hopper or later, as
/// code for older cards does not wait. Source: NVIDIA, CUDA C++ Programming Guide 13.0, "Programmatic
/// Dependent Launch and Synchronization".
inline bool can_overlap(const void* kernel) {
    cudaFuncAttributes attributes{};
    check(cudaFuncGetAttributes(&attributes, kernel), "cudaFuncGetAttributes");
    return attributes.ptxVersion >= 90;
}

/// Launches a kernel of the stream; where `overlapping`, as soon as all blocks of the launch before have let
/// it begin (let_next_launch_begin). It must then wait (wait_for_launch_before) before it touches what that
/// one reads or writes.
template <typename... Params, typename... Arguments>
void launch_overlapping(bool overlapping, void (*kernel)(Params...), unsigned blocks, unsigned threads,
                        std::size_t shared_bytes, cudaStream_t stream, const char* name,
                        Arguments&&... arguments) {
    cudaLaunchAttribute overlap{};
    overlap.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    overlap.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config{};
    config.gridDim = blocks;
    config.blockDim = threads;
    config.dynamicSmemBytes = shared_bytes;
    config.stream = stream;
    config.attrs = &overlap;
    config.numAttrs = overlapping ? 1 : 0;
    check(cudaLaunchKernelEx(&config, kernel, std::forward<Arguments>(arguments)...), name);
}

}  // namespace compaction::cuda
