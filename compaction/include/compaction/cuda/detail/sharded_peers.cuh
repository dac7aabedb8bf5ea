#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <cuda/atomic>

#include "compaction/cuda/detail/architectures.cuh"
#include "compaction/cuda/detail/ptx.cuh"
#include "compaction/cuda/detail/sharded_copies.cuh"
#include "compaction/cuda/select.cuh"
#include "compaction/sharded_call.hpp"

/// A selection over ranks whose GPUs reach each other's memory. Each rank has a *window* that all of them can
/// access. Nothing here depends on how the windows were made.
///
///     window:   posts [2][num_ranks] | staging [max_items], or [3 * max_items] if results may stay in it
///
/// A selection writes the kept items to the staging buffer: to its beginning or, in a window with room for
/// results, to its middle third. If a balanced result stays in the staging buffer, the items received from
/// other ranks are put directly before or behind the rank's own (begin_around_selected).
///
/// Ranks *meet*: each writes a post to the window of every rank and then waits until it has a post of every
/// rank. Posts of even and of odd rounds have separate memory. So a rank may be one round ahead: its post
/// does not overwrite a post that is still being read.
namespace compaction::cuda::detail {

/// A number that a rank posts, and the round that it belongs to, in one word: a reader sees both or neither,
/// so no fence is needed between them.
using PostedWord = std::uint64_t;
inline constexpr unsigned round_bits = 22;
inline constexpr std::uint64_t max_posted = ~std::uint64_t{0} >> round_bits;
/// The round in the word by which a rank reports that it has failed. No meeting has this number.
inline constexpr std::uint64_t failed_round = (std::uint64_t{1} << round_bits) - 1;

COMPACTION_HOST_DEVICE constexpr PostedWord posted_word(std::uint64_t round, std::uint64_t number) {
    return (number < max_posted ? number : max_posted) << round_bits | round;
}
COMPACTION_HOST_DEVICE constexpr std::uint64_t round_of(PostedWord word) {
    return word & failed_round;
}
COMPACTION_HOST_DEVICE constexpr std::uint64_t number_in(PostedWord word) {
    return word >> round_bits;
}
/// The number of the next meeting. A post's memory is reused in every second meeting (post_of), and the
/// number tells a new word from the old one.
COMPACTION_HOST_DEVICE constexpr std::uint64_t round_after(std::uint64_t round) {
    return (round + 1) % (failed_round - 1);
}
static_assert((failed_round - 1) % 2 == 0, "even and odd rounds alternate also where the numbers wrap");

inline constexpr unsigned max_peers = max_peer_ranks;

/// The data that a rank sends to another when they meet.
struct alignas(16) Post {
    PostedWord count;     ///< items that it kept
    PostedWord capacity;  ///< items that its output holds
};

/// State that the kernels of one rank share.
struct ShardedControl {
    std::uint64_t round = 0;                   ///< the number of the last meeting
    std::uint64_t count = 0;                   ///< items that this rank kept
    ShardedStatus status = ShardedStatus::ok;  ///< status of the latest call; peer_failed is permanent
    bool gives_up = false;                     ///< set by the host: all later meetings fail
};

/// One rank and its access to the others.
struct ShardedPeers {
    unsigned rank = 0;
    unsigned num_ranks = 0;
    std::uint64_t timeout_ns = 0;  ///< the longest wait for other ranks
    /// Items of the staging buffer before those that the selection writes: max_items in a window with room
    /// for results, 0 otherwise. Equal on all ranks.
    std::uint64_t items_before_selected = 0;
    ShardedControl* control = nullptr;  ///< [1] device memory, zero at first
    std::uint64_t* offsets = nullptr;  ///< [num_ranks + 1] device memory: ShardedPlan::offsets; zero at first
    std::byte** windows = nullptr;     ///< [num_ranks] device memory: addresses of the windows; zero at first
    ShardedStatus* failure = nullptr;  ///< [1] pinned host memory: peer_failed once a meeting has failed
};

/// The offset of the staging buffer in a window.
COMPACTION_HOST_DEVICE constexpr std::uint64_t staging_offset(unsigned num_ranks) {
    constexpr std::uint64_t alignment = 256;
    return (2 * sizeof(Post) * num_ranks + alignment - 1) / alignment * alignment;
}

/// The staging buffer of a rank.
template <typename ItemT>
COMPACTION_HOST_DEVICE ItemT* staging_in(std::byte* window, unsigned num_ranks) {
    return reinterpret_cast<ItemT*>(window + staging_offset(num_ranks));
}

/// The part of the staging buffer to which the selection writes, if not to the output.
template <typename ItemT>
COMPACTION_HOST_DEVICE ItemT* selected_in(std::byte* window, const ShardedPeers& peers) {
    return staging_in<ItemT>(window, peers.num_ranks) + peers.items_before_selected;
}

using SystemWord = ::cuda::atomic_ref<PostedWord, ::cuda::thread_scope_system>;

/// The post from `source` in the window of `owner`.
__device__ inline Post& post_of(const ShardedPeers& peers, unsigned owner, unsigned source,
                                std::uint64_t round) {
    return reinterpret_cast<Post*>(peers.windows[owner])[round % 2 * peers.num_ranks + source];
}

/// Writes a post to `destination`, each word by one store.
__device__ inline void write_post(Post& destination, const Post& post) {
    SystemWord(destination.count).store(post.count, ::cuda::memory_order_relaxed);
    SystemWord(destination.capacity).store(post.capacity, ::cuda::memory_order_relaxed);
}

/// The posts of all ranks: [num_ranks] each, in shared memory.
struct Posted {
    std::uint64_t counts[max_peers];
    std::uint64_t capacities[max_peers];
};

/// Waits for the posts of all ranks in the rank's own window; all threads of a warp call it. Returns false
/// after the timeout, and as soon as any rank has failed.
__device__ inline bool wait_for_posts(const ShardedPeers& peers, std::uint64_t round, Posted& posted) {
    const unsigned long long deadline_ns = timer_ns() + peers.timeout_ns;
    for (unsigned first = 0; first < peers.num_ranks; first += warp_size) {
        const unsigned peer = first + threadIdx.x;
        bool waits = false;
        bool failed = false;
        PostedWord count = 0;
        PostedWord capacity = 0;
        do {
            // Also rereads posts that have arrived: their ranks may fail while other posts are missing.
            if (peer < peers.num_ranks) {
                Post& received = post_of(peers, peers.rank, peer, round);
                count = SystemWord(received.count).load(::cuda::memory_order_relaxed);
                capacity = SystemWord(received.capacity).load(::cuda::memory_order_relaxed);
                waits = round_of(count) != round || round_of(capacity) != round;
                failed = waits && (round_of(count) == failed_round || round_of(capacity) == failed_round ||
                                   timer_ns() > deadline_ns);
            }
            if (__any_sync(all_lanes, failed)) return false;
        } while (__any_sync(all_lanes, waits));
        if (peer < peers.num_ranks) {
            posted.counts[peer] = number_in(count);
            posted.capacities[peer] = number_in(capacity);
        }
    }
    return true;
}

/// Meets the other ranks; all threads of a block of one warp call it. Returns true if all ranks arrived;
/// `posted` then holds their posts, for all threads. After a failure this rank never posts again, and reports
/// the failure to the others, which then fail as well. passes_items: ranks read items of other ranks before
/// or after the meeting. Otherwise the posts need no fences, which would take longer than everything else.
__device__ inline bool meet(const ShardedPeers& peers, std::uint64_t capacity, Posted& posted,
                            bool passes_items) {
    ShardedControl& control = *peers.control;
    const std::uint64_t round = round_after(control.round);
    const Post own{posted_word(round, control.count), posted_word(round, capacity)};
    // Release: the writes of earlier kernels of this rank are visible to every rank that sees the post.
    if (passes_items) ::cuda::atomic_thread_fence(::cuda::memory_order_acq_rel, ::cuda::thread_scope_system);
    for (unsigned peer = threadIdx.x; peer < peers.num_ranks; peer += blockDim.x)
        write_post(post_of(peers, peer, peers.rank, round), own);
    const bool failed = __any_sync(all_lanes, control.gives_up) || !wait_for_posts(peers, round, posted);
    // Acquire: the writes of other ranks before their posts are visible to the kernels after this one.
    if (passes_items) ::cuda::atomic_thread_fence(::cuda::memory_order_acq_rel, ::cuda::thread_scope_system);
    __syncwarp();  // all have read the round and written to `posted`
    if (failed) {
        const Post failure{failed_round, failed_round};
        for (unsigned peer = threadIdx.x; peer < peers.num_ranks; peer += blockDim.x) {
            for (const unsigned parity : {0U, 1U})
                write_post(post_of(peers, peer, peers.rank, parity), failure);
        }
    }
    if (threadIdx.x == 0) {
        control.round = round;
        if (failed) {
            control.status = ShardedStatus::peer_failed;
            *peers.failure = ShardedStatus::peer_failed;
        }
    }
    return !failed;
}

inline namespace COMPACTION_ARCHITECTURES {

// nvcc overlooks the launch bounds of kernel templates (-Wmissing-launch-bounds).
#pragma nv_diagnostic push
#pragma nv_diag_suppress 20238

/// Exchanges the counts and computes the offsets of the plan. One block.
template <unsigned Threads>
__global__ void __launch_bounds__(Threads)
    exchange_counts(ShardedPeers peers, ShardedPlan plan, std::uint64_t capacity, bool stays_in_staging,
                    ShardedCounts* counts) {
    static_assert(Threads == warp_size);
    __shared__ Posted posted;
    __shared__ std::uint64_t offsets[max_peers + 1];
    wait_for_previous_launch();
    if (peers.control->status == ShardedStatus::peer_failed ||
        !meet(peers, capacity, posted, plan.result != ShardedResult::sharded)) {
        if (threadIdx.x == 0) *counts = {0, 0, 0, ShardedStatus::peer_failed};
        return;
    }
    if (threadIdx.x == 0) {
        offsets[0] = 0;
        for (unsigned rank = 0; rank < peers.num_ranks; ++rank)
            offsets[rank + 1] = offsets[rank] + posted.counts[rank];
    }
    __syncthreads();  // the offsets are written
    plan.offsets = offsets;
    bool output_too_short = false;
    for (unsigned rank = threadIdx.x; rank < peers.num_ranks; rank += Threads) {
        peers.offsets[rank + 1] = offsets[rank + 1];  // for later kernels; the first one stays 0
        output_too_short = output_too_short || plan.stored_by(rank).size() > posted.capacities[rank];
    }
    // All ranks compute the same result, because each has the capacities of all.
    output_too_short = __syncthreads_or(output_too_short);
    if (threadIdx.x != 0) return;
    const ShardedStatus status = output_too_short ? ShardedStatus::output_too_short : ShardedStatus::ok;
    peers.control->status = status;
    const ItemRange stored = plan.stored_by(peers.rank);
    *counts = {stored.begin, stored.size(), plan.total(), status,
               stays_in_staging ? begin_around_selected(plan, peers.rank, peers.items_before_selected) : 0};
}

/// Fetches the items that belong on this rank from the staging buffers of all ranks. No rank writes to the
/// output of another. out: the output, or null if the result stays in the staging buffer.
template <unsigned Threads, typename ItemT>
__global__ void __launch_bounds__(Threads) fetch_items(ShardedPeers peers, ShardedPlan plan, ItemT* out) {
    wait_for_previous_launch();
    if (peers.control->status != ShardedStatus::ok) return;
    const auto selected_by = [&](unsigned rank) { return selected_in<ItemT>(peers.windows[rank], peers); };
    const Transfer staying = plan.transfer(peers.rank, peers.rank);
    const std::uint64_t arriving = plan.stored_by(peers.rank).size() - staying.num_items;
    BlockRange fetching{0, gridDim.x};
    if (out) {
        const BlockRange copying = blocks_for_staying(staying.num_items, arriving);
        copy_items(copying, selected_by(peers.rank) + staying.first_selected, out + staying.first_stored,
                   staying.num_items);
        if (copying.size < gridDim.x) fetching = {copying.size, gridDim.x - copying.size};
    } else {
        out = staging_in<ItemT>(peers.windows[peers.rank], peers.num_ranks) +
              begin_around_selected(plan, peers.rank, peers.items_before_selected);
    }
    for (unsigned i = 1; i < peers.num_ranks; ++i) {
        // Each rank begins with the next one, so that not all read from the same rank at once.
        const unsigned source = (peers.rank + i) % peers.num_ranks;
        const Transfer transfer = plan.transfer(source, peers.rank);
        fetch_over_link(fetching, selected_by(source) + transfer.first_selected, out + transfer.first_stored,
                        transfer.num_items);
    }
}

/// Meets again, so that no rank overwrites its staging buffer while others read it. One block.
template <unsigned Threads>
__global__ void __launch_bounds__(Threads) finish_fetching(ShardedPeers peers, ShardedCounts* counts) {
    static_assert(Threads == warp_size);
    __shared__ Posted posted;
    wait_for_previous_launch();
    if (peers.control->status == ShardedStatus::peer_failed) return;
    if (!meet(peers, /*capacity=*/0, posted, /*passes_items=*/true) && threadIdx.x == 0)
        *counts = {0, 0, 0, ShardedStatus::peer_failed};
}

/// Makes the current or a later meeting of a rank fail, and all meetings after it. The other ranks fail at
/// the same meeting. window: the window of the rank.
inline cudaError_t give_up(const ShardedPeers& peers, std::byte* window, cudaStream_t stream) {
    // gives_up is set first. A meeting that has already read it is waiting in wait_for_posts: either all
    // ranks arrive, or it finds the failed posts that are written next.
    const cudaError_t error = cudaMemsetAsync(&peers.control->gives_up, true, sizeof(bool), stream);
    if (error) return error;
    static_assert((~PostedWord{0} & failed_round) == failed_round,
                  "a post whose bytes are all 0xFF reports a failure");
    return cudaMemsetAsync(window, 0xFF, 2 * sizeof(Post) * peers.num_ranks, stream);
}

inline constexpr unsigned meeting_threads = warp_size;
inline constexpr unsigned fetching_threads = 256;

/// Enqueues a kernel that calls wait_for_previous_launch first. If it was compiled for Hopper or later
/// (programmatic dependent launch), it is launched before the previous one ends, which hides the launch
/// latency.
template <auto Kernel, typename... ArgumentsT>
cudaError_t launch_early(const DeviceProperties& device, unsigned blocks, unsigned threads,
                         cudaStream_t stream, ArgumentsT... arguments) {
    Occupancy occupancy;
    if (const cudaError_t error =
            query_occupancy<Kernel>(device, {/*tile_items=*/1, threads, /*shared_bytes=*/0}, occupancy))
        return error;
    return launch(Kernel, {blocks, threads, /*shared_bytes=*/0, stream, occupancy.compiled_for_hopper},
                  arguments...);
}

/// Whether the selection of a rank writes directly to the output: if the items stay on the rank and the
/// output is certainly long enough. Otherwise it writes to the staging buffer.
template <typename ItemT>
bool selects_directly(ShardedTarget target, const ShardedArrays<ItemT>& arrays) {
    return target.result == ShardedResult::sharded && arrays.capacity >= arrays.num_items;
}

/// The number of blocks that copy at most `capacity` items: no more than `blocks_each` for each
/// multiprocessor. The capacity may be the largest integer.
template <typename ItemT>
constexpr unsigned fetching_blocks(std::uint64_t capacity, unsigned multiprocessors, unsigned blocks_each) {
    constexpr std::uint64_t items_per_block = 16384 / sizeof(ItemT);
    const std::uint64_t resident = std::uint64_t{multiprocessors} * blocks_each;
    const std::uint64_t blocks = capacity / items_per_block + (capacity % items_per_block != 0);
    return static_cast<unsigned>(blocks < resident ? blocks : resident);
}

/// A call of one rank whose arguments have been checked. Its steps go to the stream one after the other. They
/// neither allocate nor synchronise.
///
/// A thread that calls several ranks enqueues a step of all of them before the next one. Lazy loading at the
/// first launch of a kernel may synchronise with its GPU, and a kernel there may be waiting for ranks whose
/// steps this thread has not enqueued yet.
template <typename ItemT>
struct PeerCall {
    SelectState& state;
    const ShardedPeers& peers;
    std::byte* window;  ///< the window of the rank
    const DeviceProperties& device;
    ShardedTarget target;
    ShardedArrays<ItemT> arrays;
    cudaStream_t stream;

    template <typename PredicateT>
    cudaError_t select(PredicateT predicate) const {
        ItemT* const selected =
            selects_directly(target, arrays) ? arrays.out : selected_in<ItemT>(window, peers);
        return select_if(state, arrays.in, selected, &peers.control->count, arrays.num_items, predicate,
                         stream);
    }

    cudaError_t exchange() const {
        return launch_early<exchange_counts<meeting_threads>>(
            device, 1, meeting_threads, stream, peers, plan(), capacity(), target.in_state, arrays.counts);
    }

    cudaError_t fetch() const {
        // Copies within the GPU gain from all 2048 threads of a multiprocessor, a link does not.
        const unsigned blocks = fetching_blocks<ItemT>(
            capacity(), device.multiprocessors, target.in_state ? link_blocks : 2048 / fetching_threads);
        if (selects_directly(target, arrays) || blocks == 0) return cudaSuccess;
        return launch_early<fetch_items<fetching_threads, ItemT>>(
            device, blocks, fetching_threads, stream, peers, plan(), target.in_state ? nullptr : arrays.out);
    }

    cudaError_t finish() const {
        if (target.result == ShardedResult::sharded)
            return cudaSuccess;  // no rank reads the staging buffer of another
        return launch_early<finish_fetching<meeting_threads>>(device, 1, meeting_threads, stream, peers,
                                                              arrays.counts);
    }

  private:
    ShardedPlan plan() const { return {target.result, peers.num_ranks, target.root, peers.offsets}; }
    /// A staging buffer in which results may stay holds any shard.
    std::uint64_t capacity() const { return target.in_state ? ~std::uint64_t{0} : arrays.capacity; }
};

#pragma nv_diagnostic pop

}  // namespace COMPACTION_ARCHITECTURES

}  // namespace compaction::cuda::detail
