#pragma once

#include <cuda_runtime_api.h>
#include <nccl.h>
#include <nccl_device.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

#include "compaction/cuda/detail/nccl_waits.hpp"
#include "compaction/cuda/detail/sharded_peers.cuh"
#include "compaction/cuda/select.cuh"

/// The resources of one rank for selections over a communicator.
namespace compaction::cuda::detail {

/// One rank of a communicator. Its members are public to the functions of this folder.
struct ShardedRank {
    explicit ShardedRank(ncclComm_t comm) : communicator(comm) {}
    ShardedRank(const ShardedRank&) = delete;
    ShardedRank& operator=(const ShardedRank&) = delete;
    ~ShardedRank() { close(); }

    /// Queries the communicator and allocates the memory that does not depend on the exchange path. Sets the
    /// current device.
    cudaError_t open();
    /// Releases everything. Ignores errors, because a destructor cannot report those of a lost device.
    void close();
    /// See ShardedSelectState::abort.
    ShardedStatus abort();

    /// The first failure, seen by the host or by a kernel.
    ShardedStatus status() const {
        if (failure != ShardedStatus::ok) return failure;
        if (abort_requested) return ShardedStatus::aborted;
        return peers.failure ? *static_cast<volatile ShardedStatus*>(peers.failure) : ShardedStatus::ok;
    }

    ncclComm_t communicator = nullptr;
    DeviceProperties properties;
    std::size_t item_bytes = 0;   ///< size of the items that the memory was reserved for
    std::uint64_t max_items = 0;  ///< number of items that the memory was reserved for
    bool keeps_results = false;   ///< see ShardedOptions
    SelectState select;
    ShardedPeers peers;
    std::byte* window = nullptr;  ///< posts, and kept items before they move; see sharded_peers.cuh
    ChosenPath path{ExchangePath::network, {}};
    ncclDevComm_t device_communicator{};  ///< on the peer-memory path; owns the window
    bool has_device_communicator = false;
    ncclDevResourceHandle_t window_handle{};  ///< a member, because NCCL may still write it after a timeout
    /// [2 * num_ranks] device memory. On the network path: the count and the capacity of each rank.
    std::uint64_t* d_posts = nullptr;
    std::uint64_t* h_posts = nullptr;   ///< [2 * num_ranks] copy of the posts in pinned host memory
    ShardedCounts* h_counts = nullptr;  ///< [1] pinned host memory
    cudaStream_t stream = nullptr;      ///< used while the ranks connect
    std::atomic<ShardedStatus> failure = ShardedStatus::ok;
    ShardedErrors errors;
    std::atomic<bool> abort_requested = false;
    std::atomic<bool> aborted = false;  ///< whether the communicator was aborted
    std::mutex calling;                 ///< held by a call that uses the communicator
};

inline cudaError_t ShardedRank::open() {
    int rank = 0;
    int num_ranks = 0;
    int device = 0;
    if (ncclCommCuDevice(communicator, &device) || ncclCommUserRank(communicator, &rank) ||
        ncclCommCount(communicator, &num_ranks)) {
        return cudaErrorInvalidValue;
    }
    peers.rank = static_cast<unsigned>(rank);
    peers.num_ranks = static_cast<unsigned>(num_ranks);
    if (const cudaError_t error = cudaSetDevice(device)) return error;
    if (const cudaError_t error = query_device(device, properties)) return error;
    if (const cudaError_t error = cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking)) return error;
    if (const cudaError_t error = cudaMallocHost(&peers.failure, sizeof(ShardedStatus))) return error;
    *peers.failure = ShardedStatus::ok;
    if (const cudaError_t error = cudaMallocHost(&h_counts, sizeof(ShardedCounts))) return error;
    const std::size_t posts_bytes = 2 * sizeof(std::uint64_t) * peers.num_ranks;
    if (const cudaError_t error = cudaMallocHost(&h_posts, posts_bytes)) return error;
    if (const cudaError_t error = cudaMalloc(&d_posts, posts_bytes)) return error;
    if (const cudaError_t error = cudaMalloc(&peers.control, sizeof(ShardedControl))) return error;
    if (const cudaError_t error = cudaMemsetAsync(peers.control, 0, sizeof(ShardedControl), stream))
        return error;
    if (const cudaError_t error = cudaMalloc(&peers.windows, peers.num_ranks * sizeof(std::byte*))) {
        return error;
    }
    const std::size_t offsets_bytes = (peers.num_ranks + 1) * sizeof(std::uint64_t);
    if (const cudaError_t error = cudaMalloc(&peers.offsets, offsets_bytes)) return error;
    return cudaMemsetAsync(peers.offsets, 0, offsets_bytes, stream);
}

