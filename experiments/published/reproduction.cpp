#include "experiments/published/reproduction.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "compaction/error.hpp"
#include "experiments/published/counts.hpp"
#include "experiments/published/text.hpp"

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

double useful_bytes_of(const Result& result) {
    const auto& stream = result.setting.stream;
    return static_cast<double>(experiments::useful_bytes(
        result.setting.algorithm->operation, stream.num_items, result.num_kept, stream.item_size));
}

/// Fills in a time from its samples and the interval of their median, in microseconds.
void fill_time(MeasuredFigure& measured, const experiments::Summary& us, const Interval& interval_us,
               double us_per_unit) {
    measured.value = us.median / us_per_unit;
    measured.interval = scaled(interval_us, 1 / us_per_unit);
    measured.samples = us.n;
    if (us.n > 1) {
        measured.mean = us.mean / us_per_unit;
        measured.mean_interval = scaled(experiments::mean_interval(us), 1 / us_per_unit);
    }
}

/// Fills in the figure of a cell.
void fill_value(MeasuredFigure& measured, const Result& result, const Column& column, Quantity quantity,
                std::optional<compaction::PhaseRole> phase) {
    const double us_per_unit = microseconds_in(column.unit);
    if (quantity == Quantity::bandwidth) {
        const double gb = useful_bytes_of(result) / 1e3;  // over microseconds: 10^9 bytes a second
        measured.value = gb / result.us.median;
        measured.interval = {gb / result.median_interval_us.high, gb / result.median_interval_us.low,
                             result.median_interval_us.coverage};
        if (result.us.mean > 0) measured.mean = gb / result.us.mean;
        return;
    }
    if (quantity != Quantity::phase)
        return fill_time(measured, result.us, result.median_interval_us, us_per_unit);
    const experiments::PhaseResult* timed = find_phase(result, *phase);
    if (!timed || timed->by_stamps_us.n == 0) {
        measured.why_not = result.phases.empty() ? "phases were not timed" : "it has no such phase";
        return;
    }
    fill_time(measured, timed->by_stamps_us, timed->by_stamps_interval_us, us_per_unit);
    if (timed->by_subtraction_us.n == 0) return;
    measured.by_subtraction = timed->by_subtraction_us.median / us_per_unit;
    measured.by_subtraction_interval = scaled(timed->by_subtraction_interval_us, 1 / us_per_unit);
}

/// Takes the copy of the longest stream, which the cache speeds up least.
void set_copy(EngineRun& run, const std::vector<experiments::CopyResult>& copies) {
    const auto longest = std::ranges::max_element(
        copies, {}, [](const experiments::CopyResult& copy) { return copy.stream.num_items; });
    if (longest == copies.end()) return;
    run.copy_gb_s = longest->gb_s;
    run.copy_items = longest->stream.num_items;
}

}  // namespace

Reproduction::Reproduction(std::vector<TableRef> tables, const Limits& limits)
    : tables_(std::move(tables)),
      limits_(limits),
      plan_(make_plan(tables_, limits_)),
      results_(plan_.settings.size()),
      skipped_(plan_.settings.size()),
      first_calls_(plan_.first_calls.size()),
      counts_(plan_.counts.size()) {}

std::vector<const Result*> Reproduction::wrong_results() const {
    std::vector<const Result*> wrong;
    for (const auto& result : results_) {
        if (result && !result->correct()) wrong.push_back(&*result);
    }
    return wrong;
}

std::size_t Reproduction::num_measured() const {
    return static_cast<std::size_t>(
        std::ranges::count_if(results_, [](const auto& result) { return result.has_value(); }) +
        std::ranges::count_if(first_calls_, [](const auto& calls) { return !calls.first_us.empty(); }) +
        std::ranges::count_if(counts_, [](const auto& counts) { return counts.has_value(); }));
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
        add(machine, so_far);
        changed();
    };
    add(machine, experiments::measure(engine, settings, policy, hooks));
    changed();
}

void Reproduction::run_first_calls(const StartProcess& start, const experiments::Machine& machine,
                                   std::size_t num_processes, const experiments::Hooks& hooks,
                                   const std::function<void()>& changed) {
    std::vector<std::size_t> on_this_engine;
    for (std::size_t i = 0; i < plan_.first_calls.size(); ++i) {
        if (id_of(plan_.first_calls[i].algorithm->engine) == machine.engine) on_this_engine.push_back(i);
    }
    if (on_this_engine.empty() || interrupted_ || !find_or_add_run(machine).failure.empty()) return;
    std::size_t done = 0;
    for (std::size_t round = 0; round < num_processes && !interrupted_; ++round) {
        for (const std::size_t index : on_this_engine) {
            const Setting& setting = plan_.first_calls[index];
            if (hooks.progress) {
                hooks.progress({.settings_done = done / num_processes,
                                .settings_total = on_this_engine.size(),
                                .seconds_left = 0,
                                .activity = setting.algorithm->name + ", first calls of process " +
                                            std::to_string(round + 1) + " of " +
                                            std::to_string(num_processes)});
            }
            ++done;
            experiments::FirstCallSamples& samples = first_calls_[index];
            if (!samples.failure.empty()) continue;
            interrupted_ = hooks.cancel && hooks.cancel->load();
            if (interrupted_) break;
            const ProcessResult result = start(setting);
            if (result.calls) samples.add(*result.calls);
            samples.failure = result.failure;
            // Neither times nor a failure: a signal ended the process.
            interrupted_ = !result.calls && result.failure.empty();
            if (interrupted_) break;
            changed();
        }
    }
}

