#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "compaction/engine.hpp"
#include "experiments/stopping.hpp"
#include "experiments/stream_ring.hpp"

namespace experiments {

/// A call that is timed on one input, with its samples.
struct SampledCall {
    /// Enqueues one call.
    std::function<void(const CallBuffers& buffers, compaction::PhaseRecorder* recorder)> call;
    compaction::Comparison comparison;  ///< how its output is checked
    std::uint64_t num_items = 0;        ///< length of the input
    /// A copy for comparison: it is sampled until all calls that are not copies have enough samples.
    bool is_copy = false;

    std::uint64_t calls_per_sample = 1;  ///< found by warm_up()
    std::vector<float> samples_us;       ///< per call
    std::vector<double> clock_hz;        ///< the lower of the clocks before and after each sample
    double sampled_s = 0;                ///< total of the samples on the engine's clock
    double measuring_s = 0;              ///< host time spent on the samples
    double checking_s = 0;               ///< host time spent on checking outputs
    std::uint64_t calls_timed = 0;
    std::uint64_t calls_checked = 0;  ///< timed calls whose output was compared with the reference
    std::string first_error;          ///< of a checked output; empty if all were correct
    bool has_enough = false;          ///< whether enough() of stopping.hpp has returned true

    double spent_s() const { return measuring_s + checking_s; }
    void forget_samples();
};

/// The mean times of consecutive calls, from a recorder.
struct StampedSample {
    compaction::RunTiming mean;
    float between_us = 0;  ///< microseconds per call that are in no phase
};

/// Samples several calls on the same input in turn, A B C A B C ..., so that a drifting clock affects all
/// alike.
class InterleavedSampling {
  public:
    /// Allocates everything that timing and checking need. All references must outlive this object.
    InterleavedSampling(compaction::Engine& engine, StreamRing& ring, const StreamSpec& stream,
                        std::vector<SampledCall>& calls, const Policy& policy,
                        const std::function<double()>& now_s, const std::atomic<bool>* cancel);

    /// Runs until the times are steady, and finds how many calls make a sample. Calls `each_sample` after
    /// every sample. Checks outputs. False if cancelled.
    bool warm_up(const std::function<void()>& each_sample);

    /// Takes samples until every call has enough. False if cancelled.
    bool run(const std::function<void()>& each_sample);

    /// Whether a call needs no more samples: it has enough, or its output is wrong.
    static bool done(const SampledCall& sampled);
    /// Estimated time for the missing samples, without those of copies.
    double seconds_left() const;

    /// The maximum number of calls in a StampedSample.
    static constexpr std::size_t max_stamped_calls = 64;

    /// Times up to max_stamped_calls calls in a row with `recorder`, which has room for as many. Checks the
    /// output of the last one. Returns nullopt if the recorder does not see exactly `num_phases` phases.
    std::optional<StampedSample> take_stamped_sample(SampledCall& sampled,
                                                     compaction::PhaseRecorder& recorder,
                                                     std::size_t num_phases);

    /// Records the calls of a sample: one replay per phase, which runs the calls from their start to the end
    /// of that phase. So the last one runs whole calls. Empty if they cannot be recorded. See
    /// Engine::record_phases.
    std::vector<std::unique_ptr<compaction::Replay>> record_phases(SampledCall& sampled);

    /// Times the calls of `replay`, which record_phases() made. Returns microseconds per call.
    float take_replay_sample(SampledCall& sampled, compaction::Replay& replay);

    /// Checks the last output of `replay`: the last replay of record_phases(), because only that runs whole
    /// calls.
    void check_replay(SampledCall& sampled, compaction::Replay& replay);

    bool cancelled() const { return cancel_ && cancel_->load(); }

    /// The highest clock known: the device's maximum, or the highest one measured.
    double highest_clock_hz() const { return highest_clock_hz_; }

  private:
    compaction::Verifier& verifier_for(compaction::Comparison comparison);
    /// Takes one sample. Returns microseconds per call.
    float take_sample(SampledCall& sampled);
    /// Times the work that `enqueue` enqueues, and waits for it. Returns microseconds.
    float time_span(const std::function<void()>& enqueue);
    void sample_with_clock(SampledCall& sampled);
    /// Checks the outputs of a sample whose first call used the buffers `first` of the ring.
    void check_outputs(SampledCall& sampled, std::size_t first, std::size_t calls);
    /// Checks the output in the buffers `index` of the ring.
    void check(SampledCall& sampled, std::size_t index);

    compaction::Engine& engine_;
    StreamRing& ring_;
    StreamSpec stream_;
    std::vector<SampledCall>& sampled_;
    Policy policy_;
    std::function<double()> now_s_;
    const std::atomic<bool>* cancel_;
    std::unique_ptr<compaction::SpanTimer> timer_;
    std::map<compaction::Comparison, std::unique_ptr<compaction::Verifier>> verifiers_;
    std::vector<compaction::SpanTiming> spans_;
    std::vector<compaction::RunTiming> runs_;
    double highest_clock_hz_ = 0;
    double last_clock_hz_ = 0;
};

}  // namespace experiments
