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

    /// Call once per frame, after the compaction. Ignores a request for another length or partition than the
    /// current ones. `at_once`: samples even if the period has not passed. Returns whether a sample was
    /// enqueued.
    bool step(const scene::SampleRequest& request, const compaction::Partition& partition,
              const scene::FrameBuffers& stream, const scene::SampleOrigin& origin, bool at_once = false);

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
