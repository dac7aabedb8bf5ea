#include "experiments/published/answers.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace published {
namespace {

using compaction::Option;
using compaction::PhaseRole;
using experiments::Change;
using experiments::Interval;
using experiments::Result;

int sign(double value) {
    return (value > 0) - (value < 0);
}

std::optional<double> published_us(const Table& table, std::size_t row, std::size_t column) {
    const auto& value = table.rows[row].values[column].value;
    return value ? std::optional(*value * microseconds_in(table.columns[column].unit)) : std::nullopt;
}

/// Collects the entries of one ranking: rows or columns with a published and a measured total.
class RankingMaker {
  public:
    RankingMaker(const Reproduction& reproduction, std::size_t table)
        : reproduction_(reproduction), index_(table), table_(*reproduction.tables()[table].table) {}

    void add(std::size_t row, std::size_t column) {
        if (table_.quantity_of(row, column) != Quantity::total) return;
        const std::string& name =
            table_.ranks == Ranks::rows ? table_.rows[row].name : table_.columns[column].name;
        std::optional<double> published = published_us(table_, row, column);
        if (!published && !table_.published_order.empty()) {
            const auto place = std::ranges::find(table_.published_order, name);
            published = static_cast<double>(place - table_.published_order.begin());
        }
        const Result* result = reproduction_.best_result(index_, row, column);
        if (!published || !result) return;
        entries_.push_back({name, *published, result->us.median, result->median_us});
    }

    /// Adds a ranking to `rankings` if there are two entries or more.
    void finish(std::vector<Ranking>& rankings, const std::string& group) {
        if (entries_.size() > 1) {
            rankings.push_back(rank(table_.id, group, std::move(entries_)));
            rankings.back().title = table_.title;
        }
        entries_.clear();
    }

  private:
    const Reproduction& reproduction_;
    std::size_t index_;
    const Table& table_;
    std::vector<Ranked> entries_;
};

void add_rankings(const Reproduction& reproduction, std::size_t index, std::vector<Ranking>& rankings) {
    const Table& table = *reproduction.tables()[index].table;
    RankingMaker maker(reproduction, index);
    if (table.ranks == Ranks::rows) {
        for (std::size_t column = 0; column < table.columns.size(); ++column) {
            for (std::size_t row = 0; row < table.rows.size(); ++row) maker.add(row, column);
            maker.finish(rankings, table.columns[column].name);
        }
    } else if (table.ranks == Ranks::columns) {
        for (std::size_t row = 0; row < table.rows.size(); ++row) {
            for (std::size_t column = 0; column < table.columns.size(); ++column) maker.add(row, column);
            maker.finish(rankings, table.rows[row].name);
        }
    }
}

void add_ratio(const Reproduction& reproduction, const Table& table, std::vector<RatioAnswer>& ratios) {
    if (!table.ratio) return;
    RatioAnswer ratio{.source = *table.ratio, .published = {}, .here = {}, .spread = {}};
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
        RatioAnswer::Gpu gpu{.name = table.rows[row].name};
        for (std::size_t column = 0; column < table.columns.size(); ++column) {
            const double value = table.rows[row].values[column].value.value_or(0);
            if (table.quantity_of(row, column) == Quantity::ratio_mean) gpu.mean = value;
            if (table.quantity_of(row, column) == Quantity::ratio_sd) gpu.sd = value;
        }
        ratio.published.push_back(std::move(gpu));
    }
    ratio.here = reproduction.ratios(ratio.source);
    std::vector<double> values;
    for (const auto& point : ratio.here) values.push_back(point.ratio);
    ratio.spread = spread_of(values);
    ratios.push_back(std::move(ratio));
}

void add_vector_gains(const Reproduction& reproduction, std::size_t index, std::vector<VectorGain>& gains) {
    const Table& table = *reproduction.tables()[index].table;
    if (!table.vector_series) return;
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
        for (std::size_t column = 0; column < table.columns.size(); ++column) {
            const PartialSetting setting = table.setting_of(row, column);
            const auto width = setting.options.find(Option::vector_width);
            const bool is_time = table.quantity_of(row, column) == Quantity::total;
            if (!is_time || width == setting.options.end() || !setting.algorithm) continue;
            const auto same = [&](const VectorGain& gain) {
                return gain.series == *table.vector_series && gain.algorithm == *setting.algorithm;
            };
            auto gain = std::ranges::find_if(gains, same);
            if (gain == gains.end()) {
                gain = gains.insert(gains.end(), {*table.vector_series, *setting.algorithm, {}});
            }
            VectorGain::Width entry{width->second, published_us(table, row, column), std::nullopt, {}};
            if (const Result* result = reproduction.best_result(index, row, column)) {
                entry.here_us = result->us.median;
                entry.interval_us = result->median_us;
            }
            gain->widths.push_back(std::move(entry));
        }
    }
}

