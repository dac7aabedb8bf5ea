#include "app/live/live_timing.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/app/live/scripted_engine.hpp"

namespace warpsieve {
namespace {

using compaction::PhaseRole;

const compaction::Algorithm three_phases{.id = "three",
                                         .name = "Three phases",
                                         .engine = compaction::EngineId::cpu,
                                         .authors = {},
                                         .source = {},
                                         .summary = {},
                                         .phases = {{PhaseRole::count, "count", ""},
                                                    {PhaseRole::prefix, "prefix", ""},
                                                    {PhaseRole::move, "move", ""}},
                                         .options = {}};
const compaction::Algorithm one_phase{.id = "one",
                                      .name = "One phase",
                                      .engine = compaction::EngineId::cpu,
                                      .authors = {},
                                      .source = {},
                                      .summary = {},
                                      .phases = {{PhaseRole::fused, "all", ""}},
                                      .options = {}};

/// What one frame's work takes.
struct Script {
    float total_us = 10;      ///< one compaction
    float boundaries_us = 5;  ///< what the boundaries add where one is split
    std::vector<float> phase_us{4, 2, 9};
    std::uint32_t iterations = 1;
    const compaction::Algorithm* algorithm = &three_phases;
    float copy_us = 0;  ///< 0: no copy
    std::uint64_t num_kept = 500;
};

class LiveTimingTest : public testing::Test {
  protected:
    /// Runs the next frame as LiveRun does, and collects what has finished. Returns whether its last
    /// compaction was split.
    bool frame(const Script& script = {}) {
        const std::uint64_t number = next_frame_++;
        const bool split = timing_.begin_frame(number, script.iterations, *script.algorithm);
        run(timing_.simulate_recorder(), number, {3});
        if (split) run(timing_.phase_recorder(), number, script.phase_us);
        run(timing_.total_recorder(), number,
            {script.total_us * static_cast<float>(script.iterations) + (split ? script.boundaries_us : 0)});
        if (script.copy_us > 0) run(timing_.copy_recorder(), number, {script.copy_us});
        timing_.end_frame(number, 0.5F, 1000, script.num_kept);
        timing_.collect();
        return split;
    }
    void frames(int count, const Script& script = {}) {
        for (int i = 0; i < count; ++i) frame(script);
    }
    void hold_back(bool hold) {
        for (compaction::PhaseRecorder* recorder : {timing_.total_recorder(), timing_.phase_recorder(),
                                                    timing_.simulate_recorder(), timing_.copy_recorder()}) {
            static_cast<scripted::Recorder*>(recorder)->hold_back(hold);
        }
    }
    const experiments::FrameSample& newest() const {
        return timing_.timeline()[timing_.timeline().size() - 1];
    }
    experiments::Summary row(const std::string& name) const {
        for (const TimingRow& row : timing_.rows(three_phases)) {
            if (row.name == name) return row.us;
        }
        ADD_FAILURE() << "no row '" << name << "'";
        return {};
    }

    scripted::Engine engine_;
    std::vector<experiments::FrameSample> log_;
    LiveTiming timing_{engine_, &log_};
    std::uint64_t next_frame_ = 0;

