#pragma once

#include <cuda_runtime_api.h>
#include <nccl.h>
#include <nccl_device.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "compaction/cuda/detail/architectures.cuh"
#include "compaction/cuda/detail/nccl_waits.hpp"
#include "compaction/cuda/detail/sharded_peers.cuh"
#include "compaction/cuda/detail/sharded_rank.cuh"
#include "compaction/sharded_plan.hpp"

/// How the ranks of a communicator agree on a path and get the memory for it.
namespace compaction::cuda::detail {

/// How far all ranks of a process have got, from the least to the most.
enum class Progress : std::int64_t {
    failed,
    done,
    done_with_peer_memory,  ///< done, and all of them can use peer memory
};

/// What a process tells the others; after `agree`, the minimum of each member over all ranks.
struct ShardedFacts {
    Progress progress;
    std::int64_t minus_max_items;  ///< negated, so that the minimum gives the largest max_items
};

/// Replaces `facts` by the minimum over all ranks. Each process calls it with its own ranks. Returns
/// calls.ok().
inline bool agree(BoundedCalls& calls, const std::vector<ShardedRank*>& ranks, ShardedFacts& facts) {
    // d_posts has room for both members, and holds no posts while the ranks connect.
    for (ShardedRank* const rank : ranks) {
        calls.check(
            cudaMemcpyAsync(rank->d_posts, &facts, sizeof facts, cudaMemcpyHostToDevice, rank->stream));
    }
    calls.group([&](std::size_t i) {
        ShardedRank& rank = *ranks[i];
        return ncclAllReduce(rank.d_posts, rank.d_posts, 2, ncclInt64, ncclMin, rank.communicator,
                             rank.stream);
    });
    for (ShardedRank* const rank : ranks) {
        if (calls.wait_for(rank->stream)) {
            calls.check(
                cudaMemcpyAsync(&facts, rank->d_posts, sizeof facts, cudaMemcpyDeviceToHost, rank->stream));
            calls.wait_for(rank->stream);
        }
    }
    return calls.ok();
}

/// The path that this rank would choose.
inline ChosenPath path_for(const ShardedRank& rank, bool use_peer_memory) {
    if (!use_peer_memory) return {ExchangePath::network, "The options exclude peer memory."};
    CommunicatorFacts facts;
    facts.num_ranks = static_cast<int>(rank.peers.num_ranks);
    facts.compiled_version = NCCL_VERSION_CODE;
    ncclGetVersion(&facts.running_version);
    if (facts.running_version == facts.compiled_version) {
        facts.num_reachable = ncclTeamLsa(rank.communicator).nRanks;
    }
    return choose_path(facts);
}

inline namespace COMPACTION_ARCHITECTURES {

// nvcc overlooks the launch bounds of kernel templates (-Wmissing-launch-bounds).
#pragma nv_diagnostic push
#pragma nv_diag_suppress 20238

/// Stores the addresses of the windows of all ranks. One block.
template <unsigned Threads>
__global__ void __launch_bounds__(Threads)
    locate_windows(ncclDevComm_t communicator, ncclDevResourceHandle_t window, std::byte** windows) {
    for (int peer = static_cast<int>(threadIdx.x); peer < communicator.nRanks; peer += Threads) {
        windows[peer] = static_cast<std::byte*>(
            ncclGetResourceBufferPeerPointer(communicator, window, ncclTeamWorld(communicator), peer));
    }
}

/// Makes device communicators, each of which allocates a window, sets it to zero and maps the windows of all
/// ranks. Returns whether all windows of this process were made.
inline bool create_windows(const std::vector<ShardedRank*>& ranks, std::uint64_t window_bytes,
                           std::chrono::milliseconds timeout) {
    BoundedCalls calls(connections_of(ranks), timeout);
    std::vector<ncclDevResourceRequirements_t> resources(ranks.size());
#ifdef NCCL_DEV_COMM_REQUIREMENTS_INITIALIZER  // NCCL after 2.28 rejects requirements without it
    const ncclDevCommRequirements_t initial = NCCL_DEV_COMM_REQUIREMENTS_INITIALIZER;
#else
    const ncclDevCommRequirements_t initial{};
#endif
    std::vector<ncclDevCommRequirements_t> requirements(ranks.size(), initial);
    calls.group([&](std::size_t i) {
        resources[i].bufferSize = window_bytes;
        resources[i].bufferAlign = NCCL_WIN_REQUIRED_ALIGNMENT;
        resources[i].outBufferHandle = &ranks[i]->window_handle;
        requirements[i].resourceRequirementsList = &resources[i];
        requirements[i].lsaMultimem = false;
        return ncclDevCommCreate(ranks[i]->communicator, &requirements[i], &ranks[i]->device_communicator);
    });
    if (!calls.ok()) return false;
    for (ShardedRank* const rank : ranks) rank->has_device_communicator = true;
    for (std::size_t i = 0; i < ranks.size() && calls.ok(); ++i) {
        ShardedRank& rank = *ranks[i];
        calls.check(cudaSetDevice(rank.properties.device));
        locate_windows<meeting_threads><<<1, meeting_threads, 0, rank.stream>>>(
            rank.device_communicator, rank.window_handle, rank.peers.windows);
        calls.check(cudaGetLastError());
        std::byte* own = nullptr;
        calls.check(cudaMemcpyAsync(&own, rank.peers.windows + rank.peers.rank, sizeof own,
                                    cudaMemcpyDeviceToHost, rank.stream));
        if (calls.wait_for(rank.stream)) rank.window = own;
    }
    return calls.ok();
}

/// Allocates the windows of the network path, which no other rank accesses. Returns whether all ranks of this
/// process have one.
inline bool allocate_windows(const std::vector<ShardedRank*>& ranks, std::uint64_t window_bytes) {
    bool allocated = true;
    for (ShardedRank* const rank : ranks) {
        if (rank->has_device_communicator) {
            ncclDevCommDestroy(rank->communicator, &rank->device_communicator);
            rank->has_device_communicator = false;
        }
        rank->window = nullptr;
        cudaSetDevice(rank->properties.device);
        allocated = allocated && cudaMalloc(&rank->window, window_bytes) == cudaSuccess;
    }
    return allocated;
}

/// Connects the ranks of this process with all others. ready: whether `open` has succeeded and the memory for
/// the selection is allocated.
inline ShardedStatus connect(const std::vector<ShardedRank*>& ranks, bool ready,
                             std::chrono::milliseconds timeout, bool use_peer_memory) {
    BoundedCalls calls(connections_of(ranks), timeout);
    std::uint64_t max_items = 0;
    bool can_use_peer_memory = true;
    for (ShardedRank* const rank : ranks) {
        rank->peers.timeout_ns = static_cast<std::uint64_t>(timeout.count()) * 1'000'000;
        rank->path = path_for(*rank, use_peer_memory);
        can_use_peer_memory = can_use_peer_memory && rank->path.path == ExchangePath::peer_memory;
        max_items = std::max(max_items, rank->max_items);
    }
    // Agrees on max_items, too, because windows have the same size on all ranks.
    const Progress best = can_use_peer_memory ? Progress::done_with_peer_memory : Progress::done;
    ShardedFacts facts{ready ? best : Progress::failed, -static_cast<std::int64_t>(max_items)};
    if (!agree(calls, ranks, facts)) return abandon(ranks, calls);
    if (facts.progress == Progress::failed) return fail_all_ranks(ranks, cudaErrorMemoryAllocation);
    max_items = static_cast<std::uint64_t>(-facts.minus_max_items);
    const bool keeps_results = ranks.front()->keeps_results;
    for (ShardedRank* const rank : ranks) rank->peers.items_before_selected = keeps_results ? max_items : 0;
    // sharded_peers.cuh shows the parts of a window.
    const std::uint64_t window_bytes =
        staging_offset(ranks.front()->peers.num_ranks) +
        (keeps_results ? 3 : 1) * max_items * std::uint64_t{ranks.front()->item_bytes};
    const bool all_can_use_peer_memory = facts.progress == Progress::done_with_peer_memory;
    const bool created = all_can_use_peer_memory && create_windows(ranks, window_bytes, timeout);
    // Either all ranks agree here or none does, because they have agreed on `all_can_use_peer_memory`. The
    // other member of the facts, max_items, is agreed already.
    facts = {created ? Progress::done : Progress::failed, 0};
    if (all_can_use_peer_memory && !agree(calls, ranks, facts)) return abandon(ranks, calls);
    if (facts.progress == Progress::done) return ShardedStatus::ok;

    for (ShardedRank* const rank : ranks) {
        if (rank->path.path == ExchangePath::network) continue;
        rank->path = {ExchangePath::network, all_can_use_peer_memory
                                                 ? "NCCL could not make symmetric memory on all ranks."
                                                 : "Another rank cannot use peer memory."};
    }
    facts = {allocate_windows(ranks, window_bytes) ? Progress::done : Progress::failed, 0};
    if (!agree(calls, ranks, facts)) return abandon(ranks, calls);
    return facts.progress == Progress::done ? ShardedStatus::ok
                                            : fail_all_ranks(ranks, cudaErrorMemoryAllocation);
}

#pragma nv_diagnostic pop

}  // namespace COMPACTION_ARCHITECTURES

}  // namespace compaction::cuda::detail
