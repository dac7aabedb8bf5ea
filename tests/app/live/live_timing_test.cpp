// LiveTiming: frames reach the timeline in order, complete, and all of them the log.
#include <algorithm>
#include <cstdint>

#include "tests/app/live/live_timing_fixture.hpp"

namespace warpsieve {
namespace {

TEST_F(LiveTimingTest, FramesReachTheTimelineInOrderOnceAllIsKnown) {
    hold_back(true);
    frames(5);
    EXPECT_EQ(timing_.timeline().size(), 0U) << "nothing has been timed yet";
    hold_back(false);
    frames(3, {.algorithm = &one_phase});
    ASSERT_EQ(timing_.timeline().size(), 8U);
    for (std::size_t i = 0; i < 8; ++i) EXPECT_EQ(timing_.timeline()[i].frame, i);
    const experiments::FrameSample& sample = newest();
    EXPECT_EQ(sample.algorithm, &one_phase);
    EXPECT_FLOAT_EQ(sample.total_us, 10);
    EXPECT_FLOAT_EQ(sample.simulate_us, 3);
    EXPECT_FLOAT_EQ(sample.interop_us, 0.5F);
    EXPECT_FLOAT_EQ(sample.frame_us, 1000);
    EXPECT_EQ(sample.num_kept, 500U);
}

TEST_F(LiveTimingTest, AFrameThatHasNotEndedWaits) {
    timing_.begin_frame(0, 1, one_phase);
    { const compaction::ScopedRun run{timing_.phase_recorder_of(0), 0}; }
    { const compaction::ScopedSpan span{timing_.total_timer(), 0}; }
    timing_.enqueue_phase_copies(0);
    timing_.collect();
    EXPECT_EQ(timing_.timeline().size(), 0U);
    timing_.end_frame(0, 0, 1000, 1);
    timing_.collect();
    EXPECT_EQ(timing_.timeline().size(), 1U);
}

TEST_F(LiveTimingTest, TheTotalIsThatOfOneCompactionOutOfTheFramesIterations) {
    frame({.iterations = 16, .algorithm = &one_phase});
    EXPECT_FLOAT_EQ(newest().total_us, 10);
}

TEST_F(LiveTimingTest, DroppedRunsAreCountedAndHoldNothingUp) {
    hold_back(true);
    frames(20, {.phase_us = {9}, .algorithm = &one_phase});
    EXPECT_EQ(timing_.dropped(), 4U) << "sixteen are in flight at the most";
    hold_back(false);
    timing_.collect();
    frames(40, {.algorithm = &one_phase});
    EXPECT_EQ(timing_.dropped(), 4U);
    EXPECT_EQ(newest().frame, 59U);
    for (std::size_t i = 1; i < timing_.timeline().size(); ++i) {
        EXPECT_LT(timing_.timeline()[i - 1].frame, timing_.timeline()[i].frame);
        EXPECT_FLOAT_EQ(timing_.timeline()[i].total_us, 10) << "no frame is shown without its time";
    }
}

TEST_F(LiveTimingTest, TheLogKeepsEveryFrame) {
    const int more_than_the_timeline_holds = static_cast<int>(timing_.timeline().capacity()) + 10;
    frames(more_than_the_timeline_holds);
    timing_.clear();
    ASSERT_EQ(log_.size(), static_cast<std::size_t>(more_than_the_timeline_holds));
    for (std::size_t i = 0; i < log_.size(); ++i) EXPECT_EQ(log_[i].frame, i);
}

TEST(LiveTimingOnTheCpu, TimesWhatTheEngineDoes) {
    const auto engine = compaction::open_engine(compaction::EngineId::cpu);
    const compaction::Algorithm& algorithm = compaction::default_algorithm(compaction::EngineId::cpu);
    constexpr std::uint64_t num_items = 100'000;
    const auto in = engine->allocate(num_items * sizeof(compaction::Item));
    const auto out = engine->allocate(num_items * sizeof(compaction::Item));
    const auto num_selected = engine->allocate(sizeof(std::uint64_t));
    std::fill_n(in.as<compaction::Item>(), num_items, 1U);
    const auto compactor = engine->make_compactor(algorithm, {});
    compactor->reserve(num_items);

    LiveTiming timing(*engine, nullptr);
    for (std::uint64_t frame = 0; frame < 20; ++frame) {
        timing.begin_frame(frame, 2, algorithm);
        {
            const compaction::ScopedSpan batch{timing.total_timer(), frame};
            for (std::uint32_t i = 0; i < 2; ++i) {
                compaction::PhaseRecorder* const recorder = timing.phase_recorder_of(i);
                const compaction::ScopedRun run{recorder, frame};
                compactor->enqueue(in.as<compaction::Item>(), num_items, out.as<compaction::Item>(),
                                   num_selected.as<std::uint64_t>(), compaction::keep_non_zero(), recorder);
            }
        }
        timing.enqueue_phase_copies(frame);
        timing.end_frame(frame, 0, 100, num_items);
        timing.collect();
    }
    ASSERT_EQ(timing.timeline().size(), 20U);
    EXPECT_EQ(timing.dropped(), 0U);
    const auto rows = timing.rows(algorithm, false);
    ASSERT_GT(rows.size(), algorithm.phases.size());
    for (std::size_t phase = 0; phase < algorithm.phases.size(); ++phase) {
        EXPECT_EQ(rows[phase].name, algorithm.phases[phase].name);
        EXPECT_EQ(rows[phase].us.n, 20U);
        EXPECT_GE(rows[phase].us.min, 0);
    }
    EXPECT_GT(rows[algorithm.phases.size() + 1].us.min, 0) << "a total is never zero";
    for (std::size_t i = 0; i < timing.timeline().size(); ++i) {
        const experiments::FrameSample& sample = timing.timeline()[i];
        EXPECT_NEAR(stack_of(sample), sample.total_us, 1e-5F * sample.total_us);
    }
}

}  // namespace
}  // namespace warpsieve
