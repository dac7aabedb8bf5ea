#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

/// The calls of the CUDA runtime that the library makes, on the simulated GPU. In a namespace, so that they
/// stay apart from CUDA's in one program.
namespace compaction::simulated {

enum cudaError_t {
    cudaSuccess = 0,
    cudaErrorInvalidValue,
    cudaErrorMemoryAllocation,
    cudaErrorMisalignedAddress,
    cudaErrorInvalidConfiguration,
    cudaErrorNoKernelImageForDevice,
    cudaErrorNotReady,
    cudaErrorInvalidDevice,
};
using cudaStream_t = struct Stream_*;
enum cudaDeviceAttr {
    cudaDevAttrMultiProcessorCount,
    cudaDevAttrMaxSharedMemoryPerBlockOptin,
    cudaDevAttrComputeCapabilityMajor,
    cudaDevAttrCooperativeLaunch,
};
enum cudaFuncAttribute { cudaFuncAttributeMaxDynamicSharedMemorySize };
struct cudaFuncAttributes {
    int ptxVersion;
};

/// The seed of the schedule of all launches of this thread.
std::uint64_t current_seed();
void set_seed(std::uint64_t seed);

cudaError_t cudaMalloc(void** data, std::size_t bytes);
template <typename T>
cudaError_t cudaMalloc(T** data, std::size_t bytes) {
    return cudaMalloc(reinterpret_cast<void**>(data), bytes);
}
cudaError_t cudaFree(void* data);
cudaError_t cudaMallocHost(void** data, std::size_t bytes);
cudaError_t cudaFreeHost(void* data);
cudaError_t cudaMemsetAsync(void* data, int value, std::size_t bytes, cudaStream_t stream);
cudaError_t cudaGetDevice(int* device);
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device);
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* kernel);
cudaError_t cudaFuncSetAttribute(const void* kernel, cudaFuncAttribute attribute, int value);
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* kernel, int threads,
                                                          std::size_t shared_bytes);
cudaError_t cudaGetLastError();
cudaError_t cudaStreamSynchronize(cudaStream_t stream);

}  // namespace compaction::simulated
