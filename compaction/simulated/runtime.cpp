#include <cstring>

#include <cuda_runtime_api.h>

#include "simulated/gpu.hpp"
#include "simulated/memory.hpp"
#include "simulated/observer.hpp"

namespace compaction::simulated {

namespace {
constexpr std::size_t copied_bytes_per_ns = 1000;
constexpr int clock_khz = 1'000'000;

bool is_outside_device(const void* data, std::size_t bytes) {
    return bytes > 0 && wrong_access(data, bytes, /*alignment=*/1);
}
bool is_wrong_copy(const void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
    // A host pointer may be to memory of the device, but not past its end.
    const auto is_wrong = [bytes](const void* data, bool is_device) {
        return (is_device || is_in_buffer(data)) && is_outside_device(data, bytes);
    };
    const bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
    const bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
    return is_wrong(to, to_device) || is_wrong(from, from_device);
}

int value_of(cudaDeviceAttr attribute) {
    switch (attribute) {
        case cudaDevAttrMultiProcessorCount:
            return static_cast<int>(schedule_of(current_seed()).multiprocessors);
        case cudaDevAttrMaxSharedMemoryPerBlock:
        case cudaDevAttrMaxSharedMemoryPerBlockOptin:
            return max_shared_bytes_per_block;
        case cudaDevAttrMaxSharedMemoryPerMultiprocessor:
            return shared_bytes_per_multiprocessor;
        case cudaDevAttrMaxThreadsPerBlock:
            return max_block_threads;
        case cudaDevAttrMaxThreadsPerMultiProcessor:
            return max_threads_per_multiprocessor;
        case cudaDevAttrWarpSize:
            return lanes_per_warp;
        case cudaDevAttrComputeCapabilityMajor:
            return 9;
        case cudaDevAttrClockRate:
            return clock_khz;
        case cudaDevAttrGpuOverlap:
        case cudaDevAttrCooperativeLaunch:
        case cudaDevAttrManagedMemory:
        case cudaDevAttrConcurrentManagedAccess:
        case cudaDevAttrMemoryPoolsSupported:
            return 1;
        case cudaDevAttrComputeCapabilityMinor:
        case cudaDevAttrComputeMode:
        case cudaDevAttrIntegrated:
            return 0;
    }
    return 0;
}
}  // namespace

inline namespace builtins {

cudaError_t cudaMalloc(void** data, std::size_t bytes) {
    *data = allocate_global(bytes);
    return *data ? cudaSuccess : cudaErrorMemoryAllocation;
}
cudaError_t cudaFree(void* data) {
    end_overlap();
    return !data || free_global(data) ? cudaSuccess : cudaErrorInvalidValue;
}
cudaError_t cudaMallocHost(void** data, std::size_t bytes) {
    return cudaMalloc(data, bytes);
}
cudaError_t cudaFreeHost(void* data) {
    return cudaFree(data);
}
cudaError_t cudaMemsetAsync(void* data, int value, std::size_t bytes, cudaStream_t) {
    if (is_outside_device(data, bytes)) return cudaErrorInvalidValue;
    end_overlap();
    if (bytes > 0) std::memset(data, value, bytes);
    if (Observer* const observer = current_observer()) observer->on_memory_changed("memset", data, bytes);
    return cudaSuccess;
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t) {
    if (is_wrong_copy(to, from, bytes, kind)) return cudaErrorInvalidValue;
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
    *value = value_of(attribute);
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
