#include "experiments/published/reports.hpp"

#include <algorithm>
#include <bit>

#include "experiments/format/counts.hpp"
#include "experiments/published/answer_texts.hpp"
#include "experiments/published/text.hpp"

namespace published {
namespace {

/// Whether the rows are lengths, with powers of two to draw a line over.
bool rows_are_lengths(const Table& table) {
    const auto is_length = [](const Row& row) { return row.setting.num_items.has_value(); };
    const auto is_power = [](const Row& row) { return std::has_single_bit(*row.setting.num_items); };
    return table.rows.size() > 2 && std::ranges::all_of(table.rows, is_length) &&
           std::ranges::count_if(table.rows, is_power) > 1;
}

/// A value with its interval, in the unit of the column.
PlotPoint point_of(double x, const MeasuredFigure& measured, const std::string& name) {
    PlotPoint point{x, *measured.value, name + ": " + figure(measured.value)};
    if (measured.interval.coverage > 0) {
        point.low = measured.interval.low;
        point.high = measured.interval.high;
    }
    return point;
}

/// One source of the figures of a table.
struct Source {
    std::string name;
    std::optional<std::size_t> run;  ///< empty for the publication
};

std::vector<Source> sources_of(const Report& report, std::size_t index) {
    std::vector<Source> sources{{"Published: " + report.tables[index].table->gpu, {}}};
    for (const std::size_t run : report.runs_with_values(index)) {
        const std::string name = report.name_of(run);
        sources.push_back({name.ends_with(built_in_ending) ? name : "Here: " + name, run});
    }
    return sources;
}

/// A point of a cell; empty if the source has no value.
std::optional<PlotPoint> point_at(const Report& report, const Source& source, std::size_t index,
                                  std::size_t row, std::size_t column, double x) {
    const Table& table = *report.tables[index].table;
    if (source.run) {
        const MeasuredFigure& measured = report.measured(*source.run, index, row, column);
        if (!measured.value) return std::nullopt;
        return point_of(x, measured, table.rows[row].name);
    }
    const auto& value = table.rows[row].values[column].value;
    if (!value) return std::nullopt;
    return PlotPoint{x, *value, table.rows[row].name + ": " + figure(*value)};
}

/// The peaks of a column, on top of its line.
PlotSeries peaks_of(const Report& report, std::size_t run, std::size_t index, std::size_t column) {
    PlotSeries series{.name = "peaks with intervals", .points = {}, .line = false, .style = 2 * column + 1};
    const Table& table = *report.tables[index].table;
    for (const std::size_t row : peak_rows(report, run, index, column)) {
        series.points.push_back(point_of(static_cast<double>(row + 1),
                                         report.measured(run, index, row, column), table.rows[row].name));
    }
    return series;
}

/// A line for each column: over the length, or over the number of the row in a sweep.
std::vector<Plot> plot_lines(const Report& report, std::size_t index) {
    const Table& table = *report.tables[index].table;
    const bool over_lengths = rows_are_lengths(table);
    std::vector<Plot> plots;
    for (const Source& source : sources_of(report, index)) {
        LinePlot plot{.title = source.name,
                      .x_label = !table.swept   ? "items"
                                 : over_lengths ? "i, of 64 Ki x i items"
                                                : "number of the measurement",
                      .y_label = "time, " + unit_text(table.columns.front().unit),
                      .series = {},
                      .x = table.swept ? Axis::linear : Axis::powers_of_two,
                      .y = table.swept ? Axis::linear : Axis::powers_of_ten,
                      .y_from_zero = over_lengths};
        for (std::size_t column = 0; column < table.columns.size(); ++column) {
            PlotSeries series{.name = table.columns[column].name,
                              .points = {},
                              .hollow = !source.run,
                              .style = table.swept ? 2 * column : column};
            for (std::size_t row = 0; row < table.rows.size(); ++row) {
                const std::uint64_t num_items = table.rows[row].setting.num_items.value_or(0);
                if (!table.swept && !std::has_single_bit(num_items)) continue;
                const auto x = static_cast<double>(table.swept ? row + 1 : num_items);
                auto point = point_at(report, source, index, row, column, x);
                if (!point) continue;
                point->after_gap = table.swept && !series.points.empty() && series.points.back().x < x - 1;
                series.points.push_back(*point);
            }
            // The table may not list its lengths in rising order.
            std::ranges::sort(series.points, {}, &PlotPoint::x);
            const bool marks_peaks = table.swept && over_lengths && source.run && !series.points.empty();
            plot.series.push_back(std::move(series));
            if (marks_peaks) plot.series.push_back(peaks_of(report, *source.run, index, column));
        }
        plots.push_back(std::move(plot));
    }
    return plots;
}

/// The columns of times in the unit of the first; times in another unit appear only in the table.
std::vector<std::size_t> time_columns(const Table& table) {
    std::vector<std::size_t> columns;
    for (std::size_t column = 0; column < table.columns.size(); ++column) {
        if (!is_time(table.columns[column].quantity)) continue;
        if (columns.empty() || table.columns[column].unit == table.columns[columns.front()].unit) {
            columns.push_back(column);
        }
    }
    return columns;
}

std::vector<Plot> plot_bars(const Report& report, std::size_t index) {
    const Table& table = *report.tables[index].table;
    const std::vector<std::size_t> columns = time_columns(table);
    std::vector<Plot> plots;
    for (const Source& source : sources_of(report, index)) {
        BarPlot plot{.title = source.name,
                     .unit = "time, " + unit_text(table.columns[columns.front()].unit),
                     .series = {},
                     .groups = {},
                     .published = !source.run};
        for (const std::size_t column : columns) plot.series.push_back(table.columns[column].name);
        for (std::size_t row = 0; row < table.rows.size(); ++row) {
            BarGroup group{table.rows[row].name, {}};
            for (const std::size_t column : columns) {
                const auto point = point_at(report, source, index, row, column, 1);
                group.bars.push_back(point ? Bar{point->y, point->low, point->high} : Bar{});
            }
            plot.groups.push_back(std::move(group));
        }
        plots.push_back(std::move(plot));
    }
    return plots;
}

/// The published means with their deviations, and the ratio over the length in each run.
std::vector<Plot> plot_ratio(const Report& report, std::size_t index) {
    const Table& table = *report.tables[index].table;
    BarPlot published{.title = "Published: mean and deviation",
                      .unit = "ratio of times",
                      .series = {},
                      .groups = {},
                      .published = true};
    const Answers answers = answer(report.tables, report.runs.front());
    for (const RatioAnswer& ratio : answers.ratios) {
        if (ratio.table != table.id) continue;
        for (const RatioAnswer::Gpu& gpu : ratio.published) {
            published.groups.push_back({gpu.name, {{gpu.mean, gpu.mean - gpu.sd, gpu.mean + gpu.sd}}});
        }
    }
    LinePlot plot{.title = "Here: the ratio over the length",
                  .x_label = "items",
                  .y_label = "ratio of times",
                  .series = {},
                  .x = Axis::powers_of_two,
                  .y = Axis::linear};
    for (std::size_t run = 0; run < report.runs.size(); ++run) {
        PlotSeries series{.name = report.name_of(run), .points = {}};
        for (const RatioPoint& point : ratios_of(report.tables, report.runs[run], *table.ratio)) {
            const auto x = static_cast<double>(point.num_items);
            series.points.push_back(
                {x, point.ratio.value,
                 experiments::format::count_text(point.num_items) + ": " + figure(point.ratio.value),
                 point.ratio.interval.low, point.ratio.interval.high});
        }
        plot.series.push_back(std::move(series));
    }
    return {std::move(published), std::move(plot)};
}

}  // namespace

std::vector<Plot> plots_of(const Report& report, std::size_t index) {
    const Table& table = *report.tables[index].table;
    if (table.no_counterpart) return {};
    if (table.ratio) return side_by_side(plot_ratio(report, index));
    if (time_columns(table).empty()) return {};
    const bool has_lines = table.swept || rows_are_lengths(table);
    return side_by_side(has_lines ? plot_lines(report, index) : plot_bars(report, index));
}

LinePlot plot_of_all_times(const Report& report) {
    LinePlot plot{.title = "Every published time against the time here",
                  .x_label = "published, µs",
                  .y_label = "here, µs",
                  .series = {},
                  .diagonal = true};
    for (std::size_t i = 0; i < report.tables.size(); ++i) {
        const TableRef& ref = report.tables[i];
        if (plot.series.empty() || plot.series.back().name != ref.document->label) {
            plot.series.push_back({.name = ref.document->label, .points = {}, .line = false});
        }
        for (std::size_t row = 0; row < ref.table->rows.size(); ++row) {
            for (std::size_t column = 0; column < ref.table->columns.size(); ++column) {
                const auto& published = ref.table->rows[row].values[column].value;
                if (!is_time(ref.table->quantity_of(row, column)) || !published) continue;
                const double us = microseconds_in(ref.table->columns[column].unit);
                for (std::size_t run = 0; run < report.runs.size(); ++run) {
                    const auto measured = report.measured(run, i, row, column).value;
                    if (!measured) continue;
                    plot.series.back().points.push_back({*published * us, *measured * us,
                                                         ref.table->rows[row].name + ", " +
                                                             ref.table->columns[column].name + ", " +
                                                             report.name_of(run)});
                }
            }
        }
    }
    return plot;
}

}  // namespace published
