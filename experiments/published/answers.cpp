#include "experiments/published/answers.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "compaction/error.hpp"

namespace published {
namespace {

using compaction::Option;
using compaction::PhaseRole;
using experiments::Change;
using experiments::Interval;

int sign(double value) {
    return (value > 0) - (value < 0);
}

/// The published time of a cell in microseconds, for the whole array.
std::optional<double> published_us(const Table& table, std::size_t row, std::size_t column) {
    const auto value = table.published_value(row, column);
    return value ? std::optional(*value * microseconds_in(table.columns[column].unit)) : std::nullopt;
}

/// A table and its measured cells.
struct Cells {
    const Table& table;
    const std::vector<MeasuredFigure>& cells;

    const MeasuredFigure& at(std::size_t row, std::size_t column) const {
        return cells[row * table.columns.size() + column];
    }
    std::optional<MeasuredTime> time(std::size_t row, std::size_t column) const {
        return time_of(at(row, column), table.columns[column].unit);
    }
};

/// Whether the only phase of the table is the count: its entries are counts, ranked by their own phase.
bool is_table_of_counts(const Table& table) {
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
        for (std::size_t column = 0; column < table.columns.size(); ++column) {
            const auto phase = table.phase_of(row, column);
            if (phase && *phase != PhaseRole::count) return false;
        }
    }
    return true;
}

/// Whether the cell is the time of a whole run, or of a count.
bool is_whole_time(const Table& table, std::size_t row, std::size_t column) {
    const Quantity quantity = table.quantity_of(row, column);
    return quantity == Quantity::total || (quantity == Quantity::phase && is_table_of_counts(table));
}

/// Adds a ranking for each column or row of the table that has two published entries or more.
void add_rankings(const Cells& cells, std::vector<Ranking>& rankings) {
    const Table& table = cells.table;
    if (table.ranks == Ranks::none) return;
    const bool ranks_rows = table.ranks == Ranks::rows;
    const std::size_t num_groups = ranks_rows ? table.columns.size() : table.rows.size();
    const std::size_t num_entries = ranks_rows ? table.rows.size() : table.columns.size();
    for (std::size_t group = 0; group < num_groups; ++group) {
        std::vector<Ranked> entries;
        std::vector<Ranked> unmeasured;
        bool has_launch_times = false;
        for (std::size_t entry = 0; entry < num_entries; ++entry) {
            const std::size_t row = ranks_rows ? entry : group;
            const std::size_t column = ranks_rows ? group : entry;
            if (!is_whole_time(table, row, column)) continue;
            const std::string& name = ranks_rows ? table.rows[row].name : table.columns[column].name;
            std::optional<double> published = published_us(table, row, column);
            // Where only the order is published, the position in it stands for the time.
            if (!published && !table.published_order.empty()) {
                const auto position = std::ranges::find(table.published_order, name);
                published = static_cast<double>(position - table.published_order.begin());
            }
            if (!published) continue;
            if (const auto measured = cells.time(row, column)) {
                entries.push_back({name, *published, *measured});
                has_launch_times = has_launch_times || measures_launches(table, row, column);
            } else {
                unmeasured.push_back({name, *published, {}});
            }
        }
        if (entries.size() + unmeasured.size() < 2) continue;
        Ranking& ranking = rankings.emplace_back(
            rank(table.id, ranks_rows ? table.columns[group].name : table.rows[group].name, entries));
        ranking.title = table.title;
        ranking.measures_launches = has_launch_times;
        ranking.has_times = table.published_order.empty();
        ranking.unmeasured = std::move(unmeasured);
    }
}

void add_ratio(std::span<const TableRef> tables, const Results& results, const Table& table,
               std::vector<RatioAnswer>& ratios) {
    if (!table.ratio) return;
    RatioAnswer ratio{.source = *table.ratio,
                      .published = {},
                      .measured = {},
                      .spread = {},
                      .spread_long = {},
                      .table = table.id};
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
        RatioAnswer::Gpu gpu{.name = table.rows[row].name};
        for (std::size_t column = 0; column < table.columns.size(); ++column) {
            const double value = table.rows[row].values[column].value.value_or(0);
            if (table.quantity_of(row, column) == Quantity::ratio_mean) gpu.mean = value;
            if (table.quantity_of(row, column) == Quantity::ratio_sd) gpu.sd = value;
        }
        if (gpu.mean > 0) ratio.published.push_back(std::move(gpu));
    }
    ratio.measured = ratios_of(tables, results, ratio.source);
    std::vector<double> values;
    std::vector<double> long_values;
    for (const RatioPoint& point : ratio.measured) {
        values.push_back(point.ratio.value);
        if (point.num_items >= launch_bound_below) long_values.push_back(point.ratio.value);
    }
    ratio.spread = spread_of(values);
    ratio.spread_long = spread_of(long_values);
    ratios.push_back(std::move(ratio));
}

