#include "experiments/published/results.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "compaction/error.hpp"

namespace published {
namespace {

std::optional<double> ratio_of(Quantity quantity, std::optional<double> published,
                               std::optional<double> here) {
    if (!published || !here || *published <= 0 || *here <= 0) return std::nullopt;
    return is_time(quantity) ? *published / *here : *here / *published;
}

void fill_ratio(Here& here, std::span<const TableRef> tables, const Results& results, const Table& table,
                Quantity quantity) {
    here = {};
    if (!table.ratio) {
        here.why_not = "no counterpart: the table does not name the algorithms of its ratios";
        return;
    }
    std::vector<double> values;
    for (const RatioPoint& point : ratios_of(tables, results, *table.ratio)) values.push_back(point.ratio);
    const auto spread = spread_of(values);
    if (!spread) {
        here.why_not = "needs both implementations at two lengths or more";
        return;
    }
    here.value = quantity == Quantity::ratio_mean ? spread->mean : spread->sd;
}

}  // namespace

double microseconds_in(const std::string& unit) {
    if (unit == "s") return 1e6;
    return unit == "ms" ? 1e3 : 1.0;
}

std::optional<Spread> spread_of(std::span<const double> values) {
    if (values.size() < 2) return std::nullopt;
    Spread spread{.n = values.size()};
    for (const double value : values) spread.mean += value;
    spread.mean /= static_cast<double>(values.size());
    double squares = 0;
    for (const double value : values) squares += (value - spread.mean) * (value - spread.mean);
    spread.sd = std::sqrt(squares / static_cast<double>(values.size() - 1));
    return spread;
}

std::string Results::devices() const {
    std::string names;
    std::vector<std::string> seen;
    for (const EngineRun& run : engines) {
        if (std::ranges::find(seen, run.machine.device) != seen.end()) continue;
        seen.push_back(run.machine.device);
        names += (names.empty() ? "" : " and ") + run.machine.device;
    }
    return names.empty() ? "nothing measured" : names;
}

std::size_t Results::num_values() const {
    std::size_t count = 0;
    for (const auto& table : cells) {
        count += static_cast<std::size_t>(
            std::ranges::count_if(table, [](const Here& here) { return here.value.has_value(); }));
    }
    return count;
}

std::string Report::name_of(std::size_t run) const {
    const std::string name = runs[run].devices();
    std::size_t before = 0;
    std::size_t all = 0;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        if (runs[i].devices() != name) continue;
        ++all;
        if (i < run) ++before;
    }
    return all > 1 ? name + " (" + std::to_string(before + 1) + ")" : name;
}

std::optional<std::size_t> Report::index_of(const std::string& id) const {
    const auto found = std::ranges::find_if(tables, [&](const TableRef& ref) { return ref.table->id == id; });
    if (found == tables.end()) return std::nullopt;
    return static_cast<std::size_t>(found - tables.begin());
}

bool Report::has_values(std::size_t run, std::size_t table) const {
    return std::ranges::any_of(runs[run].cells[table],
                               [](const Here& here) { return here.value.has_value(); });
}

std::vector<RatioPoint> ratios_of(std::span<const TableRef> tables, const Results& results,
                                  const RatioSource& source) {
    struct Time {
        double us = 0;
        experiments::Interval interval = {};
    };
    std::map<std::uint64_t, std::pair<std::optional<Time>, std::optional<Time>>> by_length;
    for (std::size_t t = 0; t < tables.size(); ++t) {
        const Table& table = *tables[t].table;
        if (table.id != source.table) continue;
        for (std::size_t row = 0; row < table.rows.size(); ++row) {
            for (std::size_t column = 0; column < table.columns.size(); ++column) {
                const Here& here = results.cells[t][row * table.columns.size() + column];
                const PartialSetting setting = table.setting_of(row, column);
                if (!here.value || *here.value <= 0 || !setting.num_items || !setting.algorithm) continue;
                const double unit = microseconds_in(table.columns[column].unit);
                const Time time{
                    *here.value * unit,
                    {here.interval.low * unit, here.interval.high * unit, here.interval.coverage}};
                auto& [of, to] = by_length[*setting.num_items];
                if (*setting.algorithm == source.of) of = time;
                if (*setting.algorithm == source.to) to = time;
            }
        }
    }
    std::vector<RatioPoint> points;
    for (const auto& [num_items, pair] : by_length) {
        if (!pair.first || !pair.second) continue;
        const bool known = pair.first->interval.coverage > 0 && pair.second->interval.low > 0;
        points.push_back({num_items, pair.first->us / pair.second->us,
                          known ? experiments::ratio_of(pair.second->interval, pair.first->interval)
                                : experiments::Interval{}});
    }
    return points;
}

void complete(std::span<const TableRef> tables, Results& results) {
    for (std::size_t t = 0; t < tables.size(); ++t) {
        const Table& table = *tables[t].table;
        for (std::size_t row = 0; row < table.rows.size(); ++row) {
            for (std::size_t column = 0; column < table.columns.size(); ++column) {
                const Quantity quantity = table.quantity_of(row, column);
                Here& here = results.cells[t][row * table.columns.size() + column];
                if (quantity == Quantity::ratio_mean || quantity == Quantity::ratio_sd) {
                    fill_ratio(here, tables, results, table, quantity);
                }
                here.ratio = ratio_of(quantity, table.published_value(row, column), here.value);
            }
        }
    }
}

bool measures_launches(const Table& table, std::size_t row, std::size_t column) {
    const PartialSetting setting = table.setting_of(row, column);
    const Quantity quantity = table.quantity_of(row, column);
    if (!is_time(quantity) || is_of_fresh_process(quantity)) return false;
    if (!setting.algorithm || !setting.num_items) return false;
    if (*setting.num_items >= launches_below) return false;
    try {
        return compaction::find_algorithm(*setting.algorithm).engine == compaction::EngineId::cuda;
    } catch (const compaction::Error&) {
        return false;
    }
}

}  // namespace published
