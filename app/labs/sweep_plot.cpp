#include <algorithm>
#include <cmath>

#include "app/labs/sweep.hpp"
#include "app/labs/sweep_lines.hpp"
#include "experiments/published/reproduction.hpp"

namespace warpsieve::labs {
namespace {

using experiments::Result;
using experiments::Setting;
using plots::Counts;
using plots::XyPoint;

SweepAxis axis_of(const Job& job) {
    const auto found = std::ranges::find(sweep_axes(), job.axis, &SweepAxisInfo::id);
    return found == sweep_axes().end() ? SweepAxis::num_items : found->axis;
}

/// The shown quantity for a time of `us` microseconds.
double value_of(const Result& result, SweepShows shows, double us) {
    switch (shows) {
        case SweepShows::time:
            return us;
        case SweepShows::share_of_copy:
            // share_of_copy belongs to the median; other times scale it inversely.
            return result.share_of_copy > 0 ? result.share_of_copy * result.us.median / us : XyPoint::unknown;
        case SweepShows::items_per_second:
            return static_cast<double>(result.setting.stream.num_items) / us * 1e6;
    }
    return XyPoint::unknown;
}

std::string note_on(const Result& result, bool interactive) {
    std::string note = interactive ? "interactive: the scene was running" : "";
    const auto add = [&](const std::string& text) {
        if (!text.empty()) note += (note.empty() ? "" : ", ") + text;
    };
    if (!result.settled) add("still being measured");
    add(published::caution_of(result));
    return note;
}

XyPoint point_of(const Report& report, std::size_t index, SweepAxis axis, SweepShows shows) {
    const Result& result = report.measurement->results[index];
    const double low = value_of(result, shows, result.us.q1);
    const double high = value_of(result, shows, result.us.q3);
    return {.x = place_on(axis, result.setting),
            .y = value_of(result, shows, result.us.median),
            .q1 = std::min(low, high),
            .q3 = std::max(low, high),
            .n = result.us.n,
            .note = note_on(result, report.is_interactive(index))};
}

plots::XyAxis x_axis(SweepAxis axis, const Job& job) {
    plots::XyAxis x{.title = std::string(name_of(axis, job.engine))};
    const bool linear_threads = axis == SweepAxis::threads && job.engine == compaction::EngineId::cuda;
    x.counts = axis == SweepAxis::density || linear_threads ? Counts::number : Counts::items;
    x.logarithmic = axis != SweepAxis::density && axis != SweepAxis::multiples && !linear_threads;
    if (axis == SweepAxis::item_size) x.title += " in bytes";
    if (axis == SweepAxis::num_items || axis == SweepAxis::multiples) x.title += ", in items";
    for (const Setting& setting : job.settings) {
        const double value = place_on(axis, setting);
        if (!x.logarithmic || value > 0) x.shown.include(value);
    }
    return x;
}

/// "share of a cold copy".
std::string share_of_copy_title(const Job& job) {
    const experiments::Cache cache =
        job.settings.empty() ? experiments::Cache::cold : job.settings.front().stream.cache;
    return "share of a " + std::string(name_of(cache)) + " copy";
}

plots::XyAxis y_axis(SweepAxis axis, SweepShows shows, const Job& job) {
    const bool over_length = axis == SweepAxis::num_items;
    switch (shows) {
        case SweepShows::time:
            return {.title = "time of a call", .counts = Counts::time_us, .logarithmic = over_length};
        case SweepShows::share_of_copy:
            return {.title = share_of_copy_title(job), .counts = Counts::share, .from_zero = true};
        case SweepShows::items_per_second:
            return {.title = "items per second",
                    .counts = Counts::per_second,
                    .logarithmic = over_length,
                    .from_zero = !over_length};
    }
    return {};
}

/// The copy sampled with each stream, as the same quantity.
plots::XyLimit copy_limit(const Report& report, SweepAxis axis, SweepShows shows) {
    plots::XyLimit limit{.name = "copy"};
    if (shows == SweepShows::share_of_copy) {
        limit.level = 1;
        return limit;
    }
    for (const experiments::CopyResult& copy : report.measurement->copies) {
        if (copy.us.n == 0 || !(copy.us.median > 0)) continue;
        const Setting as_setting{nullptr, {}, copy.stream};
        const double y = shows == SweepShows::time
                             ? copy.us.median
                             : static_cast<double>(copy.stream.num_items) / copy.us.median * 1e6;
        limit.points.push_back({.x = place_on(axis, as_setting), .y = y});
    }
    std::ranges::sort(limit.points, {}, &XyPoint::x);
    // Options do not change the stream, so one copy serves the whole axis.
    if (info_of(axis).option && !limit.points.empty()) {
        limit.level = limit.points.front().y;
        limit.points.clear();
    }
    return limit;
}

}  // namespace

SweepPlot plot_sweep(const Report& report, SweepShows shows) {
    const SweepAxis axis = axis_of(*report.job);
    SweepPlot made;
    made.plot.x = x_axis(axis, *report.job);
    made.plot.y = y_axis(axis, shows, *report.job);
    made.plot.empty_text = "Nothing is measured yet.";
    const auto& results = report.measurement->results;
    for (std::size_t i = 0; i < results.size(); ++i) {
        const Setting& setting = results[i].setting;
        if (!results[i].correct() || results[i].us.n == 0) continue;
        std::size_t line = 0;
        while (line < made.settings.size() && !same_line(axis, made.settings[line].front(), setting)) ++line;
        if (line == made.settings.size()) {
            made.settings.emplace_back();
            made.plot.series.push_back(
                {line_name(axis, setting), line_style_of(axis, report.job->settings, setting), {}});
        }
        // Keep the points in order of x.
        std::vector<XyPoint>& points = made.plot.series[line].points;
        const XyPoint point = point_of(report, i, axis, shows);
        const auto place = std::ranges::upper_bound(points, point.x, {}, &XyPoint::x) - points.begin();
        points.insert(points.begin() + place, point);
        made.settings[line].insert(made.settings[line].begin() + place, setting);
    }
    if (const plots::XyLimit limit = copy_limit(report, axis, shows);
        !made.plot.series.empty() && (!limit.points.empty() || limit.level > 0)) {
        made.plot.limits.push_back(limit);
    }
    return made;
}

}  // namespace warpsieve::labs