void Reproduction::run_counts(const experiments::Machine& machine, const experiments::Hooks& hooks,
                              const std::function<void()>& changed) {
    if (plan_.counts.empty() || interrupted_) return;
    find_or_add_run(machine);
    for (std::size_t index = 0; index < plan_.counts.size() && !interrupted_; ++index) {
        const auto& [quantity, setting] = plan_.counts[index];
        if (hooks.progress) {
            hooks.progress({.settings_done = index,
                            .settings_total = plan_.counts.size(),
                            .seconds_left = 0,
                            .activity = setting.algorithm->name + ", counted"});
        }
        counts_[index] = count(quantity, setting);
        changed();
        interrupted_ = hooks.cancel && hooks.cancel->load();
    }
}

EngineRun& Reproduction::find_or_add_run(const experiments::Machine& machine) {
    const auto same = [&](const EngineRun& run) { return run.machine.engine == machine.engine; };
    const auto run = std::ranges::find_if(engines_, same);
    return run != engines_.end() ? *run : engines_.emplace_back(EngineRun{.machine = machine, .failure = {}});
}

void Reproduction::add(const experiments::Machine& machine, const Measurement& measurement) {
    EngineRun& run = find_or_add_run(machine);
    run = EngineRun{.machine = machine, .failure = measurement.failure};
    set_copy(run, measurement.copies);

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
    if (cell.first_calls && !first_calls_[*cell.first_calls].failure.empty())
        return "its process failed: " + first_calls_[*cell.first_calls].failure;
    for (const std::size_t index : cell.settings) {
        if (results_[index] && !results_[index]->correct()) return "WRONG: " + results_[index]->first_error;
    }
    for (const std::size_t index : cell.settings) {
        if (!skipped_[index].empty()) return skipped_[index];
    }
    for (const EngineRun& run : engines_) {
        if (!run.failure.empty()) return "the device failed before: " + run.failure;
    }
    if (interrupted_) return "interrupted before it was measured";
    return std::string(cell.first_calls ? needs_fresh_processes : not_measured_yet);
}

MeasuredFigure Reproduction::measured(std::size_t table, std::size_t row, std::size_t column) const {
    const Table& published = *tables_[table].table;
    const PlannedCell& cell = plan_.tables[table][row * published.columns.size() + column];
    const Quantity quantity = published.quantity_of(row, column);
    MeasuredFigure measured;
    const auto describe = [&](const Setting& setting) {
        measured.setting = experiments::describe(setting);
        measured.origin = origin_of(setting);
    };
    if (cell.first_calls && !first_calls_[*cell.first_calls].first_us.empty()) {
        const experiments::FirstCallSamples& samples = first_calls_[*cell.first_calls];
        const std::vector<float>& us = quantity == Quantity::first_call    ? samples.first_us
                                       : quantity == Quantity::second_call ? samples.second_us
                                                                           : samples.later_us;
        describe(plan_.first_calls[*cell.first_calls]);
        if (!samples.failure.empty()) measured.caution = "a process failed: " + samples.failure;
        fill_time(measured, experiments::summarise(us), experiments::median_interval(us),
                  microseconds_in(published.columns[column].unit));
    } else if (cell.counts && counts_[*cell.counts]) {
        describe(plan_.counts[*cell.counts].setting);
        measured.value = counts_[*cell.counts];
        measured.samples = 1;
    } else if (const Result* result = best_result(table, row, column)) {
        describe(result->setting);
        measured.samples = result->us.n;
        measured.caution = caution_of(*result);
        fill_value(measured, *result, published.columns[column], quantity, published.phase_of(row, column));
    } else {
        measured.why_not = cell.runs() ? why_not_measured(cell) : cell.reason;
    }
    return measured;
}

Results Reproduction::results() const {
    Results results{
        .engines = engines_, .quick = limits_.quick, .interrupted = interrupted_, .wrong = {}, .cells = {}};
    for (const Result* wrong : wrong_results()) {
        results.wrong.push_back(origin_of(wrong->setting) + ", " + describe(wrong->setting.stream) + ": " +
                                wrong->first_error);
    }
    for (std::size_t t = 0; t < tables_.size(); ++t) {
        const Table& table = *tables_[t].table;
        std::vector<MeasuredFigure>& cells = results.cells.emplace_back();
        for (std::size_t row = 0; row < table.rows.size(); ++row) {
            for (std::size_t column = 0; column < table.columns.size(); ++column) {
                cells.push_back(measured(t, row, column));
            }
        }
    }
    fill_in_ratios(tables_, results);
    return results;
}

Report report_of(const Reproduction& reproduction) {
    return {{reproduction.tables().begin(), reproduction.tables().end()}, {reproduction.results()}};
}

std::string origin_of(const Setting& setting) {
    std::string options;
    for (const compaction::LegalRange& range : setting.algorithm->options) {
        if (setting.options[range.option] == compaction::automatic) continue;
        options += (options.empty() ? ": " : ", ") + std::string(name_of(range.option)) + " " +
                   range.text_of(setting.options[range.option]);
    }
    std::ranges::replace(options, '_', ' ');
    return setting.algorithm->name + options;
}

std::string caution_of(const Result& result) {
    std::string caution;
    const auto add = [&](const std::string& text) { caution += (caution.empty() ? "" : ", ") + text; };
    if (!result.correct()) add("WRONG: " + result.first_error);
    if (experiments::is_noisy(result.us.noise()))
        add("noisy: the quartiles are " + percent(result.us.noise()) + " of the median apart");
    if (result.throttled > 0) {
        add("throttled in " + std::to_string(result.throttled) + " of " + std::to_string(result.us.n) +
            " samples");
    }
    return caution;
}

}  // namespace published
