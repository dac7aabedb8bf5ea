#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "experiments/statistics.hpp"

namespace experiments {

/// How long to measure. Times in seconds unless named otherwise.
struct Policy {
    double warm_up_s = 0.5;        ///< the window over which the median must stand still
    double drift = 0.01;           ///< by how much, at the most, of itself
    std::size_t min_samples = 10;  ///< of a setting
    double min_time_s = 0.5;       ///< that the samples of a setting take together
    /// Half the confidence interval of the median, over the median, at which a setting is done. More samples
    /// narrow it, where the spread of single samples would stay what it is.
    double noise = 0.005;
    double time_limit_s = 2;  ///< for a setting, its checks included; min_samples are taken even so
    /// What a sample takes at the least: shorter calls are timed several in a row. An event costs up to 2 us
    /// and counts in half microseconds, so 400 us keep both under half a percent.
    double sample_us = 400;
    double throttled_below = 0.75;  ///< of the highest clock known
    bool phases = false;            ///< also time the phases, by events and by subtraction
    std::size_t phase_runs = 15;    ///< runs for each figure of a phase

    /// The same, with everything in it scaled to a time limit that is shorter than the default.
    static Policy within(double time_limit_s);
};

/// Tells when what is measured in turn has settled: for each series, the median of the later half of the
/// window lies within `drift` of that of the earlier half.
class WarmUp {
  public:
    WarmUp(const Policy& policy, std::size_t num_series);

    /// Takes in a sample of one series, and when it was taken.
    void add(std::size_t series, double now_s, float call_us);

    /// Whether every series has settled, or the time limit has been reached.
    bool done(double now_s) const;

  private:
    struct Timed {
        double at_s;
        float call_us;
    };
    bool settled(std::span<const Timed> samples, double now_s) const;

    Policy policy_;
    double started_s_ = -1;
    std::vector<std::vector<Timed>> samples_;
};

/// Whether the samples of a setting suffice. `spent_s`: on its samples and checks together.
bool enough(const Policy& policy, std::span<const float> call_us, double sampled_s, double spent_s);

/// An estimate of what a setting goes on to take until `enough` says so: noise falls with the root of the
/// number of samples. The time limit where there are too few samples to tell.
double seconds_left(const Policy& policy, std::span<const float> call_us, double sampled_s, double spent_s);

}  // namespace experiments
