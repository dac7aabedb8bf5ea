#pragma once

#include <cuda_runtime_api.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "compaction/cuda/detail/architectures.cuh"
#include "compaction/cuda/detail/launch_kernel.cuh"
#include "compaction/cuda/detail/launch_shape.cuh"

/// Device properties, occupancy and kernel launches with attributes.
namespace compaction::cuda::detail {

inline constexpr int max_devices = 64;

/// The properties of a GPU that the choice of a kernel depends on.
struct DeviceProperties {
    int device = 0;
    unsigned multiprocessors = 0;
    unsigned max_shared_bytes = 0;  ///< the limit per block
    bool has_bulk_copies = false;
};

inline cudaError_t query_device(int device, DeviceProperties& properties) {
    int multiprocessors = 0, opt_in_limit = 0, default_limit = 0, major = 0;
    const std::array<std::pair<int*, cudaDeviceAttr>, 4> attributes{{
        {&multiprocessors, cudaDevAttrMultiProcessorCount},
        {&opt_in_limit, cudaDevAttrMaxSharedMemoryPerBlockOptin},
        {&default_limit, cudaDevAttrMaxSharedMemoryPerBlock},
        {&major, cudaDevAttrComputeCapabilityMajor},
    }};
    for (const auto& [value, attribute] : attributes) {
        if (const cudaError_t error = cudaDeviceGetAttribute(value, attribute, device)) return error;
    }
    // The opt-in limit may be 0 on devices where no kernel can exceed the default.
    properties = {device, static_cast<unsigned>(multiprocessors),
                  static_cast<unsigned>(std::max(opt_in_limit, default_limit)), major >= 9};
    return cudaSuccess;
}

inline cudaError_t query_current_device(DeviceProperties& properties) {
    int device = 0;
    if (const cudaError_t error = cudaGetDevice(&device)) return error;
    return query_device(device, properties);
}

/// Whether the stream is being captured into a graph.
inline cudaError_t query_capturing(cudaStream_t stream, bool& is_capturing) {
    cudaStreamCaptureStatus status{};
    const cudaError_t error = cudaStreamIsCapturing(stream, &status);
    is_capturing = !error && status != cudaStreamCaptureStatusNone;
    return error;
}

inline namespace COMPACTION_ARCHITECTURES {

/// Whether a kernel was compiled with __CUDA_ARCH__ >= 900. The driver compiles PTX of older architectures to
/// binary code for the current GPU, which still lacks the newer instructions; so the PTX version decides, not
/// the binary version.
inline cudaError_t query_compiled_for_hopper(const void* kernel, bool& compiled_for_hopper) {
    cudaFuncAttributes attributes{};
    const cudaError_t error = cudaFuncGetAttributes(&attributes, kernel);
    compiled_for_hopper = !error && attributes.ptxVersion >= 90;
    return error;
}

/// The occupancy of a kernel on a device. Aligned so that Clang, too, loads and stores it in one access.
struct alignas(8) Occupancy {
    unsigned blocks_per_multiprocessor = 0;  ///< 0 where shared memory is too small
    bool compiled_for_hopper = false;        ///< the code has bulk copies and dependent launches
    bool known = false;
};

/// Dynamic shared memory that a kernel may use without raising its limit: 48 KiB with up to 1 KiB of static
/// shared memory.
inline constexpr unsigned default_shared_bytes = 47 << 10;

/// Raises the kernel's limit of shared memory if the shape needs it. A device reset restores the default, so
/// each launch raises the limit.
template <auto Kernel>
cudaError_t raise_shared_limit(const LaunchShape& shape) {
    if (shape.shared_bytes <= default_shared_bytes) return cudaSuccess;
    return cudaFuncSetAttribute(reinterpret_cast<const void*>(Kernel),
                                cudaFuncAttributeMaxDynamicSharedMemorySize,
                                static_cast<int>(shape.shared_bytes));
}

/// Queries the occupancy once per kernel and device.
template <auto Kernel>
cudaError_t query_occupancy(const DeviceProperties& properties, const LaunchShape& shape,
                            Occupancy& occupancy) {
    static std::array<std::atomic<Occupancy>, max_devices> cache{};
    occupancy = {};
    if (shape.shared_bytes > properties.max_shared_bytes) return cudaSuccess;
    const bool cached = properties.device < max_devices;
    if (cached) occupancy = cache[static_cast<std::size_t>(properties.device)].load();
    if (occupancy.known) return cudaSuccess;
    if (const cudaError_t error = raise_shared_limit<Kernel>(shape)) return error;
    const auto* const kernel = reinterpret_cast<const void*>(Kernel);
    int blocks = 0;
    if (const cudaError_t error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(
            &blocks, kernel, static_cast<int>(shape.threads), shape.shared_bytes)) {
        return error;
    }
    bool compiled_for_hopper = false;
    if (const cudaError_t error = query_compiled_for_hopper(kernel, compiled_for_hopper)) return error;
    occupancy = {static_cast<unsigned>(blocks), compiled_for_hopper, true};
    if (cached) cache[static_cast<std::size_t>(properties.device)] = occupancy;
    return cudaSuccess;
}

}  // namespace COMPACTION_ARCHITECTURES

}  // namespace compaction::cuda::detail
