#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/scene/slot_sample.hpp"
#include "compaction/algorithm.hpp"
#include "compaction/partition.hpp"

/// One item on its way through a compaction: what a sample knows of it. Pure functions.
namespace warpsieve::panels {

struct FollowedItem {
    std::uint64_t slot = 0;
    std::uint64_t frame = 0;  ///< frame of the sample
    const compaction::Algorithm* algorithm = nullptr;
    std::optional<bool> live{};           ///< whether the slot holds an item
    std::optional<float> age{};           ///< age of the item: 0 is born, 1 is dead
    std::optional<std::uint64_t> part{};  ///< sequence, block or tile that contains the slot
    std::optional<std::uint64_t> rank{};  ///< live slots before it
    std::optional<std::uint64_t> output_index{};
    bool missing = false;  ///< live, but not in the output
};

/// Nothing for a slot outside of the sampled stream.
std::optional<FollowedItem> follow_item(const scene::SlotSample& sample, std::uint64_t slot);

/// The sample that tells everything about one slot.
scene::SampleRequest request_for_slot(std::uint64_t slot, const compaction::Partition& partition);
/// A sample of the whole stream, in at most 2^16 cells.
scene::SampleRequest request_for_stream(const compaction::Partition& partition);

/// The slot of the item at an output index, or of the first item in its cell; nothing where the sample
/// does not contain it.
std::optional<std::uint64_t> slot_at_output_index(const scene::SlotSample& sample,
                                                  std::uint64_t output_index);

/// The phase that writes items to the output; null if there is none.
const compaction::Phase* moving_phase(const compaction::Algorithm& algorithm);

/// A name and its value: "rank", "40,112".
struct FollowedFact {
    std::string name;
    std::string value;
};
std::vector<FollowedFact> facts_of(const FollowedItem& item, const compaction::Partition& partition);

}  // namespace warpsieve::panels
