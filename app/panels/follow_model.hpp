#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/scene/slot_sample.hpp"
#include "app/trace/traced_run.hpp"
#include "compaction/algorithm.hpp"

/// One item on its way through a compaction: what samples and traces tell about it. Pure functions.
namespace warpsieve::panels {

struct FollowedItem {
    std::uint64_t slot = 0;
    std::uint64_t frame = 0;  ///< frame of the sample
    const compaction::Algorithm* algorithm = nullptr;
    std::optional<bool> live{};           ///< whether the slot holds an item
    std::optional<float> age{};           ///< share of its lifetime: 0 at birth, 1 at death
    std::optional<std::uint64_t> rank{};  ///< number of live slots before it
    std::optional<std::uint64_t> output_index{};
    bool missing = false;  ///< live, but not in the output
};

/// What a sample tells about a slot; nullopt for a slot outside of the sampled stream.
std::optional<FollowedItem> follow_item(const scene::SlotSample& sample, std::uint64_t slot);

/// The sample that tells everything about one slot.
scene::SampleRequest request_for_slot(std::uint64_t slot);
/// A sample of a whole stream, in at most 2^16 cells.
scene::SampleRequest request_for_stream(std::uint64_t slots);

/// The slot of the item at an output index, or of the first item in its cell; nullopt if the sample does not
/// contain it.
std::optional<std::uint64_t> slot_at_output_index(const scene::SlotSample& sample,
                                                  std::uint64_t output_index);

/// The phase that writes items to the output; null if there is none.
const compaction::Phase* moving_phase(const compaction::Algorithm& algorithm);

/// A name and its value: "rank", "40,112".
struct FollowedFact {
    std::string name;
    std::string value;
};
/// The facts about an item. `run`: a trace of the compaction; null if there is none.
std::vector<FollowedFact> facts_of(const FollowedItem& item, const trace::TracedRun* run);

/// The part that contains the slot, such as "tile" and its number; nullopt if the trace does not tell it.
std::optional<FollowedFact> part_fact(const trace::TracedRun& run, std::uint64_t slot);
/// What block_facts() tells about a block: "block 3 on multiprocessor 7", and ", number 4 of 64 to start".
enum class BlockDetail : std::uint8_t { processor, processor_and_order };
/// For each phase, the block that reads the slot in it.
std::vector<FollowedFact> block_facts(const trace::TracedRun& run, std::uint64_t slot, BlockDetail detail);

}  // namespace warpsieve::panels
