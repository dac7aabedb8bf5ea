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
    QualityInfo{Quality::quick, "quick",
                "At most 0.2 s per setting, until the median is known to 2 %. Good for exploring. "
                "Differences below 5 % "
                "are often ambiguous.",
                policy_of(0.2, 0.02)},
    QualityInfo{Quality::normal, "normal",
                "At most 1 s per setting, until the median is known to 1 %. Good for choosing between two "
                "algorithms of "
                "similar speed.",
                policy_of(1, 0.01)},
    QualityInfo{
        Quality::careful, "careful",
        "At most 2 s per setting, until the median is known to 0.5 %: the default of `warpsieve bench`. "
        "Use it for figures that you publish.",
        experiments::Policy{}},
};

}  // namespace

std::span<const QualityInfo> qualities() {
    return all_qualities;
}

const QualityInfo& info_of(Quality quality) {
    return *std::ranges::find(all_qualities, quality, &QualityInfo::quality);
}

experiments::StreamSpec stream_of(const RunConfig& run, const LabSettings& labs, std::uint64_t slots) {
    return {.num_items = slots,
            .pattern = labs.pattern,
            // Undo the rounding to float: 0.3 is not a float.
            .density = std::round(static_cast<double>(run.density) * 1e6) / 1e6,
            .item_size = labs.item_size,
            .cache = labs.cache,
            .seed = run.seed};
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

Job job_for(std::string_view lab, const RunConfig& run, const LabSettings& labs) {
    return {.lab = std::string(lab), .engine = run.engine, .policy = info_of(labs.quality).policy};
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
