#include <cstring>

#include <cuda_runtime_api.h>

#include "simulated/gpu.hpp"
#include "simulated/memory.hpp"
#include "simulated/observer.hpp"

namespace compaction::simulated {

namespace {
constexpr std::size_t copied_bytes_per_ns = 1000;
}  // namespace

inline namespace builtins {

cudaError_t cudaMalloc(void** data, std::size_t bytes) {
    *data = allocate_global(bytes);
    return *data ? cudaSuccess : cudaErrorMemoryAllocation;
}
cudaError_t cudaFree(void* data) {
    end_overlap();
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
    end_overlap();
    if (bytes > 0) std::memset(data, value, bytes);
    if (Observer* const observer = current_observer()) observer->on_memory_changed("memset", data, bytes);
    return cudaSuccess;
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind, cudaStream_t) {
    end_overlap();
    if (bytes > 0) std::memmove(to, from, bytes);
    if (Observer* const observer = current_observer()) observer->on_memory_changed("memcpy", to, bytes);
    advance_clock(bytes / copied_bytes_per_ns);
    return cudaSuccess;
}
cudaError_t cudaGetDevice(int* device) {
    *device = 0;
    return cudaSuccess;
}
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int) {
    switch (attribute) {
        case cudaDevAttrMultiProcessorCount:
            *value = static_cast<int>(schedule_of(current_seed()).multiprocessors);
            break;
        case cudaDevAttrMaxSharedMemoryPerBlock:
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
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned) {
    *event = new Event_{0};
    return cudaSuccess;
}
cudaError_t cudaEventDestroy(cudaEvent_t event) {
    delete event;
    return cudaSuccess;
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t) {
    event->ns = clock_ns();
    return cudaSuccess;
}
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t begin, cudaEvent_t end) {
    *milliseconds = static_cast<float>(end->ns - begin->ns) * 1e-6F;
    return cudaSuccess;
}

}  // namespace builtins
}  // namespace compaction::simulated
