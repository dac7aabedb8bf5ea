#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "compaction/algorithm.hpp"
#include "compaction/timing.hpp"

/// One traced compaction: which block ran on which multiprocessor, or which part of the stream on which
/// worker thread, and when. Pure functions.
namespace warpsieve::trace {

/// "count", "look-back", "scatter", "block".
std::string_view name_of(compaction::WarpRole role);

/// How evenly the processors shared a run.
struct WorkFigures {
    double busy_share = 0;     ///< busy processors over all, mean over the time of the run
    double tail_share = 0;     ///< share of that time with fewer than half of the processors busy
    double imbalance = 0;      ///< busy time of the busiest processor over the mean of all; 1 if even
    double waiting_share = 0;  ///< share of the gaps in the time from a processor's first span to its last
    double waiting_us = 0;     ///< the gaps of a processor; mean of those that worked
};

/// From `begin_us` to the next step, that many processors are busy.
struct BusyStep {
    float begin_us;
    std::uint32_t processors;
};

/// What warps of one role did in the block whose roles were traced.
struct RoleLane {
    compaction::WarpRole role;
    std::vector<compaction::WorkSpan> spans;  ///< by begin
    double waiting_share = 0;                 ///< share of the gaps from the first span to the last
};

/// A trace prepared for drawing and writing.
struct TracedRun {
    const compaction::Algorithm* algorithm = nullptr;
    std::uint64_t frame = 0;
    std::uint32_t processors = 0;
    compaction::RunTiming timing;
    std::uint64_t spans_left_out = 0;
    float clock_step_us = 0;

    std::vector<compaction::WorkSpan> spans;  ///< of whole blocks; by processor, then by begin
    std::vector<std::uint8_t> slots;  ///< of each span: spans of one processor and slot do not overlap
    std::uint32_t num_slots = 1;      ///< most spans that a processor ran at once
    std::vector<std::size_t> rows;    ///< [processors + 1] the first span of each processor
    std::vector<RoleLane> lanes;      ///< empty for kernels without roles
    std::optional<std::uint32_t> roles_block;      ///< block of the lanes
    std::optional<std::uint32_t> roles_processor;  ///< where it ran
    std::vector<BusyStep> busy;                    ///< by begin
    WorkFigures figures;
    float begin_us = 0;  ///< of the first phase; below 0 for a block that is resident before it may begin
    float end_us = 0;    ///< of the last span

    /// When a phase begins; that of num_phases is the end of the last.
    float phase_begin_us(std::size_t phase) const;
};

/// Prepares a trace. Leaves out spans that are not finite, end before they begin, or lie on no processor.
TracedRun prepare(const compaction::Algorithm& algorithm, std::uint64_t frame, compaction::RunTrace trace);

/// A bar of the picture: a span, or what spans of one processor share a bin of time.
struct WorkBar {
    float begin_us;
    float end_us;
    std::uint32_t processor;
    std::uint32_t span;  ///< index in TracedRun::spans; the first of several
    std::uint32_t spans;
    float busy;  ///< share of the bar's time in which the processor is busy
    std::uint8_t slot;
    std::uint8_t phase;  ///< of several: the one with the most time
};

/// A part of a run's time.
struct TimeWindow {
    float begin_us = 0;
    float end_us = 0;

    float length_us() const { return end_us - begin_us; }
    bool operator==(const TimeWindow&) const = default;
};

/// The most bars that are drawn.
inline constexpr std::size_t most_bars = 20'000;

/// The bars of a window, by processor. Where it holds more than `most` spans, the spans of each processor
/// merge by bins of time; then true. Reuses the memory of `bars`.
bool collect_bars(const TracedRun& run, TimeWindow window, std::size_t most, std::vector<WorkBar>& bars);

/// The busy processors in each of `columns` equal parts of a window, mean over its time.
std::vector<float> busy_columns(const TracedRun& run, TimeWindow window, std::size_t columns);

/// A window zoomed about `fixed_us`, at least 32 ns long and within `all`.
TimeWindow zoomed(TimeWindow all, TimeWindow window, float fixed_us, float factor);
/// A window moved by that much, within `all`.
TimeWindow moved(TimeWindow all, TimeWindow window, float by_us);
/// All of it, with some air.
TimeWindow whole(const TracedRun& run);
/// All of both.
TimeWindow whole(const TracedRun& a, const TracedRun& b);

}  // namespace warpsieve::trace
