#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/format/xy_data.hpp"
#include "app/labs/jobs.hpp"
#include "app/settings/lab_settings.hpp"

/// Sweeps along an axis: the job and the plot of its results. Pure functions.
namespace warpsieve::labs {

/// The name for an engine: CPU threads are not in blocks.
std::string_view name_of(SweepAxis axis, compaction::EngineId engine);

/// An algorithm in a sweep, with the options that do not vary.
struct SweepLine {
    const compaction::Algorithm* algorithm = nullptr;
    compaction::Options options = {};
};

/// The values of the axis that are legal for `algorithm`; none if it lacks the option.
std::vector<double> sweep_values(SweepAxis axis, const compaction::Algorithm& algorithm);

/// Adds every line at every value of the axis to the job, grouped by stream. Illegal values go to
/// Job::left_out. `stream`: the parameters that do not vary.
void add_sweep(Job& job, SweepAxis axis, std::span<const SweepLine> lines,
               const experiments::StreamSpec& stream);

/// The algorithms of the settings along the axis of the settings.
Job sweep_job(const RunConfig& run, const LabSettings& labs, std::uint64_t slots,
              std::span<const compaction::Algorithm> catalogue);

/// The plot of the results of a sweep so far.
struct SweepPlot {
    plots::XyPlot plot;
    std::vector<std::vector<experiments::Setting>> settings;  ///< [series][point]
};
SweepPlot plot_sweep(const Report& report, SweepShows shows);

/// Sentences about settings without a result: left out, skipped or wrong.
struct LabRemarks {
    std::vector<std::string> wrong;
    std::vector<std::string> skipped;
};
LabRemarks remarks_on(const Report& report);

/// Applies a setting to the live view: algorithm, options, length and keep fraction. Returns the reason if it
/// cannot, otherwise an empty text.
std::string load_into_window(RunConfig& run, const experiments::Setting& setting);

}  // namespace warpsieve::labs