std::string name_or_id(const std::string& id) {
    try {
        return compaction::find_algorithm(id).name;
    } catch (const compaction::Error&) {
        return id;
    }
}

void add_vector_gains(const Cells& cells, std::vector<VectorGain>& gains) {
    const Table& table = cells.table;
    if (!table.vector_series) return;
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
        for (std::size_t column = 0; column < table.columns.size(); ++column) {
            const PartialSetting setting = table.setting_of(row, column);
            const auto width = setting.options.find(Option::vector_width);
            if (!is_whole_time(table, row, column) || width == setting.options.end() || !setting.algorithm)
                continue;
            const auto same = [&](const VectorGain& gain) {
                return gain.series == *table.vector_series && gain.algorithm == *setting.algorithm;
            };
            auto gain = std::ranges::find_if(gains, same);
            if (gain == gains.end()) {
                gain = gains.insert(gains.end(), {*table.vector_series,
                                                  *setting.algorithm,
                                                  {},
                                                  table.id,
                                                  name_or_id(*setting.algorithm),
                                                  table.columns[column].name});
            }
            gain->widths.push_back(
                {width->second, published_us(table, row, column), cells.time(row, column)});
        }
    }
}

/// Adds the phase of a cell to its profile.
void add_phase(const Cells& cells, std::size_t row, std::size_t column, PhaseProfile& profile) {
    constexpr std::size_t stamps = index_of(Timing::stamps), subtraction = index_of(Timing::subtraction);
    const double us_per_unit = microseconds_in(cells.table.columns[column].unit);
    const MeasuredFigure& measured = cells.at(row, column);
    PhaseProfile::Time time{*cells.table.phase_of(row, column),
                            {published_us(cells.table, row, column), {}, {}}};
    if (measured.value) time.us[stamps] = *measured.value * us_per_unit;
    time.interval[stamps] = scaled(measured.interval, us_per_unit);
    if (measured.by_subtraction) time.us[subtraction] = *measured.by_subtraction * us_per_unit;
    time.interval[subtraction] = scaled(measured.by_subtraction_interval, us_per_unit);
    profile.phases.push_back(time);
}

void add_phases(const Cells& cells, std::vector<PhaseComparison>& phases) {
    const Table& table = cells.table;
    std::vector<PhaseProfile> profiles;
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
        for (std::size_t column = 0; column < table.columns.size(); ++column) {
            if (!table.phase_of(row, column) || is_whole_time(table, row, column)) continue;
            // If the rows are phases, the columns are the entries, and vice versa.
            const std::string& name =
                table.rows[row].phase ? table.columns[column].name : table.rows[row].name;
            auto profile = std::ranges::find(profiles, name, &PhaseProfile::name);
            if (profile == profiles.end()) profile = profiles.insert(profiles.end(), {name, {}});
            add_phase(cells, row, column, *profile);
        }
    }
    if (profiles.empty() || profiles.front().phases.size() < 2) return;
    for (std::size_t i = 1; i < profiles.size(); ++i)
        phases.push_back({table.id, profiles[0], profiles[i], table.title});
}

}  // namespace

std::optional<double> kendall_tau(std::span<const double> a, std::span<const double> b) {
    double balance = 0;
    double ordered_in_a = 0;
    double ordered_in_b = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            const int in_a = sign(a[i] - a[j]);
            const int in_b = sign(b[i] - b[j]);
            balance += in_a * in_b;
            ordered_in_a += in_a != 0;
            ordered_in_b += in_b != 0;
        }
    }
    if (ordered_in_a == 0 || ordered_in_b == 0) return std::nullopt;
    return balance / std::sqrt(ordered_in_a * ordered_in_b);
}

