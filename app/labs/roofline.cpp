#include "app/labs/roofline.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "experiments/published/reproduction.hpp"

namespace warpsieve::labs {
namespace {

using compaction::Algorithm;
using compaction::Operation;
using experiments::Result;
using plots::AxisQuantity;
using plots::XyPoint;

/// The count step, which only reads: it measures the read speed.
const Algorithm* reading_step(compaction::EngineId engine) {
    const auto reads = [&](const Algorithm& step) {
        return step.engine == engine && step.operation == Operation::count;
    };
    const auto found = std::ranges::find_if(compaction::steps(), reads);
    return found == compaction::steps().end() ? nullptr : &*found;
}

double useful_bytes_of(const Result& result) {
    const experiments::StreamSpec& stream = result.setting.stream;
    return static_cast<double>(experiments::useful_bytes(
        result.setting.algorithm->operation, stream.num_items, result.num_kept, stream.item_size));
}

std::optional<double> moved_bytes_of(const Result& result) {
    const experiments::StreamSpec& stream = result.setting.stream;
    return compaction::moved_bytes(
        *result.setting.algorithm,
        {stream.num_items, result.num_kept, static_cast<std::uint64_t>(bytes_of(stream.item_size)),
         result.setting.options});
}

bool has_dot(const Result& result) {
    return result.setting.algorithm->operation == Operation::compaction && result.correct() &&
           result.us.n > 0 && result.us.median > 0;
}

/// The measured speeds in 10^9 bytes per second; 0 if unknown.
struct Speeds {
    double copy = 0;
    double read = 0;
};

Speeds speeds_of(const Report& report) {
    Speeds speeds;
    for (const experiments::CopyResult& copy : report.measurement->copies) {
        if (copy.us.n > 0) speeds.copy = std::max(speeds.copy, copy.gb_s);
    }
    for (const Result& result : report.measurement->results) {
        if (result.setting.algorithm->operation == Operation::count && result.correct() && result.us.n > 0)
            speeds.read = result.useful_gb_s;
    }
    return speeds;
}

XyPoint dot_of(const Result& result, const Speeds& speeds) {
    const double useful = useful_bytes_of(result);
    const auto gb_s = [&](double us) { return useful / us / 1e3; };
    XyPoint dot{.x = 1,
                .y = gb_s(result.us.median),
                .q1 = gb_s(result.us.q3),
                .q3 = gb_s(result.us.q1),
                .n = result.us.n,
                .note = published::caution_of(result)};
    if (const auto moved = moved_bytes_of(result)) {
        dot.x = useful / *moved;
    } else if (const double fastest = std::max(speeds.copy, speeds.read); fastest > 0) {
        dot.x_low = std::min(dot.y / fastest, 1.0);
        if (dot.note.empty()) dot.note = "bytes moved unknown";
    }
    return dot;
}

}  // namespace

Job roofline_job(const RunConfig& run, const LabSettings& labs, std::uint64_t slots,
                 std::span<const Algorithm> catalogue) {
    Job job = job_for("roofline", run, labs);
    const experiments::StreamSpec stream = stream_of(run, labs, slots);
    std::size_t algorithms = 0;
    for (const Algorithm& algorithm : catalogue) {
        if (algorithm.engine != run.engine) continue;
        ++algorithms;
        add(job, algorithm, {}, stream);
    }
    if (const Algorithm* step = reading_step(run.engine)) add(job, *step, {}, stream);
    job.title =
        std::to_string(algorithms) + " algorithms, a copy and a read, " + experiments::describe(stream);
    return job;
}

SweepPlot plot_roofline(const Report& report) {
    SweepPlot roofline;
    roofline.plot.x = {
        .title = "useful bytes over bytes moved", .quantity = AxisQuantity::share, .logarithmic = true};
    roofline.plot.x.shown.include(0.25);
    roofline.plot.x.shown.include(1);
    roofline.plot.y = {
        .title = "useful bytes per second, GB/s", .quantity = AxisQuantity::gb_s, .logarithmic = true};
    roofline.plot.lines = false;
    roofline.plot.empty_text = "Nothing is measured yet.";
    const Speeds speeds = speeds_of(report);
    const auto& results = report.measurement->results;
    for (std::size_t i = 0; i < results.size(); ++i) {
        if (!has_dot(results[i])) continue;
        XyPoint dot = dot_of(results[i], speeds);
        if (report.is_interactive(i)) dot.note = "interactive: the scene was running";
        roofline.plot.series.push_back(
            {results[i].setting.algorithm->id,
             line_style_of(SweepAxis::num_items, report.job->settings, results[i].setting),
             {dot}});
        roofline.settings.push_back({results[i].setting});
    }
    if (roofline.plot.series.empty()) return roofline;
    if (speeds.copy > 0)
        roofline.plot.limits.push_back({.name = "copy speed", .level = speeds.copy, .diagonal = true});
    if (speeds.read > 0)
        roofline.plot.limits.push_back({.name = "read speed", .level = speeds.read, .diagonal = true});
    return roofline;
}

}  // namespace warpsieve::labs