inline void ShardedRank::close() {
    const DeviceGuard guard;
    cudaSetDevice(properties.device);
    if (has_device_communicator) {
        if (!aborted) ncclDevCommDestroy(communicator, &device_communicator);
    } else {
        cudaFree(window);
    }
    for (void* const memory : {static_cast<void*>(peers.control), static_cast<void*>(peers.windows),
                               static_cast<void*>(peers.offsets), static_cast<void*>(d_posts)}) {
        cudaFree(memory);
    }
    for (void* const memory :
         {static_cast<void*>(peers.failure), static_cast<void*>(h_posts), static_cast<void*>(h_counts)}) {
        cudaFreeHost(memory);
    }
    if (stream) cudaStreamDestroy(stream);
}

/// The communicators of the ranks.
inline std::vector<Connection> connections_of(const std::vector<ShardedRank*>& ranks) {
    std::vector<Connection> connections;
    for (const ShardedRank* const rank : ranks)
        connections.push_back({rank->communicator, &rank->abort_requested});
    return connections;
}

/// Prevents other threads from aborting the communicators of the ranks.
inline std::vector<std::unique_lock<std::mutex>> lock(const std::vector<ShardedRank*>& ranks) {
    std::vector<std::unique_lock<std::mutex>> locks;
    for (ShardedRank* const rank : ranks) locks.emplace_back(rank->calling);
    return locks;
}

inline ShardedStatus ShardedRank::abort() {
    abort_requested = true;  // a call that waits sees it, and aborts the communicator itself
    if (path.path == ExchangePath::peer_memory) {
        const DeviceGuard guard;
        cudaError_t error = cudaSetDevice(properties.device);
        if (!error) error = give_up(peers, window, stream);
        if (!error) error = cudaStreamSynchronize(stream);
        return error ? ShardedStatus::cuda_error : ShardedStatus::ok;
    }
    const std::unique_lock<std::mutex> after_calls(calling);
    if (aborted.exchange(true)) return ShardedStatus::ok;
    return ncclCommAbort(communicator) ? ShardedStatus::nccl_error : ShardedStatus::ok;
}

/// Records a failed CUDA call in all ranks of this process. Returns cuda_error.
inline ShardedStatus fail_all_ranks(const std::vector<ShardedRank*>& ranks, cudaError_t error) {
    for (ShardedRank* const rank : ranks) {
        rank->errors.cuda = error;
        rank->failure = ShardedStatus::cuda_error;
    }
    return ShardedStatus::cuda_error;
}

/// Records a failure in all ranks of this process. Aborts their communicators, because their work on the GPU
/// might wait for other ranks for ever. Returns the failure.
inline ShardedStatus abandon(const std::vector<ShardedRank*>& ranks, const BoundedCalls& calls) {
    if (ranks.size() > 1) ncclGroupStart();
    for (ShardedRank* const rank : ranks) {
        rank->failure = calls.status();
        rank->errors = calls.errors();
        if (!rank->aborted.exchange(true)) ncclCommAbort(rank->communicator);
    }
    if (ranks.size() > 1) ncclGroupEnd();
    return calls.status();
}

}  // namespace compaction::cuda::detail
