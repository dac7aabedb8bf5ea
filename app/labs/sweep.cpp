#include "app/labs/sweep.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <thread>

#include "app/format/figures.hpp"
#include "experiments/format/counts.hpp"
#include "experiments/published/reproduction.hpp"

namespace warpsieve::labs {
namespace {

using compaction::Algorithm;
using compaction::EngineId;
using compaction::Option;
using compaction::Options;
using experiments::Result;
using experiments::Setting;
using experiments::StreamSpec;
using plots::AxisQuantity;
using plots::XyPoint;

/// The unit of SweepAxis::multiples.
constexpr double items_per_multiple = 65'536;
constexpr int max_multiple = 32;

/// The maximum number of blocks or sequences in a sweep.
constexpr double max_option_value = 65'536;

/// The maximum number of vector widths, or of block sizes of a GPU, in a sweep.
constexpr std::size_t max_sampled_values = 16;

std::vector<double> powers_of_two(double first, double last) {
    std::vector<double> values;
    for (double value = first; value <= last; value *= 2) values.push_back(value);
    return values;
}

std::vector<double> option_values(const Algorithm& algorithm, Option option) {
    const compaction::LegalRange* range = algorithm.range_of(option);
    if (!range) return {};
    std::vector<double> values;
    if (option == Option::vector_width ||
        (option == Option::threads_per_block && algorithm.engine != EngineId::cpu)) {
        for (const std::uint32_t value : range->values(max_sampled_values)) values.push_back(value);
        return values;
    }
    // More workers than twice the hardware threads only wait for each other.
    const double max_value = option == Option::threads_per_block
                                 ? 2.0 * std::max(1U, std::thread::hardware_concurrency())
                                 : max_option_value;
    for (const double value : powers_of_two(1, max_value)) {
        if (range->contains(static_cast<std::uint32_t>(value))) values.push_back(value);
    }
    return values;
}

/// The maximum length of a stream. A GPU has memory for several streams of 2^28 items; a CPU would take too
/// long.
double max_sweep_items(EngineId engine) {
    return std::exp2(engine == EngineId::cuda ? 28 : 24);
}

Setting setting_at(SweepAxis axis, double value, const SweepLine& line, const StreamSpec& stream) {
    Setting setting{line.algorithm, line.options, stream};
    const SweepAxisInfo& info = info_of(axis);
    if (info.option) {
        setting.options[*info.option] = static_cast<std::uint32_t>(value);
    } else if (axis == SweepAxis::keep_fraction) {
        setting.stream.pattern = workloads::info_of(stream.pattern).uses_keep_fraction
                                     ? stream.pattern
                                     : workloads::Pattern::random;
        setting.stream.keep_fraction = value;
    } else if (axis == SweepAxis::item_size) {
        setting.stream.item_size = static_cast<compaction::ItemSize>(static_cast<std::uint32_t>(value));
    } else {
        setting.stream.num_items = static_cast<std::uint64_t>(value);
    }
    return setting;
}

Options without(SweepAxis axis, Options options) {
    if (const auto option = info_of(axis).option) options[*option] = compaction::automatic;
    return options;
}

StreamSpec without(SweepAxis axis, StreamSpec stream) {
    if (axis == SweepAxis::num_items || axis == SweepAxis::multiples) stream.num_items = 0;
    if (axis == SweepAxis::keep_fraction) stream.keep_fraction = 0;
    if (axis == SweepAxis::item_size) stream.item_size = compaction::ItemSize::bytes_4;
    return stream;
}

}  // namespace

std::string_view name_of(SweepAxis axis, EngineId engine) {
    const SweepAxisInfo& info = info_of(axis);
    return info.option ? label_of(*info.option, engine) : info.name;
}

std::vector<double> sweep_values(SweepAxis axis, const Algorithm& algorithm) {
    std::vector<double> values;
    switch (axis) {
        case SweepAxis::num_items:
            return powers_of_two(1024, max_sweep_items(algorithm.engine));
        case SweepAxis::multiples:
            for (int i = 1; i <= max_multiple; ++i) values.push_back(items_per_multiple * i);
            return values;
        case SweepAxis::keep_fraction:
            for (int i = 0; i <= 10; ++i) values.push_back(i / 10.0);
            return values;
        case SweepAxis::item_size:
            for (const compaction::ItemSize size : compaction::all_item_sizes) {
                values.push_back(static_cast<double>(bytes_of(size)));
            }
            return values;
        default:
            return option_values(algorithm, *info_of(axis).option);
    }
}

void add_sweep(Job& job, SweepAxis axis, std::span<const SweepLine> lines, const StreamSpec& stream) {
    job.axis = info_of(axis).id;
    std::vector<std::vector<double>> values_of_line;
    std::set<double> all_values;
    for (const SweepLine& line : lines) {
        values_of_line.push_back(sweep_values(axis, *line.algorithm));
        all_values.insert(values_of_line.back().begin(), values_of_line.back().end());
        if (values_of_line.back().empty()) {
            job.left_out.push_back({line.algorithm, line.algorithm->name + " has no option " +
                                                        std::string(name_of(axis, job.engine)) + "."});
        }
    }
    for (const double value : all_values) {
        for (std::size_t i = 0; i < lines.size(); ++i) {
            if (std::ranges::count(values_of_line[i], value) == 0) continue;
            const Setting setting = setting_at(axis, value, lines[i], stream);
            add(job, *setting.algorithm, setting.options, setting.stream);
        }
    }
}

Job sweep_job(const RunConfig& run, const LabSettings& labs, std::uint64_t slots,
              std::span<const Algorithm> catalogue) {
    const SweepSettings& sweep = labs.sweep;
    Job job = job_for("sweep", run, labs);
    std::vector<SweepLine> lines;
    for (const Algorithm& algorithm : catalogue) {
        const bool chosen = std::ranges::count(sweep.algorithms, algorithm.id) > 0;
        if (chosen && algorithm.engine == run.engine) lines.push_back({&algorithm});
    }
    const StreamSpec stream = stream_of(run, labs, slots);
    add_sweep(job, sweep.axis, lines, stream);
    job.title = std::to_string(lines.size()) + (lines.size() == 1 ? " algorithm" : " algorithms") + " over " +
                std::string(name_of(sweep.axis, run.engine)) + "; " + fixed_parameters(sweep.axis, stream);
    return job;
}

std::string load_into_window(RunConfig& run, const Setting& setting) {
    const Algorithm& algorithm = *setting.algorithm;
    if (algorithm.operation != compaction::Operation::compaction) {
        return algorithm.name + " is a step of a compaction. The live view shows only compactions.";
    }
    if (setting.stream.num_items < min_slots || setting.stream.num_items > max_slots(algorithm.engine)) {
        return format::with_powers(
            "The live view takes " + experiments::format::count_text(min_slots) + " to " +
            experiments::format::count_text(max_slots(algorithm.engine)) +
            " slots; this stream has n = " + experiments::format::count_text(setting.stream.num_items) + ".");
    }
    run.engine = algorithm.engine;
    run.a.algorithm = algorithm.id;
    run.a.options = setting.options;
    run.slots = setting.stream.num_items;
    run.live_fraction = static_cast<float>(setting.stream.keep_fraction);
    return {};
}

double value_on_axis(SweepAxis axis, const Setting& setting) {
    if (const auto option = info_of(axis).option) return setting.options[*option];
    switch (axis) {
        case SweepAxis::keep_fraction:
            return setting.stream.keep_fraction;
        case SweepAxis::item_size:
            return static_cast<double>(bytes_of(setting.stream.item_size));
        default:
            return static_cast<double>(setting.stream.num_items);
    }
}

bool same_line(SweepAxis axis, const Setting& a, const Setting& b) {
    return a.algorithm == b.algorithm && without(axis, a.options) == without(axis, b.options) &&
           without(axis, a.stream) == without(axis, b.stream);
}

std::string line_name(SweepAxis axis, const Setting& setting) {
    std::string name = setting.algorithm->id;
    const Options options = without(axis, setting.options);
    for (const Option option : compaction::all_options) {
        if (options[option] == compaction::automatic) continue;
        const bool value_suffices = option == Option::vector_width || option == Option::variant;
        name += (value_suffices ? ", " : ", " + std::string(name_of(option)) + " ") +
                experiments::option_text(*setting.algorithm, options, option);
    }
    return name;
}

std::size_t line_style_of(SweepAxis axis, std::span<const Setting> all, const Setting& setting) {
    std::vector<const Setting*> earlier_lines;  // the first setting of each
    for (const Setting& each : all) {
        const auto is_on_line = [&](const Setting* line) { return same_line(axis, *line, each); };
        if (std::ranges::any_of(earlier_lines, is_on_line)) continue;
        if (same_line(axis, each, setting)) break;
        earlier_lines.push_back(&each);
    }
    return earlier_lines.size();
}

std::string fixed_parameters(SweepAxis axis, const StreamSpec& stream) {
    std::string text;
    const auto add = [&](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
    const bool length_varies = axis == SweepAxis::num_items || axis == SweepAxis::multiples;
    if (!length_varies) add("n = " + format::with_powers(experiments::format::count_text(stream.num_items)));
    add(experiments::pattern_text(stream));
    const std::string keep_fraction = experiments::keep_fraction_text(stream);
    if (axis != SweepAxis::keep_fraction && !keep_fraction.empty()) add(keep_fraction + " kept");
    if (axis != SweepAxis::item_size) add(std::to_string(bytes_of(stream.item_size)) + "-byte items");
    add(std::string(name_of(stream.cache)));
    return text;
}

namespace {

SweepAxis axis_of(const Job& job) {
    const auto found = std::ranges::find(sweep_axes(), job.axis, &SweepAxisInfo::id);
    return found == sweep_axes().end() ? SweepAxis::num_items : found->axis;
}

/// The plotted quantity of a call that takes `us` microseconds.
double value_of(const Result& result, SweepMetric metric, double us) {
    switch (metric) {
        case SweepMetric::time:
            return us;
        case SweepMetric::fraction_of_copy:
            // result.share_of_copy belongs to the median time.
            return result.share_of_copy > 0 ? result.share_of_copy * result.us.median / us : XyPoint::unknown;
        case SweepMetric::items_per_second:
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

XyPoint point_of(const Report& report, std::size_t index, SweepAxis axis, SweepMetric metric) {
    const Result& result = report.measurement->results[index];
    const double low = value_of(result, metric, result.us.q1);
    const double high = value_of(result, metric, result.us.q3);
    return {.x = value_on_axis(axis, result.setting),
            .y = value_of(result, metric, result.us.median),
            .q1 = std::min(low, high),
            .q3 = std::max(low, high),
            .n = result.us.n,
            .note = note_on(result, report.is_interactive(index))};
}

plots::XyAxis x_axis(SweepAxis axis, const Job& job) {
    plots::XyAxis x{.title = std::string(name_of(axis, job.engine))};
    const bool linear_threads = axis == SweepAxis::threads && job.engine == compaction::EngineId::cuda;
    x.quantity =
        axis == SweepAxis::keep_fraction || linear_threads ? AxisQuantity::number : AxisQuantity::items;
    x.logarithmic = axis != SweepAxis::keep_fraction && axis != SweepAxis::multiples && !linear_threads;
    if (axis == SweepAxis::item_size) x.title += " in bytes";
    if (axis == SweepAxis::num_items || axis == SweepAxis::multiples) x.title += ", in items";
    for (const Setting& setting : job.settings) {
        const double value = value_on_axis(axis, setting);
        if (!x.logarithmic || value > 0) x.shown.include(value);
    }
    return x;
}

/// "% of cold copy bandwidth".
std::string share_of_copy_title(const Job& job) {
    const experiments::Cache cache =
        job.settings.empty() ? experiments::Cache::cold : job.settings.front().stream.cache;
    return "% of " + std::string(name_of(cache)) + " copy bandwidth";
}

plots::XyAxis y_axis(SweepAxis axis, SweepMetric metric, const Job& job) {
    const bool length_doubles = axis == SweepAxis::num_items;
    switch (metric) {
        case SweepMetric::time:
            return {
                .title = "time of a call", .quantity = AxisQuantity::time_us, .logarithmic = length_doubles};
        case SweepMetric::fraction_of_copy:
            return {.title = share_of_copy_title(job), .quantity = AxisQuantity::share, .from_zero = true};
        case SweepMetric::items_per_second:
            return {.title = "items per second",
                    .quantity = AxisQuantity::per_second,
                    .logarithmic = length_doubles,
                    .from_zero = !length_doubles};
    }
    return {};
}

/// The dashed line: the plotted quantity of the copy that was sampled with each stream.
plots::XyLimit copy_limit(const Report& report, SweepAxis axis, SweepMetric metric) {
    plots::XyLimit limit{.name = "copy"};
    if (metric == SweepMetric::fraction_of_copy) {
        limit.level = 1;
        return limit;
    }
    for (const experiments::CopyResult& copy : report.measurement->copies) {
        if (copy.us.n == 0 || !(copy.us.median > 0)) continue;
        const Setting as_setting{/*algorithm=*/nullptr, /*options=*/{}, copy.stream};
        const double y = metric == SweepMetric::time
                             ? copy.us.median
                             : static_cast<double>(copy.stream.num_items) / copy.us.median * 1e6;
        limit.points.push_back({.x = value_on_axis(axis, as_setting), .y = y});
    }
    std::ranges::sort(limit.points, {}, &XyPoint::x);
    // If the axis is an option, all points have the same stream and thus the same copy.
    if (info_of(axis).option && !limit.points.empty()) {
        limit.level = limit.points.front().y;
        limit.points.clear();
    }
    return limit;
}

}  // namespace

SweepPlot plot_sweep(const Report& report, SweepMetric metric) {
    const SweepAxis axis = axis_of(*report.job);
    SweepPlot sweep;
    sweep.plot.x = x_axis(axis, *report.job);
    sweep.plot.y = y_axis(axis, metric, *report.job);
    sweep.plot.empty_text = "Nothing is measured yet.";
    const auto& results = report.measurement->results;
    for (std::size_t i = 0; i < results.size(); ++i) {
        const Setting& setting = results[i].setting;
        if (!results[i].correct() || results[i].us.n == 0) continue;
        std::size_t line = 0;
        while (line < sweep.settings.size() && !same_line(axis, sweep.settings[line].front(), setting))
            ++line;
        if (line == sweep.settings.size()) {
            sweep.settings.emplace_back();
            sweep.plot.series.push_back(
                {line_name(axis, setting), line_style_of(axis, report.job->settings, setting), {}});
        }
        // Keeps the points in order of x.
        std::vector<XyPoint>& points = sweep.plot.series[line].points;
        const XyPoint point = point_of(report, i, axis, metric);
        const auto index = std::ranges::upper_bound(points, point.x, {}, &XyPoint::x) - points.begin();
        points.insert(points.begin() + index, point);
        sweep.settings[line].insert(sweep.settings[line].begin() + index, setting);
    }
    if (const plots::XyLimit limit = copy_limit(report, axis, metric);
        !sweep.plot.series.empty() && (!limit.points.empty() || limit.level > 0)) {
        sweep.plot.limits.push_back(limit);
    }
    return sweep;
}

}  // namespace warpsieve::labs
