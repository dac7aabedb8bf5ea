#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <cuda/atomic>

#include "compaction/cuda/detail/ptx.cuh"
#include "compaction/cuda/select.cuh"
#include "compaction/sharded_call.hpp"

/// A selection over ranks whose GPUs reach each other's memory. Each rank has a *window* that all of them can
/// access. Nothing here depends on how the windows were made.
///
///     window:   posts [2][num_ranks] | staging [max_items], or [3 * max_items] if results may stay in it
///
/// A selection writes what it keeps to the staging: to its beginning or, in the long form, to its middle
/// third. A balanced result that stays there grows around it (begin_around_kept).
///
/// Ranks *meet*: each writes a post to the window of every rank and then waits until it has a post of every
/// rank. Posts of even and of odd rounds have places of their own. So a rank may be one round ahead: its
/// post does not overwrite one that is still being read.
namespace compaction::cuda::detail {

/// What a rank tells another one when they meet.
struct alignas(32) Post {
    std::uint64_t count;     ///< items that it kept
    std::uint64_t capacity;  ///< items that its output holds
    std::uint64_t round;     ///< written last
};

/// The round of a post by which a rank reports that it has failed.
inline constexpr std::uint64_t failed_round = ~std::uint64_t{0};

/// What the kernels of one rank share.
struct ShardedControl {
    std::uint64_t round = 0;                   ///< the number of meetings so far
    std::uint64_t count = 0;                   ///< items that this rank kept
    ShardedStatus status = ShardedStatus::ok;  ///< of the latest call; peer_failed stays for good
};

/// One rank and its way to the others.
struct ShardedPeers {
    unsigned rank = 0;
    unsigned num_ranks = 0;
    std::uint64_t timeout_ns = 0;  ///< the longest wait for other ranks
    /// Items of the staging before what the selection writes: max_items in the long form, 0 otherwise. The
    /// same on all ranks.
    std::uint64_t items_before_kept = 0;
    ShardedControl* control = nullptr;  ///< [1] device memory, zero at first
    std::uint64_t* offsets = nullptr;   ///< [num_ranks + 1] device memory: those of the plan
    std::byte** windows = nullptr;      ///< [num_ranks] device memory: where the windows are; zero at first
    ShardedStatus* failure = nullptr;   ///< [1] pinned host memory: peer_failed once a meeting has failed
};

/// Where the staging begins in a window.
COMPACTION_HOST_DEVICE constexpr std::uint64_t staging_offset(unsigned num_ranks) {
    constexpr std::uint64_t alignment = 256;
    return (2 * sizeof(Post) * num_ranks + alignment - 1) / alignment * alignment;
}

/// The staging of a rank.
template <typename ItemT>
COMPACTION_HOST_DEVICE ItemT* staging_in(std::byte* window, unsigned num_ranks) {
    return reinterpret_cast<ItemT*>(window + staging_offset(num_ranks));
}

using SystemWord = ::cuda::atomic_ref<std::uint64_t, ::cuda::thread_scope_system>;

/// The post from `source` in the window of `owner`.
__device__ inline Post& post_of(const ShardedPeers& peers, unsigned owner, unsigned source,
                                std::uint64_t round) {
    return reinterpret_cast<Post*>(peers.windows[owner])[round % 2 * peers.num_ranks + source];
}

/// Waits for a post of the round. False if its rank failed or the deadline passed.
__device__ inline bool wait_for_post(Post& post, std::uint64_t round, unsigned long long deadline_ns) {
    const SystemWord word(post.round);
    for (;;) {
        // Acquire: makes the rest of the post visible, and all that its rank wrote before.
        const std::uint64_t posted = word.load(::cuda::memory_order_acquire);
        if (posted == round) return true;
        if (posted == failed_round || timer_ns() > deadline_ns) return false;
    }
}

/// Meets the other ranks; all threads of a block call it. True if all came; then `round` is that of their
/// posts. After a failure this rank never posts again, and tells the others, which therefore fail as well.
__device__ inline bool meet(const ShardedPeers& peers, std::uint64_t capacity, std::uint64_t& round) {
    ShardedControl& control = *peers.control;
    round = control.round + 1;
    for (unsigned peer = threadIdx.x; peer < peers.num_ranks; peer += blockDim.x) {
        Post& post = post_of(peers, peer, peers.rank, round);
        post.count = control.count;
        post.capacity = capacity;
        // Release: the post is written before its round, and so is what earlier kernels of this rank wrote.
        SystemWord(post.round).store(round, ::cuda::memory_order_release);
    }
    const unsigned long long deadline_ns = timer_ns() + peers.timeout_ns;
    bool missing = false;
    for (unsigned peer = threadIdx.x; peer < peers.num_ranks; peer += blockDim.x) {
        missing = missing || !wait_for_post(post_of(peers, peers.rank, peer, round), round, deadline_ns);
    }
    missing = __syncthreads_or(missing);  // all have read the round before thread 0 writes it
    if (missing) {
        for (unsigned peer = threadIdx.x; peer < peers.num_ranks; peer += blockDim.x) {
            for (const unsigned parity : {0U, 1U}) {
                SystemWord(post_of(peers, peer, peers.rank, parity).round)
                    .store(failed_round, ::cuda::memory_order_release);
            }
        }
    }
    if (threadIdx.x == 0) {
        control.round = round;
        if (missing) {
            control.status = ShardedStatus::peer_failed;
            *peers.failure = ShardedStatus::peer_failed;
        }
    }
    return !missing;
}

/// Exchanges the counts and computes the offsets of the plan. One block.
template <unsigned Threads>
__global__ void __launch_bounds__(Threads)
    exchange_counts(ShardedPeers peers, ShardedPlan plan, std::uint64_t capacity, bool in_state,
                    ShardedCounts* counts) {
    wait_for_previous_launch();
    if (peers.control->status == ShardedStatus::peer_failed) {
        if (threadIdx.x == 0) *counts = {0, 0, 0, ShardedStatus::peer_failed};
        return;
    }
    std::uint64_t round = 0;
    const bool met = meet(peers, capacity, round);
    if (threadIdx.x != 0) return;
    if (!met) {
        *counts = {0, 0, 0, ShardedStatus::peer_failed};
        return;
    }
    std::uint64_t offset = 0;
    for (unsigned source = 0; source < peers.num_ranks; ++source) {
        peers.offsets[source] = offset;
        offset += post_of(peers, peers.rank, source, round).count;
    }
    peers.offsets[peers.num_ranks] = offset;
    // All ranks find the same answer, because each has the capacities of all.
    ShardedStatus status = ShardedStatus::ok;
    for (unsigned rank = 0; rank < peers.num_ranks; ++rank) {
        if (plan.stored_by(rank).size() > post_of(peers, peers.rank, rank, round).capacity) {
            status = ShardedStatus::output_too_short;
        }
    }
    peers.control->status = status;
    const ItemRange stored = plan.stored_by(peers.rank);
    *counts = {stored.begin, stored.size(), plan.total(), status,
               in_state ? begin_around_kept(plan, peers.rank, peers.items_before_kept) : 0};
}

/// Some blocks of a grid, numbered from `first`.
struct BlockRange {
    unsigned first;
    unsigned size;
};

/// Copies with the threads of those blocks; the others do nothing.
template <typename ItemT>
__device__ void copy_items(BlockRange blocks, const ItemT* from, ItemT* to, std::uint64_t num_items) {
    if (blockIdx.x - blocks.first >= blocks.size) return;  // also where blockIdx.x is less
    constexpr unsigned batch = 8;                          // loads in flight per thread
    const std::uint64_t stride = std::uint64_t{blocks.size} * blockDim.x;
    std::uint64_t i = std::uint64_t{blockIdx.x - blocks.first} * blockDim.x + threadIdx.x;
    for (; i + (batch - 1) * stride < num_items; i += batch * stride) {
        ItemT items[batch];
#pragma unroll
        for (unsigned k = 0; k < batch; ++k) items[k] = from[i + k * stride];
#pragma unroll
        for (unsigned k = 0; k < batch; ++k) to[i + k * stride] = items[k];
    }
    for (; i < num_items; i += stride) to[i] = from[i];
}

/// The blocks that copy what stays on this GPU; the others fetch what arrives. Both end at about the same
/// time if the link is `link_divisor` times slower than the memory. One block does both.
__device__ inline BlockRange blocks_for_staying(std::uint64_t stays, std::uint64_t arrives) {
    if (stays == 0 || arrives == 0 || gridDim.x == 1) return {0, gridDim.x};
    const std::uint64_t share = gridDim.x * stays / (stays + link_divisor * arrives);
    return {0, static_cast<unsigned>(min(max(share, std::uint64_t{1}), std::uint64_t{gridDim.x - 1}))};
}

/// Fetches what belongs on this rank from the staging of all ranks. No rank writes to the output of another.
/// out: the output, or null if the result stays in the staging
template <unsigned Threads, typename ItemT>
__global__ void __launch_bounds__(Threads) fetch_items(ShardedPeers peers, ShardedPlan plan, ItemT* out) {
    wait_for_previous_launch();
    if (peers.control->status != ShardedStatus::ok) return;
    const auto kept_by = [&](unsigned rank) {
        return staging_in<ItemT>(peers.windows[rank], peers.num_ranks) + peers.items_before_kept;
    };
    const Transfer stays = plan.transfer(peers.rank, peers.rank);
    const std::uint64_t arrives = plan.stored_by(peers.rank).size() - stays.num_items;
    BlockRange fetching{0, gridDim.x};
    if (out) {
        const BlockRange copying = blocks_for_staying(stays.num_items, arrives);
        copy_items(copying, kept_by(peers.rank) + stays.first_kept, out + stays.first_stored,
                   stays.num_items);
        if (copying.size < gridDim.x) fetching = {copying.size, gridDim.x - copying.size};
    } else {
        out = staging_in<ItemT>(peers.windows[peers.rank], peers.num_ranks) +
              begin_around_kept(plan, peers.rank, peers.items_before_kept);
    }
    for (unsigned i = 1; i < peers.num_ranks; ++i) {
        // Each rank begins with the next one, so that not all read from the same one.
        const unsigned source = (peers.rank + i) % peers.num_ranks;
        const Transfer transfer = plan.transfer(source, peers.rank);
        copy_items(fetching, kept_by(source) + transfer.first_kept, out + transfer.first_stored,
                   transfer.num_items);
    }
}

/// Meets again, so that no rank overwrites its staging while others read it. One block.
template <unsigned Threads>
__global__ void __launch_bounds__(Threads) finish_fetching(ShardedPeers peers, ShardedCounts* counts) {
    wait_for_previous_launch();
    if (peers.control->status == ShardedStatus::peer_failed) return;
    std::uint64_t round = 0;
    if (!meet(peers, 0, round) && threadIdx.x == 0) *counts = {0, 0, 0, ShardedStatus::peer_failed};
}

inline constexpr unsigned meeting_threads = 32;
inline constexpr unsigned fetching_threads = 256;

/// Enqueues a kernel that calls wait_for_previous_launch first. Where it can wait, it is launched before the
/// previous one ends, which hides the launch.
template <auto Kernel, typename... ArgumentsT>
cudaError_t launch_early(const DeviceProperties& device, unsigned blocks, unsigned threads,
                         cudaStream_t stream, ArgumentsT... arguments) {
    Occupancy occupancy;
    if (const cudaError_t error = query_occupancy<Kernel>(device, {1, threads, 0}, occupancy)) return error;
    return launch(Kernel, {blocks, threads, 0, stream, occupancy.compiled_for_hopper}, arguments...);
}

/// Whether the selection of a rank writes to the output: if items stay and it is certainly long enough.
/// Otherwise it writes to the staging.
template <typename ItemT>
bool selects_directly(ShardedTarget target, const ShardedArrays<ItemT>& arrays) {
    return target.result == ShardedResult::sharded && arrays.capacity >= arrays.num_items;
}

/// The blocks that copy at most `capacity` items. Capacities may be the largest number.
template <typename ItemT>
constexpr unsigned fetching_blocks(std::uint64_t capacity, unsigned multiprocessors) {
    constexpr std::uint64_t items_per_block = 16384 / sizeof(ItemT);
    const std::uint64_t resident = std::uint64_t{multiprocessors} * (2048 / fetching_threads);
    const std::uint64_t blocks = capacity / items_per_block + (capacity % items_per_block != 0);
    return static_cast<unsigned>(blocks < resident ? blocks : resident);
}

/// A call of one rank whose arguments have been checked. Its steps go to the stream one after the other. They
/// neither allocate nor synchronise.
///
/// A thread that calls several ranks enqueues a step of all of them before the next one: the first launch of
/// a kernel loads it, which may wait for the work of its GPU, and so for the ranks that this work waits for.
template <typename ItemT>
struct PeerCall {
    SelectState& state;
    const ShardedPeers& peers;
    std::byte* window;  ///< the rank's own
    const DeviceProperties& device;
    ShardedTarget target;
    ShardedArrays<ItemT> arrays;
    cudaStream_t stream;

