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
#include "experiments/setting.hpp"

/// Sweeps along an axis: the job, the lines that its results form, and their plot. Pure functions.
namespace warpsieve::labs {

/// The name of an axis. It depends on the engine, because the threads of a CPU form no blocks.
std::string_view name_of(SweepAxis axis, compaction::EngineId engine);

/// An algorithm in a sweep, with the options that do not vary.
struct SweepLine {
    const compaction::Algorithm* algorithm = nullptr;
    compaction::Options options = {};
};

/// The values of the axis that are legal for `algorithm`; empty if it lacks the option.
std::vector<double> sweep_values(SweepAxis axis, const compaction::Algorithm& algorithm);

/// Adds every line at every value of the axis to the job, grouped by stream. Illegal values go to
/// Job::left_out. `stream`: the parameters that do not vary.
void add_sweep(Job& job, SweepAxis axis, std::span<const SweepLine> lines,
               const experiments::StreamSpec& stream);

/// A sweep of the selected algorithms along the selected axis.
Job sweep_job(const RunConfig& run, const LabSettings& labs, std::uint64_t slots,
              std::span<const compaction::Algorithm> catalogue);

/// The value of the setting on the axis.
double value_on_axis(SweepAxis axis, const experiments::Setting& setting);

/// Whether two settings lie on one line: they differ only on the axis.
bool same_line(SweepAxis axis, const experiments::Setting& a, const experiments::Setting& b);

/// "single_pass", "copy_direct, quad": the id and the options that are not automatic, without the axis.
std::string line_name(SweepAxis axis, const experiments::Setting& setting);

/// The line style of a setting: the index of its line among the lines of `all` settings of a job. A line thus
/// keeps its colour while results arrive, and colours repeat only if there are more lines than colours.
std::size_t line_style_of(SweepAxis axis, std::span<const experiments::Setting> all,
                          const experiments::Setting& setting);

/// The parameters of the stream that do not vary: "random, 0.5 kept, 4-byte items, cold".
std::string fixed_parameters(SweepAxis axis, const experiments::StreamSpec& stream);

/// The plot of the results of a sweep so far.
struct SweepPlot {
    plots::XyPlot plot;
    std::vector<std::vector<experiments::Setting>> settings;  ///< [series][point]
};
SweepPlot plot_sweep(const Report& report, SweepMetric metric);

/// Applies algorithm, options, length and keep fraction of a setting to the live view. Returns the reason if
/// the live view cannot run the setting, else an empty string.
std::string load_into_window(RunConfig& run, const experiments::Setting& setting);

}  // namespace warpsieve::labs
