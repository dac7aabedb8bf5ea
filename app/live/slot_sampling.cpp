#include "app/live/slot_sampling.hpp"

#include <algorithm>

namespace warpsieve {
namespace {

/// Time between samples for the same request.
constexpr auto sample_period = std::chrono::milliseconds(100);
/// Minimum time between samples, divided by the host time that the last sample took.
constexpr int min_period_over_duration = 16;
/// Host time per cell that a sample costs later: the pictures of the slots and of the output are copied,
/// painted and uploaded.
constexpr std::chrono::nanoseconds later_time_per_cell{8};

bool fits(const scene::SampleRequest& request, std::uint64_t num_slots) {
    const scene::SlotWindow& window = request.window;
    return window.cells() > 0 && window.cells() <= scene::max_cells && window.first_slot < num_slots &&
           window.slots_per_cell <= scene::max_slots_per_cell;
}

}  // namespace

bool SlotSampling::is_due(const scene::SampleRequest& request, std::uint64_t num_slots) const {
    if (!fits(request, num_slots)) return false;
    const Clock::duration period = request != last_request_ ? Clock::duration{} : sample_period;
    const Clock::duration duration = sample_duration_ + last_request_.window.cells() * later_time_per_cell;
    return Clock::now() - last_sample_ >= std::max(period, duration * min_period_over_duration);
}

bool SlotSampling::enqueue(const scene::SampleRequest& request, const scene::FrameBuffers& buffers,
                           const scene::SampledFrame& sampled) {
    const Clock::time_point start = Clock::now();
    if (!sampler_->enqueue(request, buffers, sampled)) return false;
    last_request_ = request;
    sample_duration_ = Clock::now() - start;
    last_sample_ = start;
    return true;
}

}  // namespace warpsieve
