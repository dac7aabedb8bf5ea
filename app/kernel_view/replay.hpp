#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "app/kernel_view/source.hpp"
#include "compaction/lane_trace.hpp"

namespace warpsieve::kernel_view {

/// The order in which a replay shows the events of a trace.
enum class Order : std::uint8_t {
    warps,  ///< a warp runs until it waits, and its lanes run each instruction together
    lanes,  ///< as scheduled: one lane after the other
};
inline constexpr std::array all_orders{Order::warps, Order::lanes};

/// "warps", "lanes".
const char* id_of(Order order);

/// Whether an event of that kind follows at once from the arrival of the last lane.
constexpr bool completes_arrival(compaction::LaneStepKind kind) {
    using compaction::LaneStepKind;
    return kind == LaneStepKind::collective_results || kind == LaneStepKind::barrier_release ||
           kind == LaneStepKind::mbarrier_phase;
}
/// Whether events of that kind are steps of a lane. Others follow from the steps of lanes.
constexpr bool is_by_lane(compaction::LaneStepKind kind) {
    using compaction::LaneStepKind;
    return kind != LaneStepKind::launch && kind != LaneStepKind::memory && !performs_copy(kind) &&
           !completes_arrival(kind);
}

/// How many values an event of the site gives: wide loads give one for each word.
constexpr std::uint32_t num_values(const compaction::LaneSite& site) {
    return site.bytes > 8 && loads(site.kind) ? site.bytes / 4 : 1;
}

/// The first 8 bytes as a number; 0 if there are none.
std::uint64_t number_of(std::span<const std::byte> bytes);

/// No index.
inline constexpr std::uint32_t none = ~0U;

/// A step of the trace that does more than run a line of code, with the lines that the lane ran before it.
struct Event {
    std::uint32_t site = 0;          ///< index into LaneTrace::sites
    std::uint32_t launch = 0;        ///< index into LaneTrace::launches
    std::uint32_t block = 0;         ///< in the launch
    std::uint32_t thread = 0;        ///< in the block
    std::uint32_t address = 0;       ///< in bytes
    std::uint32_t mask = 0;          ///< the lanes that a collective operation gives results to
    std::uint32_t line_set = 0;      ///< index into Events::line_sets
    std::uint32_t first_byte = 0;    ///< in Events::bytes: the bytes that it loads, then those that it stores
    std::uint32_t first_number = 0;  ///< in Events::numbers: its operands, then its results

    std::uint32_t warp() const { return thread / 32; }
    std::uint32_t lane() const { return thread % 32; }
};

/// A line of code that lanes run.
struct Line {
    std::uint32_t function = 0;  ///< index into Events::functions
    std::uint32_t number = 0;    ///< in its file

    auto operator<=>(const Line&) const = default;
};

/// Two lines that access the same word in different lanes, with a barrier between them.
struct OrderedLines {
    std::uint32_t before = 0;  ///< index into Events::lines
    bool before_stores = false;
    bool after_stores = false;
    std::uint32_t after = 0;  ///< index into Events::lines

    auto operator<=>(const OrderedLines&) const = default;
};

inline bool is_barrier_of_warp(const compaction::LaneSite& site) {
    return site.name == "__syncwarp";
}

/// The events of a trace, and what the source says about them.
struct Events {
    compaction::LaneTrace trace;  ///< without its packed steps
    std::vector<Event> events;
    std::vector<std::byte> bytes;
    std::vector<std::uint64_t> numbers;
    std::vector<SourceFunction> functions;               ///< those that ran
    std::vector<Line> lines;                             ///< those that ran
    std::vector<std::vector<std::uint32_t>> line_sets;   ///< sorted indices into `lines`; the first is empty
    std::vector<std::vector<std::uint32_t>> site_lines;  ///< [sites] the innermost first, then its callers
    std::vector<std::uint32_t> site_names;               ///< [sites] index into `names`, or `none`
    std::vector<std::string> names;                      ///< of values
    std::vector<std::uint32_t> launch_begins;            ///< [launches + 1] first event of each launch
    std::vector<std::uint32_t> moved_forward;            ///< events that the trace has after the next one
    std::vector<std::uint32_t> shared_bytes;             ///< [launches] the shared memory that a block uses
    /// Of the events at which a barrier lets lanes go on: the lines that no other barrier puts in order.
    std::map<std::uint32_t, std::vector<OrderedLines>> ordered_lines;

