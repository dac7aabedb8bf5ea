#include "app/labs/reports.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

#include "app/labs/jobs.hpp"

namespace warpsieve::labs {
namespace {

using compaction::Option;
using experiments::Result;
using experiments::Setting;

// Constants of the fictitious machine that example_report() describes.
constexpr double launch_us = 3;
constexpr double us_per_byte = 4e-7;
/// Distance of the quartiles from the median, as a share of the median.
constexpr double spread = 0.03;

/// The time of an algorithm over that of a copy of the stream, at a keep fraction of 0.5. Rounded from
/// bench/results: lengths.csv of the H200 at 2^24 items, and of the EPYC. The values of algorithms that are
/// not measured there lie between those of similar algorithms.
struct RelativeTime {
    std::string_view algorithm;
    double over_copy;
};
constexpr std::array relative_times{
    RelativeTime{"single_pass", 0.89},       RelativeTime{"cub_select", 1.33},
    RelativeTime{"sequence_wise", 1.47},     RelativeTime{"masked_two_pass", 1.79},
    RelativeTime{"thrust_copy_if", 2},       RelativeTime{"block_wise", 2.02},
    RelativeTime{"billeter_scaled", 2.38},   RelativeTime{"atomic_append", 3.6},
    RelativeTime{"orange_owls", 4.2},        RelativeTime{"spataro", 4.25},
    RelativeTime{"ink_compact", 10.3},       RelativeTime{"billeter", 11.3},
    RelativeTime{"work_efficient_scan", 20}, RelativeTime{"naive_scan", 45},
    RelativeTime{"device_launch", 112},      RelativeTime{"cpu_single_pass", 0.9},
    RelativeTime{"cpu_sequence_wise", 1.1},  RelativeTime{"cpu_simd", 1.2},
    RelativeTime{"cpu_branchless", 3},       RelativeTime{"cpu_scan_scatter", 4},
    RelativeTime{"thrust_copy_if_tbb", 6},   RelativeTime{"std_copy_if", 7},
    RelativeTime{"cpu_loop", 7.5},           RelativeTime{"std_copy_if_par", 9}};

double relative_time_of(std::string_view algorithm) {
    const auto found = std::ranges::find(relative_times, algorithm, &RelativeTime::algorithm);
    return found == relative_times.end() ? 1.5 : found->over_copy;
}

/// The slowdown by an option: 1 at its best value, and 6 % more with each power of two away from that value.
/// An automatic option counts as the best.
double slowdown_by(std::uint32_t value, double best) {
    return value == 0 ? 1 : 1 + 0.06 * std::abs(std::log2(static_cast<double>(value) / best));
}

double copy_us_of(const experiments::StreamSpec& stream) {
    const auto bytes =
        static_cast<double>(stream.num_items) * static_cast<double>(bytes_of(stream.item_size));
    return launch_us / 2 + 2 * bytes * us_per_byte;
}

double call_us_of(const Setting& setting) {
    // 1 at the keep fraction of the relative times.
    const double by_keep_fraction = 0.75 + 0.5 * setting.stream.keep_fraction;
    return (launch_us +
            copy_us_of(setting.stream) * relative_time_of(setting.algorithm->id) * by_keep_fraction) *
           slowdown_by(setting.options[Option::threads_per_block], 256) *
           slowdown_by(setting.options[Option::blocks], 64) *
           slowdown_by(setting.options[Option::sequences], 256) *
           slowdown_by(setting.options[Option::vector_width], 4);
}

Result result_of(const Setting& setting) {
    const double us = call_us_of(setting);
    const double copy_us = copy_us_of(setting.stream);
    Result result;
    result.setting = setting;
    result.settled = true;
    result.num_kept = static_cast<std::uint64_t>(static_cast<double>(setting.stream.num_items) *
                                                 setting.stream.keep_fraction);
    result.us = {.median = us,
                 .q1 = us * (1 - spread),
                 .q3 = us * (1 + spread),
                 .min = us * (1 - 2 * spread),
                 .max = us * (1 + 4 * spread),
                 .n = 60};
    result.median_interval_us = {us * (1 - spread / 3), us * (1 + spread / 3), 0.95};
    result.copy_us = result.floor_us = copy_us;
    const auto useful_bytes = static_cast<double>(experiments::useful_bytes(
        setting.algorithm->operation, setting.stream.num_items, result.num_kept, setting.stream.item_size));
    const double copied_bytes = 2 * static_cast<double>(setting.stream.num_items) *
                                static_cast<double>(bytes_of(setting.stream.item_size));
    result.useful_gb_s = useful_bytes / us * 1e-3;
    result.share_of_copy = useful_bytes / us * copy_us / copied_bytes;
    return result;
}

std::string progress_text(const Report& report) {
    const std::size_t measured = report.measurement->results.size();
    const std::string count = std::to_string(measured) + (measured == 1 ? " setting" : " settings");
    switch (report.state) {
        case State::running:
            return count + " so far, still measuring";
        case State::done:
            return count;
        case State::cancelled:
            return count + ", cancelled";
        case State::failed:
            return count + ", ended early: " + report.failure;
    }
    return count;
}

}  // namespace

Provenance provenance_of(const Report& report) {
    const experiments::Machine& machine = report.machine;
    Provenance provenance{{}, bench_command(*report.job)};
    const auto add = [&](const char* name, std::string value) {
        provenance.items.push_back({name, value.empty() ? "unknown" : std::move(value)});
    };
    add("device", machine.device);
    add("driver", machine.driver);
    add("warpsieve", machine.version + " (" + machine.commit + ")");
    add("measured", report.job->title);
    add("results", progress_text(report));
    add("mode",
        report.any_interactive() ? "interactive: the scene was running" : "measured with the scene held");
    add("date", machine.date);
    return provenance;
}

LabRemarks remarks_on(const Report& report) {
    LabRemarks remarks;
    for (const LeftOut& left_out : report.job->left_out) {
        if (std::ranges::count(remarks.skipped, left_out.reason) == 0)
            remarks.skipped.push_back(left_out.reason);
    }
    for (const experiments::Skipped& skipped : report.measurement->skipped) {
        if (std::ranges::count(remarks.skipped, skipped.reason) == 0)
            remarks.skipped.push_back(skipped.reason);
    }
    for (const experiments::Result& result : report.measurement->results) {
        if (!result.correct()) remarks.wrong.push_back(describe(result.setting) + ": " + result.first_error);
    }
    return remarks;
}

std::shared_ptr<const Report> example_report(const Job& job) {
    auto measurement = std::make_shared<experiments::Measurement>();
    for (const Setting& setting : job.settings) {
        measurement->results.push_back(result_of(setting));
        if (!measurement->copies.empty() && measurement->copies.back().stream == setting.stream) continue;
        experiments::CopyResult copy;
        copy.stream = setting.stream;
        const double us = copy_us_of(setting.stream);
        copy.us = {.median = us, .q1 = us, .q3 = us, .min = us, .max = us, .n = 60};
        copy.gb_s = 2 * static_cast<double>(setting.stream.num_items) *
                    static_cast<double>(bytes_of(setting.stream.item_size)) / us * 1e-3;
        measurement->copies.push_back(copy);
    }
    auto report = std::make_shared<Report>();
    report->state = State::done;
    report->job = std::make_shared<const Job>(job);
    report->interactive.assign(measurement->results.size(), false);
    report->measurement = std::move(measurement);
    return report;
}

}  // namespace warpsieve::labs
