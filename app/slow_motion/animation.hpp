#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "compaction/algorithm.hpp"
#include "compaction/item.hpp"

/// Slow motion: one compaction of 64 slots, over time. Plain code in this folder follows the phases of an
/// algorithm; what is shown is a pure function of algorithm, stream and time. No drawing.
namespace warpsieve::slow_motion {

inline constexpr std::uint32_t num_parts = 8;
inline constexpr std::uint32_t part_slots = 8;
inline constexpr std::uint32_t num_slots = num_parts * part_slots;

/// How an algorithm compacts.
enum class Method : std::uint8_t {
    sequences,   ///< count, scan, move; a worker walks through its sequence
    blocks,      ///< count, scan, move; each thread of a block has one item
    flags,       ///< a flag for each item, a scan of the flags, a scatter
    look_back,   ///< one pass; a tile finds its offset by looking back
    atomics,     ///< one pass; offsets are taken from a counter, in no order
    launches,    ///< one tile after another; each launches the next
    one_thread,  ///< one pass by one thread
};

/// Derived from the description of the algorithm.
Method method_of(const compaction::Algorithm& algorithm);

/// What the method calls a row of eight slots: "sequence", "block", "tile", "warp" or "row".
std::string_view part_name(Method method);

/// 64 items of a stream: a live slot holds its number plus one, an empty one 0.
using Stream = std::array<compaction::Item, num_slots>;

/// Whether a slot of the endless stream of that seed is live. Each slot is, with the probability
/// `live_fraction`, independently of the others.
bool is_live(std::uint64_t seed, float live_fraction, std::uint64_t slot);
/// The first slots of that stream.
Stream stream_of(std::uint64_t seed, float live_fraction);

/// A step of the animation.
struct Step {
    std::string_view title;    ///< "count"
    std::string_view caption;  ///< one short sentence
    std::optional<compaction::PhaseRole> role;
    double begin_s = 0;
    double end_s = 0;
};

/// When a part changes its state, in seconds.
struct PartTimes {
    double begins_s = 0;   ///< its worker starts to count
    double counted_s = 0;  ///< its count is complete and published
    double offset_known_s = 0;
};

/// A look of one tile at an earlier one, during its look-back.
struct Look {
    std::uint32_t looking_part;
    std::uint32_t seen_part;
    double begin_s;
    double end_s;
    bool found_prefix;  ///< false: found a count, and the look-back goes on
};

/// When a slot is tested and when its item flies. Dropped items have no output index.
struct SlotTimes {
    double tested_s = 0;
    double scanned_s = 0;  ///< its flag is scanned, with `Method::flags`
    double leaves_s = 0;   ///< its item leaves for the output
    double lands_s = 0;
    std::optional<std::uint32_t> output_index;
};

/// One compaction of 64 slots. Then the camera pulls back until the full stream is visible.
struct Animation {
    Method method = Method::sequences;
    Stream stream{};
    std::array<SlotTimes, num_slots> slots;
    std::array<PartTimes, num_parts> parts;
    std::array<std::uint32_t, num_parts> counts{};
    std::array<std::uint32_t, num_parts> offsets{};  ///< [parts] offset in the output
    std::vector<compaction::Item> output;
    std::vector<Look> looks;
    std::vector<Step> steps;
    std::vector<double> stops_s;  ///< where the arrow keys stop, ascending: the first is 0, the last the end
    double lit_s = 0;             ///< the predicate begins to light live slots
    double pull_back_s = 0;       ///< the camera begins to pull back
    double full_log2 = 6;         ///< log2 of the number of slots that are visible at the end
    double duration_s() const { return stops_s.back(); }
};

/// Runs the plain code of the method over the stream. `full_slots`: length of the full stream, which is
/// visible at the end.
Animation make_animation(Method method, const Stream& stream, std::uint64_t full_slots);

/// A slot at a time of the animation.
struct SlotState {
    float lit = 0;  ///< 0 to 1: the predicate has found it live
    bool tested = false;
    float flight = 0;  ///< 0: in its slot; 1: in the output
};
/// A part at a time of the animation.
struct PartState {
    bool has_begun = false;
    std::uint32_t count = 0;  ///< items counted so far
    bool counted = false;
    std::optional<std::uint32_t> offset;  ///< empty until it is known
};
/// The state of the animation at one time.
struct Moment {
    std::size_t step = 0;
    std::array<SlotState, num_slots> slots;
    std::array<PartState, num_parts> parts;
    const Look* look = nullptr;     ///< the latest one in progress, in Animation::looks; null: none
    std::uint32_t num_scanned = 0;  ///< flags scanned so far
    std::uint32_t num_taken = 0;    ///< output indices given so far
    double log2_slots = 6;          ///< visible: 6 means 64
};
/// `time_s` is clamped to the animation.
Moment moment_at(const Animation& animation, double time_s);

/// The nearest stop after a time, or the end; the nearest stop before a time, or 0.
double next_stop(const Animation& animation, double time_s);
double previous_stop(const Animation& animation, double time_s);

}  // namespace warpsieve::slow_motion
