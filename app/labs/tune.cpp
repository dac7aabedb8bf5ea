#include "app/labs/tune.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "experiments/published/documents.hpp"

namespace warpsieve::labs {
namespace {

using compaction::Algorithm;
using compaction::automatic;
using compaction::LegalRange;
using compaction::Option;
using compaction::Options;
using experiments::Result;
using experiments::Skipped;

constexpr std::size_t max_columns = 17;
constexpr std::size_t max_rows = 11;

/// The legal value nearest to `value`.
std::uint32_t nearest_legal(const LegalRange& range, double value) {
    const double step = range.spacing == LegalRange::Spacing::multiples ? range.step : 1;
    const double min = std::ceil(range.minimum / step) * step;
    const double max = std::floor(range.maximum / step) * step;
    return static_cast<std::uint32_t>(std::clamp(std::round(value / step) * step, min, max));
}

Options with(const TuneAxes& axes, Options options, std::uint32_t x, std::uint32_t y) {
    options[axes.x] = x;
    if (axes.y) options[*axes.y] = y;
    return options;
}

std::uint32_t y_of(const TuneAxes& axes, const Options& options) {
    return axes.y ? options[*axes.y] : 0;
}

/// A published setting of an algorithm.
struct PublishedSetting {
    published::PartialSetting setting;
    std::string source;
};

/// All published settings, read once from the built-in documents.
const std::vector<PublishedSetting>& published_settings() {
    static const std::vector<PublishedSetting> all = [] {
        std::vector<PublishedSetting> settings;
        for (const published::Document& document : published::built_in_documents()) {
            for (const published::Table& table : document.tables) {
                if (table.swept) continue;  // the points of a search are not recommendations
                for (std::size_t row = 0; row < table.rows.size(); ++row) {
                    published::PartialSetting setting = table.setting_of(row, /*column=*/0);
                    if (setting.algorithm && setting.options.size() > 1)
                        settings.push_back(
                            {std::move(setting), table.title + " (" + table.gpu_of(row) + ")"});
                }
            }
        }
        return settings;
    }();
    return all;
}

/// The published value of an option. Empty if there is none or it is not legal here.
std::optional<std::uint32_t> published_value(const published::PartialSetting& setting,
                                             const LegalRange& range) {
    const auto found = setting.options.find(range.option);
    if (found == setting.options.end()) return std::nullopt;
    const auto value = range.parse(found->second);
    return value && range.contains(*value) ? value : std::nullopt;
}

/// Whether a cell is faster than each of its neighbours, judged by their confidence intervals.
bool is_local_minimum(const TuneMap& map, std::size_t cell) {
    const auto width = static_cast<std::ptrdiff_t>(map.xs.size());
    const auto height = static_cast<std::ptrdiff_t>(map.ys.size());
    const auto x = static_cast<std::ptrdiff_t>(cell) % width;
    const auto y = static_cast<std::ptrdiff_t>(cell) / width;
    const experiments::Interval& interval_us = map.cells[cell].result->median_interval_us;
    bool has_neighbour = false;
    for (std::ptrdiff_t row = std::max<std::ptrdiff_t>(0, y - 1); row <= std::min(height - 1, y + 1); ++row) {
        for (std::ptrdiff_t column = std::max<std::ptrdiff_t>(0, x - 1); column <= std::min(width - 1, x + 1);
             ++column) {
            if (row == y && column == x) continue;
            const TuneCell& neighbour = map.cells[static_cast<std::size_t>(row * width + column)];
            if (!neighbour.skip_reason.empty()) continue;
            if (!neighbour.known()) return false;
            if (compare(neighbour.result->median_interval_us, interval_us) != experiments::Change::faster)
                return false;
            has_neighbour = true;
        }
    }
    return has_neighbour;
}

/// The cell with the result of these options, or with the reason why they were skipped.
TuneCell make_cell(const Report& report, const Options& options) {
    const auto& results = report.measurement->results;
    const auto found = std::ranges::find_if(
        results, [&](const Result& result) { return result.setting.options == options; });
    if (found == results.end()) {
        const auto& all_skipped = report.measurement->skipped;
        const auto skipped = std::ranges::find_if(
            all_skipped, [&](const Skipped& each) { return each.setting.options == options; });
        return {.skip_reason = skipped == all_skipped.end() ? std::string_view() : skipped->reason};
    }
    return {.result = &*found,
            .is_interactive = report.is_interactive(static_cast<std::size_t>(found - results.begin()))};
}

bool has_time(const TuneCell& cell) {
    return cell.result && cell.result->correct() && cell.result->us.median > 0;
}

/// Finds the best cell, and compares the others with it and with their neighbours.
void compare_cells(TuneMap& map) {
    for (std::size_t i = 0; i < map.cells.size(); ++i) {
        if (!has_time(map.cells[i])) continue;
        if (!map.best || map.cells[i].result->us.median < map.cells[*map.best].result->us.median)
            map.best = i;
    }
    if (!map.best) return;
    const double best_us = map.cells[*map.best].result->us.median;
    for (TuneCell& cell : map.cells) {
        if (!has_time(cell)) continue;
        cell.ratio_to_best = cell.result->us.median / best_us;
        cell.ties_with_best = &cell != &map.cells[*map.best] &&
                              compare(map.cells[*map.best].result->median_interval_us,
                                      cell.result->median_interval_us) != experiments::Change::slower;
        map.num_ties += cell.ties_with_best;
    }
    if (has_time(map.automatic)) map.automatic.ratio_to_best = map.automatic.result->us.median / best_us;
    for (std::size_t i = 0; i < map.cells.size(); ++i)
        map.cells[i].local_minimum = map.cells[i].known() && is_local_minimum(map, i);
}

}  // namespace

std::optional<TuneAxes> tune_axes(const Algorithm& algorithm) {
    for (const Option x : {Option::blocks, Option::sequences}) {
        if (algorithm.range_of(Option::threads_per_block) && algorithm.range_of(x))
            return TuneAxes{x, Option::threads_per_block};
    }
    if (algorithm.options.empty()) return std::nullopt;
    // The x axis, which is wider, shows the option with more values.
    TuneAxes axes{algorithm.options.front().option, std::nullopt};
    if (algorithm.options.size() > 1) {
        const LegalRange& other = algorithm.options[1];
        axes.y = other.option;
        if (other.values().size() > algorithm.options.front().values().size()) std::swap(axes.x, *axes.y);
    }
    return axes;
}

std::vector<std::uint32_t> tune_values(const LegalRange& range, std::size_t max_values,
                                       std::span<const std::uint32_t> extras) {
    const std::vector<std::uint32_t> all = range.values(max_values);
    std::set<std::uint32_t> values;
    if (range.spacing == LegalRange::Spacing::powers_of_two || all.size() < max_values) {
        values.insert(all.begin(), all.end());
    } else {
        const double first = all.front();
        const double ratio = static_cast<double>(all.back()) / first;
        for (std::size_t i = 0; i < max_values; ++i) {
            const double share = static_cast<double>(i) / static_cast<double>(max_values - 1);
            values.insert(nearest_legal(range, first * std::pow(ratio, share)));
        }
    }
    for (const std::uint32_t extra : extras) {
        if (range.contains(extra)) values.insert(extra);
    }
    return {values.begin(), values.end()};
}

std::vector<TunePoint> published_points(const Algorithm& algorithm, const TuneAxes& axes) {
    std::vector<TunePoint> points;
    if (!axes.y) return points;
    for (const PublishedSetting& published : published_settings()) {
        if (published.setting.algorithm != algorithm.id) continue;
        const auto x = published_value(published.setting, *algorithm.range_of(axes.x));
        const auto y = published_value(published.setting, *algorithm.range_of(*axes.y));
        if (!x || !y) continue;
        const auto same = [&](const TunePoint& point) { return point.x == *x && point.y == *y; };
        if (std::ranges::none_of(points, same)) points.push_back({*x, *y, published.source});
    }
    return points;
}

Job tune_job(const RunConfig& run, const LabSettings& labs, std::uint64_t slots, const Algorithm& algorithm,
             const Options& options, std::uint32_t processors) {
    Job job = job_for("tune", run, labs);
    job.engine = algorithm.engine;
    const std::optional<TuneAxes> axes = tune_axes(algorithm);
    if (!axes) {
        job.title = algorithm.name + " has no options to tune. Choose another algorithm.";
        return job;
    }
    const experiments::StreamSpec stream = stream_of(run, labs, slots);
    std::vector<std::uint32_t> published_x;
    std::vector<std::uint32_t> published_y;
    for (const TunePoint& point : published_points(algorithm, *axes)) {
        published_x.push_back(point.x);
        published_y.push_back(point.y);
    }
    const auto range_of = [&](Option option) {
        LegalRange range = *algorithm.range_of(option);
        const bool worker_threads =
            option == Option::threads_per_block && algorithm.engine == compaction::EngineId::cpu;
        if (worker_threads && processors > 0) range.maximum = std::min(range.maximum, 4 * processors);
        return range;
    };
    const std::vector<std::uint32_t> xs = tune_values(range_of(axes->x), max_columns, published_x);
    const std::vector<std::uint32_t> ys =
        axes->y ? tune_values(range_of(*axes->y), max_rows, published_y) : std::vector{automatic};
    add(job, algorithm, with(*axes, options, /*x=*/automatic, /*y=*/automatic), stream);
    for (const std::uint32_t y : ys) {
        for (const std::uint32_t x : xs) add(job, algorithm, with(*axes, options, x, y), stream);
    }
    if (job.settings.empty()) {
        job.title = job.left_out.front().reason;
        return job;
    }
    job.title = algorithm.name + ", " + std::to_string(job.settings.size() - 1) + " values of " +
                (axes->y ? std::string(label_of(*axes->y, algorithm.engine)) + " × " : std::string()) +
                std::string(label_of(axes->x, algorithm.engine)) + " and automatic, " +
                experiments::describe(stream);
    return job;
}

std::optional<std::size_t> TuneMap::cell_of(std::uint32_t x, std::uint32_t y) const {
    const auto column = std::ranges::find(xs, x);
    const auto row = std::ranges::find(ys, y);
    if (column == xs.end() || row == ys.end()) return std::nullopt;
    return static_cast<std::size_t>(row - ys.begin()) * xs.size() +
           static_cast<std::size_t>(column - xs.begin());
}

double index_among(std::span<const std::uint32_t> values, std::uint32_t value) {
    const auto after = std::ranges::upper_bound(values, value);
    if (after == values.begin()) return 0;
    const auto index = static_cast<double>(after - values.begin() - 1);
    if (after == values.end()) return index;
    const double before = *(after - 1);
    return index + std::log(value / before) / std::log(*after / before);
}

std::optional<TuneMap> tune_map(const Report& report) {
    const std::vector<experiments::Setting>& settings = report.job->settings;
    if (settings.empty()) return std::nullopt;
    const Algorithm& algorithm = *settings.front().algorithm;
    const std::optional<TuneAxes> axes = tune_axes(algorithm);
    if (!axes) return std::nullopt;
    TuneMap map{.algorithm = &algorithm, .axes = *axes};
    std::set<std::uint32_t> xs;
    std::set<std::uint32_t> ys;
    for (const experiments::Setting& setting : settings) {
        if (setting.options[axes->x] == automatic) continue;
        xs.insert(setting.options[axes->x]);
        ys.insert(y_of(*axes, setting.options));
    }
    map.xs.assign(xs.begin(), xs.end());
    map.ys.assign(ys.begin(), ys.end());
    for (const std::uint32_t y : map.ys) {
        for (const std::uint32_t x : map.xs)
            map.cells.push_back(make_cell(report, with(*axes, settings.front().options, x, y)));
    }
    map.automatic = make_cell(report, settings.front().options);
    map.published = published_points(algorithm, *axes);
    compare_cells(map);
    return map;
}

}  // namespace warpsieve::labs
