// The memory of a launch as a whole: who wrote it, and what the step does with it.
#include "app/kernel_view/memory_map.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "app/kernel_view/warp_view.hpp"
#include "tests/app/kernel_view/traced.hpp"

namespace warpsieve::kernel_view {
namespace {

/// Enough for several tiles of the single pass.
std::uint64_t num_items_of(std::string_view algorithm) {
    return algorithm == "simulated_single_pass" ? 1U << 14U : 2'000;
}

class MemoryMap : public testing::TestWithParam<const char*> {
  protected:
    MemoryMap()
        : traced_(traced(compaction::find_algorithm(GetParam()), num_items_of(GetParam()))),
          replay_(traced_.trace) {}

    std::size_t last_step() const { return replay_.steps(Order::warps).size() - 1; }
    std::vector<MapWord> words(std::size_t step, const MemoryArea& area, std::uint32_t block) {
        const State& state = replay_.at(Order::warps, step);
        return map_words(replay_.events(), state, replay_.steps(Order::warps)[step], area, block);
    }

    compaction::LaneTracedCompaction traced_;
    Replay replay_;
};

TEST_P(MemoryMap, EndsWithTheOutputThatWarpsWrote) {
    const Events& events = replay_.events();
    const std::uint32_t launch = replay_.at(Order::warps, last_step()).launch;
    const std::vector<MemoryArea> areas = memory_areas(events, launch, 0);
    const auto output = std::ranges::find(areas, std::string("output"), &MemoryArea::name);
    ASSERT_NE(output, areas.end());
    const std::vector<MapWord> all = words(last_step(), *output, 0);
    ASSERT_GE(all.size(), traced_.num_selected);
    for (std::uint32_t i = 0; i < all.size(); ++i) {
        if (i < traced_.num_selected) {
            std::uint32_t expected = 0;
            std::memcpy(&expected, traced_.output.data() + i * sizeof expected, sizeof expected);
            EXPECT_EQ(all[i].value, expected);
            EXPECT_LT(all[i].writer, events.num_warps(launch));
        } else {
            EXPECT_EQ(all[i].writer, none);
        }
        EXPECT_TRUE(i >= traced_.num_selected || output->used_rows[i / 32]);
    }
}

TEST_P(MemoryMap, MarksTheWordsThatAStepAccesses) {
    const Events& events = replay_.events();
    const Steps& steps = replay_.steps(Order::warps);
    std::map<Touch, std::size_t> touched;
    for (std::size_t step = 0; step < steps.size(); step += 1 + steps.size() / 300) {
        const State& state = replay_.at(Order::warps, step);
        const Event& first = events.events[steps[step][0]];
        const bool is_by_runtime = events.site_of(first).kind == compaction::LaneStepKind::memory;
        if (state.launch == none || is_by_runtime) continue;
        const std::uint32_t block = first.block;
        std::uint64_t accessed = 0;
        bool is_status_word = false;
        for (const MemoryRow& row : accessed_rows(events, state, steps[step]))
            accessed += static_cast<std::uint64_t>(std::popcount(row.accessed));
        std::uint64_t marked = 0;
        for (const MemoryArea& area : memory_areas(events, state.launch, block))
            for (const MapWord& word : words(step, area, block)) {
                marked += word.now != Touch::none;
                ++touched[word.now];
            }
        for (const StatusWord& word : status_words(events, state, steps[step]))
            is_status_word = is_status_word || word.now != Touch::none;
        if (!is_status_word) {
            EXPECT_EQ(marked, accessed) << step << ": " << replay_.sentence(Order::warps, step).text();
        }
    }
    EXPECT_GT(touched[Touch::read], 50U);
    EXPECT_GT(touched[Touch::written], 50U);
}

TEST_P(MemoryMap, PublishesTheCountOfEveryTile) {
    const State& state = replay_.at(Order::warps, last_step());
    const std::vector<StatusWord> all =
        status_words(replay_.events(), state, replay_.steps(Order::warps)[last_step()]);
    const bool has_status_words = std::string(GetParam()) == "simulated_single_pass";
    EXPECT_EQ(all.empty(), !has_status_words);
    for (const StatusWord& word : all) {
        EXPECT_NE(word.stored_by, none) << word.index;
        EXPECT_LE(word.number, traced_.num_selected);
    }
}

TEST_P(MemoryMap, BarriersNeverHaveMoreArrivalsThanTheyExpect) {
    const Events& events = replay_.events();
    const Steps& steps = replay_.steps(Order::warps);
    std::uint32_t most = 0;
    for (std::size_t step = 0; step < steps.size(); step += 1 + steps.size() / 400) {
        const State& state = replay_.at(Order::warps, step);
        for (const BarrierState& barrier : barriers_at(events, steps, step, state, 0)) {
            EXPECT_LE(barrier.arrived, barrier.expected) << barrier.name;
            most = std::max(most, barrier.arrived);
        }
    }
    EXPECT_EQ(most > 0, std::string(GetParam()) != "simulated_atomic_append");
}

TEST_P(MemoryMap, EveryWarpEnds) {
    const Events& events = replay_.events();
    const StepRange range = steps_of_launch(events, replay_.steps(Order::warps), 0);
    EXPECT_STREQ(whereabouts(events, replay_.at(Order::warps, range.begin), 0), "not begun");
    const State& state = replay_.at(Order::warps, last_step());
    for (std::uint32_t warp = 0; warp < events.num_warps(state.launch); ++warp)
        EXPECT_STREQ(whereabouts(events, state, warp), "ended") << warp;
}

INSTANTIATE_TEST_SUITE_P(, MemoryMap,
                         testing::Values("simulated_sequence_wise", "simulated_single_pass",
                                         "simulated_block_wise", "simulated_atomic_append"),
                         [](const auto& info) { return std::string(info.param); });

TEST(Mbarriers, CompleteTheirPhases) {
    const std::vector<compaction::Item> items =
        workloads::make_stream(workloads::Pattern::random, 1U << 14U, 0.5, 1);
    const std::vector<compaction::Item> wide =
        workloads::widen(items, compaction::ItemSize::bytes_16, /*seed=*/1);
    Replay replay(compaction::simulated::trace_lanes(
                      compaction::find_algorithm("simulated_single_pass"), {}, compaction::ItemSize::bytes_16,
                      std::as_bytes(std::span(wide)), compaction::keep_non_zero(), 45)
                      .trace);
    const Steps& steps = replay.steps(Order::warps);
    const std::size_t last = steps.size() - 1;
    std::map<std::uint32_t, std::uint32_t> phases;
    for (std::size_t step = 0; step < steps.size(); step += steps.size() / 50) {
        const State& state = replay.at(Order::warps, step);
        if (state.launch == none) continue;
        for (const BarrierState& barrier : barriers_at(replay.events(), steps, step, state, 0)) {
            if (!barrier.mbarrier) continue;
            EXPECT_LE(barrier.arrived, barrier.expected) << barrier.name;
            EXPECT_GE(barrier.phases, phases[*barrier.mbarrier]) << barrier.name;
            phases[*barrier.mbarrier] = barrier.phases;
        }
    }
    const State& state = replay.at(Order::warps, last);
    std::uint32_t complete = 0;
    for (const BarrierState& barrier : barriers_at(replay.events(), steps, last, state, 0))
        if (barrier.mbarrier) complete += barrier.phases;
    EXPECT_GT(phases.size(), 10U);
    EXPECT_GT(complete, phases.size() / 2);
}

}  // namespace
}  // namespace warpsieve::kernel_view
