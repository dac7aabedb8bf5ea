#include "app/labs/compare.hpp"

#include <algorithm>

namespace warpsieve::labs {
namespace {

using compaction::Algorithm;
using experiments::Interval;
using experiments::Result;

/// The most common library call of an engine: the default base of speed-ups.
std::string_view default_base(compaction::EngineId engine) {
    return engine == compaction::EngineId::cuda ? "cub_select" : "std_copy_if";
}

std::vector<CompareRow> unsorted_rows(const Report& report) {
    std::vector<CompareRow> rows;
    const experiments::Measurement& measurement = *report.measurement;
    for (const experiments::Setting& setting : report.job->settings) {
        CompareRow row{.algorithm = setting.algorithm, .options = setting.options};
        const auto result = std::ranges::find(measurement.results, setting, &Result::setting);
        const auto skipped = std::ranges::find(measurement.skipped, setting, &experiments::Skipped::setting);
        if (result != measurement.results.end()) {
            row.result = &*result;
            row.is_interactive =
                report.is_interactive(static_cast<std::size_t>(result - measurement.results.begin()));
        } else if (skipped != measurement.skipped.end()) {
            row.reason = skipped->reason;
        } else {
            row.reason = report.state == State::running ? "Not sampled yet."
                                                        : "The measurement ended before its first sample.";
        }
        rows.push_back(std::move(row));
    }
    for (const LeftOut& left_out : report.job->left_out)
        rows.push_back({.algorithm = left_out.algorithm, .reason = left_out.reason});
    return rows;
}

/// Fastest first, then wrong results, then rows without a result; otherwise in their previous order.
void sort(std::vector<CompareRow>& rows) {
    const auto group = [](const CompareRow& row) { return row.correct() ? 0 : row.result ? 1 : 2; };
    std::ranges::stable_sort(rows, [&](const CompareRow& a, const CompareRow& b) {
        if (group(a) != group(b)) return group(a) < group(b);
        return a.correct() && a.result->us.median < b.result->us.median;
    });
}

CompareRow* find_base(std::vector<CompareRow>& rows, std::string_view chosen_id,
                      std::string_view default_id) {
    for (const std::string_view id : {chosen_id, default_id}) {
        const auto found = std::ranges::find_if(
            rows, [&](const CompareRow& row) { return row.correct() && row.algorithm->id == id; });
        if (found != rows.end()) return &*found;
    }
    return !rows.empty() && rows.front().correct() ? &rows.front() : nullptr;
}

void compare_with(const CompareRow& base, CompareRow& row) {
    const Interval row_us = row.result->median_interval_us;
    const Interval base_us = base.result->median_interval_us;
    if (!(row.result->us.median > 0) || !(row_us.low > 0)) return;  // divisors below; catches NaN, too
    row.speed_up = base.result->us.median / row.result->us.median;
    row.speed_up_interval = experiments::ratio_of(row_us, base_us);
    if (&row != &base && row.result->settled && base.result->settled)
        row.verdict = experiments::compare(base_us, row_us);
}

}  // namespace

std::string CompareRow::name() const {
    std::string text = algorithm->name;
    for (const compaction::Option option : compaction::all_options) {
        if (options[option] == compaction::automatic) continue;
        text += ", " + std::string(label_of(option, algorithm->engine)) + " " +
                experiments::option_text(*algorithm, options, option);
    }
    return text;
}

Job compare_job(const RunConfig& run, const LabSettings& labs, std::uint64_t slots,
                std::span<const Algorithm> catalogue) {
    Job job = job_for("compare", run, labs);
    job.policy.phases = experiments::PhaseMethod::stamps;
    const experiments::StreamSpec stream = stream_of(run, labs, slots);
    for (const Algorithm& algorithm : catalogue) {
        if (algorithm.engine != run.engine) continue;
        add(job, algorithm, {}, stream);
        if (algorithm.id == run.a.algorithm && run.a.options != compaction::Options{})
            add(job, algorithm, run.a.options, stream);
    }
    job.title = std::to_string(job.settings.size()) + " algorithms, " + experiments::describe(stream);
    return job;
}

Comparison compare(const Report& report, std::string_view base_id) {
    Comparison comparison{.rows = unsorted_rows(report)};
    std::vector<CompareRow>& rows = comparison.rows;
    sort(rows);
    CompareRow* const base = find_base(rows, base_id, default_base(report.job->engine));
    for (CompareRow& row : rows) {
        if (!row.correct()) continue;
        row.is_base = &row == base;
        if (base) compare_with(*base, row);
        // The first time is the shortest, because the rows are sorted.
        if (comparison.fastest_us <= 0) comparison.fastest_us = row.result->us.median;
        // All rows have the same floor, or 0 while it is unknown.
        comparison.floor_us = std::max(comparison.floor_us, row.result->floor_us);
    }
    return comparison;
}

}  // namespace warpsieve::labs
