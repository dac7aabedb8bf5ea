#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "experiments/statistics.hpp"

namespace experiments {

/// How to time the phases. `subtraction` includes `stamps`.
enum class PhaseMethod { none, stamps, subtraction };

/// How long to measure. Times in seconds unless the name says otherwise.
struct Policy {
    double warm_up_s = 0.5;  ///< window over which the median must be steady
    double drift = 0.01;     ///< largest change of the median within the window, as a share of the median
    std::size_t min_samples = 10;  ///< per setting
    double min_time_s = 0.5;       ///< total time of the samples of a setting
    /// A setting is done when half the confidence interval of its median is at most this share of the median.
    /// More samples narrow it, unlike the spread of single samples.
    double noise = 0.005;
    double time_limit_s = 2;  ///< per setting, including checks; min_samples are taken regardless
    /// Minimum length of a sample: shorter calls are timed several in a row. An event costs up to 2 µs and
    /// has a resolution of half a microsecond, so 400 µs keep both below half a percent.
    double sample_us = 400;
    /// A sample counts as throttled if its clock is below this share of the highest known clock.
    double throttled_below = 0.75;
    PhaseMethod phases = PhaseMethod::none;
    std::size_t phase_samples = 21;  ///< for each figure of a phase

    /// The default policy, scaled down to a shorter time limit.
    static Policy within(double time_limit_s);
};

/// Decides when the warm-up is over: for each series of samples, the medians of the two halves of the window
/// differ by at most `drift`.
class WarmUp {
  public:
    WarmUp(const Policy& policy, std::size_t num_series);

    /// Adds a sample of one series, taken at `now_s`.
    void add(std::size_t series, double now_s, float call_us);

    /// Whether every series is steady, or the time limit is reached.
    bool done(double now_s) const;

  private:
    struct Timed {
        double taken_at_s;
        float call_us;
    };
    bool is_steady(std::span<const Timed> samples, double now_s) const;

    Policy policy_;
    double started_s_ = -1;  ///< time of the first sample; negative before it
    std::vector<std::vector<Timed>> samples_;
};

/// Whether a setting has enough samples. `spent_s`: time for its samples and checks.
bool enough(const Policy& policy, std::span<const float> samples_us, double sampled_s, double spent_s);

/// Estimated time until enough() is true: noise falls with the root of the number of samples. The rest of the
/// time limit if there are too few samples for an estimate.
double seconds_left(const Policy& policy, std::span<const float> samples_us, double sampled_s,
                    double spent_s);

}  // namespace experiments
