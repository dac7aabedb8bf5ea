#include "app/live/slot_sampling.hpp"

#include <algorithm>

namespace warpsieve {
namespace {

constexpr auto period = std::chrono::milliseconds(100);
constexpr int most_share = 16;

bool is_legal(const scene::SampleRequest& request, std::uint64_t slots) {
    const scene::SlotWindow& window = request.window;
    return window.cells() > 0 && window.cells() <= scene::most_cells && window.first_slot < slots &&
           window.slots_per_cell <= scene::most_slots_per_cell && request.marks.size() <= scene::most_marks &&
           std::ranges::all_of(request.marks, [&](std::uint64_t mark) { return mark <= slots; });
}

}  // namespace

void SlotSampling::step(const scene::SampleRequest& request, const compaction::Partition& partition,
                        const scene::StreamView& stream, const scene::SampleOrigin& origin) {
    if (request.partition != partition || !is_legal(request, origin.slots)) return;
    const Clock::time_point start = Clock::now();
    const bool other = request != last_;
    if (start - sampled_ <
        std::max<Clock::duration>(other ? Clock::duration{} : period, cost_ * most_share)) {
        return;
    }
    if (!sampler_->enqueue(request, stream, origin)) return;
    if (other) last_ = request;
    cost_ = Clock::now() - start;
    sampled_ = start;
}

}  // namespace warpsieve
