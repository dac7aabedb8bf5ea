#pragma once

#include <cuda_runtime_api.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

#include "compaction/cuda/select.cuh"

/// The source of temporary storage for the select family: a SelectState, or a memory resource for a call in
/// one line.
namespace compaction::cuda {

namespace detail {

/// The pools of StreamOrderedMemory by device; null before the first use.
inline std::array<std::atomic<cudaMemPool_t>, max_devices> memory_pools{};

/// Makes a pool that keeps what is freed.
inline cudaError_t make_memory_pool(int device, cudaMemPool_t& pool) {
    // Without this, a capture by this thread would forbid cudaMemPoolCreate.
    cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
    if (const cudaError_t error = cudaThreadExchangeStreamCaptureMode(&mode)) return error;
    cudaMemPoolProps properties{};
    properties.allocType = cudaMemAllocationTypePinned;
    properties.location.type = cudaMemLocationTypeDevice;
    properties.location.id = device;
    cudaError_t error = cudaMemPoolCreate(&pool, &properties);
    if (!error) {
        auto threshold = std::numeric_limits<std::uint64_t>::max();
        error = cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold);
        if (error) cudaMemPoolDestroy(pool);
    }
    cudaThreadExchangeStreamCaptureMode(&mode);
    return error;
}

/// The pool of the current device. Several threads may call at once.
inline cudaError_t current_memory_pool(cudaMemPool_t& pool) {
    int device = 0;
    if (const cudaError_t error = cudaGetDevice(&device)) return error;
    if (device >= max_devices) return cudaDeviceGetDefaultMemPool(&pool, device);
    std::atomic<cudaMemPool_t>& device_pool = memory_pools[static_cast<std::size_t>(device)];
    pool = device_pool.load();
    if (pool) return cudaSuccess;
    cudaMemPool_t new_pool = nullptr;
    if (const cudaError_t error = make_memory_pool(device, new_pool)) return error;
    if (device_pool.compare_exchange_strong(pool, new_pool)) {
        pool = new_pool;
        return cudaSuccess;
    }
    // Another thread was first; the exchange has written its pool to `pool`.
    return cudaMemPoolDestroy(new_pool);
}

}  // namespace detail

/// A memory resource over cudaMallocFromPoolAsync, with a pool of its own on each device that keeps what is
/// freed: the default pool gives it back to the system when the host synchronises, and the next call waits
/// for new memory. Allocations become nodes of a graph that is being captured.
struct StreamOrderedMemory {
    /// Returns null on failure.
    void* allocate_async(std::size_t bytes, std::size_t, cudaStream_t stream) const {
        cudaMemPool_t pool = nullptr;
        if (detail::current_memory_pool(pool)) return nullptr;
        void* memory = nullptr;
        return cudaMallocFromPoolAsync(&memory, bytes, pool, stream) == cudaSuccess ? memory : nullptr;
    }
    /// Frees what allocate_async returned.
    void deallocate_async(void* memory, std::size_t, std::size_t, cudaStream_t stream) const {
        cudaFreeAsync(memory, stream);
    }
    /// Gives unused memory of the current device back to the system, except for `bytes_to_keep`.
    cudaError_t trim(std::size_t bytes_to_keep = 0) const {
        cudaMemPool_t pool = nullptr;
        if (const cudaError_t error = detail::current_memory_pool(pool)) return error;
        return cudaMemPoolTrimTo(pool, bytes_to_keep);
    }
};

/// The instance to pass as a workspace.
inline constexpr StreamOrderedMemory stream_ordered_memory{};

namespace detail {

inline constexpr std::size_t storage_alignment = 256;

/// Whether a resource has allocate_async(bytes, alignment, stream), as those of CCCL up to 3.0 and of RMM
/// have.
template <typename ResourceT, typename = void>
inline constexpr bool has_allocate_async = false;
template <typename ResourceT>
inline constexpr bool
    has_allocate_async<ResourceT, std::void_t<decltype(std::declval<ResourceT&>().allocate_async(
                                      std::size_t{}, std::size_t{}, std::declval<cudaStream_t>()))>> = true;

/// Whether a resource has allocate(stream, bytes, alignment), as those of later versions of CCCL have.
template <typename ResourceT, typename = void>
inline constexpr bool has_stream_allocate = false;
template <typename ResourceT>
inline constexpr bool
    has_stream_allocate<ResourceT, std::void_t<decltype(std::declval<ResourceT&>().allocate(
                                       std::declval<cudaStream_t>(), std::size_t{}, std::size_t{}))>> = true;

/// Whether T, which may be a reference, is a SelectState or a memory resource.
template <typename T>
inline constexpr bool is_workspace = std::is_same_v<std::remove_reference_t<T>, SelectState> ||
                                     has_allocate_async<T> || has_stream_allocate<T>;

/// Calls `call(temp, bytes)` with storage from the workspace.
template <typename CallT>
cudaError_t call_in(SelectState& state, cudaStream_t, CallT call) {
    return state.call_with_storage(call);
}
/// The storage is freed in the order of the stream. Exceptions of the resource pass through.
template <typename ResourceT, typename CallT>
cudaError_t call_in(ResourceT& resource, cudaStream_t stream, CallT call) {
    std::size_t bytes = 0;
    if (const cudaError_t error = call(static_cast<void*>(nullptr), bytes)) return error;
    void* temp = nullptr;
    if constexpr (has_allocate_async<ResourceT>) {
        temp = resource.allocate_async(bytes, storage_alignment, stream);
    } else {
        temp = resource.allocate(stream, bytes, storage_alignment);
    }
    if (!temp) {
        const cudaError_t error = cudaPeekAtLastError();
        return error ? error : cudaErrorMemoryAllocation;
    }
    std::size_t temp_bytes = bytes;
    const cudaError_t error = call(temp, temp_bytes);
    if constexpr (has_allocate_async<ResourceT>) {
        resource.deallocate_async(temp, bytes, storage_alignment, stream);
    } else {
        resource.deallocate(stream, temp, bytes, storage_alignment);
    }
    return error;
}

}  // namespace detail

}  // namespace compaction::cuda
