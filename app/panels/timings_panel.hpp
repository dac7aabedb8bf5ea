#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/diagnostics/quality_flags.hpp"
#include "app/format/figures.hpp"
#include "app/panels/ui.hpp"
#include "app/plots/stacked_phases.hpp"
#include "app/view_model/snapshot.hpp"
#include "experiments/table.hpp"

/// The panel along the bottom: plot and table of the timings.
namespace warpsieve::panels {

struct TimingsMemory {
    plots::StackedPhases plot;
    std::vector<float> totals_of_b_us;  ///< scratch memory
    bool fits_all = false;              ///< the plot's axis fits every frame; a double-click toggles it
    std::map<std::string, format::UnitHysteresis> row_units;  ///< units of the table, by names of rows
};

void draw_timings(Ui& ui);

/// Draws the timing table and the throughput below it, within the current window, with the columns that fit.
void draw_timing_table(Ui& ui, ImVec2 low, ImVec2 high);
/// Draws the accesses of each phase, in place of the timing table: a simulated GPU has no times.
void draw_access_table(Ui& ui, ImVec2 low, ImVec2 high);
/// Draws the phases as bars over the steps of the simulated schedule, in place of the plot of times.
void draw_access_steps(Ui& ui, ImVec2 low, ImVec2 high);
/// The access table as text, with every column.
experiments::Table access_table(const Ui& ui);
/// The timing table as text, with every column, in microseconds.
experiments::Table timing_table(const Ui& ui);
/// The tooltip of a row of the timing table.
std::string meaning_of(const compaction::Algorithm& algorithm, const TimingRow& row);
/// The width of the widest timing table that fits into `room`, in pixels; 0 if none does.
float fitting_table_width(const Ui& ui, float room);

/// Draws the strip "Frame": where the time of a frame goes, by the clocks of host and GPU.
void draw_frame_strip(Ui& ui, ImVec2 low, ImVec2 high);
float frame_strip_width(const Ui& ui);

/// Draws effective bandwidth, copy bandwidth and their ratio, from `low` to `right`.
void draw_throughput(Ui& ui, ImVec2 low, float right);
/// "5 %": times with a larger interquartile range, in per cent of the median, are noisy.
std::string noise_limit();
/// The width of a digit of a figure, in pixels.
float digit_width(const Ui& ui);

/// Effective bandwidth in % of copy bandwidth: "37.2"; one digit less if it is noisy, an en dash if it is
/// unknown.
std::string percentage_of_copy(const Throughput& throughput);
/// Why that percentage is noisy; empty if it is not.
std::string caution_of_copy(const Throughput& throughput);

}  // namespace warpsieve::panels
