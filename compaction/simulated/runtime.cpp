#include <cstring>
#include <string>

#include "compaction/cuda/check.hpp"
#include "compaction/error.hpp"
#include "simulated/card.hpp"
#include "simulated/memory.hpp"

namespace compaction::simulated {
namespace {

thread_local std::uint64_t seed = seed_of(Order::forward, CopyTime::at_once, 4);

}  // namespace

std::uint64_t current_seed() {
    return seed;
}
void set_seed(std::uint64_t new_seed) {
    seed = new_seed;
}

cudaError_t cudaMalloc(void** data, std::size_t bytes) {
    *data = allocate_global(bytes);
    return *data ? cudaSuccess : cudaErrorMemoryAllocation;
}
cudaError_t cudaFree(void* data) {
    free_global(data);
    return cudaSuccess;
}
cudaError_t cudaMallocHost(void** data, std::size_t bytes) {
    return cudaMalloc(data, bytes);
}
cudaError_t cudaFreeHost(void* data) {
    return cudaFree(data);
}
cudaError_t cudaMemsetAsync(void* data, int value, std::size_t bytes, cudaStream_t) {
    std::memset(data, value, bytes);
    return cudaSuccess;
}
cudaError_t cudaGetDevice(int* device) {
    *device = 0;
    return cudaSuccess;
}
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int) {
    switch (attribute) {
        case cudaDevAttrMultiProcessorCount:
            *value = static_cast<int>(schedule_of(seed).multiprocessors);
            break;
        case cudaDevAttrMaxSharedMemoryPerBlockOptin:
            *value = max_shared_bytes_per_block;
            break;
        case cudaDevAttrComputeCapabilityMajor:
            *value = 9;
            break;
        case cudaDevAttrCooperativeLaunch:
            *value = 1;
            break;
    }
    return cudaSuccess;
}
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void*) {
    attributes->ptxVersion = 90;
    return cudaSuccess;
}
cudaError_t cudaFuncSetAttribute(const void*, cudaFuncAttribute, int) {
    return cudaSuccess;
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void*, int threads,
                                                          std::size_t shared_bytes) {
    *blocks = static_cast<int>(
        resident_blocks({.threads = static_cast<unsigned>(threads), .shared_bytes = shared_bytes}));
    return cudaSuccess;
}
cudaError_t cudaGetLastError() {
    return cudaSuccess;
}

cudaError_t cudaStreamSynchronize(cudaStream_t) {
    return cudaSuccess;
}

void check(cudaError_t result, const char* call, std::source_location) {
    if (result == cudaSuccess) return;
    throw Error(result == cudaErrorMemoryAllocation ? ErrorCode::out_of_memory : ErrorCode::device_failure,
                std::string(call) + " failed on the simulated GPU: error " + std::to_string(result) + ".");
}
void check_launch(const char*, std::source_location) {}
void log_failure(cudaError_t, const char*) noexcept {}

}  // namespace compaction::simulated
