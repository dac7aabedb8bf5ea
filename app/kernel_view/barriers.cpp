// Which accesses a barrier puts in order.
#include <algorithm>
#include <map>
#include <unordered_map>
#include <vector>

#include "app/kernel_view/replay.hpp"
#include "app/kernel_view/word_accesses.hpp"

namespace warpsieve::kernel_view {
namespace {

using compaction::LaneSite;
using compaction::LaneStepKind;

/// Looks at the events of a launch, from the first one on.
class Launch {
  public:
    Launch(const Events& events, std::map<std::uint32_t, std::vector<OrderedLines>>& ordered)
        : events_(events), ordered_(ordered) {}

    void add(std::uint32_t index) {
        const Event& event = events_.events[index];
        const LaneSite& site = events_.site_of(event);
        // Any lane of the block may wait for the phase of an mbarrier.
        if (site.kind == LaneStepKind::barrier_release || site.kind == LaneStepKind::mbarrier_phase) {
            of_blocks_[event.block].push_back({index, ~0U});
        } else if (site.kind == LaneStepKind::collective_results && is_barrier_of_warp(site)) {
            of_warps_[events_.warp_of(event)].push_back({index, event.mask});
        } else if (site.kind == LaneStepKind::load || site.kind == LaneStepKind::store) {
            for_each_access(events_, event, [&](const MemoryAccess& access) {
                words_.add(access, event.block, index,
                           [this](auto before, auto after) { note(before, after); });
            });
        }
    }

  private:
    struct Barrier {
        std::uint32_t event = 0;
        std::uint32_t mask = 0;  ///< the lanes of the warp that wait for each other
    };

    /// Notes the lines of two accesses of a word, if there is one barrier between them.
    void note(std::uint32_t before, std::uint32_t after) {
        const Event& first = events_.events[before];
        const Event& second = events_.events[after];
        if (first.block != second.block || first.thread == second.thread) return;
        std::vector<std::uint32_t> between;
        add_between(of_blocks_[first.block], before, ~0U, between);
        if (first.warp() == second.warp())
            add_between(of_warps_[events_.warp_of(first)], before, 1U << first.lane() | 1U << second.lane(),
                        between);
        const std::vector<std::uint32_t>& first_lines = events_.site_lines[first.site];
        const std::vector<std::uint32_t>& second_lines = events_.site_lines[second.site];
        if (between.size() != 1 || first_lines.empty() || second_lines.empty()) return;
        const OrderedLines lines{.before = first_lines.front(),
                                 .before_stores = events_.site_of(first).kind == LaneStepKind::store,
                                 .after_stores = events_.site_of(second).kind == LaneStepKind::store,
                                 .after = second_lines.front()};
        std::vector<OrderedLines>& known = ordered_[between.front()];
        if (std::ranges::find(known, lines) == known.end()) known.push_back(lines);
    }

    /// Adds the barriers after the event `before` that make all these lanes wait, up to two.
    static void add_between(const std::vector<Barrier>& barriers, std::uint32_t before, std::uint32_t lanes,
                            std::vector<std::uint32_t>& to) {
        for (auto at = std::ranges::upper_bound(barriers, before, {}, &Barrier::event);
             at != barriers.end() && to.size() < 2; ++at)
            if ((at->mask & lanes) == lanes) to.push_back(at->event);
    }

    const Events& events_;
    std::map<std::uint32_t, std::vector<OrderedLines>>& ordered_;
    std::unordered_map<std::uint32_t, std::vector<Barrier>> of_blocks_;
    std::unordered_map<std::uint32_t, std::vector<Barrier>> of_warps_;
    WordAccesses words_;
};

}  // namespace

std::map<std::uint32_t, std::vector<OrderedLines>> lines_ordered_by_barriers(const Events& events) {
    std::map<std::uint32_t, std::vector<OrderedLines>> ordered;
    for (std::size_t launch = 0; launch + 1 < events.launch_begins.size(); ++launch) {
        Launch one(events, ordered);
        for (std::uint32_t index = events.launch_begins[launch]; index < events.launch_begins[launch + 1];
             ++index)
            one.add(index);
    }
    for (auto& [barrier, lines] : ordered) std::ranges::sort(lines);
    return ordered;
}

}  // namespace warpsieve::kernel_view
