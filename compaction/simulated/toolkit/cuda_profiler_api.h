#pragma once

#include <cuda_runtime_api.h>

namespace compaction::simulated {
inline namespace builtins {

inline cudaError_t cudaProfilerStart() {
    return cudaSuccess;
}
inline cudaError_t cudaProfilerStop() {
    return cudaSuccess;
}

}  // namespace builtins
}  // namespace compaction::simulated

using namespace compaction::simulated::builtins;  // NOLINT: CUDA's names are global
