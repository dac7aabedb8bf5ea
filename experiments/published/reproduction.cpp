#include "experiments/published/reproduction.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "compaction/error.hpp"
#include "experiments/published/figures.hpp"

namespace published {
namespace {

using experiments::Interval;
using experiments::Measurement;
using experiments::Result;
using experiments::Setting;

/// The phase with that role, or nullptr.
const experiments::PhaseResult* find_phase(const Result& result, compaction::PhaseRole role) {
    const auto found = std::ranges::find(result.phases, role, &experiments::PhaseResult::role);
    return found == result.phases.end() ? nullptr : &*found;
}

double bytes_moved(const Result& result) {
    const auto& stream = result.setting.stream;
    return static_cast<double>(experiments::useful_bytes(
        result.setting.algorithm->operation, stream.num_items, result.num_kept, stream.item_size));
}

/// Fills in the figure of a cell.
void fill_value(Here& here, const Column& column, Quantity quantity,
                std::optional<compaction::PhaseRole> phase) {
    const Result& result = *here.result;
    if (quantity == Quantity::bandwidth) {
        const double gb = bytes_moved(result) / 1e3;  // over microseconds: 10^9 bytes a second
        here.value = gb / result.us.median;
        here.interval = {gb / result.median_us.high, gb / result.median_us.low, result.median_us.coverage};
        return;
    }
    const double unit = microseconds_in(column.unit);
    if (quantity == Quantity::phase) {
        const experiments::PhaseResult* timed = find_phase(result, *phase);
        if (!timed || timed->by_stamps_us.n == 0) {
            here.why_not = result.phases.empty() ? "phases were not timed" : "it has no such phase";
            return;
        }
        const Interval& interval = timed->by_stamps_interval_us;
        here.value = timed->by_stamps_us.median / unit;
        here.interval = {interval.low / unit, interval.high / unit, interval.coverage};
        return;
    }
    here.value = result.us.median / unit;
    here.interval = {result.median_us.low / unit, result.median_us.high / unit, result.median_us.coverage};
}

std::optional<double> ratio_of(Quantity quantity, std::optional<double> published,
                               std::optional<double> here) {
    if (!published || !here || *published <= 0 || *here <= 0) return std::nullopt;
    const bool is_time = quantity == Quantity::total || quantity == Quantity::phase;
    return is_time ? *published / *here : *here / *published;
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

Reproduction::Reproduction(std::vector<TableRef> tables, const Limits& limits)
    : tables_(std::move(tables)),
      limits_(limits),
      plan_(make_plan(tables_, limits_)),
      results_(plan_.settings.size()),
      skipped_(plan_.settings.size()) {}

std::vector<const Result*> Reproduction::wrong_results() const {
    std::vector<const Result*> wrong;
    for (const auto& result : results_) {
        if (result && !result->correct()) wrong.push_back(&*result);
    }
    return wrong;
}

std::size_t Reproduction::num_measured() const {
    return static_cast<std::size_t>(
        std::ranges::count_if(results_, [](const auto& result) { return result.has_value(); }));
}

void Reproduction::run(compaction::Engine& engine, const experiments::Machine& machine,
                       const experiments::Policy& policy, experiments::Hooks hooks,
                       const std::function<void()>& changed) {
    std::vector<Setting> settings;
    for (const Setting& setting : plan_.settings) {
        if (setting.algorithm->engine == engine.id()) settings.push_back(setting);
    }
    if (settings.empty()) return;
    hooks.stream_done = [&](const Measurement& so_far) {
        take(machine, so_far);
        changed();
    };
    take(machine, experiments::measure(engine, settings, policy, hooks));
    changed();
}

void Reproduction::take(const experiments::Machine& machine, const Measurement& measurement) {
    const auto same = [&](const EngineRun& run) { return run.machine.engine == machine.engine; };
    auto run = std::ranges::find_if(engines_, same);
    if (run == engines_.end()) run = engines_.insert(engines_.end(), EngineRun{});
    *run = {machine, measurement.copies, measurement.failure};

    const auto index_of = [&](const Setting& setting) {
        return static_cast<std::size_t>(std::ranges::find(plan_.settings, setting) - plan_.settings.begin());
    };
    for (const Result& result : measurement.results) {
        const std::size_t index = index_of(result.setting);
        if (index < results_.size() && result.us.n > 0) results_[index] = result;
    }
    for (const experiments::Skipped& skipped : measurement.skipped) {
        const std::size_t index = index_of(skipped.setting);
        if (index < skipped_.size()) skipped_[index] = skipped.reason;
    }
    interrupted_ = interrupted_ || measurement.interrupted;
}

const Result* Reproduction::best_result(std::size_t table, std::size_t row, std::size_t column) const {
    const Table& published = *tables_[table].table;
    const Result* best = nullptr;
    for (const std::size_t index : plan_.tables[table][row * published.columns.size() + column].settings) {
        const auto& result = results_[index];
        if (!result || !result->correct() || result->us.median <= 0) continue;
        if (!best || result->us.median < best->us.median) best = &*result;
    }
    return best;
}

std::string Reproduction::why_not_measured(const PlannedCell& cell) const {
    for (const std::size_t index : cell.settings) {
        if (results_[index] && !results_[index]->correct()) return "WRONG: " + results_[index]->wrong;
    }
    for (const std::size_t index : cell.settings) {
        if (!skipped_[index].empty()) return skipped_[index];
    }
    for (const EngineRun& run : engines_) {
        if (!run.failure.empty()) return "the device failed before: " + run.failure;
    }
    return interrupted_ ? "interrupted before it was measured" : std::string(not_measured_yet);
}

Here Reproduction::here(std::size_t table, std::size_t row, std::size_t column) const {
    const Table& published = *tables_[table].table;
    const Quantity quantity = published.quantity_of(row, column);
    Here here;
    if (quantity == Quantity::ratio_mean || quantity == Quantity::ratio_sd) {
        here = ratio_here(published, quantity);
    } else {
        const PlannedCell& cell = plan_.tables[table][row * published.columns.size() + column];
        here.why_not = cell.reason;
        here.result = best_result(table, row, column);
        if (here.result) {
            fill_value(here, published.columns[column], quantity, published.phase_of(row, column));
        } else if (cell.runs()) {
            here.why_not = why_not_measured(cell);
        }
    }
    here.ratio = ratio_of(quantity, published.rows[row].values[column].value, here.value);
    return here;
}

Here Reproduction::ratio_here(const Table& table, Quantity quantity) const {
    Here here;
    if (!table.ratio) {
        here.why_not = "no counterpart: the table does not name the algorithms of its ratios";
        return here;
    }
    std::vector<double> values;
    for (const RatioPoint& point : ratios(*table.ratio)) values.push_back(point.ratio);
    const auto spread = spread_of(values);
    if (!spread) {
        here.why_not = "needs " + table.ratio->of + " and " + table.ratio->to +
                       " at two lengths or more; measured here: " + std::to_string(values.size());
        return here;
    }
    here.value = quantity == Quantity::ratio_mean ? spread->mean : spread->sd;
    return here;
}

std::vector<Reproduction::RatioPoint> Reproduction::ratios(const RatioSource& source) const {
    std::map<std::uint64_t, std::pair<const Result*, const Result*>> by_length;
    for (std::size_t t = 0; t < tables_.size(); ++t) {
        const Table& table = *tables_[t].table;
        if (table.id != source.table) continue;
        for (std::size_t row = 0; row < table.rows.size(); ++row) {
            for (std::size_t column = 0; column < table.columns.size(); ++column) {
                const Result* result = best_result(t, row, column);
                if (!result) continue;
                auto& [of, to] = by_length[result->setting.stream.num_items];
                if (result->setting.algorithm->id == source.of) of = result;
                if (result->setting.algorithm->id == source.to) to = result;
            }
        }
    }
    std::vector<RatioPoint> points;
    for (const auto& [num_items, pair] : by_length) {
        if (!pair.first || !pair.second) continue;
        points.push_back({num_items, pair.first->us.median / pair.second->us.median,
                          experiments::ratio_of(pair.second->median_us, pair.first->median_us)});
    }
    return points;
}

std::string caution_of(const Result& result) {
    std::string caution;
    const auto add = [&](const std::string& text) { caution += (caution.empty() ? "" : ", ") + text; };
    if (!result.correct()) add("WRONG: " + result.wrong);
    if (experiments::is_noisy(result.us.noise()))
        add("noisy: the quartiles are " + percent(result.us.noise()) + " of the median apart");
    if (result.throttled > 0) {
        add("throttled in " + std::to_string(result.throttled) + " of " + std::to_string(result.us.n) +
            " samples");
    }
    return caution;
}

}  // namespace published
