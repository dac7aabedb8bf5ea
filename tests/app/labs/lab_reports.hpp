#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "app/labs/jobs.hpp"
#include "app/settings/settings.hpp"
#include "experiments/statistics.hpp"

/// Fake reports for the tests of the lab models.
namespace warpsieve {

inline constexpr std::uint64_t slots = std::uint64_t{1} << 16;

inline Settings cpu_settings() {
    Settings settings;
    settings.run.engine = compaction::EngineId::cpu;
    return settings;
}

inline experiments::Result result_of(const experiments::Setting& setting, float us) {
    experiments::Result result;
    result.setting = setting;
    result.num_kept = setting.stream.num_items / 2;
    result.settled = true;
    result.samples_us = {us * 0.98F, us * 0.99F, us, us * 1.01F, us * 1.02F};
    result.us = experiments::summarise(result.samples_us);
    result.share_of_copy = 0.5;
    result.useful_gb_s =
        static_cast<double>(experiments::useful_bytes(setting.algorithm->operation, setting.stream.num_items,
                                                      result.num_kept, setting.stream.item_size)) /
        result.us.median / 1e3;
    return result;
}

/// A report of the job in which a call takes a nanosecond per item, and a copy half of that.
inline labs::Report report_of(labs::Job job) {
    auto measurement = std::make_shared<experiments::Measurement>();
    for (const experiments::Setting& setting : job.settings) {
        const float us = static_cast<float>(setting.stream.num_items) * 1e-3F;
        measurement->results.push_back(result_of(setting, us));
        const bool is_new = std::ranges::find(measurement->copies, setting.stream,
                                              &experiments::CopyResult::stream) == measurement->copies.end();
        if (!is_new) continue;
        experiments::CopyResult copy;
        copy.stream = setting.stream;
        const std::vector<float> times(5, us / 2);
        copy.us = experiments::summarise(times);
        copy.gb_s = 16;
        measurement->copies.push_back(copy);
    }
    labs::Report report;
    report.job = std::make_shared<const labs::Job>(std::move(job));
    report.state = labs::State::done;
    report.machine.engine = "cpu";
    report.interactive.assign(measurement->results.size(), false);
    report.measurement = measurement;
    return report;
}

}  // namespace warpsieve
