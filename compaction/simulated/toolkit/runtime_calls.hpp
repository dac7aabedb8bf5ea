#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>

#include <cuda_runtime_api.h>

#include "simulated/gpu.hpp"
#include "simulated/memory.hpp"

// The names by which programs ask whether CUDA's headers are included.
#define __CUDA_RUNTIME_H__
#define __DRIVER_TYPES_H__
#define CUDART_VERSION 13000

/// The calls of the CUDA runtime that only programs make. All work is complete when a call returns, so
/// streams and events have nothing to wait for.
namespace compaction::simulated {
inline namespace builtins {

using cudaError = cudaError_t;

inline const char* cudaGetErrorName(cudaError_t error) {
    switch (error) {
#define COMPACTION_NAME_OF(name, number, text) \
    case name:                                 \
        return #name;
        COMPACTION_CUDA_ERRORS(COMPACTION_NAME_OF)
#undef COMPACTION_NAME_OF
    }
    return "unrecognized error code";
}
inline const char* cudaGetErrorString(cudaError_t error) {
    switch (error) {
#define COMPACTION_TEXT_OF(name, number, text) \
    case name:                                 \
        return text;
        COMPACTION_CUDA_ERRORS(COMPACTION_TEXT_OF)
#undef COMPACTION_TEXT_OF
    }
    return "unrecognized error code";
}

// --- The device ---

struct cudaDeviceProp {
    char name[256] = "simulated GPU";
    std::size_t totalGlobalMem = std::size_t{1} << 30;
    std::size_t totalConstMem = std::size_t{64} << 10;
    std::size_t sharedMemPerBlock = max_static_shared_bytes;
    std::size_t sharedMemPerBlockOptin = max_shared_bytes_per_block;
    std::size_t sharedMemPerMultiprocessor = shared_bytes_per_multiprocessor;
    std::size_t memPitch = 0x7fff'ffff;
    int regsPerBlock = 64 << 10;
    int warpSize = lanes_per_warp;
    int maxThreadsPerBlock = max_block_threads;
    int maxThreadsPerMultiProcessor = max_threads_per_multiprocessor;
    int maxBlocksPerMultiProcessor = max_blocks_per_multiprocessor;
    int maxThreadsDim[3] = {1024, 1024, 64};
    int maxGridSize[3] = {0x7fff'ffff, 0xffff, 0xffff};
    int multiProcessorCount = 1;
    int major = 9;
    int minor = 0;
    int clockRate = 0;
    int memoryClockRate = 0;
    int memoryBusWidth = 0;
    int l2CacheSize = 0;
    int asyncEngineCount = 1;
    int concurrentKernels = 0;
    int cooperativeLaunch = 1;
    int canMapHostMemory = 1;
    int unifiedAddressing = 1;
    int managedMemory = 1;
    int concurrentManagedAccess = 1;
    int pageableMemoryAccess = 0;
    int integrated = 0;
    int ECCEnabled = 0;
    int computeMode = 0;
    int pciDomainID = 0;
    int pciBusID = 0;
    int pciDeviceID = 0;
};
enum cudaComputeMode { cudaComputeModeDefault, cudaComputeModeExclusive, cudaComputeModeProhibited };
enum cudaLimit { cudaLimitStackSize, cudaLimitPrintfFifoSize, cudaLimitMallocHeapSize };
enum cudaFuncCache {
    cudaFuncCachePreferNone,
    cudaFuncCachePreferShared,
    cudaFuncCachePreferL1,
    cudaFuncCachePreferEqual
};
inline constexpr unsigned cudaDeviceScheduleAuto = 0;
inline constexpr unsigned cudaDeviceScheduleSpin = 1;
inline constexpr unsigned cudaDeviceScheduleYield = 2;
inline constexpr unsigned cudaDeviceScheduleBlockingSync = 4;
inline constexpr unsigned cudaDeviceBlockingSync = 4;
inline constexpr unsigned cudaDeviceMapHost = 8;
inline constexpr int cudaCpuDeviceId = -1;

inline cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
    if (device != 0) return cudaErrorInvalidDevice;
    *properties = {};
    return cudaDeviceGetAttribute(&properties->multiProcessorCount, cudaDevAttrMultiProcessorCount,
                                  /*device=*/0);
}
inline cudaError_t cudaGetDeviceCount(int* count) {
    *count = 1;
    return cudaSuccess;
}
inline cudaError_t cudaSetDevice(int device) {
    return device == 0 ? cudaSuccess : cudaErrorInvalidDevice;
}
inline cudaError_t cudaSetDeviceFlags(unsigned) {
    return cudaSuccess;
}
inline cudaError_t cudaDeviceReset() {
    return cudaSuccess;
}
inline cudaError_t cudaDeviceSynchronize() {
    return cudaSuccess;
}
inline cudaError_t cudaDeviceSetLimit(cudaLimit, std::size_t) {
    return cudaSuccess;
}
inline cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache) {
    return cudaSuccess;
}
template <typename KernelT>
cudaError_t cudaFuncSetCacheConfig(KernelT, cudaFuncCache) {
    return cudaSuccess;
}
inline cudaError_t cudaRuntimeGetVersion(int* version) {
    *version = CUDART_VERSION;
    return cudaSuccess;
}
inline cudaError_t cudaDriverGetVersion(int* version) {
    return cudaRuntimeGetVersion(version);
}
inline cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total) {
    *total = *free = cudaDeviceProp().totalGlobalMem;
    return cudaSuccess;
}
inline cudaError_t cudaDeviceCanAccessPeer(int* can_access, int, int) {
    *can_access = 0;
    return cudaSuccess;
}
inline cudaError_t cudaDeviceEnablePeerAccess(int, unsigned) {
    return cudaErrorInvalidDevice;
}
/// The block size with the most resident threads, and the blocks that are resident then.
template <typename KernelT>
cudaError_t cudaOccupancyMaxPotentialBlockSize(int* blocks, int* threads, KernelT kernel,
                                               std::size_t shared_bytes = 0, int max_threads = 0) {
    *threads = max_threads > 0 ? std::min<int>(max_threads, max_block_threads) : max_block_threads;
    int multiprocessors = 0;
    cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, /*device=*/0);
    const cudaError_t result =
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, kernel, *threads, shared_bytes);
    *blocks *= multiprocessors;
    return result;
}

