#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/scene/side.hpp"
#include "app/trace/traced_run.hpp"
#include "compaction/algorithm.hpp"
#include "experiments/paired_ratio.hpp"
#include "experiments/statistics.hpp"
#include "experiments/timeline.hpp"

namespace warpsieve {

/// A row of the timing table. Times in microseconds.
struct TimingRow {
    std::string name;
    std::string meaning;  ///< tooltip
    /// Empty for rows that are not phases (between calls, total, map / unmap, ...).
    std::optional<compaction::PhaseRole> role;
    bool in_total = true;
    experiments::Summary us;
};

/// Name of the timing row of the whole compaction.
inline constexpr std::string_view total_row_name = "total";
/// Name of the timing row that fills up the phases to the total.
inline constexpr std::string_view between_row_name = experiments::between_calls_name;
/// Name of the timing row that the plot shows as a line of its own.
inline constexpr std::string_view interop_row_name = "map / unmap";

/// Effective bandwidth (bytes read once + bytes kept, over time) against a copy measured in the same run.
struct Throughput {
    double useful_gb_s = 0;
    double copy_gb_s = 0;      ///< bytes read + bytes written of a device-to-device copy
    double share_of_copy = 0;  ///< 0 while no copy has been measured
    double useful_noise = 0;   ///< interquartile range over median, of the times behind the figure
    double copy_noise = 0;

    /// Noise of the ratio: that of its noisier side.
    double share_noise() const { return std::max(useful_noise, copy_noise); }
};

/// One algorithm that compacts the stream of every frame: A, or B of the A/B lens.
struct RunView {
    const compaction::Algorithm* algorithm = nullptr;
    compaction::Options layout;  ///< options in force, automatic ones resolved
    std::uint64_t num_kept = 0;
    std::vector<TimingRow> rows;  ///< refreshed at 5 Hz
    Throughput throughput;        ///< refreshed at 5 Hz
    /// The newest traced compaction; null before the first, and after a change.
    std::shared_ptr<const trace::TracedRun> traced;
};

/// B of the A/B lens.
struct RunViewB : RunView {
    experiments::PairedRatio ratio;  ///< A's time over B's; refreshed at 5 Hz
};

/// The runs of both sides.
struct RunsView {
    RunView a;
    std::optional<RunViewB> b;  ///< while the A/B lens is shown

    /// Null for a B that does not run.
    const RunView* of(Side side) const { return side == Side::a ? &a : b ? &*b : nullptr; }
};

/// The algorithm of a side, its options in force and its figures; empty for a B that does not run.
inline const compaction::Algorithm* algorithm_of(const RunsView& runs, Side side) {
    const RunView* run = runs.of(side);
    return run ? run->algorithm : nullptr;
}
inline compaction::Options layout_of(const RunsView& runs, Side side) {
    const RunView* run = runs.of(side);
    return run ? run->layout : compaction::Options{};
}
inline std::span<const TimingRow> rows_of(const RunsView& runs, Side side) {
    const RunView* run = runs.of(side);
    return run ? std::span<const TimingRow>(run->rows) : std::span<const TimingRow>{};
}
inline Throughput throughput_of(const RunsView& runs, Side side) {
    const RunView* run = runs.of(side);
    return run ? run->throughput : Throughput{};
}

/// A simulated GPU has no times.
inline bool has_times(compaction::EngineId engine) {
    return engine != compaction::EngineId::simulated;
}
inline constexpr const char* no_times = "A simulated GPU has no times. Select another engine to see some.";

/// The figures of the row with that name; null where there is none.
inline const experiments::Summary* figures_of(std::span<const TimingRow> rows, std::string_view name) {
    const auto found = std::ranges::find(rows, name, &TimingRow::name);
    return found == rows.end() ? nullptr : &found->us;
}

/// The same; also null while the row has no samples.
inline const experiments::Summary* timed_figures_of(std::span<const TimingRow> rows, std::string_view name) {
    const experiments::Summary* figures = figures_of(rows, name);
    return figures && figures->n > 0 ? figures : nullptr;
}

}  // namespace warpsieve
