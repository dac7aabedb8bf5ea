#pragma once

#include <cuda_runtime_api.h>

#include <cstring>

#include "simulated/gpu.hpp"
#include "simulated/kernels.hpp"
#include "tests/simulated/seeds.hpp"

/// Comes before everything else in a test for a GPU that is compiled for the simulated one. Holds the
/// functions of the CUDA runtime that only the tests call.
namespace compaction::simulated {

/// The seed of all tests of the program, unless the environment names another.
extern const int seed_of_tests;
/// The checks of the launches of all tests of the program.
#ifdef CHECK_ALL_ACCESSES
inline constexpr Checks checks_of_tests{.accesses = true, .uninitialised = true, .stale_values = true};
#else
inline constexpr Checks checks_of_tests{};
#endif

/// Call it at the beginning of each test.
inline cudaError_t cudaGetDeviceCount(int* devices) {
    set_seed(static_cast<std::uint64_t>(simulated_seeds::or_chosen(seed_of_tests)));
    set_checks(checks_of_tests);
    *devices = 1;
    return cudaSuccess;
}
inline cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
    return cudaMemcpyAsync(to, from, bytes, kind, nullptr);
}
inline cudaError_t cudaMemset(void* data, int value, std::size_t bytes) {
    return cudaMemsetAsync(data, value, bytes, nullptr);
}
inline cudaError_t cudaSetDevice(int device) {
    return device == 0 ? cudaSuccess : cudaErrorInvalidDevice;
}
inline cudaError_t cudaMallocAsync(void** data, std::size_t bytes, cudaStream_t) {
    return cudaMalloc(data, bytes);
}
using cudaMemPool_t = struct MemPool_*;
enum cudaMemAllocationType { cudaMemAllocationTypePinned };
enum cudaMemLocationType { cudaMemLocationTypeDevice };
enum cudaMemPoolAttr { cudaMemPoolAttrReleaseThreshold };
enum cudaStreamCaptureMode { cudaStreamCaptureModeRelaxed };
struct cudaMemPoolProps {
    cudaMemAllocationType allocType;
    struct {
        cudaMemLocationType type;
        int id;
    } location;
};
inline cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode*) {
    return cudaSuccess;
}
inline cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps*) {
    static char only_pool;
    *pool = reinterpret_cast<cudaMemPool_t>(&only_pool);
    return cudaSuccess;
}
inline cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int) {
    return cudaMemPoolCreate(pool, nullptr);
}
inline cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t, cudaMemPoolAttr, void*) {
    return cudaSuccess;
}
inline cudaError_t cudaMemPoolDestroy(cudaMemPool_t) {
    return cudaSuccess;
}
inline cudaError_t cudaMemPoolTrimTo(cudaMemPool_t, std::size_t) {
    return cudaSuccess;
}
inline cudaError_t cudaMallocFromPoolAsync(void** data, std::size_t bytes, cudaMemPool_t, cudaStream_t) {
    return cudaMallocAsync(data, bytes, nullptr);
}
inline cudaError_t cudaFreeAsync(void* data, cudaStream_t) {
    return cudaFree(data);
}
inline cudaError_t cudaDeviceSynchronize() {
    return cudaSuccess;
}
inline cudaError_t cudaStreamCreate(cudaStream_t* stream) {
    return cudaStreamCreateWithFlags(stream, 0);
}

}  // namespace compaction::simulated

using namespace compaction::simulated;
