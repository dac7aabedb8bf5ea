#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/format/xy_data.hpp"
#include "app/labs/jobs.hpp"
#include "app/settings/sweep_settings.hpp"

/// Settings along an axis: what is to be measured, and the plot of what was. Pure functions.
namespace warpsieve::labs {

/// An axis as menus show it.
struct SweepAxisInfo {
    SweepAxis axis;
    std::string_view id;                       ///< "density": of Job::axis and the settings file
    std::string_view name;                     ///< "fraction kept"
    std::string_view meaning;                  ///< for the tooltip
    std::optional<compaction::Option> option;  ///< that varies, where one does
};
std::span<const SweepAxisInfo> sweep_axes();
const SweepAxisInfo& info_of(SweepAxis axis);
/// The name, as the engine's people say it: the threads of a processor are in no block.
std::string_view name_of(SweepAxis axis, compaction::EngineId engine);

struct SweepShowsInfo {
    SweepShows shows;
    std::string_view id;       ///< "share": of the settings file
    std::string_view name;     ///< "share of copy speed"
    std::string_view meaning;  ///< for the tooltip
};
std::span<const SweepShowsInfo> sweep_shows();
const SweepShowsInfo& info_of(SweepShows shows);

/// Who takes part in a sweep, and with what options besides the one that varies.
struct SweepLine {
    const compaction::Algorithm* algorithm = nullptr;
    compaction::Options options = {};
};

/// The values of the axis that `algorithm` can take; none where it lacks the option.
std::vector<double> sweep_values(SweepAxis axis, const compaction::Algorithm& algorithm);

/// Adds to the job every line at every value of the axis, those of one stream together; what an algorithm
/// cannot do is among Job::left_out. `stream` says what does not vary.
void add_sweep(Job& job, SweepAxis axis, std::span<const SweepLine> lines,
               const experiments::StreamSpec& stream);

/// The algorithms of the settings along the axis of the settings.
Job sweep_job(const Settings& settings, std::uint64_t slots,
              std::span<const compaction::Algorithm> catalogue);

/// What was measured of a sweep so far, ready to be drawn.
struct SweepPlot {
    plots::XyPlot plot;
    std::vector<std::vector<experiments::Setting>> settings;  ///< [series][point]
};
SweepPlot plot_sweep(const Report& report, SweepShows shows);

/// Sentences on what a report has no figure for: settings that were left out, skipped or wrong.
struct LabRemarks {
    std::vector<std::string> wrong;
    std::vector<std::string> skipped;
};
LabRemarks remarks_on(const Report& report);

/// Puts a setting into the live view: its algorithm, options, length and density. Returns why it cannot, in a
/// sentence; empty where it did.
std::string load_into_window(Settings& settings, const experiments::Setting& setting);

}  // namespace warpsieve::labs
