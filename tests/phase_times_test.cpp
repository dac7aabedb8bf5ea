#include "phases.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

namespace {

using compaction::end_of;
using compaction::PhaseStamps;
using compaction::RunTiming;
using compaction::times_of;

constexpr PhaseStamps library_call{~std::uint64_t{0}, ~std::uint64_t{0}, 0};

TEST(PhaseTimes, APhaseEndsWhereTheNextBegins) {
    const std::vector<PhaseStamps> phases{
        {1'000, 1'000, 5'000}, {4'000, 6'500, 7'000}, {6'600, 8'000, 9'000}};
    const RunTiming timing = times_of(3, phases, 0);
    EXPECT_EQ(timing.run, 3U);
    ASSERT_EQ(timing.num_phases, 3U);
    EXPECT_FLOAT_EQ(timing.phase_us[0], 5.5F);
    EXPECT_FLOAT_EQ(timing.phase_us[1], 1.5F);
    EXPECT_FLOAT_EQ(timing.phase_us[2], 1.0F);
    // Resident before it could begin, and nothing between its last block and the next phase's first.
    EXPECT_FLOAT_EQ(timing.hidden_us[1], 2.5F);
    EXPECT_FLOAT_EQ(timing.gap_us[0], 1.5F);
    EXPECT_FLOAT_EQ(timing.gap_us[2], 0.0F);
    EXPECT_TRUE(timing.gaps_known);
    EXPECT_FALSE(timing.between_us);
}

TEST(PhaseTimes, APhaseBeforeOneWithStampsNeedNotNoteItsEnd) {
    const std::vector<PhaseStamps> phases{{1'000, 1'000, 0}, {4'000, 6'500, 7'000}, {6'600, 8'000, 9'000}};
    const RunTiming timing = times_of(3, phases, 0);
    ASSERT_EQ(timing.num_phases, 3U);
    EXPECT_FLOAT_EQ(timing.phase_us[0], 5.5F);
    EXPECT_FLOAT_EQ(timing.phase_us[1], 1.5F);
    EXPECT_FLOAT_EQ(timing.phase_us[2], 1.0F);
    EXPECT_FLOAT_EQ(timing.hidden_us[1], 2.5F);
    EXPECT_FALSE(timing.gaps_known);
    for (std::size_t p = 0; p < 3; ++p) EXPECT_EQ(timing.gap_us[p], 0);
    EXPECT_EQ(end_of(phases), 9'000U);
}

TEST(PhaseTimes, ALibraryCallLastsFromTheBlocksBeforeItToThoseAfterIt) {
    const std::vector<PhaseStamps> phases{{1'000, 1'000, 5'000}, library_call, {8'000, 8'000, 9'000}};
    const RunTiming timing = times_of(0, phases, 500);
    EXPECT_FLOAT_EQ(timing.phase_us[0], 4.0F);
    EXPECT_FLOAT_EQ(timing.phase_us[1], 3.0F);
    EXPECT_FLOAT_EQ(timing.phase_us[2], 1.0F);
    EXPECT_FLOAT_EQ(timing.gap_us[0], 0.0F);
    EXPECT_TRUE(timing.gaps_known);
    ASSERT_TRUE(timing.between_us);
    EXPECT_FLOAT_EQ(*timing.between_us, 0.5F);
}

TEST(PhaseTimes, LibraryCallsAloneHaveNoTimes) {
    const std::vector<PhaseStamps> phases{library_call, library_call};
    EXPECT_EQ(times_of(0, phases, 7).num_phases, 0U);
    EXPECT_EQ(end_of(phases), 0U);
    EXPECT_EQ(times_of(0, {}, 0).num_phases, 0U);
}

TEST(PhaseTimes, PhasesAddUpToTheRunForAnyStamps) {
    std::mt19937_64 random(1);
    const auto below = [&](std::uint64_t limit) { return random() % limit; };
    for (int trial = 0; trial < 20'000; ++trial) {
        std::vector<PhaseStamps> phases(1 + below(compaction::max_phases));
        for (PhaseStamps& phase : phases) {
            // Phases in any order, overlapping, empty, or without stamps as a library call.
            const std::uint64_t begin = 1 + below(1'000'000);
            phase = below(4) == 0 ? library_call
                                  : PhaseStamps{begin - below(begin), begin, begin + below(100'000)};
        }
        // Before a phase with stamps, the end may be missing.
        bool all_ends = true;
        for (std::size_t p = 0; p + 1 < phases.size(); ++p) {
            if (!phases[p].known() || !phases[p + 1].known() || below(2) == 0) continue;
            phases[p].end = 0;
            all_ends = false;
        }
        const auto first = std::ranges::find_if(phases, &PhaseStamps::known);
        const RunTiming timing = times_of(0, phases, 1);
        if (first == phases.end()) {
            EXPECT_EQ(timing.num_phases, 0U);
            continue;
        }
        std::uint64_t last = first->begin;
        for (const PhaseStamps& phase : phases) {
            if (phase.known()) last = std::max({last, phase.begin, phase.end});
        }
        EXPECT_NEAR(timing.total_us(), static_cast<double>(last - first->begin) * 1e-3, 0.01);
        EXPECT_EQ(timing.gaps_known, all_ends);
        for (std::size_t p = 0; p < phases.size(); ++p) {
            EXPECT_GE(timing.phase_us[p], 0);
            EXPECT_LE(timing.gap_us[p], timing.phase_us[p]);
        }
    }
}

}  // namespace
