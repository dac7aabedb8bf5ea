#pragma once

#include <cstdint>
#include <string_view>

#include "compaction/sharded_plan.hpp"

/// The arguments and results of a selection over a sharded array, as plain data for host and device.
namespace compaction {

/// How a call over many ranks ended.
enum class ShardedStatus : std::uint32_t {
    ok,
    output_too_short,  ///< an output is too short for the items that belong on its rank
    invalid_argument,  ///< a null pointer, too many items, a rank that does not exist, or in_state
                       ///< without ShardedOptions::keeps_results
    peer_failed,       ///< a rank did not arrive within the timeout, or has failed
    cuda_error,        ///< a call of the CUDA runtime failed
    nccl_error,        ///< NCCL reported an error
    aborted,           ///< the program has called ShardedSelectState::abort
};

/// The status in words; empty for other values.
constexpr std::string_view name_of(ShardedStatus status) {
    switch (status) {
        case ShardedStatus::ok:
            return "ok";
        case ShardedStatus::output_too_short:
            return "an output is too short";
        case ShardedStatus::invalid_argument:
            return "an argument is invalid";
        case ShardedStatus::peer_failed:
            return "a rank did not arrive in time, or has failed";
        case ShardedStatus::cuda_error:
            return "a CUDA call failed";
        case ShardedStatus::nccl_error:
            return "NCCL reported an error";
        case ShardedStatus::aborted:
            return "the program has aborted the state";
    }
    return {};
}

/// The result of a call for one rank.
struct ShardedCounts {
    /// Index, among the kept items of all ranks, of the first one that belongs on this rank.
    std::uint64_t first = 0;
    std::uint64_t num_stored = 0;  ///< items that belong on this rank, even if its output is too short
    std::uint64_t total = 0;       ///< kept items of all ranks
    ShardedStatus status = ShardedStatus::ok;  ///< ok, output_too_short, or peer_failed with all else 0
    /// With ShardedTarget::in_state, the index in ShardedSelectState::items at which the items of this rank
    /// begin.
    std::uint64_t begin = 0;
};

/// The destination of the kept items. Converts from a ShardedResult.
struct ShardedTarget {
    ShardedResult result = ShardedResult::sharded;  ///< which ranks store the kept items
    unsigned root = 0;                              ///< the rank that a gathered result is stored on
    /// A balanced result stays in the memory of the state (ShardedOptions::keeps_results), without an output.
    /// Items that were kept on the rank where they belong are then written once, and only the others are
    /// copied.
    bool in_state = false;

    /// `root_rank` is used for a gathered result only.
    constexpr ShardedTarget(ShardedResult where, unsigned root_rank = 0) : result(where), root(root_rank) {}
    /// A balanced result that stays in the memory of the state.
    static constexpr ShardedTarget balanced_in_state() {
        ShardedTarget target(ShardedResult::balanced);
        target.in_state = true;
        return target;
    }
};

/// The arrays of one rank, in the memory of its GPU.
template <typename ItemT>
struct ShardedArrays {
    const ItemT* in = nullptr;        ///< [num_items]; may be null if num_items is 0
    std::uint64_t num_items = 0;      ///< the length of this rank's part; ranks may differ
    ItemT* out = nullptr;             ///< [capacity]; may be null if capacity is 0; unused if in_state
    std::uint64_t capacity = 0;       ///< number of items for which the output has room
    ShardedCounts* counts = nullptr;  ///< [1] the result for this rank
};

}  // namespace compaction
