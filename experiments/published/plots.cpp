#include "experiments/published/plots.hpp"

#include <algorithm>

#include "experiments/format/counts.hpp"
#include "experiments/published/figures.hpp"
#include "experiments/published/svg_plot.hpp"

namespace published {
namespace {

bool is_time(Quantity quantity) {
    return quantity == Quantity::total || quantity == Quantity::phase;
}

bool rows_are_lengths(const Table& table) {
    return table.rows.size() > 2 &&
           std::ranges::all_of(table.rows, [](const Row& row) { return row.setting.num_items.has_value(); });
}

/// Times of an algorithm and pattern in other tables, as a series; may be empty.
PlotSeries published_elsewhere(const Reproduction& reproduction, const PartialSetting& wanted,
                               const std::string& unit) {
    PlotSeries series{
        .name = *wanted.algorithm + ", published elsewhere", .points = {}, .line = false, .hollow = true};
    for (const TableRef& ref : reproduction.tables()) {
        const Table& table = *ref.table;
        for (std::size_t row = 0; row < table.rows.size(); ++row) {
            for (std::size_t column = 0; column < table.columns.size(); ++column) {
                const PartialSetting setting = table.setting_of(row, column);
                const auto& value = table.rows[row].values[column].value;
                const bool same = setting.algorithm == wanted.algorithm &&
                                  setting.pattern == wanted.pattern &&
                                  table.quantity_of(row, column) == Quantity::total;
                if (!same || !value || !setting.num_items) continue;
                series.points.push_back(
                    {static_cast<double>(*setting.num_items),
                     *value * microseconds_in(table.columns[column].unit) / microseconds_in(unit),
                     table.gpu_of(row) + ": " + *table.rows[row].values[column].text + " " +
                         table.columns[column].unit});
            }
        }
    }
    return series;
}

std::string plot_over_lengths(const Reproduction& reproduction, std::size_t index) {
    const Table& table = *reproduction.tables()[index].table;
    LogPlot plot{.title = table.title,
                 .x_label = "items",
                 .y_label = "time, " + table.columns.front().unit,
                 .series = {},
                 .x_in_powers_of_two = true};
    for (std::size_t column = 0; column < table.columns.size(); ++column) {
        PlotSeries here{.name = table.columns[column].name + ", here", .points = {}, .style = column};
        PlotSeries published{.name = table.columns[column].name + ", published",
                             .points = {},
                             .line = true,
                             .hollow = true,
                             .style = column};
        for (std::size_t row = 0; row < table.rows.size(); ++row) {
            const auto x = static_cast<double>(*table.rows[row].setting.num_items);
            if (const auto value = reproduction.here(index, row, column).value) {
                here.points.push_back({x, *value, table.rows[row].name + ": " + figure(*value)});
            }
            if (const auto& value = table.rows[row].values[column].value) {
                published.points.push_back({x, *value, table.rows[row].name + ": " + figure(*value)});
            }
        }
        // The table may not list its lengths in rising order.
        std::ranges::sort(here.points, {}, &PlotPoint::x);
        plot.series.push_back(std::move(here));
        plot.series.push_back(std::move(published));
    }
    for (std::size_t column = 0; column < table.columns.size(); ++column) {
        const PartialSetting wanted = table.setting_of(0, column);
        if (wanted.algorithm) {
            plot.series.push_back(published_elsewhere(reproduction, wanted, table.columns.front().unit));
            plot.series.back().style = column;
        }
    }
    return draw(plot);
}

std::string plot_pairs(const Reproduction& reproduction, std::size_t index) {
    const Table& table = *reproduction.tables()[index].table;
    PairPlot plot{.title = table.title, .unit = "", .rows = {}};
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
        for (std::size_t column = 0; column < table.columns.size(); ++column) {
            if (!is_time(table.quantity_of(row, column))) continue;
            // The plot has one unit; times in another unit appear only in the table.
            if (plot.unit.empty()) plot.unit = table.columns[column].unit;
            if (table.columns[column].unit != plot.unit) continue;
            std::string name = table.rows[row].name;
            const auto times = std::ranges::count_if(
                table.columns, [](const Column& each) { return is_time(each.quantity); });
            if (times > 1) name += ", " + table.columns[column].name;
            constexpr std::size_t most_letters = 52;
            if (name.size() > most_letters) name = name.substr(0, most_letters - 3) + "...";
            plot.rows.push_back({std::move(name), table.rows[row].values[column].value,
                                 reproduction.here(index, row, column).value});
        }
    }
    return draw(plot);
}

}  // namespace

std::string plot_table(const Reproduction& reproduction, std::size_t index) {
    const Table& table = *reproduction.tables()[index].table;
    if (table.no_counterpart) return {};
    return rows_are_lengths(table) ? plot_over_lengths(reproduction, index) : plot_pairs(reproduction, index);
}

std::string plot_all_times(const Reproduction& reproduction) {
    LogPlot plot{.title = "Every published time against the time here",
                 .x_label = "published, us",
                 .y_label = "here, us",
                 .series = {},
                 .diagonal = true};
    for (std::size_t i = 0; i < reproduction.tables().size(); ++i) {
        const TableRef& ref = reproduction.tables()[i];
        if (plot.series.empty() || plot.series.back().name != ref.document->id) {
            plot.series.push_back({.name = ref.document->id, .points = {}, .line = false});
        }
        for (std::size_t row = 0; row < ref.table->rows.size(); ++row) {
            for (std::size_t column = 0; column < ref.table->columns.size(); ++column) {
                const auto& published = ref.table->rows[row].values[column].value;
                const auto here = reproduction.here(i, row, column).value;
                if (!is_time(ref.table->quantity_of(row, column)) || !published || !here) continue;
                const double us = microseconds_in(ref.table->columns[column].unit);
                plot.series.back().points.push_back(
                    {*published * us, *here * us,
                     ref.table->rows[row].name + ", " + ref.table->columns[column].name});
            }
        }
    }
    return draw(plot);
}

std::string plot_ratio(const RatioAnswer& ratio) {
    LogPlot plot{.title = ratio.source.of + " divided by " + ratio.source.to,
                 .x_label = "items",
                 .y_label = "ratio of times",
                 .series = {},
                 .x_in_powers_of_two = true,
                 .y_linear = true};
    if (ratio.here.size() < 2) return {};
    plot.series.push_back({.name = "here", .points = {}});
    for (const auto& point : ratio.here) {
        const auto x = static_cast<double>(point.num_items);
        plot.series.back().points.push_back(
            {x, point.ratio, experiments::format::count_text(point.num_items) + ": " + figure(point.ratio)});
    }
    for (const RatioAnswer::Gpu& gpu : ratio.published) {
        const double first = plot.series.front().points.front().x;
        const double last = plot.series.front().points.back().x;
        plot.series.push_back({.name = gpu.name + ", published mean",
                               .points = {{first, gpu.mean, ""}, {last, gpu.mean, ""}},
                               .line = true,
                               .hollow = true});
    }
    return draw(plot);
}

}  // namespace published