// --- Memory ---

inline constexpr unsigned cudaHostAllocDefault = 0;
inline constexpr unsigned cudaHostAllocPortable = 1;
inline constexpr unsigned cudaHostAllocMapped = 2;
inline constexpr unsigned cudaHostAllocWriteCombined = 4;
inline constexpr unsigned cudaHostRegisterDefault = 0;
inline constexpr unsigned cudaHostRegisterPortable = 1;
inline constexpr unsigned cudaHostRegisterMapped = 2;
inline constexpr unsigned cudaMemAttachGlobal = 1;
inline constexpr unsigned cudaMemAttachHost = 2;
inline constexpr unsigned cudaMemAttachSingle = 4;

template <typename T>
cudaError_t cudaMallocManaged(T** data, std::size_t bytes, unsigned = cudaMemAttachGlobal) {
    return cudaMalloc(data, bytes);
}
template <typename T>
cudaError_t cudaMallocAsync(T** data, std::size_t bytes, cudaStream_t) {
    return cudaMalloc(data, bytes);
}
inline cudaError_t cudaFreeAsync(void* data, cudaStream_t) {
    return cudaFree(data);
}
template <typename T>
cudaError_t cudaHostAlloc(T** data, std::size_t bytes, unsigned) {
    return cudaMalloc(data, bytes);
}
template <typename T>
cudaError_t cudaMallocHost(T** data, std::size_t bytes, unsigned = cudaHostAllocDefault) {
    return cudaMalloc(data, bytes);
}
inline cudaError_t cudaHostRegister(void* data, std::size_t bytes, unsigned) {
    register_host_memory(data, bytes);
    return cudaSuccess;
}
inline cudaError_t cudaHostUnregister(void* data) {
    unregister_host_memory(data);
    return cudaSuccess;
}
template <typename T>
cudaError_t cudaHostGetDevicePointer(T** device, void* host, unsigned) {
    if (!is_in_buffer(host)) return cudaErrorInvalidValue;
    *device = static_cast<T*>(host);
    return cudaSuccess;
}
enum cudaMemLocationType { cudaMemLocationTypeDevice = 1, cudaMemLocationTypeHost };
struct cudaMemLocation {
    cudaMemLocationType type;
    int id;
};
inline cudaError_t cudaMemPrefetchAsync(const void* data, std::size_t bytes, int, cudaStream_t = nullptr) {
    return bytes > 0 && wrong_access(data, bytes, /*alignment=*/1) ? cudaErrorInvalidValue : cudaSuccess;
}
inline cudaError_t cudaMemPrefetchAsync(const void* data, std::size_t bytes, cudaMemLocation location,
                                        unsigned, cudaStream_t stream = nullptr) {
    return cudaMemPrefetchAsync(data, bytes, location.id, stream);
}
inline cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
    return cudaMemcpyAsync(to, from, bytes, kind);
}
inline cudaError_t cudaMemset(void* data, int value, std::size_t bytes) {
    return cudaMemsetAsync(data, value, bytes);
}

