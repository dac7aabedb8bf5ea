#pragma once

#include <string>
#include <vector>

#include "experiments/interleaved_sampling.hpp"
#include "experiments/measure.hpp"

namespace experiments {

/// Times the phases of one setting at a time, by stamps and, if the policy says so, by subtraction.
///
/// By stamps: a sample is the mean over up to max_stamped_calls calls of what the engine's recorder reports.
/// The time between calls is the total of the sample minus its phases.
///
/// By subtraction, the method of the series Parallel Stream Compaction: calls that end after the first
/// phase, after the second, and so on are sampled in turn, each `calls_per_sample` times in a row, with a
/// sample by stamps in the same turn. A phase is the median of the differences between neighbouring samples
/// of a turn; its interval is that of these paired differences (see median_interval), so that a clock that
/// drifts from turn to turn cancels out. The first phase includes the time between calls.
class PhaseTiming {
  public:
    /// References must outlive this object. Allocates the recorder.
    PhaseTiming(compaction::Engine& engine, InterleavedSampling& sampling, const Policy& policy)
        : engine_(engine),
          sampling_(sampling),
          policy_(policy),
          recorder_(engine.make_recorder(InterleavedSampling::max_stamped_calls)) {}

    /// Fills in the phases of `result`, the result of `sampled`. Checks outputs. If cancelled, keeps the
    /// samples taken so far.
    void run(SampledCall& sampled, Result& result);

  private:
    compaction::Engine& engine_;
    InterleavedSampling& sampling_;
    const Policy& policy_;
    std::unique_ptr<compaction::PhaseRecorder> recorder_;
};

/// A phase whose two times do not agree. For the first phase, both include the time between calls.
struct PhaseDifference {
    std::string phase;
    double by_stamps_us = 0;
    double by_subtraction_us = 0;
    double share = 0;  ///< absolute difference as a share of the call
};

/// Differences up to this share of a call are not reported.
inline constexpr double max_unreported_difference = 0.05;

/// The phases that differ by more than max_unreported_difference of the call. Empty unless both were
/// measured.
std::vector<PhaseDifference> phase_differences(const Result& result);

}  // namespace experiments
