// What a step shows of a warp: the dots beside the source, and the cells of the timeline.
#include "app/kernel_view/warp_view.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "tests/app/kernel_view/traced.hpp"

namespace warpsieve::kernel_view {
namespace {

class WarpViewTest : public testing::TestWithParam<const char*> {
  protected:
    WarpViewTest() : replay_(traced(compaction::find_algorithm(GetParam()), 600).trace) {}

    Replay replay_;
};

TEST_P(WarpViewTest, ALaneHasOneDotBesideALineThatItRan) {
    const Events& events = replay_.events();
    const Steps& steps = replay_.steps(Order::warps);
    std::size_t running = 0, off = 0, standing = 0, earlier = 0;
    for (std::size_t step = 0; step < steps.size(); step += 1 + steps.size() / 200) {
        const State& state = replay_.at(Order::warps, step);
        if (state.launch == none) continue;
        const WarpView view = warp_view(events, steps[step], events.warp_of(events.events[steps[step][0]]));
        const std::vector<LineDots> all = line_dots(events, state, view);
        for (std::size_t line = 0; line < all.size(); ++line) {
            const LineDots& dots = all[line];
            EXPECT_EQ(dots.now & dots.off, 0U);
            EXPECT_EQ((dots.now | dots.off) & (dots.here | dots.was), 0U);
            EXPECT_EQ(dots.here & dots.was, 0U);
            const bool runs = !view.path.empty() && view.path.front() == line;
            EXPECT_EQ(dots.now, runs ? view.running : 0U);
            const std::uint32_t seen = state.seen[view.warp * events.lines.size() + line];
            if (!runs) {
                EXPECT_EQ(dots.here | dots.was, seen) << "line " << events.lines[line].number;
            }
            running += dots.now != 0;
            off += dots.off != 0;
            standing += dots.here != 0;
            earlier += dots.was != 0;
        }
    }
    EXPECT_GT(running, 50U);
    EXPECT_GT(off, 0U);
    EXPECT_GT(standing, 0U);
    EXPECT_GT(earlier, 50U);
}

TEST_P(WarpViewTest, TheSourceBeginsWithTheKernelAndNamesEveryLineOnce) {
    const Events& events = replay_.events();
    for (std::uint32_t launch = 0; launch < events.trace.launches.size(); ++launch) {
        const std::vector<SourceRow> rows = source_rows(events, launch);
        if (rows.empty()) continue;
        EXPECT_EQ(events.functions[rows.front().function].name, events.trace.launches[launch].kernel);
        std::set<std::uint32_t> lines;
        for (const SourceRow& row : rows) {
            if (row.line == none) continue;
            EXPECT_TRUE(lines.insert(row.line).second);
            EXPECT_EQ(events.lines[row.line], (Line{row.function, row.number}));
        }
        for (std::uint32_t i = events.launch_begins[launch]; i < events.launch_begins[launch + 1]; ++i)
            if (is_by_lane(events.site_of(events.events[i]).kind)) {
                for (const std::uint32_t line : events.site_lines[events.events[i].site])
                    EXPECT_TRUE(lines.contains(line));
            }
    }
}

/// The compiler announces the store of such a copy before its load.
TEST_P(WarpViewTest, ACopiedVectorIsLoadedBeforeItIsStored) {
    const Events& events = replay_.events();
    std::size_t loaded_first = 0;
    for (std::size_t i = 1; i < events.events.size(); ++i) {
        const Event& before = events.events[i - 1];
        const Event& event = events.events[i];
        const auto& lines = events.site_lines[event.site];
        const bool is_same_statement = before.launch == event.launch && before.block == event.block &&
                                       before.thread == event.thread && !lines.empty() &&
                                       lines == events.site_lines[before.site];
        if (!is_same_statement || events.site_of(event).bytes < 16) continue;
        using compaction::LaneStepKind;
        const LaneStepKind kind = events.site_of(event).kind, kind_before = events.site_of(before).kind;
        EXPECT_FALSE(kind_before == LaneStepKind::store && kind == LaneStepKind::load &&
                     std::ranges::equal(events.stored(before), events.loaded(event)))
            << i;
        loaded_first += kind_before == LaneStepKind::load && kind == LaneStepKind::store;
    }
    if (events.trace.launches.back().kernel == "move_kernel") {
        EXPECT_GT(loaded_first, 5U);
    }
}

TEST_P(WarpViewTest, TheTimelineHoldsEveryStepOnce) {
    const Events& events = replay_.events();
    for (const Order order : all_orders) {
        const Steps& steps = replay_.steps(order);
        std::size_t in_launches = 0;
        for (std::uint32_t launch = 0; launch < events.trace.launches.size(); ++launch) {
            const StepRange range = steps_of_launch(events, steps, launch);
            in_launches += range.size();
            const std::size_t warps =
                std::size_t{events.trace.launches[launch].blocks} * events.warps_per_block(launch);
            const std::vector<Mark> cells = timeline_cells(events, steps, range, warps, range.size());
            for (std::size_t step = range.begin; step < range.end; ++step) {
                Mark mark = Mark::nothing;
                std::size_t row = 0;
                for (const std::uint32_t index : steps[step]) {
                    const Event& event = events.events[index];
                    const compaction::LaneSite& site = events.site_of(event);
                    if (site.kind == compaction::LaneStepKind::launch ||
                        site.kind == compaction::LaneStepKind::memory)
                        continue;
                    mark = std::max(mark, mark_of(site));
                    row = events.warp_of(event);
                }
                EXPECT_EQ(cells[row * range.size() + step - range.begin], mark) << step;
            }
        }
        EXPECT_EQ(in_launches, steps.size());
    }
}

TEST_P(WarpViewTest, RowsOfMemoryHoldWhatLanesLoadAndStore) {
    const Events& events = replay_.events();
    const Steps& steps = replay_.steps(Order::warps);
    std::size_t shared = 0, global = 0, conflicts = 0;
    for (std::size_t step = 0; step < steps.size(); ++step) {
        const Event& first = events.events[steps[step][0]];
        const compaction::LaneSite& site = events.site_of(first);
        const State& state = replay_.at(Order::warps, step);
        const std::vector<MemoryRow> rows = accessed_rows(events, state, steps[step]);
        if (rows.empty()) continue;
        const bool is_shared = site.space == compaction::MemorySpace::shared;
        (is_shared ? shared : global) += 1;
        std::set<std::uint32_t> words, sectors, moved;
        std::set<std::uint64_t> of_words;
        for (const std::uint32_t index : steps[step]) {
            const Event& event = events.events[index];
            for (std::uint32_t byte = 0; byte < site.bytes; byte += std::min(site.bytes, 4U)) {
                words.insert((event.address + byte) / 4);
                sectors.insert((event.address + byte) / 32);
            }
            if (site.bytes == 4 && compaction::loads(site.kind) && !compaction::holds_stored_bytes(site.kind))
                of_words.insert(number_of(events.loaded(event)));
        }
        const std::string place = is_shared ? "shared byte " : events.trace.buffers[site.buffer].name + "[";
        std::size_t accessed = 0;
        std::set<std::uint64_t> shown;
        for (const MemoryRow& row : rows) {
            ASSERT_EQ(row.name.substr(0, place.size()), place);
            const std::size_t unit = is_shared ? 1 : events.trace.buffers[site.buffer].element_bytes;
            const auto begin =
                static_cast<std::uint32_t>(std::stoul(row.name.substr(place.size())) * unit / 4);
            for (std::uint32_t word = 0; word < 32; ++word) {
                if ((row.words.known >> word & 1) != 0) moved.insert((begin + word) / 8);
                if ((row.accessed >> word & 1) == 0) continue;
                ++accessed;
                EXPECT_TRUE(words.contains(begin + word)) << step;
                shown.insert(row.words.of_lane[word]);
            }
        }
        EXPECT_EQ(accessed, words.size()) << step;
        if (!is_shared) {
            EXPECT_EQ(moved, sectors) << step;
        }
        if (!of_words.empty()) {
            EXPECT_EQ(shown, of_words) << step;
        }
        const Value banks = words_of_banks(rows);
        std::uint64_t most = 0;
        for (std::uint32_t bank = 0; bank < 32; ++bank) {
            const auto in_bank =
                std::ranges::count_if(words, [&](std::uint32_t word) { return word % 32 == bank; });
            EXPECT_EQ(banks.of_lane[bank], in_bank) << step;
            most = std::max(most, banks.of_lane[bank]);
        }
        conflicts += is_shared && most > 1;
    }
    EXPECT_GT(shared, 10U);
    EXPECT_GT(global, 10U);
    if (std::string(GetParam()) == "simulated_sequence_wise") {
        EXPECT_GT(conflicts, 0U);
    }
}

TEST_P(WarpViewTest, ALaneOfAShuffleGetsWhatItsSourcePasses) {
    const Events& events = replay_.events();
    const Steps& steps = replay_.steps(Order::warps);
    std::size_t shuffles = 0, from_others = 0;
    for (std::size_t step = 0; step < steps.size(); ++step) {
        const std::uint32_t warp = events.warp_of(events.events[steps[step][0]]);
        const std::optional<Shuffle> shuffle = shuffle_of(events, steps[step], warp);
        EXPECT_FALSE(shuffle_of(events, steps[step], warp + 1));
        if (!shuffle) continue;
        ++shuffles;
        EXPECT_FALSE(shuffle->name.empty());
        for (std::uint32_t lane = 0; lane < 32; ++lane) {
            if ((shuffle->results.known >> lane & 1) == 0) continue;
            const std::uint32_t source = shuffle->source_lane[lane];
            EXPECT_EQ(shuffle->results.of_lane[lane], shuffle->passed.of_lane[source]) << step << " " << lane;
            from_others += source != lane;
        }
    }
    EXPECT_GT(shuffles, 5U);
    EXPECT_GT(from_others, 100U);
}

TEST_P(WarpViewTest, BarriersAndEventsAreFoundAgain) {
    const Events& events = replay_.events();
    const Steps& steps = replay_.steps(Order::warps);
    std::size_t step = 0;
    std::vector<std::size_t> stops;
    for (std::size_t next; (next = next_milestone(events, steps, step, 1)) != step; step = next)
        stops.push_back(next);
    EXPECT_EQ(step, steps.size() - 1);
    for (std::size_t i = stops.size() - 1; i > 0; --i)
        EXPECT_EQ(next_milestone(events, steps, stops[i], -1), stops[i - 1]);
    for (std::size_t at = 0; at < steps.size(); at += 97)
        for (const std::uint32_t event : steps[at]) EXPECT_EQ(step_with(steps, event), at);
}

INSTANTIATE_TEST_SUITE_P(Algorithms, WarpViewTest,
                         testing::Values("simulated_sequence_wise", "simulated_single_pass"),
                         [](const auto& tested) { return std::string(tested.param); });

}  // namespace
}  // namespace warpsieve::kernel_view
