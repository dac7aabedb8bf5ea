#pragma once

#include <cuda_runtime_api.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "compaction/cuda/detail/architectures.cuh"
#include "compaction/cuda/detail/nccl_waits.hpp"
#include "compaction/cuda/detail/overload_diagnostics.cuh"
#include "compaction/cuda/detail/sharded_network.cuh"
#include "compaction/cuda/detail/sharded_peers.cuh"
#include "compaction/cuda/detail/sharded_rank.cuh"
#include "compaction/cuda/sharded_select_state.cuh"
#include "compaction/sharded_call.hpp"

/// Stream compaction of an array that is sharded over the ranks of an NCCL communicator, one GPU each.
///
/// Needs the CMake component nccl_select, NCCL 2.28 or later, and what select.cuh needs.
/// docs/explanation/sharded_select.md explains the algorithm and the two paths.
///
/// Errors: see ShardedStatus. An invalid argument is found before anything is enqueued, but only on its own
/// rank: the others fail with peer_failed after the timeout. After any error but invalid_argument and
/// output_too_short, the state cannot be used again.
namespace compaction::cuda {

namespace detail {

/// Whether a call with these arguments is valid on the rank.
template <typename ItemT>
bool is_valid(const ShardedRank& rank, ShardedTarget target, const ShardedArrays<ItemT>& arrays) {
    if (rank.item_bytes != sizeof(ItemT) || arrays.num_items > rank.max_items) return false;
    if (target.root >= rank.peers.num_ranks || name_of(target.result).empty()) return false;
    if ((!arrays.in && arrays.num_items) || !arrays.counts) return false;
    if (target.in_state) {
        if (target.result != ShardedResult::balanced || !rank.keeps_results) return false;
    } else if (!arrays.out && arrays.capacity) {
        return false;
    }
    const Range in(arrays.in, arrays.num_items), counts(arrays.counts, /*size=*/1);
    const Range first_selected(arrays.out, !target.in_state && arrays.capacity ? 1 : 0);
    if (target.result == ShardedResult::sharded && in.overlaps(first_selected)) return false;
    if (counts.overlaps(in) || counts.overlaps(first_selected)) return false;
    return reinterpret_cast<std::uintptr_t>(arrays.in) % sizeof(ItemT) == 0 &&
           reinterpret_cast<std::uintptr_t>(arrays.out) % sizeof(ItemT) == 0 &&
           reinterpret_cast<std::uintptr_t>(arrays.counts) % alignof(ShardedCounts) == 0;
}

inline namespace COMPACTION_ARCHITECTURES {

/// Enqueues a call whose arguments have been checked. arrays, streams: [ranks.size()]
template <typename ItemT, typename PredicateT>
ShardedStatus call_over_peers(const std::vector<ShardedRank*>& ranks, ShardedTarget target,
                              const ShardedArrays<ItemT>* arrays, PredicateT predicate,
                              const cudaStream_t* streams) {
    const auto on_all = [&](auto step) {
        for (std::size_t i = 0; i < ranks.size(); ++i) {
            ShardedRank& rank = *ranks[i];
            cudaError_t error = cudaSetDevice(rank.properties.device);
            if (!error) {
                error = step(PeerCall<ItemT>{rank.select, rank.peers, rank.window, rank.properties, target,
                                             arrays[i], streams[i]});
            }
            if (error) return fail_all_ranks(ranks, error);
        }
        return ShardedStatus::ok;
    };
    ShardedStatus status = on_all([&](const auto& call) { return call.select(predicate); });
    if (status == ShardedStatus::ok) status = on_all([](const auto& call) { return call.exchange(); });
    if (status == ShardedStatus::ok) status = on_all([](const auto& call) { return call.fetch(); });
    if (status == ShardedStatus::ok) status = on_all([](const auto& call) { return call.finish(); });
    return status;
}

}  // namespace COMPACTION_ARCHITECTURES

}  // namespace detail

inline namespace COMPACTION_ARCHITECTURES {

/// Makes the calls of several ranks of one process. states, arrays, streams: [num_states], in the order in
/// which the states were created together. A thread must not make the calls of several ranks one by one,
/// except to capture them: the call of the first rank may wait for the calls of the others.
template <typename ItemT, typename PredicateT>
ShardedStatus sharded_select_if(ShardedSelectState* states, ShardedTarget target,
                                const ShardedArrays<ItemT>* arrays, int num_states, PredicateT predicate,
                                const cudaStream_t* streams) {
    static_assert(detail::is_vector_item<ItemT> && detail::is_aligned_select_item<ItemT>,
                  "items are trivially copyable, of 4, 8 or 16 bytes, and aligned to their size");
    std::vector<detail::ShardedRank*> ranks;
    for (int i = 0; i < num_states; ++i) {
        if (const ShardedStatus status = states[i].status(); status != ShardedStatus::ok) return status;
        ranks.push_back(states[i].rank_.get());
        if (!detail::is_valid(*ranks.back(), target, arrays[i])) return ShardedStatus::invalid_argument;
    }
    if (ranks.empty()) return ShardedStatus::invalid_argument;
    const detail::DeviceGuard guard;
    if (ranks.front()->path.path == ExchangePath::peer_memory) {
        return detail::call_over_peers(ranks, target, arrays, predicate, streams);
    }
    const auto locks = detail::lock(ranks);
    detail::BoundedCalls calls(detail::connections_of(ranks),
                               std::chrono::nanoseconds(ranks.front()->peers.timeout_ns));
    const ShardedStatus status = detail::call_over_network(calls, ranks, target, arrays, predicate, streams);
    return calls.ok() ? status : detail::abandon(ranks, calls);
}

/// Copies the items of a sharded array for which `predicate` returns true to where `target` says, in the
/// order of the whole array. All ranks call it with the same target and with predicates that agree.
///
/// - arrays: see ShardedArrays. Only the first counts->num_stored items of `out` are written. If any rank's
///   output is too short, no output is written, except a sharded result that the selection itself writes.
///   `out` may be `in` unless the result is sharded; nothing else may overlap.
/// - target: with ShardedTarget::in_state, a balanced result stays in ShardedSelectState::items, from
///   counts->begin on, and `out` is not used. That is faster, unless most items move to another rank.
/// - predicate: as for select_if.
/// - stream: a stream of the rank's GPU.
///
/// On the peer-memory path, the call neither allocates nor synchronises, and can be captured into a CUDA
/// graph. That graph has programmatic edges: CUDA functions that read edges without edge data fail on it. It
/// returns ok when the work is enqueued; arrays.counts and, after a failure, the state tell how it ended. If
/// a rank does not arrive within the timeout, the work ends with peer_failed.
///
/// On the network path, the call waits for the counts and for the items, and cannot be captured. It returns
/// how it ended.
///
/// A sharded result is written by the selection itself if capacity is at least num_items; otherwise, and for
/// the other results, kept items are in memory twice.
template <typename ItemT, typename PredicateT>
ShardedStatus sharded_select_if(ShardedSelectState& state, ShardedTarget target,
                                const ShardedArrays<ItemT>& arrays, PredicateT predicate,
                                cudaStream_t stream = nullptr) {
    return sharded_select_if(&state, target, &arrays, /*num_states=*/1, predicate, &stream);
}

}  // namespace COMPACTION_ARCHITECTURES

}  // namespace compaction::cuda
