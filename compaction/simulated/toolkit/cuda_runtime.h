#pragma once

#include <cassert>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>

#include <cuda_runtime_api.h>

#define COMPACTION_ALIGNED_VECTORS
#include "simulated/device.hpp"
#include "simulated/memory.hpp"

/// Stands in for the toolkit's header of this name, for CUDA files that translate.py has translated. All work
/// is complete when a call returns. A launch that fails throws compaction::Error.

// The C library declares some of these names without defining them.
#define __expf expf
#define __exp10f exp10f
#define __logf logf
#define __log2f log2f
#define __log10f log10f
#define __sinf sinf
#define __cosf cosf
#define __tanf tanf
#define __powf powf

namespace compaction::simulated {

/// Sets the checks of accesses, and the seed of WARPSIEVE_SIMULATED_SEED, for launches of this thread.
inline bool configure_from_environment() {
    set_checks({.accesses = true, .uninitialised = true});
    if (const char* const seed = std::getenv("WARPSIEVE_SIMULATED_SEED"))
        set_seed(std::strtoull(seed, nullptr, 10));
    return true;
}
inline const bool is_configured = configure_from_environment();

/// What translate.py makes of kernel<<<grid, block, shared_bytes, stream>>>.
template <typename KernelT>
class Launcher {
  public:
    Launcher(const char* name, KernelT kernel, dim3 grid, dim3 block, std::size_t shared_bytes = 0,
             cudaStream_t = nullptr)
        : name_(name), kernel_(std::move(kernel)), shape_(shape_of(grid, block, shared_bytes)) {
        shape_.stack_bytes = std::size_t{64} * 1024;
    }
    template <typename... ArgumentsT>
    void operator()(const ArgumentsT&... arguments) const {
        run_grid(KernelName{.text = name_}, shape_, schedule_of(current_seed()),
                 [&] { kernel_(arguments...); });
    }

  private:
    const char* name_;
    KernelT kernel_;
    LaunchShape shape_;
};

/// Dynamic shared memory that is declared outside functions.
template <typename T>
struct DynamicShared {
    // NOLINTNEXTLINE(google-explicit-constructor): it is used as an array
    operator T*() const { return static_cast<T*>(dynamic_shared()); }
    template <typename U>
    explicit operator U*() const {
        return static_cast<U*>(dynamic_shared());
    }
};

inline namespace builtins {

struct cudaDeviceProp {
    char name[256] = "simulated GPU";
    std::size_t totalGlobalMem = std::size_t{1} << 30;
    std::size_t sharedMemPerBlock = max_static_shared_bytes;
    std::size_t sharedMemPerMultiprocessor = shared_bytes_per_multiprocessor;
    int warpSize = lanes_per_warp;
    int maxThreadsPerBlock = 1024;
    int maxThreadsPerMultiProcessor = max_threads_per_multiprocessor;
    int multiProcessorCount = 1;
    int major = 9;
    int minor = 0;
};
inline cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int) {
    *properties = {};
    return cudaDeviceGetAttribute(&properties->multiProcessorCount, cudaDevAttrMultiProcessorCount, 0);
}
inline cudaError_t cudaGetDeviceCount(int* count) {
    *count = 1;
    return cudaSuccess;
}
inline cudaError_t cudaSetDevice(int device) {
    return device == 0 ? cudaSuccess : cudaErrorInvalidDevice;
}
inline cudaError_t cudaDeviceReset() {
    return cudaSuccess;
}
inline cudaError_t cudaDeviceSynchronize() {
    return cudaSuccess;
}
inline const char* cudaGetErrorName(cudaError_t error) {
    return error == cudaSuccess ? "cudaSuccess" : "an error of the CUDA runtime";
}
inline const char* cudaGetErrorString(cudaError_t error) {
    return error == cudaSuccess ? "no error" : "an error of the CUDA runtime";
}
template <typename T>
cudaError_t cudaMallocManaged(T** data, std::size_t bytes, unsigned = 1) {
    return cudaMalloc(data, bytes);
}
inline cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
    const bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
    const bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
    if (bytes > 0 &&
        ((to_device && wrong_access(to, bytes, 1)) || (from_device && wrong_access(from, bytes, 1))))
        return cudaErrorInvalidValue;
    return cudaMemcpyAsync(to, from, bytes, kind, nullptr);
}
inline cudaError_t cudaMemset(void* data, int value, std::size_t bytes) {
    if (bytes > 0 && wrong_access(data, bytes, 1)) return cudaErrorInvalidValue;
    return cudaMemsetAsync(data, value, bytes, nullptr);
}
template <typename T>
cudaError_t cudaMemcpyToSymbol(T& symbol, const void* from, std::size_t bytes, std::size_t offset = 0) {
    if (offset + bytes > sizeof symbol) return cudaErrorInvalidValue;
    std::memcpy(reinterpret_cast<char*>(&symbol) + offset, from, bytes);
    return cudaSuccess;
}
template <typename T>
cudaError_t cudaMemcpyFromSymbol(void* to, const T& symbol, std::size_t bytes, std::size_t offset = 0) {
    if (offset + bytes > sizeof symbol) return cudaErrorInvalidValue;
    std::memcpy(to, reinterpret_cast<const char*>(&symbol) + offset, bytes);
    return cudaSuccess;
}
inline cudaError_t cudaStreamCreate(cudaStream_t* stream) {
    return cudaStreamCreateWithFlags(stream, 0);
}
inline cudaError_t cudaEventCreate(cudaEvent_t* event) {
    return cudaEventCreateWithFlags(event, cudaEventDefault);
}
inline cudaError_t cudaEventRecord(cudaEvent_t event) {
    return cudaEventRecord(event, nullptr);
}
inline cudaError_t cudaEventSynchronize(cudaEvent_t) {
    return cudaSuccess;
}

}  // namespace builtins
}  // namespace compaction::simulated

using namespace compaction::simulated::builtins;  // NOLINT: CUDA's names are global
