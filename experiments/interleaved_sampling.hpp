#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "compaction/engine.hpp"
#include "experiments/stopping.hpp"
#include "experiments/stream_ring.hpp"

namespace experiments {

/// Something to be timed on a stream, and what has been measured of it.
struct SampledCall {
    /// Enqueues one call.
    std::function<void(const Slot& slot, compaction::PhaseRecorder* recorder)> call;
    compaction::Comparison comparison;
    std::uint64_t num_items = 0;  ///< of the stream that a call takes
    bool is_reference = false;    ///< a copy: goes on for as long as another is not done

    std::uint64_t calls_per_sample = 1;
    std::vector<float> call_us;    ///< the samples: microseconds a call
    std::vector<double> clock_hz;  ///< the lower of the clocks before and after each sample
    double sampled_s = 0;          ///< what the samples took on the engine's clock
    double measuring_s = 0;        ///< host time of taking them
    double checking_s = 0;         ///< host time of checking their outputs
    std::uint64_t calls_timed = 0;
    std::uint64_t calls_checked = 0;
    std::string wrong;

    double spent_s() const { return measuring_s + checking_s; }
    void forget_samples();
};

/// Measures calls on one stream in turn: A B C A B C ..., so that a drifting clock touches all alike.
class InterleavedSampling {
  public:
    /// Allocates what timing and checking need. All references must outlive it.
    InterleavedSampling(compaction::Engine& engine, StreamRing& ring, const StreamSpec& stream,
                        std::vector<SampledCall>& calls, const Policy& policy,
                        const std::function<double()>& now_s, const std::atomic<bool>* cancel);

    /// Runs until times stand still; finds how many calls a sample of each takes. `each_sample` hears the end
    /// of every sample. Outputs are checked here too. False where cancelled.
    bool warm_up(const std::function<void()>& each_sample);

    /// Takes samples until every sampled has enough. False where cancelled.
    bool run(const std::function<void()>& each_sample);

    /// Whether it needs no more samples: it has enough, or is wrong.
    bool done(const SampledCall& sampled) const;
    /// How long the samples still take that the calls need, by estimate; those of copies left out.
    double seconds_left() const;

    /// Times one call with `recorder` marking its boundaries, and checks its output. Returns what the
    /// recorder said, or a timing without phases where it said nothing.
    compaction::RunTiming time_call(SampledCall& sampled, compaction::PhaseRecorder& recorder);

    /// The highest clock known: of the device, or measured since the sampling began.
    double highest_clock_hz() const { return highest_clock_hz_; }

  private:
    bool cancelled() const { return cancel_ && cancel_->load(); }
    compaction::Verifier& verifier_for(compaction::Comparison comparison);
    /// One sample: microseconds a call.
    float take_sample(SampledCall& sampled);
    void sample_with_clock(SampledCall& sampled);
    void check_outputs(SampledCall& sampled, std::size_t first_slot, std::size_t calls);
    void check(SampledCall& sampled, std::size_t slot);

    compaction::Engine& engine_;
    StreamRing& ring_;
    StreamSpec stream_;
    std::vector<SampledCall>& sampled_;
    Policy policy_;
    std::function<double()> now_s_;
    const std::atomic<bool>* cancel_;
    std::unique_ptr<compaction::PhaseRecorder> recorder_;
    std::map<compaction::Comparison, std::unique_ptr<compaction::Verifier>> verifiers_;
    std::vector<compaction::RunTiming> finished_;
    double highest_clock_hz_ = 0;
    double last_clock_hz_ = 0;
};

}  // namespace experiments
