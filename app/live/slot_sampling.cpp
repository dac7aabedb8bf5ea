#include "app/live/slot_sampling.hpp"

#include <algorithm>

namespace warpsieve {
namespace {

/// Time between samples for the same request.
constexpr auto sample_period = std::chrono::milliseconds(100);
/// Minimum time between samples, in multiples of the host time that the last sample took.
constexpr int min_sample_period_in_samples = 16;

bool is_legal(const scene::SampleRequest& request, std::uint64_t slots) {
    const scene::SlotWindow& window = request.window;
    return window.cells() > 0 && window.cells() <= scene::max_cells && window.first_slot < slots &&
           window.slots_per_cell <= scene::max_slots_per_cell && request.marks.size() <= scene::max_marks &&
           std::ranges::all_of(request.marks, [&](std::uint64_t mark) { return mark <= slots; });
}

}  // namespace

bool SlotSampling::step(const scene::SampleRequest& request, const compaction::Partition& partition,
                        const scene::FrameBuffers& stream, const scene::SampleOrigin& origin, bool at_once) {
    if (request.partition != partition || !is_legal(request, origin.slots)) return false;
    const Clock::time_point start = Clock::now();
    const bool is_new_request = request != last_request_;
    if (!at_once &&
        start - last_sample_ < std::max<Clock::duration>(is_new_request ? Clock::duration{} : sample_period,
                                                         sample_duration_ * min_sample_period_in_samples)) {
        return false;
    }
    if (!sampler_->enqueue(request, stream, origin)) return false;
    if (is_new_request) last_request_ = request;
    sample_duration_ = Clock::now() - start;
    last_sample_ = start;
    return true;
}

}  // namespace warpsieve