    const compaction::LaneSite& site_of(const Event& event) const { return trace.sites[event.site]; }
    /// The event that is number `recorded` in the trace.
    std::uint32_t event_of(std::uint32_t recorded) const;
    std::uint32_t warps_per_block(std::uint32_t launch) const {
        return (trace.launches[launch].threads + 31) / 32;
    }
    /// Warps of all blocks of the launch.
    std::uint32_t num_warps(std::uint32_t launch) const {
        return trace.launches[launch].blocks * warps_per_block(launch);
    }
    /// The index of the event's warp in its launch.
    std::uint32_t warp_of(const Event& event) const {
        return event.block * warps_per_block(event.launch) + event.warp();
    }
    std::span<const std::byte> loaded(const Event& event) const;
    std::span<const std::byte> stored(const Event& event) const;
};

/// Reads the steps of a trace and looks up its sources, in `sources` first. Throws Error{invalid_argument}
/// where the trace is damaged.
Events read_events(compaction::LaneTrace trace, SourceTexts sources = {});

/// The value of Events::ordered_lines.
std::map<std::uint32_t, std::vector<OrderedLines>> lines_ordered_by_barriers(const Events& events);

/// A sequence of steps. The events of a step happen together.
struct Steps {
    std::vector<std::uint32_t> events;  ///< indices into Events::events
    std::vector<std::uint32_t> begins;  ///< [steps + 1] index of the first event of each in `events`

    std::size_t size() const { return begins.size() - 1; }
    std::span<const std::uint32_t> operator[](std::size_t step) const {
        return std::span(events).subspan(begins[step], begins[step + 1] - begins[step]);
    }
};

/// The steps of an order. Both keep the order of a lane's events and of accesses of the same memory, so every
/// load reads the same value.
Steps steps_of(const Events& events, Order order);

/// A sentence, and the numbers that fill its gaps: "reads {} bytes of input in {} sectors".
struct Sentence {
    std::string phrase;
    std::vector<std::uint64_t> numbers;

    std::string text() const;
};

/// "staged_writer.cuh:62". `line`: index into Events::lines.
std::string place_text(const Events& events, std::uint32_t line);

/// What a step does. `arrived`: how many threads of the block wait at the barrier after it.
Sentence describe(const Events& events, std::span<const std::uint32_t> step, std::uint32_t arrived);

/// A value with a name, in each lane of a warp.
struct Value {
    std::array<std::uint64_t, 32> of_lane{};
    std::uint32_t known = 0;      ///< the lanes that have it
    std::uint32_t set = 0;        ///< the lanes that got it in `set_at`
    std::uint32_t set_at = none;  ///< the step that set it last

    bool operator==(const Value&) const = default;
};

inline constexpr std::uint32_t word_bytes = 4;
/// What a word of shared memory holds before a lane stores to it.
inline constexpr std::uint64_t not_stored_word =
    0x0101'0101U * std::to_integer<std::uint64_t>(compaction::not_stored);
inline constexpr std::uint32_t sector_bytes = 32;

/// Memory, and for each word of four bytes the events that stored and loaded it last, or `none`.
struct Memory {
    std::vector<std::byte> bytes;
    std::vector<std::uint32_t> stored_by;
    std::vector<std::uint32_t> loaded_by;

    bool operator==(const Memory&) const = default;
};

/// The state after a step.
struct State {
    std::uint32_t launch = none;
    std::vector<std::uint32_t> sites;    ///< [threads of the launch] site of the last event, or `none`
    std::vector<std::uint32_t> seen;     ///< [warps * lines] the lanes that have run the line
    std::vector<Value> values;           ///< [warps * names]
    std::vector<std::uint32_t> arrived;  ///< [blocks] threads that wait at the barrier
    std::vector<Memory> shared;          ///< [blocks]
    std::vector<Memory> global;          ///< [buffers]

    /// The memory that an access of the site is in.
    Memory& memory_of(const Event& event, const compaction::LaneSite& site) {
        return site.space == compaction::MemorySpace::shared ? shared[event.block] : global[site.buffer];
    }
    const Memory& memory_of(const Event& event, const compaction::LaneSite& site) const {
        return site.space == compaction::MemorySpace::shared ? shared[event.block] : global[site.buffer];
    }

    bool operator==(const State&) const = default;
};

/// Plays the events of a trace in either order, forwards and backwards.
class Replay {
  public:
    explicit Replay(compaction::LaneTrace trace, SourceTexts sources = {});

    const Events& events() const { return events_; }
    const Steps& steps(Order order) const { return ordered(order).steps; }
    /// The state after a step. Valid until the next call.
    const State& at(Order order, std::size_t step);
    /// What a step does.
    Sentence sentence(Order order, std::size_t step) const;

  private:
    struct OrderedSteps {
        Steps steps;
        std::vector<std::uint32_t> arrived;  ///< [steps] threads of its block that then wait at the barrier
        std::vector<std::size_t> keyframe_steps;
        std::vector<State> keyframes;   ///< before each of these steps
        std::size_t next_keyframe = 0;  ///< the event before which the next one is made
    };
    const OrderedSteps& ordered(Order order) const { return orders_[static_cast<std::size_t>(order)]; }
    /// How many events lie between two keyframes that are as large as the present state.
    std::size_t events_per_keyframe() const;

    Events events_;
    std::array<OrderedSteps, all_orders.size()> orders_;
    Order order_ = Order::warps;
    std::size_t next_ = 0;  ///< the step that follows `state_`
    State state_;
};

}  // namespace warpsieve::kernel_view
