#pragma once

#include <chrono>
#include <memory>

#include "app/scene/slot_sample.hpp"

namespace warpsieve {

/// Samples slots for the slot map while it is shown: every tenth of a second or after a change of the
/// request, using at most a sixteenth of the host's time.
class SlotSampling {
  public:
    explicit SlotSampling(std::unique_ptr<scene::SlotSampler> sampler) : sampler_(std::move(sampler)) {}

    /// Whether to sample this frame. False for a request that does not fit a stream of `num_slots`.
    bool is_due(const scene::SampleRequest& request, std::uint64_t num_slots) const;

    /// Enqueues a sample of this frame. Call after its compaction. Returns false if that is impossible now.
    bool enqueue(const scene::SampleRequest& request, const scene::FrameBuffers& buffers,
                 const scene::SampledFrame& sampled);

    /// Adds to the host's time of the newest sample.
    void add_cost(std::chrono::steady_clock::duration time) { sample_duration_ += time; }

    /// The newest sample; null before the first.
    std::shared_ptr<const scene::SlotSample> sample() { return sampler_->poll(); }

  private:
    using Clock = std::chrono::steady_clock;

    std::unique_ptr<scene::SlotSampler> sampler_;
    scene::SampleRequest last_request_;  ///< request of the last sample
    Clock::time_point last_sample_;      ///< when the last sample was enqueued
    Clock::duration sample_duration_{};  ///< host time that it took
};

}  // namespace warpsieve
