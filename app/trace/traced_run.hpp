#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
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
    double busy_share = 0;         ///< mean share of busy processors over the time of the run
    double mostly_idle_share = 0;  ///< share of that time with fewer than half of the processors busy
    double imbalance = 0;          ///< busy time of the busiest processor over the mean of all; 1 if even
    double waiting_share = 0;      ///< gaps over the time from a processor's first span to its last
    double waiting_us = 0;         ///< mean time in gaps of the processors that worked
};

/// The number of busy processors from `begin_us` to the next step.
struct BusyStep {
    float begin_us;
    std::uint32_t num_busy;
};

/// The work of the warps with one role in the block whose roles were traced.
struct RoleLane {
    compaction::WarpRole role;
    std::vector<compaction::WorkSpan> spans;  ///< sorted by begin
    double waiting_share = 0;                 ///< gaps over the time from the first span to the last
};

/// A trace prepared for drawing and writing.
struct TracedRun {
    const compaction::Algorithm* algorithm = nullptr;
    std::uint64_t frame = 0;
    std::uint32_t processors = 0;
    compaction::RunTiming timing;
    std::uint64_t blocks_merged = 0;
    std::uint64_t spans_left_out = 0;
    std::uint64_t launches_left_out = 0;
    float clock_step_us = 0;
    std::optional<std::uint64_t> schedule_seed;

    std::vector<compaction::LaunchTrace> launches;
    std::vector<compaction::WorkSpan> spans;  ///< whole blocks, sorted by processor, then by begin
    std::vector<std::uint8_t> tracks;         ///< [spans] spans of one processor and one track do not overlap
    std::uint32_t num_tracks = 1;             ///< maximum number of spans that a processor ran at once
    std::vector<std::size_t> rows;            ///< [processors + 1] index of the first span of each processor
    std::vector<RoleLane> lanes;              ///< empty for kernels without roles
    std::optional<std::uint32_t> roles_block;      ///< the block that the lanes show
    std::optional<std::uint32_t> roles_processor;  ///< the processor that ran this block
    std::vector<BusyStep> busy;                    ///< sorted by begin
    WorkFigures figures;
    /// The first phase begins at 0. A block that was resident before that begins earlier.
    float begin_us = 0;
    float end_us = 0;  ///< end of the last span

    /// The begin of a phase. For phase == num_phases, the end of the last phase.
    float phase_begin_us(std::size_t phase) const;

    /// What the trace lacks, such as "64 blocks share spans, 3 blocks and roles are left out"; empty if
    /// nothing.
    std::string omissions() const;

    /// "count"; "phase 4" for a phase that the algorithm does not describe.
    std::string phase_name(std::size_t phase) const;

    /// "multiprocessor" or "worker".
    const char* processor_word() const;

    /// The parts of the launch that a span belongs to; null if unknown.
    const compaction::BlockParts* parts_of(const compaction::WorkSpan& span) const;
};

/// Prepares a trace. Skips spans that are not finite, that end before they begin, or that name no processor.
/// `whole_us`: the time of a compaction, measured from outside. A library, whose kernels record nothing, gets
/// this time as the time of its only phase.
TracedRun prepare(const compaction::Algorithm& algorithm, std::uint64_t frame, compaction::RunTrace trace,
                  double whole_us = 0);

/// A bar of the picture: one span, or all spans of one processor in one bin of time.
struct WorkBar {
    float begin_us;
    float end_us;
    std::uint32_t processor;
    std::uint32_t first_span;  ///< index in TracedRun::spans
    std::uint32_t num_spans;
    float busy_share;  ///< share of the bar's time in which the processor is busy
    std::uint8_t track;
    std::uint8_t phase;  ///< the phase that takes the most time in the bar
};

/// A part of a run's time.
struct TimeWindow {
    float begin_us = 0;
    float end_us = 0;

    float length_us() const { return end_us - begin_us; }
    bool operator==(const TimeWindow&) const = default;
};

inline constexpr std::size_t max_drawn_bars = 20'000;

/// Collects the bars of a window, sorted by processor. If it holds more than `max_bars` spans, the spans of
/// each processor are merged by bins of time. Returns whether they are. Reuses the memory of `bars`.
bool collect_bars(const TracedRun& run, TimeWindow window, std::size_t max_bars, std::vector<WorkBar>& bars);

/// Divides a window into `columns` equal parts. Returns the mean number of busy processors in each.
std::vector<float> busy_columns(const TracedRun& run, TimeWindow window, std::size_t columns);

/// The window zoomed about `fixed_us`, which keeps its place. It stays within `all` and at least 32 ns long.
TimeWindow zoomed(TimeWindow all, TimeWindow window, float fixed_us, float factor);
/// A window moved by `by_us`. It stays within `all`.
TimeWindow moved(TimeWindow all, TimeWindow window, float by_us);
/// The window that shows the whole run with a margin on either side.
TimeWindow whole_window(const TracedRun& run);
/// The window that shows both runs as a whole.
TimeWindow whole_window(const TracedRun& a, const TracedRun& b);

}  // namespace warpsieve::trace
