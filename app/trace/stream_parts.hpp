#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "app/trace/traced_run.hpp"

/// What a trace tells about the parts of the stream: which block processed each, how many items it kept, and
/// where they lie in the output. What the trace does not tell is nullopt. Pure functions.
namespace warpsieve::trace {

/// The launch that counts the kept items, else the first whose parts are known. Null if there is none.
const compaction::LaunchTrace* counting_launch(const TracedRun& run);

/// Neighbouring parts that share a WorkSpan, which has one count for all of them. A single part if warps
/// append the kept items, or if the span is unknown.
struct PartGroup {
    std::uint64_t begin = 0;                         ///< first item
    std::uint64_t end = 0;                           ///< one past the last item
    std::optional<std::uint64_t> kept = {};          ///< nullopt if unknown, as in a span with other parts
    std::optional<std::uint64_t> output_index = {};  ///< where its kept items begin in the output

    bool operator==(const PartGroup&) const = default;
};

/// The parts of counting_launch(). Refers to the run.
struct StreamParts {
    const compaction::BlockParts* parts = nullptr;  ///< null if unknown
    std::vector<PartGroup> groups;                  ///< in the order of the stream, without empty ones

    /// The group that contains `item`, which must be in the stream.
    const PartGroup& group_of(std::uint64_t item) const;
};
StreamParts stream_parts(const TracedRun& run);

/// The block that processed an item in one launch.
struct ItemBlock {
    std::uint8_t phase = 0;
    std::optional<std::uint64_t> block = {};
    const compaction::WorkSpan* span = nullptr;  ///< null if the block or its span is unknown
};
/// The block of each launch that processes items of the stream. `item` must be in the stream.
std::vector<ItemBlock> blocks_of_item(const TracedRun& run, std::uint64_t item);

/// The wait of a part, by the block that processed it.
struct BlockWait {
    std::uint32_t launch = 0;
    std::uint64_t block = 0;
    compaction::PartWait wait = {};
};
/// The waits of the parts that posted their counts, sorted by launch, block and time of posting.
std::vector<BlockWait> block_waits(const TracedRun& run);

/// The place of a span in the order in which the spans of its launch began.
struct StartPlace {
    std::uint64_t index = 0;  ///< number of spans that began earlier
    std::uint64_t count = 0;  ///< spans of the launch
};
StartPlace start_place(const TracedRun& run, const compaction::WorkSpan& span);

}  // namespace warpsieve::trace
