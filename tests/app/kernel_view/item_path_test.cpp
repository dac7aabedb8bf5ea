// The way of an item through memory, and the stores that a load sees.
#include "app/kernel_view/item_path.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "app/kernel_view/warp_view.hpp"
#include "tests/app/kernel_view/traced.hpp"

namespace warpsieve::kernel_view {
namespace {

using compaction::LaneSite;
using compaction::LaneStepKind;
using compaction::MemorySpace;

class ItemPathTest : public testing::TestWithParam<const char*> {
  protected:
    ItemPathTest() : replay_(traced(compaction::find_algorithm(GetParam()), 600).trace) {}

    std::uint32_t word_of(const Memory& memory, std::uint32_t word) const {
        return static_cast<std::uint32_t>(
            number_of(std::span(memory.bytes).subspan(std::size_t{word} * 4, 4)));
    }
    std::size_t last_step() const { return replay_.steps(Order::warps).size() - 1; }

    Replay replay_;
};

TEST_P(ItemPathTest, KeptItemsGoFromTheInputToTheOutput) {
    const Events& events = replay_.events();
    const auto& buffers = events.trace.buffers;
    const auto output = static_cast<std::uint32_t>(
        std::ranges::find(buffers, compaction::BufferRole::output, &compaction::TracedBuffer::role) -
        buffers.begin());
    const State end = replay_.at(Order::warps, last_step());
    std::uint32_t rank = 0;
    for (std::uint32_t item = 0; item < 600; ++item) {
        const ItemPath path = path_of_item(events, item);
        ASSERT_EQ(path.value, word_of(end.global[0], item));
        ASSERT_FALSE(path.events.empty()) << item;
        EXPECT_TRUE(std::ranges::is_sorted(path.events));
        const Event& first = events.events[path.events.front()];
        const LaneSite& site = events.site_of(first);
        EXPECT_TRUE(loads(site.kind) && site.space == MemorySpace::global && site.buffer == 0) << item;
        EXPECT_TRUE(first.address <= item * 4 && item * 4 < first.address + site.bytes) << item;
        if (path.value == 0) {
            EXPECT_FALSE(path.output) << item;
            continue;
        }
        ASSERT_TRUE(path.is_unique) << item;
        ASSERT_EQ(path.output, rank) << item;
        EXPECT_EQ(word_of(end.global[output], rank), path.value);
        const auto stores_to_output = [&](std::uint32_t index) {
            const LaneSite& store = events.site_of(events.events[index]);
            return store.space == MemorySpace::global && store.buffer == output;
        };
        EXPECT_TRUE(std::ranges::any_of(path.events, stores_to_output)) << item;
        ++rank;
    }
    EXPECT_GT(rank, 100U);
}

TEST_P(ItemPathTest, AnAccessNamesTheItemThatItMoves) {
    const Events& events = replay_.events();
    std::size_t stored = 0;
    for (std::uint32_t index = 0; index < events.events.size(); ++index) {
        const Event& event = events.events[index];
        const LaneSite& site = events.site_of(event);
        if (site.kind == LaneStepKind::load && site.space == MemorySpace::global && site.buffer == 0) {
            EXPECT_EQ(item_of(events, index), event.address / 4);
        } else if (site.kind == LaneStepKind::store && site.space == MemorySpace::global &&
                   events.trace.buffers[site.buffer].role == compaction::BufferRole::output) {
            const std::optional<std::uint32_t> item = item_of(events, index);
            ASSERT_TRUE(item);
            EXPECT_EQ(path_of_item(events, *item).output, event.address / 4);
            if (++stored == 40) return;
        } else if (site.kind == LaneStepKind::barrier) {
            EXPECT_FALSE(item_of(events, index));
        }
    }
}

TEST_P(ItemPathTest, ALoadSeesTheStoresThatLeftItsBytes) {
    const Events& events = replay_.events();
    const Steps& steps = replay_.steps(Order::warps);
    std::size_t seen = 0;
    for (std::size_t step = 0; step < steps.size(); ++step) {
        const State& state = replay_.at(Order::warps, step);
        const std::vector<std::uint32_t> stores = observed_stores(events, state, steps[step]);
        std::set<std::uint64_t> loaded;
        for (const std::uint32_t index : steps[step])
            for (std::size_t at = 0; at + 4 <= events.loaded(events.events[index]).size(); at += 4)
                loaded.insert(number_of(events.loaded(events.events[index]).subspan(at, 4)));
        for (const std::uint32_t store : stores) {
            const Event& event = events.events[store];
            EXPECT_LT(step_with(steps, store), step);
            if (performs_copy(events.site_of(event).kind) || events.stored(event).size() != 4) continue;
            EXPECT_TRUE(loaded.contains(number_of(events.stored(event)))) << step;
            ++seen;
        }
        if (loaded.empty()) {
            EXPECT_TRUE(stores.empty());
        }
    }
    EXPECT_GT(seen, 10U);
}

INSTANTIATE_TEST_SUITE_P(Algorithms, ItemPathTest,
                         testing::Values("simulated_sequence_wise", "simulated_single_pass"),
                         [](const auto& tested) { return std::string(tested.param); });

}  // namespace
}  // namespace warpsieve::kernel_view
