#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

/// The calls of the CUDA runtime that the library makes, on the simulated GPU. They are in a namespace, so
/// that a program can also contain those of CUDA. All work is complete when a call returns.
namespace compaction::simulated {
inline namespace builtins {

/// The errors of the runtime, with their texts.
#define COMPACTION_CUDA_ERRORS(error)                                                                        \
    error(cudaSuccess, 0, "no error") error(cudaErrorInvalidValue, 1, "invalid argument")                    \
        error(cudaErrorMemoryAllocation, 2, "out of memory")                                                 \
            error(cudaErrorInvalidConfiguration, 9, "invalid configuration argument")                        \
                error(cudaErrorInvalidPitchValue, 12, "invalid pitch argument") error(                       \
                    cudaErrorNoDevice, 100, "no CUDA-capable device is detected")                            \
                    error(cudaErrorInvalidDevice, 101, "invalid device ordinal") error(                      \
                        cudaErrorNoKernelImageForDevice, 209,                                                \
                        "no kernel image is available for execution on the device")                          \
                        error(cudaErrorInvalidResourceHandle, 400, "invalid resource handle")                \
                            error(cudaErrorNotReady, 600, "device not ready") error(                         \
                                cudaErrorIllegalAddress, 700, "an illegal memory access was encountered")    \
                                error(cudaErrorLaunchOutOfResources, 701,                                    \
                                      "too many resources requested for launch")                             \
                                    error(cudaErrorAssert, 710, "device-side assert triggered")              \
                                        error(cudaErrorMisalignedAddress, 716, "misaligned address")         \
                                            error(cudaErrorLaunchFailure, 719, "unspecified launch failure") \
                                                error(cudaErrorNotSupported, 801, "operation not supported") \
                                                    error(cudaErrorUnknown, 999, "unknown error")
#define COMPACTION_ENUMERATOR(name, number, text) name = (number),
enum cudaError_t { COMPACTION_CUDA_ERRORS(COMPACTION_ENUMERATOR) };
#undef COMPACTION_ENUMERATOR
#define CUDART_CB
using cudaStream_t = struct Stream_*;
struct Event_ {
    std::uint64_t ns;
};
using cudaEvent_t = Event_*;
using cudaGraph_t = struct Graph_*;
using cudaUserObject_t = struct UserObject_*;
enum cudaStreamCaptureStatus { cudaStreamCaptureStatusNone };
enum cudaDeviceAttr {
    cudaDevAttrMultiProcessorCount,
    cudaDevAttrMaxSharedMemoryPerBlock,
    cudaDevAttrMaxSharedMemoryPerBlockOptin,
    cudaDevAttrMaxSharedMemoryPerMultiprocessor,
    cudaDevAttrMaxThreadsPerBlock,
    cudaDevAttrMaxThreadsPerMultiProcessor,
    cudaDevAttrWarpSize,
    cudaDevAttrComputeCapabilityMajor,
    cudaDevAttrComputeCapabilityMinor,
    cudaDevAttrComputeMode,
    cudaDevAttrIntegrated,
    cudaDevAttrGpuOverlap,
    cudaDevAttrClockRate,
    cudaDevAttrCooperativeLaunch,
    cudaDevAttrManagedMemory,
    cudaDevAttrConcurrentManagedAccess,
    cudaDevAttrMemoryPoolsSupported,
};
enum cudaFuncAttribute {
    cudaFuncAttributeMaxDynamicSharedMemorySize,
    cudaFuncAttributePreferredSharedMemoryCarveout,
};
inline constexpr int cudaSharedmemCarveoutMaxL1 = 0;
enum cudaMemcpyKind {
    cudaMemcpyHostToHost,
    cudaMemcpyHostToDevice,
    cudaMemcpyDeviceToHost,
    cudaMemcpyDeviceToDevice,
    cudaMemcpyDefault
};
struct cudaFuncAttributes {
    int ptxVersion;
};
inline constexpr unsigned cudaStreamNonBlocking = 1;
inline constexpr unsigned cudaEventDefault = 0;
inline constexpr unsigned cudaEventDisableTiming = 2;
inline constexpr unsigned cudaUserObjectNoDestructorSync = 1;
inline constexpr unsigned cudaGraphUserObjectMove = 1;

cudaError_t cudaMalloc(void** data, std::size_t bytes);
template <typename T>
cudaError_t cudaMalloc(T** data, std::size_t bytes) {
    return cudaMalloc(reinterpret_cast<void**>(data), bytes);
}
cudaError_t cudaFree(void* data);
cudaError_t cudaMallocHost(void** data, std::size_t bytes);
cudaError_t cudaFreeHost(void* data);
cudaError_t cudaMemsetAsync(void* data, int value, std::size_t bytes, cudaStream_t stream = nullptr);
cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream = nullptr);
cudaError_t cudaGetDevice(int* device);
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device);
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* kernel);
template <typename... ParametersT>
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, void (*kernel)(ParametersT...)) {
    return cudaFuncGetAttributes(attributes, reinterpret_cast<const void*>(kernel));
}
cudaError_t cudaFuncSetAttribute(const void* kernel, cudaFuncAttribute attribute, int value);
template <typename... ParametersT>
cudaError_t cudaFuncSetAttribute(void (*kernel)(ParametersT...), cudaFuncAttribute attribute, int value) {
    return cudaFuncSetAttribute(reinterpret_cast<const void*>(kernel), attribute, value);
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* kernel, int threads,
                                                          std::size_t shared_bytes);
template <typename... ParametersT>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, void (*kernel)(ParametersT...),
                                                          int threads, std::size_t shared_bytes) {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, reinterpret_cast<const void*>(kernel),
                                                         threads, shared_bytes);
}
inline cudaError_t cudaGetLastError() {
    return cudaSuccess;
}
inline cudaError_t cudaPeekAtLastError() {
    return cudaSuccess;
}

inline cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned) {
    *stream = nullptr;
    return cudaSuccess;
}
inline cudaError_t cudaStreamDestroy(cudaStream_t) {
    return cudaSuccess;
}
inline cudaError_t cudaStreamSynchronize(cudaStream_t) {
    return cudaSuccess;
}
inline cudaError_t cudaLaunchHostFunc(cudaStream_t, void (*function)(void*), void* argument) {
    function(argument);
    return cudaSuccess;
}
/// Streams are never captured.
inline cudaError_t cudaStreamGetCaptureInfo(cudaStream_t, cudaStreamCaptureStatus* status,
                                            unsigned long long*, cudaGraph_t*) {
    *status = cudaStreamCaptureStatusNone;
    return cudaSuccess;
}
inline cudaError_t cudaStreamIsCapturing(cudaStream_t, cudaStreamCaptureStatus* status) {
    *status = cudaStreamCaptureStatusNone;
    return cudaSuccess;
}
inline cudaError_t cudaUserObjectCreate(cudaUserObject_t*, void*, void (*)(void*), unsigned, unsigned) {
    return cudaErrorInvalidValue;
}
inline cudaError_t cudaGraphRetainUserObject(cudaGraph_t, cudaUserObject_t, unsigned, unsigned) {
    return cudaErrorInvalidValue;
}
inline cudaError_t cudaUserObjectRelease(cudaUserObject_t, unsigned) {
    return cudaErrorInvalidValue;
}
/// Times come from the clock of the cost model.
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags);
cudaError_t cudaEventDestroy(cudaEvent_t event);
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream);
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t begin, cudaEvent_t end);
inline cudaError_t cudaEventQuery(cudaEvent_t) {
    return cudaSuccess;
}

}  // namespace builtins
}  // namespace compaction::simulated