// --- Variables of device memory ---

template <typename T>
cudaError_t cudaGetSymbolAddress(void** address, const T& symbol) {
    *address = const_cast<void*>(static_cast<const volatile void*>(&symbol));
    return cudaSuccess;
}
template <typename T>
cudaError_t cudaGetSymbolSize(std::size_t* bytes, const T& symbol) {
    *bytes = sizeof symbol;
    return cudaSuccess;
}
template <typename T>
cudaError_t cudaMemcpyToSymbol(T& symbol, const void* from, std::size_t bytes, std::size_t offset = 0,
                               cudaMemcpyKind = cudaMemcpyHostToDevice) {
    if (offset + bytes > sizeof symbol) return cudaErrorInvalidValue;
    std::memcpy(reinterpret_cast<char*>(&symbol) + offset, from, bytes);
    return cudaSuccess;
}
template <typename T>
cudaError_t cudaMemcpyFromSymbol(void* to, const T& symbol, std::size_t bytes, std::size_t offset = 0,
                                 cudaMemcpyKind = cudaMemcpyDeviceToHost) {
    if (offset + bytes > sizeof symbol) return cudaErrorInvalidValue;
    std::memcpy(to, reinterpret_cast<const char*>(&symbol) + offset, bytes);
    return cudaSuccess;
}
template <typename T>
cudaError_t cudaMemcpyToSymbolAsync(T& symbol, const void* from, std::size_t bytes, std::size_t offset,
                                    cudaMemcpyKind kind, cudaStream_t = nullptr) {
    return cudaMemcpyToSymbol(symbol, from, bytes, offset, kind);
}
template <typename T>
cudaError_t cudaMemcpyFromSymbolAsync(void* to, const T& symbol, std::size_t bytes, std::size_t offset,
                                      cudaMemcpyKind kind, cudaStream_t = nullptr) {
    return cudaMemcpyFromSymbol(to, symbol, bytes, offset, kind);
}

// --- Streams and events ---

inline constexpr unsigned cudaStreamDefault = 0;
inline constexpr unsigned cudaEventBlockingSync = 1;

inline cudaError_t cudaStreamCreate(cudaStream_t* stream) {
    return cudaStreamCreateWithFlags(stream, cudaStreamDefault);
}
inline cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int) {
    return cudaStreamCreateWithFlags(stream, flags);
}
inline cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
    *least = *greatest = 0;
    return cudaSuccess;
}
inline cudaError_t cudaStreamQuery(cudaStream_t) {
    return cudaSuccess;
}
inline cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t event, unsigned = 0) {
    return event ? cudaSuccess : cudaErrorInvalidResourceHandle;
}
using cudaStreamCallback_t = void (*)(cudaStream_t, cudaError_t, void*);
using cudaHostFn_t = void (*)(void*);
inline cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t function, void* argument,
                                         unsigned) {
    function(stream, cudaSuccess, argument);
    return cudaSuccess;
}
inline cudaError_t cudaStreamAttachMemAsync(cudaStream_t, void*, std::size_t = 0,
                                            unsigned = cudaMemAttachSingle) {
    return cudaSuccess;
}
inline cudaError_t cudaEventCreate(cudaEvent_t* event, unsigned flags = cudaEventDefault) {
    return cudaEventCreateWithFlags(event, flags);
}
inline cudaError_t cudaEventRecord(cudaEvent_t event) {
    return cudaEventRecord(event, nullptr);
}
inline cudaError_t cudaEventSynchronize(cudaEvent_t) {
    return cudaSuccess;
}

}  // namespace builtins
}  // namespace compaction::simulated
