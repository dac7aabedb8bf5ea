#include "app/live/slot_sampling.hpp"

#include <algorithm>

namespace warpsieve {
namespace {

constexpr auto sample_period = std::chrono::milliseconds(100);
/// Minimum time between samples, in durations of a sample on the host.
constexpr int min_sample_period_per_cost = 16;

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
    const bool other = request != last_;
    if (!at_once && start - sampled_ < std::max<Clock::duration>(other ? Clock::duration{} : sample_period,
                                                                 cost_ * min_sample_period_per_cost)) {
        return false;
    }
    if (!sampler_->enqueue(request, stream, origin)) return false;
    if (other) last_ = request;
    cost_ = Clock::now() - start;
    sampled_ = start;
    return true;
}

}  // namespace warpsieve
