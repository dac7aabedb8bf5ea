#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/kernel_view/replay.hpp"

/// The memory that a launch accesses, as a whole, and what its lanes wait at.
namespace warpsieve::kernel_view {

/// Shared memory of a block, or a buffer.
struct MemoryArea {
    compaction::MemorySpace space = compaction::MemorySpace::global;
    std::uint32_t buffer = 0;     ///< index into LaneTrace::buffers, in global memory
    std::string name;             ///< "shared memory of block 0", "input"
    std::uint32_t num_words = 0;  ///< of four bytes
    std::size_t element_bytes = word_bytes;
    bool is_input = false;
    bool is_written = false;  ///< by the launch
    /// [words / 32] Whether the launch accesses a word of the row, in shared memory of any block.
    std::vector<bool> used_rows;
};

/// Shared memory of the block, the input, the output, then the other buffers that the launch accesses. Leaves
/// out the buffers of status words.
std::vector<MemoryArea> memory_areas(const Events& events, std::uint32_t launch, std::uint32_t block);

/// What a step does with a word.
enum class Touch : std::uint8_t { none, read, written };

/// In MapWord::writer: an earlier launch wrote the word.
inline constexpr std::uint32_t earlier_launch = none - 1;

/// A word of a MemoryArea.
struct MapWord {
    std::uint32_t value = 0;
    std::uint32_t stored_by = none;  ///< the event that wrote it; `none`: it is as it was at first
    std::uint32_t writer = none;     ///< warp of the launch; or `earlier_launch`; or `none`
    bool is_read = false;            ///< by the launch
    Touch now = Touch::none;

    bool operator==(const MapWord&) const = default;
};
/// The words of the area. `state`: that of the step.
std::vector<MapWord> map_words(const Events& events, const State& state, std::span<const std::uint32_t> step,
                               const MemoryArea& area, std::uint32_t block);

/// A word in which a block tells others its count.
struct StatusWord {
    std::uint32_t buffer = 0;        ///< index into LaneTrace::buffers
    std::uint32_t index = 0;         ///< in its buffer
    std::uint32_t stored_by = none;  ///< the event of this launch that published it; `none`: not yet
    std::uint64_t number = 0;        ///< once it is published
    std::uint32_t read_by = none;    ///< the event of this launch that read it last, or `none`
    Touch now = Touch::none;

    bool operator==(const StatusWord&) const = default;
};
/// The status words that the launch accesses, once for all copies. `state`: that of the step.
std::vector<StatusWord> status_words(const Events& events, const State& state,
                                     std::span<const std::uint32_t> step);

/// A barrier of a block, or an mbarrier.
struct BarrierState {
    std::string name;                         ///< "__syncthreads of block 0", "mbarrier 2 of block 0"
    std::optional<std::uint32_t> mbarrier{};  ///< its number, if it is one
    std::uint32_t arrived = 0;                ///< since the last phase
    std::uint32_t expected = 0;               ///< how many arrivals complete the phase
    std::uint64_t bytes = 0;                  ///< bulk copies bring this many before the phase completes
    std::uint32_t phases = 0;                 ///< completed ones; of mbarriers only
    bool is_used_now = false;                 ///< by the step; of mbarriers only

    bool operator==(const BarrierState&) const = default;
};
/// The barrier of the block, if the launch has one, and its mbarriers, by number.
std::vector<BarrierState> barriers_at(const Events& events, const Steps& steps, std::size_t step,
                                      const State& state, std::uint32_t block);

/// What most lanes of a warp do: "not begun", "runs", "at a barrier", "ended".
const char* whereabouts(const Events& events, const State& state, std::uint32_t warp);

}  // namespace warpsieve::kernel_view