    template <typename PredicateT>
    cudaError_t select(PredicateT predicate) const {
        ItemT* const selected = selects_directly(target, arrays)
                                    ? arrays.out
                                    : staging_in<ItemT>(window, peers.num_ranks) + peers.items_before_kept;
        return select_if(state, arrays.in, selected, &peers.control->count, arrays.num_items, predicate,
                         stream);
    }

    cudaError_t exchange() const {
        return launch_early<exchange_counts<meeting_threads>>(
            device, 1, meeting_threads, stream, peers, plan(), capacity(), target.in_state, arrays.counts);
    }

    cudaError_t fetch() const {
        const unsigned blocks = fetching_blocks<ItemT>(capacity(), device.multiprocessors);
        if (selects_directly(target, arrays) || blocks == 0) return cudaSuccess;
        return launch_early<fetch_items<fetching_threads, ItemT>>(
            device, blocks, fetching_threads, stream, peers, plan(), target.in_state ? nullptr : arrays.out);
    }

    cudaError_t finish() const {
        if (target.result == ShardedResult::sharded) return cudaSuccess;  // no rank reads another's staging
        return launch_early<finish_fetching<meeting_threads>>(device, 1, meeting_threads, stream, peers,
                                                              arrays.counts);
    }

  private:
    ShardedPlan plan() const { return {target.result, peers.num_ranks, target.root, peers.offsets}; }
    /// The staging in its long form holds any shard.
    std::uint64_t capacity() const { return target.in_state ? ~std::uint64_t{0} : arrays.capacity; }
};

}  // namespace compaction::cuda::detail
