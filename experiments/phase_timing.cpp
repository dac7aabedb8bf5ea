#include "experiments/phase_timing.hpp"

#include <cmath>
#include <cstddef>
#include <optional>

namespace experiments {
namespace {

using compaction::Replay;

std::string why_not_recorded(const compaction::Engine& engine, const compaction::Algorithm& algorithm) {
    if (engine.id() == compaction::EngineId::cpu) return "the CPU engine cannot end a call after a phase";
    if (algorithm.synchronises)
        return "its calls wait for the device, and CUDA cannot capture such calls in a graph";
    if (algorithm.launches_on_device) return "its graph could end before the kernels that its kernels launch";
    return "its calls cannot be recorded";
}

/// The samples of one setting: one value for each turn of PhaseTiming::run.
class Samples {
  public:
    explicit Samples(std::size_t num_phases)
        : by_stamps_(num_phases), hidden_(num_phases), gap_(num_phases), by_subtraction_(num_phases) {}

    void add_stamped(const StampedSample& sample) {
        for (std::size_t phase = 0; phase < by_stamps_.size(); ++phase) {
            by_stamps_[phase].push_back(sample.mean.phase_us[phase]);
            hidden_[phase].push_back(sample.mean.hidden_us[phase]);
            if (sample.mean.gaps_known) gap_[phase].push_back(sample.mean.gap_us[phase]);
        }
        between_.push_back(sample.between_us);
    }

    /// truncated_call_us: per phase, the time of a call that ends after that phase.
    void add_truncated(const std::vector<float>& truncated_call_us) {
        float before_us = 0;
        for (std::size_t phase = 0; phase < by_subtraction_.size(); ++phase) {
            by_subtraction_[phase].push_back(truncated_call_us[phase] - before_us);
            before_us = truncated_call_us[phase];
        }
    }

    void fill(const compaction::Algorithm& algorithm, Result& result) const {
        for (std::size_t phase = 0; phase < by_stamps_.size(); ++phase) {
            result.phases.push_back({.name = algorithm.phases[phase].name,
                                     .role = algorithm.phases[phase].role,
                                     .by_stamps_us = summarise(by_stamps_[phase]),
                                     .by_stamps_interval_us = median_interval(by_stamps_[phase]),
                                     .by_subtraction_us = summarise(by_subtraction_[phase]),
                                     .by_subtraction_interval_us = median_interval(by_subtraction_[phase]),
                                     .hidden_us = summarise(hidden_[phase]).median,
                                     .gap_us = median_of(gap_[phase])});
        }
        result.between_us = summarise(between_);
        result.between_interval_us = median_interval(between_);
    }

  private:
    using PerPhase = std::vector<std::vector<float>>;

    static std::optional<double> median_of(const std::vector<float>& samples) {
        if (samples.empty()) return std::nullopt;
        return summarise(samples).median;
    }

    PerPhase by_stamps_;
    PerPhase hidden_;  ///< see RunTiming::hidden_us
    PerPhase gap_;     ///< see RunTiming::gap_us
    PerPhase by_subtraction_;
    std::vector<float> between_;
};

}  // namespace

void PhaseTiming::run(SampledCall& sampled, Result& result) {
    const compaction::Algorithm& algorithm = *result.setting.algorithm;
    const std::size_t num_phases = algorithm.phases.size();
    std::vector<std::unique_ptr<Replay>> replays;
    if (policy_.phases == PhaseMethod::subtraction) {
        if (!algorithm.synchronises) replays = sampling_.record_phases(sampled);
        if (replays.size() != num_phases) {
            replays.clear();
            result.no_subtraction_reason = why_not_recorded(engine_, algorithm);
        }
    }
    Samples samples(num_phases);
    for (std::size_t turn = 0; turn < policy_.phase_samples && !sampling_.cancelled(); ++turn) {
        std::vector<float> truncated_call_us;
        for (const auto& replay : replays)
            truncated_call_us.push_back(sampling_.take_replay_sample(sampled, *replay));
        if (!replays.empty()) samples.add_truncated(truncated_call_us);
        if (const auto stamped = sampling_.take_stamped_sample(sampled, *recorder_, num_phases))
            samples.add_stamped(*stamped);
    }
    if (!replays.empty()) sampling_.check_replay(sampled, *replays.back());
    samples.fill(algorithm, result);
}

std::vector<PhaseDifference> phase_differences(const Result& result) {
    std::vector<PhaseDifference> differences;
    for (const PhaseResult& phase : result.phases) {
        if (phase.by_stamps_us.n == 0 || phase.by_subtraction_us.n == 0 || result.us.median <= 0) continue;
        const bool is_first = &phase == &result.phases.front();
        const double by_stamps_us = phase.by_stamps_us.median + (is_first ? result.between_us.median : 0);
        const double by_subtraction_us = phase.by_subtraction_us.median;
        const double share = std::abs(by_stamps_us - by_subtraction_us) / result.us.median;
        if (share > max_unreported_difference)
            differences.push_back({phase.name, by_stamps_us, by_subtraction_us, share});
    }
    return differences;
}

}  // namespace experiments
