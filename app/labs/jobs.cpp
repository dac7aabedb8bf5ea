#include "app/labs/jobs.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "compaction/error.hpp"

namespace warpsieve::labs {
namespace {

experiments::Policy policy_of(double time_limit_s, double noise) {
    experiments::Policy policy = experiments::Policy::within(time_limit_s);
    policy.noise = noise;
    return policy;
}

const std::array all_qualities{
    QualityInfo{
        Quality::quick, "quick",
        "At most a fifth of a second for each setting, until the median is known to 2 %. Good for looking "
        "around; differences under 5 % often stay ambiguous.",
        policy_of(0.2, 0.02)},
    QualityInfo{
        Quality::normal, "normal",
        "At most a second for each setting, until the median is known to 1 %. Good for choosing between "
        "two that are near each other.",
        policy_of(1, 0.01)},
    QualityInfo{Quality::careful, "careful",
                "At most two seconds for each setting, until the median is known to half a percent: what "
                "`warpsieve bench` does unless told otherwise, and what figures to publish need.",
                experiments::Policy{}},
};

}  // namespace

std::span<const QualityInfo> qualities() {
    return all_qualities;
}

const QualityInfo& info_of(Quality quality) {
    return *std::ranges::find(all_qualities, quality, &QualityInfo::quality);
}

experiments::StreamSpec stream_of(const Settings& settings, std::uint64_t slots) {
    return {.num_items = slots,
            .pattern = settings.labs.pattern,
            // As it was set, to the digit: 0.3 is no float.
            .density = std::round(static_cast<double>(settings.run.density) * 1e6) / 1e6,
            .item_size = settings.labs.item_size,
            .cache = settings.labs.cache,
            .seed = settings.run.seed};
}

double seconds_at_most(const Job& job) {
    std::size_t streams = 0;
    const experiments::StreamSpec* last = nullptr;
    for (const experiments::Setting& setting : job.settings) {
        if (!last || !(*last == setting.stream)) ++streams;
        last = &setting.stream;
    }
    return job.policy.time_limit_s * static_cast<double>(job.settings.size() + streams);
}

Job job_for(std::string_view lab, const Settings& settings) {
    return {.lab = std::string(lab),
            .engine = settings.run.engine,
            .policy = info_of(settings.labs.quality).policy};
}

void add(Job& job, const compaction::Algorithm& algorithm, const compaction::Options& options,
         const experiments::StreamSpec& stream) {
    try {
        validate(algorithm, options, stream.item_size);
    } catch (const compaction::Error& error) {
        job.left_out.push_back({&algorithm, error.what()});
        return;
    }
    if (stream.num_items > algorithm.max_items) {
        job.left_out.push_back({&algorithm, algorithm.name + " takes up to " +
                                                std::to_string(algorithm.max_items) +
                                                " items; choose fewer slots."});
        return;
    }
    job.settings.push_back({&algorithm, options, stream});
}

bool same_work(const Job& a, const Job& b) {
    return a.lab == b.lab && a.engine == b.engine && a.settings == b.settings &&
           a.policy.time_limit_s == b.policy.time_limit_s && a.policy.noise == b.policy.noise;
}

}  // namespace warpsieve::labs
