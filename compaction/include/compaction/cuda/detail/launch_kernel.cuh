#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

#include "compaction/cuda/detail/architectures.cuh"
#include "compaction/cuda/stamps.hpp"

/// The function that launches all kernels. The simulated GPU has its own file of this name earlier in the
/// include path.
namespace compaction::cuda::detail {

/// The execution configuration of one launch.
struct LaunchConfig {
    unsigned blocks;
    unsigned threads;
    std::size_t shared_bytes;
    cudaStream_t stream;
    /// The kernel may start while the previous kernel runs, once all blocks of the previous kernel have
    /// called trigger_dependent_launch. It must call wait_for_previous_launch before it accesses memory that
    /// the previous kernel reads or writes, so it must have been compiled for Hopper.
    bool overlapping = false;
};

inline namespace COMPACTION_ARCHITECTURES {

/// Source: NVIDIA, CUDA C++ Programming Guide 13.0, "Programmatic Dependent Launch and Synchronization".
template <typename... ParametersT, typename... ArgumentsT>
cudaError_t launch(void (*kernel)(ParametersT...), const LaunchConfig& config,
                   const ArgumentsT&... arguments) {
    cudaLaunchAttribute overlap{};
    overlap.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    overlap.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t cuda_config{};
    cuda_config.gridDim = config.blocks;
    cuda_config.blockDim = config.threads;
    cuda_config.dynamicSmemBytes = config.shared_bytes;
    cuda_config.stream = config.stream;
    cuda_config.attrs = &overlap;
    cuda_config.numAttrs = config.overlapping ? 1 : 0;
    return cudaLaunchKernelEx(&cuda_config, kernel, on_grid(arguments, config.blocks, config.threads, 0)...);
}

}  // namespace COMPACTION_ARCHITECTURES

}  // namespace compaction::cuda::detail
