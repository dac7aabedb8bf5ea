#include "app/labs/sweep.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <thread>

#include "app/format/figures.hpp"
#include "app/labs/sweep_lines.hpp"
#include "experiments/format/counts.hpp"

namespace warpsieve::labs {
namespace {

using compaction::Algorithm;
using compaction::EngineId;
using compaction::Option;
using experiments::Setting;
using experiments::StreamSpec;

std::vector<double> powers_of_two(double first, double last) {
    std::vector<double> values;
    for (double value = first; value <= last; value *= 2) values.push_back(value);
    return values;
}

std::vector<double> option_values(const Algorithm& algorithm, Option option) {
    const compaction::LegalRange* range = algorithm.range_of(option);
    if (!range) return {};
    std::vector<double> wanted;
    if (option == Option::vector_width ||
        (option == Option::threads_per_block && algorithm.engine != EngineId::cpu)) {
        for (const std::uint32_t value : range->values(16)) wanted.push_back(value);
        return wanted;
    }
    // More workers than hardware threads only wait for each other.
    const double most = option == Option::threads_per_block
                            ? 2.0 * std::max(1U, std::thread::hardware_concurrency())
                            : 65'536.0;
    for (const double value : powers_of_two(1, most)) {
        if (range->contains(static_cast<std::uint32_t>(value))) wanted.push_back(value);
    }
    return wanted;
}

/// The longest stream of a sweep. A GPU can hold several copies of it; a CPU is done in a moment.
double longest_items(EngineId engine) {
    return std::exp2(engine == EngineId::cuda ? 28 : 24);
}

Setting setting_at(SweepAxis axis, double value, const SweepLine& line, const StreamSpec& stream) {
    Setting setting{line.algorithm, line.options, stream};
    const SweepAxisInfo& info = info_of(axis);
    if (info.option) {
        setting.options[*info.option] = static_cast<std::uint32_t>(value);
    } else if (axis == SweepAxis::density) {
        setting.stream.pattern = workloads::info_of(stream.pattern).uses_keep_fraction
                                     ? stream.pattern
                                     : workloads::Pattern::random;
        setting.stream.density = value;
    } else if (axis == SweepAxis::item_size) {
        setting.stream.item_size = static_cast<compaction::ItemSize>(static_cast<std::uint32_t>(value));
    } else {
        setting.stream.num_items = static_cast<std::uint64_t>(value);
    }
    return setting;
}

}  // namespace

std::string_view name_of(SweepAxis axis, EngineId engine) {
    const SweepAxisInfo& info = info_of(axis);
    return info.option ? label_of(*info.option, engine) : info.name;
}

std::vector<double> sweep_values(SweepAxis axis, const Algorithm& algorithm) {
    std::vector<double> values;
    switch (axis) {
        case SweepAxis::num_items:
            return powers_of_two(1024, longest_items(algorithm.engine));
        case SweepAxis::multiples:
            for (int i = 1; i <= 32; ++i) values.push_back(65'536.0 * i);
            return values;
        case SweepAxis::density:
            for (int i = 0; i <= 10; ++i) values.push_back(i / 10.0);
            return values;
        case SweepAxis::item_size:
            for (const compaction::ItemSize size : compaction::all_item_sizes) {
                values.push_back(static_cast<double>(bytes_of(size)));
            }
            return values;
        default:
            return option_values(algorithm, *info_of(axis).option);
    }
}

void add_sweep(Job& job, SweepAxis axis, std::span<const SweepLine> lines, const StreamSpec& stream) {
    job.axis = info_of(axis).id;
    std::vector<std::vector<double>> own;  // values of each line
    std::set<double> all;
    for (const SweepLine& line : lines) {
        own.push_back(sweep_values(axis, *line.algorithm));
        all.insert(own.back().begin(), own.back().end());
        if (own.back().empty()) {
            job.left_out.push_back({line.algorithm, line.algorithm->name + " has no option " +
                                                        std::string(name_of(axis, job.engine)) + "."});
        }
    }
    for (const double value : all) {
        for (std::size_t i = 0; i < lines.size(); ++i) {
            if (std::ranges::count(own[i], value) == 0) continue;
            const Setting setting = setting_at(axis, value, lines[i], stream);
            add(job, *setting.algorithm, setting.options, setting.stream);
        }
    }
}

Job sweep_job(const RunConfig& run, const LabSettings& labs, std::uint64_t slots,
              std::span<const Algorithm> catalogue) {
    const SweepSettings& sweep = labs.sweep;
    Job job = job_for("sweep", run, labs);
    std::vector<SweepLine> lines;
    for (const Algorithm& algorithm : catalogue) {
        const bool chosen = std::ranges::count(sweep.algorithms, algorithm.id) > 0;
        if (chosen && algorithm.engine == run.engine) lines.push_back({&algorithm});
    }
    const StreamSpec stream = stream_of(run, labs, slots);
    add_sweep(job, sweep.axis, lines, stream);
    job.title = std::to_string(lines.size()) + (lines.size() == 1 ? " algorithm" : " algorithms") + " over " +
                std::string(name_of(sweep.axis, run.engine)) + "; " + what_stays(sweep.axis, stream);
    return job;
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
        if (!result.correct()) remarks.wrong.push_back(describe(result.setting) + ": " + result.wrong);
    }
    return remarks;
}

std::string load_into_window(RunConfig& run, const Setting& setting) {
    const Algorithm& algorithm = *setting.algorithm;
    if (algorithm.operation != compaction::Operation::compaction) {
        return algorithm.name + " is a step of a compaction. The live view shows only compactions.";
    }
    if (setting.stream.num_items < min_slots || setting.stream.num_items > max_slots(algorithm.engine)) {
        return format::with_powers(
            "The live view takes " + experiments::format::count_text(min_slots) + " to " +
            experiments::format::count_text(max_slots(algorithm.engine)) +
            " slots; this stream has n = " + experiments::format::count_text(setting.stream.num_items) + ".");
    }
    run.engine = algorithm.engine;
    run.a.algorithm = algorithm.id;
    run.a.options = setting.options;
    run.slots = setting.stream.num_items;
    run.density = static_cast<float>(setting.stream.density);
    return {};
}

}  // namespace warpsieve::labs