/// Adds the phase of a cell to its profile.
void add_phase(const Reproduction& reproduction, std::size_t index, std::size_t row, std::size_t column,
               PhaseProfile& profile) {
    const Table& table = *reproduction.tables()[index].table;
    PhaseProfile::Time time{*table.phase_of(row, column), {published_us(table, row, column), {}, {}}};
    if (const Result* result = reproduction.best_result(index, row, column)) {
        const auto timed = std::ranges::find(result->phases, time.role, &experiments::PhaseResult::role);
        if (timed != result->phases.end() && timed->by_stamps_us.n > 0)
            time.us[1] = timed->by_stamps_us.median;
        if (timed != result->phases.end() && timed->by_subtraction_us.n > 0)
            time.us[2] = timed->by_subtraction_us.median;
    }
    profile.phases.push_back(time);
}

void add_phases(const Reproduction& reproduction, std::size_t index, std::vector<PhaseComparison>& phases) {
    const Table& table = *reproduction.tables()[index].table;
    std::vector<PhaseProfile> profiles;
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
        for (std::size_t column = 0; column < table.columns.size(); ++column) {
            if (!table.phase_of(row, column)) continue;
            // If the rows are phases, the columns are the entries, and vice versa.
            const std::string& name =
                table.rows[row].phase ? table.columns[column].name : table.rows[row].name;
            auto profile = std::ranges::find(profiles, name, &PhaseProfile::name);
            if (profile == profiles.end()) profile = profiles.insert(profiles.end(), {name, {}});
            add_phase(reproduction, index, row, column, *profile);
        }
    }
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
    return std::ranges::none_of(swaps, &Swap::certain);
}

Ranking rank(std::string table, std::string group, std::vector<Ranked> entries) {
    Ranking ranking{std::move(table), std::move(group), std::move(entries), std::nullopt, {}};
    std::vector<double> published;
    std::vector<double> here;
    for (const Ranked& each : ranking.entries) {
        published.push_back(each.published);
        here.push_back(each.here);
    }
    ranking.tau = kendall_tau(published, here);
    for (const Ranked& fast : ranking.entries) {
        for (const Ranked& slow : ranking.entries) {
            if (fast.published >= slow.published || fast.here <= slow.here) continue;
            const Change change = experiments::compare(slow.interval, fast.interval);
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

std::optional<double> VectorGain::gain_here(const std::string& width) const {
    const Width* scalar = find("scalar");
    const Width* wide = find(width);
    if (!scalar || !wide || !scalar->here_us || !wide->here_us || *wide->here_us <= 0) return std::nullopt;
    return *scalar->here_us / *wide->here_us;
}

Change VectorGain::change_here(const std::string& width) const {
    const Width* scalar = find("scalar");
    const Width* wide = find(width);
    if (!scalar || !wide) return Change::ambiguous;
    return experiments::compare(scalar->interval_us, wide->interval_us);
}

std::vector<PhaseComparison::Difference> PhaseComparison::differences(Timing timing) const {
    std::vector<Difference> differences;
    double sum = 0;
    for (const PhaseProfile::Time& of_base : base.phases) {
        const auto of_other = std::ranges::find(other.phases, of_base.role, &PhaseProfile::Time::role);
        if (of_other == other.phases.end()) return {};
        const auto& from = of_base.us[static_cast<std::size_t>(timing)];
        const auto& to = of_other->us[static_cast<std::size_t>(timing)];
        if (!from || !to) return {};
        differences.push_back({of_base.role, *to - *from, 0});
        sum += std::abs(*to - *from);
    }
    for (Difference& each : differences) each.share = sum > 0 ? std::abs(each.us) / sum : 0;
    return differences;
}

Answers answer(const Reproduction& reproduction) {
    Answers answers;
    for (std::size_t i = 0; i < reproduction.tables().size(); ++i) {
        const Table& table = *reproduction.tables()[i].table;
        if (table.no_counterpart) continue;
        add_rankings(reproduction, i, answers.rankings);
        add_ratio(reproduction, table, answers.ratios);
        add_vector_gains(reproduction, i, answers.vector_gains);
        add_phases(reproduction, i, answers.phases);
    }
    return answers;
}

std::string_view name_of(PhaseRole role) {
    switch (role) {
        case PhaseRole::count:
            return "count";
        case PhaseRole::prefix:
            return "prefix";
        case PhaseRole::move:
            return "move";
        case PhaseRole::fused:
            return "fused";
    }
    return {};
}

}  // namespace published
