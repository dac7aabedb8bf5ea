#include "experiments/stopping.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace experiments {
namespace {

/// The medians of the halves of the window are compared only if each half has this many samples.
constexpr std::size_t min_samples_per_half = 3;

}  // namespace

Policy Policy::within(double time_limit_s) {
    Policy policy;
    policy.time_limit_s = time_limit_s;
    const double scale = std::min(1.0, time_limit_s / Policy{}.time_limit_s);
    policy.warm_up_s *= scale;
    policy.min_time_s *= scale;
    return policy;
}

WarmUp::WarmUp(const Policy& policy, std::size_t num_series) : policy_(policy), samples_(num_series) {}

void WarmUp::add(std::size_t series, double now_s, float call_us) {
    if (started_s_ < 0) started_s_ = now_s;
    samples_[series].push_back({now_s, call_us});
}

bool WarmUp::is_steady(std::span<const Timed> samples, double now_s) const {
    std::vector<float> earlier;
    std::vector<float> later;
    for (const Timed& sample : samples) {
        const double age_s = now_s - sample.taken_at_s;
        if (age_s > policy_.warm_up_s) continue;
        (age_s > policy_.warm_up_s / 2 ? earlier : later).push_back(sample.call_us);
    }
    if (std::min(earlier.size(), later.size()) < min_samples_per_half) return false;
    const double before = summarise(earlier).median;
    return std::abs(summarise(later).median - before) <= policy_.drift * before;
}

bool WarmUp::done(double now_s) const {
    if (started_s_ < 0) return false;
    if (now_s - started_s_ >= policy_.time_limit_s) return true;
    if (now_s - started_s_ < policy_.warm_up_s) return false;
    return std::ranges::all_of(samples_, [&](const auto& samples) { return is_steady(samples, now_s); });
}

bool enough(const Policy& policy, std::span<const float> samples_us, double sampled_s, double spent_s) {
    if (samples_us.size() < policy.min_samples) return false;
    if (spent_s >= policy.time_limit_s) return true;
    if (sampled_s < policy.min_time_s) return false;
    // Finding the interval takes time, and one more sample hardly changes that of many: check it after every
    // few samples only.
    const std::size_t samples_per_check = std::bit_floor(std::max<std::size_t>(1, samples_us.size() / 32));
    if (samples_us.size() % samples_per_check != 0) return false;
    const Interval interval = median_interval(samples_us);
    const double median = summarise(samples_us).median;
    return interval.trusted() && interval.high - interval.low <= 2 * policy.noise * median;
}

double seconds_left(const Policy& policy, std::span<const float> samples_us, double sampled_s,
                    double spent_s) {
    const double limit_s = std::max(policy.time_limit_s - spent_s, 0.0);
    const Interval interval = median_interval(samples_us);
    const double wanted_width = 2 * policy.noise * summarise(samples_us).median;
    if (!interval.trusted() || !(wanted_width > 0) || !(sampled_s > 0)) return limit_s;
    const double width_ratio = (interval.high - interval.low) / wanted_width;
    // The time needed in all, as a multiple of the time so far.
    const double needed_ratio = std::max(width_ratio * width_ratio, policy.min_time_s / sampled_s);
    return std::clamp(spent_s * (needed_ratio - 1), 0.0, limit_s);
}

}  // namespace experiments
