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
inline cudaError_t cudaMallocAsync(void** data, std::size_t bytes, cudaStream_t) {
    return cudaMalloc(data, bytes);
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
