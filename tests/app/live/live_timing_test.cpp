#include "app/live/live_timing.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "app/plots/columns.hpp"
#include "experiments/statistics.hpp"
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
    float total_us = 10;                   ///< one compaction
    std::vector<float> phase_us{4, 2, 3};  ///< empty: a run without stamps
    std::vector<float> hidden_us{}, gap_us{};
    bool gaps_known = true;
    std::uint32_t iterations = 1;
    const compaction::Algorithm* algorithm = &three_phases;
    float copy_us = 0;  ///< 0: no copy
    std::uint64_t num_kept = 500;
};

compaction::RunTiming timing_of(const Script& script) {
    compaction::RunTiming timing;
    std::ranges::copy(script.phase_us, timing.phase_us.begin());
    std::ranges::copy(script.hidden_us, timing.hidden_us.begin());
    std::ranges::copy(script.gap_us, timing.gap_us.begin());
    timing.gaps_known = script.gaps_known;
    timing.num_phases = script.phase_us.size();
    return timing;
}

/// The height of the frame's stack in the plot.
float stack_of(const experiments::FrameSample& sample) {
    return std::accumulate(sample.phases().begin(), sample.phases().end(), sample.between_us);
}

class LiveTimingTest : public testing::Test {
  protected:
    /// Runs the next frame as LiveRun does, and collects what has finished.
    void frame(const Script& script = {}) {
        const std::uint64_t number = next_frame_++;
        timing_.begin_frame(number, script.iterations, *script.algorithm);
        span(timing_.simulate_timer(), number, 3);
        recorder().script(timing_of(script));
        for (std::uint32_t i = 0; i < script.iterations; ++i)
            const compaction::ScopedRun run{timing_.phase_recorder_of(i), number};
        span(timing_.total_timer(), number, script.total_us * static_cast<float>(script.iterations));
        timing_.collect_phases(number);
        if (script.copy_us > 0) span(timing_.copy_timer(), number, script.copy_us);
        timing_.end_frame(number, 0.5F, 1000, script.num_kept);
        timing_.collect();
    }
    void frames(int count, const Script& script = {}) {
        for (int i = 0; i < count; ++i) frame(script);
    }
    void hold_back(bool hold) {
        for (compaction::SpanTimer* timer :
             {timing_.total_timer(), timing_.simulate_timer(), timing_.copy_timer()}) {
            static_cast<scripted::Timer*>(timer)->hold_back(hold);
        }
        recorder().hold_back(hold);
    }
    scripted::Recorder& recorder() { return static_cast<scripted::Recorder&>(*timing_.phase_recorder_of(0)); }
    const experiments::FrameSample& newest() const {
        return timing_.timeline()[timing_.timeline().size() - 1];
    }
    TimingRow row_of(const std::string& name) const {
        for (const TimingRow& row : timing_.rows(three_phases)) {
            if (row.name == name) return row;
        }
        ADD_FAILURE() << "no row '" << name << "'";
        return {};
    }
    experiments::Summary row(const std::string& name) const { return row_of(name).us; }

    scripted::Engine engine_;
    std::vector<experiments::FrameSample> log_;
    LiveTiming timing_{engine_, &log_};
    std::uint64_t next_frame_ = 0;

  private:
    static void span(compaction::SpanTimer* timer, std::uint64_t number, float us) {
        static_cast<scripted::Timer*>(timer)->script(us);
        const compaction::ScopedSpan timed{timer, number};
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
    { const compaction::ScopedRun run{timing_.phase_recorder_of(0), 0}; }
    { const compaction::ScopedSpan span{timing_.total_timer(), 0}; }
    timing_.collect_phases(0);
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
    timing_.collect_phases(0);
    timing_.end_frame(0, 0, 1000, 1);
    timing_.collect();
    ASSERT_EQ(timing_.timeline().size(), 1U);
    EXPECT_EQ(recorder().largest_batch(), LiveTiming::most_timed_runs);
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

TEST_F(LiveTimingTest, OverlapAndGapsStandInTheTooltipsOfPhases) {
    frames(3);
    EXPECT_EQ(row_of("prefix").meaning.find("resident"), std::string::npos);
    timing_.restart_statistics();
    frames(3, {.hidden_us = {0, 1, 0}, .gap_us = {0, 0.5F, 0}});
    frames(9, {.hidden_us = {0, 1, 0}, .gaps_known = false});
    EXPECT_FALSE(newest().gaps_known);
    EXPECT_EQ(row_of("count").meaning, "");
    EXPECT_NE(row_of("prefix").meaning.find("Its launch was resident for 1.00 µs before it could begin: 40"),
              std::string::npos)
        << row_of("prefix").meaning;
    EXPECT_NE(row_of("prefix").meaning.find(
                  "of it is hidden behind count. 0.500 µs pass between its last "
                  "block and the next phase, measured in at least one compaction in eight."),
              std::string::npos)
        << row_of("prefix").meaning;
    EXPECT_EQ(row_of("move").meaning, "");
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

TEST_F(LiveTimingTest, ThroughputIsBytesReadOncePlusBytesKept) {
    EXPECT_EQ(timing_.throughput(1000, 4000).useful_gb_s, 0);
    frames(2, {.algorithm = &one_phase, .copy_us = 4});
    EXPECT_EQ(timing_.throughput(1000, 4000).copy_gb_s, 0) << "two copies are too few";
    EXPECT_TRUE(timing_.wants_copies());
    frame({.algorithm = &one_phase, .copy_us = 4});
    EXPECT_FALSE(timing_.wants_copies());
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
        timing.collect_phases(frame);
        timing.end_frame(frame, 0, 100, num_items);
        timing.collect();
    }
    ASSERT_EQ(timing.timeline().size(), 20U);
    EXPECT_EQ(timing.dropped(), 0U);
    const auto rows = timing.rows(algorithm);
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
