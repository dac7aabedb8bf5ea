// LiveTiming: the phases of a frame partition its total, and the table and the plot show the same.
#include <random>
#include <string>
#include <vector>

#include "app/plots/columns.hpp"
#include "experiments/statistics.hpp"
#include "tests/app/live/live_timing_fixture.hpp"

namespace warpsieve {
namespace {

TEST_F(LiveTimingTest, EveryFrameHasPhasesThatAddUpToItsTotal) {
    frames(40, {.iterations = 16});
    for (std::size_t i = 0; i < 40; ++i) {
        const experiments::FrameSample& sample = timing_.timeline()[i];
        ASSERT_EQ(sample.num_phases, 3U) << i;
        EXPECT_FLOAT_EQ(sample.phase_us[0], 4) << i;
        EXPECT_FLOAT_EQ(sample.between_us, 1) << i;
        EXPECT_FLOAT_EQ(stack_of(sample), sample.total_us) << i;
    }
    for (const char* const name : {"count", "prefix", "move", "between calls", "total"})
        EXPECT_EQ(row(name).n, 40U) << name;
    EXPECT_DOUBLE_EQ(
        row("count").median + row("prefix").median + row("move").median + row("between calls").median,
        row("total").median);
    EXPECT_EQ(recorder().largest_batch(), 16U);
}

TEST_F(LiveTimingTest, PhasesAreTheMeanOfTheFirstRunsOfABatch) {
    timing_.begin_frame(0, 100, three_phases);
    for (std::uint32_t i = 0; i < 100; ++i) {
        const auto us = static_cast<float>(i);
        const bool gaps_known = i % 4 == 3;
        recorder().script(timing_of({.phase_us = {us, 1, 1},
                                     .hidden_us = {0, us, 0},
                                     .gap_us = {gaps_known ? us : 0, 0, 0},
                                     .gaps_known = gaps_known}));
        const compaction::ScopedRun run{timing_.phase_recorder_of(i), 0};
    }
    static_cast<scripted::Timer*>(timing_.total_timer())->script(100 * 60);
    { const compaction::ScopedSpan span{timing_.total_timer(), 0}; }
    timing_.enqueue_phase_copies(0);
    timing_.end_frame(0, 0, 1000, 1);
    timing_.collect();
    ASSERT_EQ(timing_.timeline().size(), 1U);
    EXPECT_EQ(recorder().largest_batch(), LiveTiming::max_timed_runs);
    EXPECT_FLOAT_EQ(newest().phase_us[0], 15.5F);
    EXPECT_FLOAT_EQ(newest().hidden_us[1], 15.5F);
    EXPECT_FLOAT_EQ(newest().gap_us[0], 17) << "of the runs that noted it";
    EXPECT_TRUE(newest().gaps_known);
    EXPECT_FLOAT_EQ(newest().between_us, 60 - 17.5F);
}

TEST_F(LiveTimingTest, PhasesLongerThanTheTotalShareItOut) {
    frame({.total_us = 10, .phase_us = {8, 2, 10}});
    EXPECT_FLOAT_EQ(newest().phase_us[0], 4);
    EXPECT_FLOAT_EQ(newest().phase_us[1], 1);
    EXPECT_FLOAT_EQ(newest().phase_us[2], 5);
    EXPECT_EQ(newest().between_us, 0);
}

TEST_F(LiveTimingTest, PhasesPartitionTheTotalWhateverTheTimes) {
    std::mt19937 random(17);
    std::lognormal_distribution<float> any_us(1, 3);
    std::bernoulli_distribution coin(0.3);
    for (int i = 0; i < 2'000; ++i) {
        Script script{.total_us = any_us(random),
                      .iterations = static_cast<std::uint32_t>(1 + random() % 40)};
        for (float& us : script.phase_us) us = coin(random) ? 0 : any_us(random);
        hold_back(coin(random));
        frame(script);
    }
    hold_back(false);
    timing_.collect();
    EXPECT_GT(timing_.timeline().size(), 1'000U);
    for (std::size_t i = 0; i < timing_.timeline().size(); ++i) {
        const experiments::FrameSample& sample = timing_.timeline()[i];
        ASSERT_EQ(sample.num_phases, 3U) << i;
        ASSERT_GE(sample.between_us, 0) << i;
        for (const float us : sample.phases()) ASSERT_GE(us, 0) << i;
        ASSERT_NEAR(stack_of(sample), sample.total_us, 1e-5F * sample.total_us) << i;
    }
}

TEST_F(LiveTimingTest, TheTableAndThePlotShowTheSameNumbers) {
    for (int i = 0; i < 300; ++i) {
        const auto us = static_cast<float>(i % 7);
        frame({.total_us = 12 + us, .phase_us = {4 + us / 2, 2, 3}, .iterations = 4});
    }
    plots::Columns columns;
    plots::reduce(timing_.timeline(), {.end = timing_.timeline().end(), .frames = 300}, 300, columns);
    ASSERT_EQ(columns.columns.size(), 300U);
    const std::vector<std::string> names{"count", "prefix", "move", "between calls"};
    for (std::size_t band = 0; band < names.size(); ++band) {
        std::vector<float> heights;
        for (const plots::Column& column : columns.columns)
            heights.push_back(column.tops_us[band] - column.bottom_us(band));
        EXPECT_NEAR(row(names[band]).median, experiments::summarise(heights).median, 1e-5) << names[band];
        EXPECT_EQ(row(names[band]).n, heights.size());
    }
    std::vector<float> totals;
    for (const plots::Column& column : columns.columns) {
        EXPECT_FLOAT_EQ(column.stack_us(), column.total_us);
        totals.push_back(column.stack_us());
    }
    EXPECT_NEAR(row("total").median, experiments::summarise(totals).median, 1e-5);
}

TEST_F(LiveTimingTest, AFrameWaitsForItsPhases) {
    recorder().hold_back(true);
    frames(5);
    EXPECT_EQ(timing_.timeline().size(), 0U);
    recorder().hold_back(false);
    timing_.collect();
    ASSERT_EQ(timing_.timeline().size(), 5U);
    for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(timing_.timeline()[i].num_phases, 3U);
}

TEST_F(LiveTimingTest, PhasesThatNeverArriveCostNoFrame) {
    recorder().hold_back(true);
    frames(60);
    ASSERT_GE(timing_.timeline().size(), 44U);
    EXPECT_EQ(timing_.timeline()[0].num_phases, 0U);
    EXPECT_FLOAT_EQ(timing_.timeline()[0].total_us, 10);
    EXPECT_EQ(row("total").n, timing_.timeline().size());
    EXPECT_EQ(row("count").n, 0U) << "not a time of zero";
    recorder().hold_back(false);
    frames(2);
    EXPECT_EQ(newest().num_phases, 3U);
}

TEST_F(LiveTimingTest, RunsThatDoNotFitTheRecorderAreDroppedAndCounted) {
    recorder().limit_batch(2);
    frame({.iterations = 5});
    EXPECT_EQ(timing_.dropped(), 3U);
    ASSERT_EQ(timing_.timeline().size(), 1U) << "two runs have arrived, and no others will";
    EXPECT_FLOAT_EQ(newest().phase_us[0], 4);
    recorder().limit_batch(0);
    frame({.iterations = 5});
    ASSERT_EQ(timing_.timeline().size(), 2U);
    EXPECT_EQ(newest().num_phases, 0U);
    frame({.phase_us = {9}, .algorithm = &one_phase});
    EXPECT_EQ(newest().num_phases, 0U) << "not a library's: what lies between calls is not known";
    EXPECT_EQ(row("total").n, 3U);
    EXPECT_EQ(row("count").n, 1U);
}

TEST_F(LiveTimingTest, TheOnlyPhaseOfALibraryLastsTheWholeCall) {
    frame({.phase_us = {}, .algorithm = &one_phase});
    ASSERT_EQ(newest().num_phases, 1U);
    EXPECT_FLOAT_EQ(newest().phase_us[0], 10);
    EXPECT_EQ(newest().between_us, 0);
    frame({.phase_us = {8}, .algorithm = &one_phase});
    EXPECT_FLOAT_EQ(newest().phase_us[0], 8) << "our own kernels carry stamps";
    EXPECT_FLOAT_EQ(newest().between_us, 2);
    frame({.phase_us = {}});
    EXPECT_EQ(newest().num_phases, 0U) << "three phases cannot be distinguished";
}

TEST_F(LiveTimingTest, RowsOfPhasesHaveOverlapAndGaps) {
    frames(3);
    EXPECT_EQ(row_of("prefix").hidden_us, 0);
    timing_.restart_statistics();
    frames(3, {.hidden_us = {0, 1, 0}, .gap_us = {0, 0.5F, 0}});
    frames(9, {.hidden_us = {0, 1, 0}, .gaps_known = false});
    EXPECT_FALSE(newest().gaps_known);
    EXPECT_FLOAT_EQ(static_cast<float>(row_of("prefix").hidden_us), 1);
    EXPECT_FLOAT_EQ(static_cast<float>(row_of("prefix").gap_us), 0.5F) << "only frames that know gaps count";
    for (const char* other : {"count", "move"}) {
        EXPECT_EQ(row_of(other).hidden_us, 0);
        EXPECT_EQ(row_of(other).gap_us, 0);
    }
}

}  // namespace
}  // namespace warpsieve