bool Ranking::preserved() const {
    return unmeasured.empty() && std::ranges::none_of(swaps, &Swap::certain);
}

Ranking rank(std::string table, std::string group, std::vector<Ranked> entries) {
    Ranking ranking{.table = std::move(table),
                    .group = std::move(group),
                    .entries = std::move(entries),
                    .tau = std::nullopt,
                    .swaps = {}};
    std::vector<double> published;
    std::vector<double> measured;
    for (const Ranked& each : ranking.entries) {
        published.push_back(each.published);
        measured.push_back(each.measured.us);
    }
    ranking.tau = kendall_tau(published, measured);
    for (const Ranked& fast : ranking.entries) {
        for (const Ranked& slow : ranking.entries) {
            if (fast.published >= slow.published || fast.measured.us <= slow.measured.us) continue;
            const Change change = experiments::compare(slow.measured.interval, fast.measured.interval);
            ranking.swaps.push_back({fast.name, slow.name, change == Change::slower});
        }
    }
    return ranking;
}

const VectorGain::Width* VectorGain::find(const std::string& width) const {
    const auto found = std::ranges::find(widths, width, &Width::name);
    return found == widths.end() ? nullptr : &*found;
}

std::optional<double> VectorGain::published_gain(const std::string& width) const {
    const Width* scalar = find("scalar");
    const Width* wide = find(width);
    if (!scalar || !wide || !scalar->published_us || !wide->published_us) return std::nullopt;
    return *scalar->published_us / *wide->published_us;
}

std::optional<Factor> VectorGain::measured_gain(const std::string& width) const {
    const Width* scalar = find("scalar");
    const Width* wide = find(width);
    if (!scalar || !wide || !scalar->measured || !wide->measured) return std::nullopt;
    return quotient(*scalar->measured, *wide->measured);
}

std::vector<PhaseComparison::Difference> PhaseComparison::differences(Timing timing) const {
    std::vector<Difference> differences;
    double sum = 0;
    const std::size_t by_timing = index_of(timing);
    for (const PhaseProfile::Time& base_time : base.phases) {
        const auto other_time = std::ranges::find(other.phases, base_time.role, &PhaseProfile::Time::role);
        if (other_time == other.phases.end()) return {};
        if (!base_time.us[by_timing] || !other_time->us[by_timing]) return {};
        const double us = *other_time->us[by_timing] - *base_time.us[by_timing];
        const Interval& base_interval = base_time.interval[by_timing];
        const Interval& other_interval = other_time->interval[by_timing];
        Interval interval{other_interval.low - base_interval.high, other_interval.high - base_interval.low,
                          std::min(base_interval.coverage, other_interval.coverage)};
        if (interval.coverage <= 0) interval = {};
        differences.push_back({base_time.role, us, 0, interval});
        sum += std::abs(us);
    }
    for (Difference& each : differences) each.share = sum > 0 ? std::abs(each.us) / sum : 0;
    return differences;
}

const RatioAnswer::Gpu* RatioAnswer::most_varying() const {
    const Gpu* found = nullptr;
    for (const Gpu& gpu : published) {
        // The last row pools all cards, and the ratio varies more between cards than on any one of them.
        if (gpu.mean <= 0 || (published.size() > 1 && &gpu == &published.back())) continue;
        if (!found || gpu.sd / gpu.mean > found->sd / found->mean) found = &gpu;
    }
    return found;
}

Answers answer(std::span<const TableRef> tables, const Results& results) {
    Answers answers;
    for (std::size_t i = 0; i < tables.size(); ++i) {
        const Table& table = *tables[i].table;
        if (table.no_counterpart) continue;
        const Cells cells{table, results.cells[i]};
        add_rankings(cells, answers.rankings);
        add_ratio(tables, results, table, answers.ratios);
        add_vector_gains(cells, answers.vector_gains);
        add_phases(cells, answers.phases);
    }
    return answers;
}

}  // namespace published
