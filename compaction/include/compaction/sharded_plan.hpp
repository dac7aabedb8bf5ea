#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "compaction/host_device.hpp"

/// The items that each rank sends to each other rank when a selection runs over an array that is sharded over
/// ranks: plain arithmetic, for host and device, without NCCL. docs/explanation/sharded_select.md explains
/// it.
///
/// The global order of the kept items is that of the input: all of rank 0, then all of rank 1, and so on. An
/// item's position in this order is its global index.
namespace compaction {

/// The ranks that store the kept items. The items are always in global order.
enum class ShardedResult : std::uint8_t {
    sharded,   ///< on the rank that kept them
    balanced,  ///< divided over all ranks into shards whose sizes differ by at most one item
    gathered,  ///< all on one rank
};

/// The name of the result: "sharded", "balanced" or "gathered"; empty for other values.
constexpr std::string_view name_of(ShardedResult result) {
    switch (result) {
        case ShardedResult::sharded:
            return "sharded";
        case ShardedResult::balanced:
            return "balanced";
        case ShardedResult::gathered:
            return "gathered";
    }
    return {};
}

/// Consecutive items, from `begin` to before `end`.
struct ItemRange {
    std::uint64_t begin = 0;  ///< the first item
    std::uint64_t end = 0;    ///< one past the last item

    /// How many items the range has.
    COMPACTION_HOST_DEVICE constexpr std::uint64_t size() const { return end - begin; }
};

/// Items that one rank sends to another, or keeps if both are the same rank.
struct Transfer {
    unsigned source = 0;               ///< the rank that kept the items
    unsigned destination = 0;          ///< the rank that stores them
    std::uint64_t first_selected = 0;  ///< the first of them among the kept items of `source`
    std::uint64_t first_stored = 0;    ///< where it is stored in the output of `destination`
    std::uint64_t num_items = 0;       ///< how many items; 0 if the ranks exchange nothing
};

/// The plan of one selection. It refers to `offsets`, which must outlive it.
struct ShardedPlan {
    ShardedResult result = ShardedResult::sharded;  ///< where the kept items belong
    unsigned num_ranks = 0;                         ///< at least 1
    unsigned root = 0;                              ///< the rank that a gathered result is stored on
    /// [num_ranks + 1] Exclusive sums of the counts of kept items: the items that rank r kept have the global
    /// indices offsets[r] to before offsets[r + 1].
    const std::uint64_t* offsets = nullptr;

    /// The number of kept items of all ranks.
    COMPACTION_HOST_DEVICE constexpr std::uint64_t total() const { return offsets[num_ranks]; }

    /// The global indices of the items that `rank` kept.
    COMPACTION_HOST_DEVICE constexpr ItemRange selected_by(unsigned rank) const {
        return {offsets[rank], offsets[rank + 1]};
    }

    /// The global indices of the items that belong on `rank`.
    COMPACTION_HOST_DEVICE constexpr ItemRange stored_by(unsigned rank) const {
        switch (result) {
            case ShardedResult::sharded:
                return selected_by(rank);
            case ShardedResult::balanced:
                return {begin_of_balanced(rank), begin_of_balanced(rank + 1)};
            case ShardedResult::gathered:
                // Ranks before the root end where it begins, so that the ranges are in order.
                return {rank <= root ? 0 : total(), rank < root ? 0 : total()};
        }
        return {};
    }

    /// The items that `source` sends to `destination`.
    COMPACTION_HOST_DEVICE constexpr Transfer transfer(unsigned source, unsigned destination) const {
        const ItemRange selected = selected_by(source);
        const ItemRange stored = stored_by(destination);
        const std::uint64_t begin = selected.begin > stored.begin ? selected.begin : stored.begin;
        const std::uint64_t end = selected.end < stored.end ? selected.end : stored.end;
        if (begin >= end) return {source, destination, 0, 0, 0};
        return {source, destination, begin - selected.begin, begin - stored.begin, end - begin};
    }