  private:
    static void run(compaction::PhaseRecorder* recorder, std::uint64_t number, std::vector<float> phase_us) {
        const std::size_t phases = phase_us.size();
        static_cast<scripted::Recorder*>(recorder)->script(std::move(phase_us));
        const compaction::ScopedRun timed{recorder, number};
        for (std::size_t phase = 0; phase < phases; ++phase) const compaction::ScopedPhase one{recorder};
    }
};

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
    { const compaction::ScopedRun run{timing_.total_recorder(), 0}; }
    timing_.collect();
    EXPECT_EQ(timing_.timeline().size(), 0U);
    timing_.end_frame(0, 0, 1000, 1);
    timing_.collect();
    EXPECT_EQ(timing_.timeline().size(), 1U);
}

TEST_F(LiveTimingTest, TheTotalIsThatOfOneCompactionOutOfTheFramesIterations) {
    frame({.iterations = 16, .algorithm = &one_phase});
    EXPECT_FLOAT_EQ(newest().total_us, 10);
    EXPECT_TRUE(newest().plain);
}

TEST_F(LiveTimingTest, ATotalWithBoundariesInItIsNotTheTotal) {
    frames(40);
    std::size_t plain = 0, split = 0;
    for (std::size_t i = 0; i < timing_.timeline().size(); ++i) {
        const experiments::FrameSample& sample = timing_.timeline()[i];
        EXPECT_NE(sample.plain, sample.split) << "frame " << i;
        if (i > 0) {
            EXPECT_FLOAT_EQ(sample.total_us, 10) << "frame " << i << ": carried on where it was split";
        }
        plain += sample.plain;
        split += sample.split;
    }
    EXPECT_GT(split, 0U);
    EXPECT_EQ(row("total").n, plain) << "carried-on totals are not counted again";
    EXPECT_DOUBLE_EQ(row("total").max, 10);
    EXPECT_EQ(row("count").n, split);
    EXPECT_DOUBLE_EQ(row("count").median, 4);
    EXPECT_DOUBLE_EQ(row("move").median, 9);
}

TEST_F(LiveTimingTest, RowsSpeakOfCudaOnlyWhereItRuns) {
    const auto speaks_of_cuda = [this](compaction::EngineId engine) {
        compaction::Algorithm algorithm = one_phase;
        algorithm.engine = engine;
        return std::ranges::any_of(timing_.rows(algorithm), [](const TimingRow& row) {
            return row.meaning.find("CUDA") != std::string::npos;
        });
    };
    EXPECT_FALSE(speaks_of_cuda(compaction::EngineId::cpu));
    EXPECT_TRUE(speaks_of_cuda(compaction::EngineId::cuda));
}

TEST_F(LiveTimingTest, SplitsGrowRareOnceTheirCostIsKnown) {
    // Two of four frames teach what a split costs; then one compaction in two hundred keeps 5 us on 10 us
    // under 0.25 %, and splits come an odd number apart.
    frames(16);
    int splits = 0;
    for (int i = 0; i < 2010; ++i) splits += frame();
    EXPECT_EQ(splits, 10);
}

TEST_F(LiveTimingTest, PhasesAreCarriedOnToFramesThatWereNotSplit) {
    frames(30);
    ASSERT_FALSE(newest().split);
    ASSERT_EQ(newest().num_phases, 3U);
    EXPECT_FLOAT_EQ(newest().phase_us[0], 4);
    EXPECT_FLOAT_EQ(newest().phase_us[1], 2);
    EXPECT_FLOAT_EQ(newest().phase_us[2], 9);
}

TEST_F(LiveTimingTest, EveryFrameIsSplitWhereThatCostsNothing) {
    const Script cheap{.total_us = 1000, .boundaries_us = 1, .phase_us = {400, 200, 401}};
    frames(16, cheap);
    for (int i = 0; i < 50; ++i) EXPECT_TRUE(frame(cheap));
    EXPECT_TRUE(newest().plain) << "and its total tells that of a frame without";
}

TEST_F(LiveTimingTest, TheOnlyPhaseOfAnAlgorithmIsItsTotal) {
    for (int i = 0; i < 10; ++i) EXPECT_FALSE(frame({.algorithm = &one_phase}));
    EXPECT_TRUE(newest().split);
    ASSERT_EQ(newest().num_phases, 1U);
    EXPECT_FLOAT_EQ(newest().phase_us[0], 10);
}

TEST_F(LiveTimingTest, PhasesOfOneAlgorithmAreNotCarriedOnToAnother) {
    frames(100);
    ASSERT_FALSE(newest().split);
    ASSERT_EQ(newest().num_phases, 3U);
    // Another algorithm comes without the statistics being restarted, so that its first split is still to
    // come.
    const compaction::Algorithm other = three_phases;
    ASSERT_FALSE(frame({.algorithm = &other}));
    EXPECT_EQ(newest().algorithm, &other);
    EXPECT_EQ(newest().num_phases, 0U);
}

TEST_F(LiveTimingTest, TheStatisticsStartAnewAndTheTimelineGoesOn) {
    frames(10, {.algorithm = &one_phase});
    EXPECT_EQ(row("total").n, 10U) << "the first frame counts too";
    EXPECT_EQ(timing_.frame_summary().n, 10U);
    timing_.restart_statistics();
    EXPECT_EQ(row("total").n, 0U);
    frames(4, {.total_us = 20, .algorithm = &one_phase});
    EXPECT_EQ(row("total").n, 4U);
    EXPECT_DOUBLE_EQ(row("total").min, 20);
    EXPECT_EQ(timing_.timeline().size(), 14U);
    timing_.clear();
    EXPECT_EQ(timing_.timeline().size(), 0U);
    frame({.algorithm = &one_phase});
    EXPECT_EQ(timing_.timeline().size(), 1U);
}

TEST_F(LiveTimingTest, TimingsOfWhatRanBeforeDoNotEnterTheNewStatistics) {
    hold_back(true);
    frames(3, {.total_us = 99, .algorithm = &one_phase, .copy_us = 7});
    timing_.restart_statistics();
    hold_back(false);
    frames(2, {.total_us = 10, .algorithm = &one_phase});
    EXPECT_EQ(row("total").n, 2U);
    EXPECT_DOUBLE_EQ(row("total").max, 10);
    EXPECT_EQ(timing_.throughput(1000, 4000).copy_gb_s, 0);
}

TEST_F(LiveTimingTest, DroppedRunsAreCountedAndHoldNothingUp) {
    hold_back(true);
    frames(20, {.algorithm = &one_phase});
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

TEST_F(LiveTimingTest, ThroughputIsBytesReadOncePlusBytesKept) {
    EXPECT_EQ(timing_.throughput(1000, 4000).useful_gb_s, 0);
    frame({.algorithm = &one_phase, .copy_us = 4});
    // (1000 + 500) items of 4 bytes in 10 us; a copy reads and writes 4000 bytes in 4 us.
    const Throughput throughput = timing_.throughput(1000, 4000);
    EXPECT_NEAR(throughput.useful_gb_s, 0.6, 1e-9);
    EXPECT_NEAR(throughput.copy_gb_s, 2, 1e-9);
    EXPECT_NEAR(throughput.share_of_copy, 0.3, 1e-9);
    EXPECT_EQ(throughput.share_noise(), 0);
}

TEST_F(LiveTimingTest, AShareIsAsNoisyAsTheWorseOfItsTwoSides) {
    for (const float copy_us : {4.0F, 8.0F, 4.0F, 8.0F, 6.0F})
        frame({.algorithm = &one_phase, .copy_us = copy_us});
    const Throughput throughput = timing_.throughput(1000, 4000);
    EXPECT_EQ(throughput.useful_noise, 0);
    EXPECT_NEAR(throughput.copy_noise, 4.0 / 6, 1e-9);
    EXPECT_EQ(throughput.share_noise(), throughput.copy_noise);
}

TEST_F(LiveTimingTest, TheStatisticsCoverSixHundredFramesWhateverTheTimelineHolds) {
    frames(700, {.total_us = 99, .algorithm = &one_phase});
    frames(600, {.total_us = 10, .algorithm = &one_phase});
    EXPECT_GT(timing_.timeline().size(), 1000U);
    EXPECT_EQ(row("total").n, 600U);
    EXPECT_DOUBLE_EQ(row("total").max, 10);
    EXPECT_EQ(timing_.frame_summary().n, 600U);
}

TEST_F(LiveTimingTest, FramesOfOneEraAreTimedUnderTheSameSettings) {
    frames(3);
    const std::uint32_t before = newest().config_epoch;
    timing_.restart_statistics();
    frames(3);
    EXPECT_EQ(newest().config_epoch, before + 1);
    EXPECT_EQ(timing_.timeline()[0].config_epoch, before);
}

TEST(ClockWatch, AsksTenTimesASecondAndRemembersWhatItWasTold) {
    auto probe = std::make_unique<scripted::Clock>();
    scripted::Clock& clock = *probe;
    ClockWatch watch(std::move(probe));
    ClockWatch::TimePoint now;
    clock.show(1.5e9);
    watch.step(now);
    EXPECT_EQ(watch.hz(), 0) << "not known before the first answer";
    for (int frame = 0; frame < 60; ++frame) watch.step(now += std::chrono::microseconds(16'667));
    EXPECT_EQ(watch.hz(), 1.5e9);
    EXPECT_GE(clock.times_enqueued(), 9U);
    EXPECT_LE(clock.times_enqueued(), 11U);
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
        const bool split = timing.begin_frame(frame, 1, algorithm);
        compaction::PhaseRecorder* const phases = split ? timing.phase_recorder() : nullptr;
        {
            const compaction::ScopedRun batch{timing.total_recorder(), frame};
            const compaction::ScopedPhase all{timing.total_recorder()};
            const compaction::ScopedRun run{phases, frame};
            compactor->enqueue(in.as<compaction::Item>(), num_items, out.as<compaction::Item>(),
                               num_selected.as<std::uint64_t>(), compaction::keep_non_zero(), phases);
        }
        timing.end_frame(frame, 0, 100, num_items);
        timing.collect();
    }
    ASSERT_EQ(timing.timeline().size(), 20U);
    EXPECT_EQ(timing.dropped(), 0U);
    const auto rows = timing.rows(algorithm);
    ASSERT_GT(rows.size(), algorithm.phases.size());
    for (std::size_t phase = 0; phase < algorithm.phases.size(); ++phase) {
        EXPECT_EQ(rows[phase].name, algorithm.phases[phase].name);
        EXPECT_GT(rows[phase].us.n, 0U);
        EXPECT_GE(rows[phase].us.min, 0);
    }
    EXPECT_GT(rows[algorithm.phases.size()].us.min, 0) << "a total is never zero";
}

}  // namespace
}  // namespace warpsieve
