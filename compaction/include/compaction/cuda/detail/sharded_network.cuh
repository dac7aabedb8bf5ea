#pragma once

#include <cuda_runtime_api.h>
#include <nccl.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "compaction/cuda/detail/architectures.cuh"
#include "compaction/cuda/detail/nccl_waits.hpp"
#include "compaction/cuda/detail/sharded_peers.cuh"
#include "compaction/cuda/detail/sharded_rank.cuh"
#include "compaction/cuda/select.cuh"
#include "compaction/sharded_call.hpp"

/// A selection over ranks that exchange counts and items by NCCL's collectives, each step for all ranks of
/// this process. The host waits for the counts, and then for the items: it detects a lost rank in either
/// wait. A rank's *post* is the count of its selected items and the capacity of its output.
namespace compaction::cuda::detail {

inline namespace COMPACTION_ARCHITECTURES {

/// Selects on each rank, and writes the count to the rank's own post.
template <typename ItemT, typename PredicateT>
void select_locally(BoundedCalls& calls, const std::vector<ShardedRank*>& ranks, ShardedTarget target,
                    const ShardedArrays<ItemT>* arrays, PredicateT predicate, const cudaStream_t* streams) {
    for (std::size_t i = 0; i < ranks.size() && calls.ok(); ++i) {
        ShardedRank& rank = *ranks[i];
        const std::size_t post_index = 2 * std::size_t{rank.peers.rank};
        // The memory of the state has room for every result.
        rank.h_posts[post_index + 1] = target.in_state ? ~std::uint64_t{0} : arrays[i].capacity;
        calls.check(cudaSetDevice(rank.properties.device));
        ItemT* const selected =
            selects_directly(target, arrays[i]) ? arrays[i].out : selected_in<ItemT>(rank.window, rank.peers);
        calls.check(select_if(rank.select, arrays[i].in, selected, &rank.d_posts[post_index],
                              arrays[i].num_items, predicate, streams[i]));
        calls.check(cudaMemcpyAsync(&rank.d_posts[post_index + 1], &rank.h_posts[post_index + 1],
                                    sizeof(std::uint64_t), cudaMemcpyHostToDevice, streams[i]));
    }
}

/// Waits until the work of all streams is done.
inline void wait_for_all(BoundedCalls& calls, const std::vector<ShardedRank*>& ranks,
                         const cudaStream_t* streams) {
    for (std::size_t i = 0; i < ranks.size(); ++i) {
        calls.check(
            cudaSetDevice(ranks[i]->properties.device));  // a null stream is that of the current device
        calls.wait_for(streams[i]);
    }
}

/// Copies the posts of all ranks to the host.
inline void exchange_posts(BoundedCalls& calls, const std::vector<ShardedRank*>& ranks,
                           const cudaStream_t* streams) {
    calls.group([&](std::size_t i) {
        ShardedRank& rank = *ranks[i];
        return ncclAllGather(rank.d_posts + 2 * rank.peers.rank, rank.d_posts, 2, ncclUint64,
                             rank.communicator, streams[i]);
    });
    for (std::size_t i = 0; i < ranks.size() && calls.ok(); ++i) {
        ShardedRank& rank = *ranks[i];
        calls.check(cudaSetDevice(rank.properties.device));
        const std::size_t bytes = 2 * sizeof(std::uint64_t) * rank.peers.num_ranks;
        calls.check(cudaMemcpyAsync(rank.h_posts, rank.d_posts, bytes, cudaMemcpyDeviceToHost, streams[i]));
    }
    wait_for_all(calls, ranks, streams);
}

/// The destination of a rank's items.
template <typename ItemT>
struct Destination {
    ItemT* out;
    bool stays_in_place;  ///< the items that stay on the rank are already there
};

/// Moves the items of the plan, and waits until they have arrived. destinations, streams: [ranks.size()]
template <typename ItemT>
void move_items(BoundedCalls& calls, const std::vector<ShardedRank*>& ranks, const ShardedPlan& plan,
                const std::vector<Destination<ItemT>>& destinations, const cudaStream_t* streams) {
    calls.group([&](std::size_t i) {
        ShardedRank& rank = *ranks[i];
        const RankTransfers transfers = transfers_of(plan, rank.peers.rank);
        ncclResult_t result = ncclSuccess;
        const auto failed = [&] { return result != ncclSuccess && result != ncclInProgress; };
        for (const Transfer& sent : transfers.sends) {
            if (failed()) break;
            result = ncclSend(selected_in<ItemT>(rank.window, rank.peers) + sent.first_selected,
                              sent.num_items * sizeof(ItemT), ncclChar, static_cast<int>(sent.destination),
                              rank.communicator, streams[i]);
        }
        for (const Transfer& received : transfers.receives) {
            if (failed()) break;
            result = ncclRecv(destinations[i].out + received.first_stored, received.num_items * sizeof(ItemT),
                              ncclChar, static_cast<int>(received.source), rank.communicator, streams[i]);
        }
        return result;
    });
    for (std::size_t i = 0; i < ranks.size() && calls.ok(); ++i) {
        if (destinations[i].stays_in_place) continue;
        calls.check(cudaSetDevice(ranks[i]->properties.device));
        const Transfer staying = plan.transfer(ranks[i]->peers.rank, ranks[i]->peers.rank);
        calls.check(
            cudaMemcpyAsync(destinations[i].out + staying.first_stored,
                            selected_in<ItemT>(ranks[i]->window, ranks[i]->peers) + staying.first_selected,
                            staying.num_items * sizeof(ItemT), cudaMemcpyDeviceToDevice, streams[i]));
    }
    wait_for_all(calls, ranks, streams);
}

/// Selects over all ranks. The arguments have been checked. arrays, streams: [ranks.size()]
template <typename ItemT, typename PredicateT>
ShardedStatus call_over_network(BoundedCalls& calls, const std::vector<ShardedRank*>& ranks,
                                ShardedTarget target, const ShardedArrays<ItemT>* arrays,
                                PredicateT predicate, const cudaStream_t* streams) {
    select_locally(calls, ranks, target, arrays, predicate, streams);
    exchange_posts(calls, ranks, streams);
    if (!calls.ok()) return calls.status();

    const unsigned num_ranks = ranks.front()->peers.num_ranks;
    std::vector<std::uint64_t> counts(num_ranks);
    std::vector<std::uint64_t> capacities(num_ranks);
    for (unsigned rank = 0; rank < num_ranks; ++rank) {
        counts[rank] = ranks.front()->h_posts[2 * rank];
        capacities[rank] = ranks.front()->h_posts[2 * rank + 1];
    }
    const std::vector<std::uint64_t> offsets = offsets_of(counts);
    const ShardedPlan plan{target.result, num_ranks, target.root, offsets.data()};
    const bool short_output = first_short_output(plan, capacities.data()) < num_ranks;
    const ShardedStatus status = short_output ? ShardedStatus::output_too_short : ShardedStatus::ok;
    std::vector<Destination<ItemT>> destinations;
    bool needs_moves = false;
    for (std::size_t i = 0; i < ranks.size(); ++i) {
        const ShardedRank& rank = *ranks[i];
        const ItemRange stored = plan.stored_by(rank.peers.rank);
        const std::uint64_t begin_in_state =
            target.in_state ? begin_around_selected(plan, rank.peers.rank, rank.peers.items_before_selected)
                            : 0;
        destinations.push_back(
            target.in_state ? Destination<ItemT>{staging_in<ItemT>(rank.window, num_ranks) + begin_in_state,
                                                 /*stays_in_place=*/true}
                            : Destination<ItemT>{arrays[i].out, selects_directly(target, arrays[i])});
        calls.check(cudaSetDevice(rank.properties.device));
        *rank.h_counts = {stored.begin, stored.size(), plan.total(), status, begin_in_state};
        calls.check(cudaMemcpyAsync(arrays[i].counts, rank.h_counts, sizeof(ShardedCounts),
                                    cudaMemcpyHostToDevice, streams[i]));
        needs_moves = needs_moves || !selects_directly(target, arrays[i]);
    }
    if (short_output || !needs_moves) return calls.ok() ? status : calls.status();
    move_items(calls, ranks, plan, destinations, streams);
    return calls.status();
}

}  // namespace COMPACTION_ARCHITECTURES

}  // namespace compaction::cuda::detail