  private:
    /// The first shards are one item longer if the total is no multiple of the number of ranks.
    COMPACTION_HOST_DEVICE constexpr std::uint64_t begin_of_balanced(unsigned rank) const {
        const std::uint64_t longer = total() % num_ranks;
        return total() / num_ranks * rank + (rank < longer ? rank : longer);
    }
};

/// The index at which a rank's shard of a balanced result begins in memory for 3 * max_items items. The items
/// that the rank kept begin at index max_items and stay there; received items go directly before or behind
/// them, without overlap if none of the kept items stays. No rank may have kept more than max_items.
COMPACTION_HOST_DEVICE constexpr std::uint64_t begin_around_selected(const ShardedPlan& plan, unsigned rank,
                                                                     std::uint64_t max_items) {
    const ItemRange selected = plan.selected_by(rank);
    const ItemRange stored = plan.stored_by(rank);
    if (stored.end <= selected.begin) return max_items - stored.size();
    if (stored.begin >= selected.end) return max_items + selected.size();
    return max_items + stored.begin - selected.begin;
}

/// The offsets of a plan from the counts of kept items of all ranks: [counts.size() + 1].
inline std::vector<std::uint64_t> offsets_of(const std::vector<std::uint64_t>& counts) {
    std::vector<std::uint64_t> offsets{0};
    offsets.reserve(counts.size() + 1);
    for (const std::uint64_t count : counts) offsets.push_back(offsets.back() + count);
    return offsets;
}

/// The items that a rank exchanges with the others, and those that stay on it. No transfer is empty, except
/// `staying`.
struct RankTransfers {
    std::vector<Transfer> sends;     ///< to other ranks, in ascending order of the destination
    std::vector<Transfer> receives;  ///< from other ranks, in ascending order of the source
    Transfer staying;                ///< from the rank to itself
};

/// The part of `plan` that concerns `rank`. Every send of a rank is a receive of another.
inline RankTransfers transfers_of(const ShardedPlan& plan, unsigned rank) {
    RankTransfers transfers;
    for (unsigned peer = 0; peer < plan.num_ranks; ++peer) {
        if (peer == rank) continue;
        if (const Transfer sent = plan.transfer(rank, peer); sent.num_items) transfers.sends.push_back(sent);
        if (const Transfer received = plan.transfer(peer, rank); received.num_items) {
            transfers.receives.push_back(received);
        }
    }
    transfers.staying = plan.transfer(rank, rank);
    return transfers;
}

/// The number of items that the busiest link carries in one direction: the maximum, over all ranks, of the
/// items sent to others or received from them. No selection is faster than copying these items.
inline std::uint64_t items_on_busiest_link(const ShardedPlan& plan) {
    std::uint64_t max_moved = 0;
    for (unsigned rank = 0; rank < plan.num_ranks; ++rank) {
        const std::uint64_t staying = plan.transfer(rank, rank).num_items;
        const std::uint64_t sent = plan.selected_by(rank).size() - staying;
        const std::uint64_t received = plan.stored_by(rank).size() - staying;
        const std::uint64_t busier = sent > received ? sent : received;
        if (busier > max_moved) max_moved = busier;
    }
    return max_moved;
}

/// The first rank whose output is too short for the items that belong on it; num_ranks if all are long
/// enough. capacities: [num_ranks] items that the outputs hold.
COMPACTION_HOST_DEVICE constexpr unsigned first_short_output(const ShardedPlan& plan,
                                                             const std::uint64_t* capacities) {
    for (unsigned rank = 0; rank < plan.num_ranks; ++rank) {
        if (plan.stored_by(rank).size() > capacities[rank]) return rank;
    }
    return plan.num_ranks;
}

/// How ranks exchange their counts and items.
enum class ExchangePath : std::uint8_t {
    peer_memory,  ///< kernels write to the memory of other GPUs; the host waits for nothing
    network,      ///< NCCL's collectives; the host waits for the counts before items move
};

/// The most ranks of a selection over peer memory.
inline constexpr int max_peer_ranks = 1024;

/// The known properties of a communicator.
struct CommunicatorFacts {
    int num_ranks = 0;         ///< ncclCommCount
    int num_reachable = 0;     ///< ncclTeamLsa(communicator).nRanks: ranks whose memory a kernel can access
    int compiled_version = 0;  ///< NCCL_VERSION_CODE
    int running_version = 0;   ///< ncclGetVersion
    bool symmetric_memory = true;  ///< whether windows could be registered with it
};

/// A path and, in one sentence, why it is not the faster one.
struct ChosenPath {
    ExchangePath path = ExchangePath::peer_memory;  ///< how counts and items are exchanged
    std::string_view because;                       ///< why the network is used; empty for peer_memory
};

/// Chooses the path by what the communicator spans. All ranks must choose the same path, so each passes the
/// capabilities that all ranks have in common.
constexpr ChosenPath choose_path(const CommunicatorFacts& facts) {
    // The layout of NCCL's device communicator differs between versions, and nothing in it names its version.
    if (facts.running_version != facts.compiled_version) {
        return {ExchangePath::network, "The NCCL library and the headers of this build differ in version."};
    }
    if (!facts.symmetric_memory) {
        return {ExchangePath::network, "NCCL could not register symmetric memory with the communicator."};
    }
    if (facts.num_ranks > max_peer_ranks) {
        return {ExchangePath::network, "The communicator has more than 1024 ranks."};
    }
    if (facts.num_reachable != facts.num_ranks) {
        return {ExchangePath::network, "Not all GPUs of the communicator reach each other's memory."};
    }
    return {ExchangePath::peer_memory, {}};
}

}  // namespace compaction
