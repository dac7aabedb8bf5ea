#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <string>
#include <vector>

#include "compaction/error.hpp"
#include "experiments/measure.hpp"
#include "experiments/stream_ring.hpp"
#include "tests/support/fake_engine.hpp"

namespace {

using namespace experiments;
using compaction::Algorithm;
using compaction::EngineId;
using compaction::Phase;
using compaction::PhaseRole;
using testing_support::FakeEngine;
using testing_support::Script;

constexpr std::uint64_t num_items = 1024;

Algorithm fake(const std::string& id) {
    Algorithm algorithm;
    algorithm.id = id;
    algorithm.engine = EngineId::cuda;
    algorithm.phases = {{PhaseRole::fused, "all", ""}};
    return algorithm;
}

class MeasureTest : public testing::Test {
  protected:
    MeasureTest() {
        script_.phase_us = {{"fast", {10}}, {"slow", {40}}, {"split", {10, 20, 30}}};
        split_.phases = {{PhaseRole::count, "count", ""},
                         {PhaseRole::prefix, "prefix", ""},
                         {PhaseRole::scatter, "move", ""}};
        hooks_.now_s = [this] { return script_.now_us * 1e-6; };
        stream_.num_items = num_items;
        // Every second item is kept, to the item.
        stream_.pattern = workloads::Pattern::structured;
    }

    Setting setting(const Algorithm& algorithm) { return {&algorithm, {}, stream_}; }

    Measurement measured(const std::vector<Setting>& settings) {
        return measure(engine_, settings, policy_, hooks_);
    }

    Script script_;
    FakeEngine engine_{script_};
    Algorithm fast_ = fake("fast");
    Algorithm slow_ = fake("slow");
    Algorithm split_ = fake("split");
    StreamSpec stream_;
    Policy policy_;
    Hooks hooks_;
};

TEST_F(MeasureTest, FindsTheTimesThatWereFake) {
    const Measurement measurement = measured({setting(fast_), setting(slow_)});
    ASSERT_EQ(measurement.results.size(), 2U);
    const Result& fast = measurement.results[0];
    EXPECT_EQ(fast.setting.algorithm, &fast_);
    EXPECT_TRUE(fast.correct());
    EXPECT_NEAR(fast.us.median, 10, 1e-4);
    EXPECT_NEAR(measurement.results[1].us.median, 40, 1e-4);
    EXPECT_EQ(fast.num_kept, num_items / 2);
    // The whole copy: 2 µs + 4 KiB; the floor reads and writes as much as 1024 items read and 512 written.
    EXPECT_NEAR(fast.copy_us, 6, 1e-4);
    EXPECT_NEAR(fast.floor_us, 5, 1e-4);
    EXPECT_NEAR(fast.share_of_floor, 0.5, 1e-4);
    EXPECT_NEAR(fast.useful_gb_s, 1536 * 4 / 10e3, 1e-4);
    EXPECT_NEAR(fast.share_of_copy, (1536.0 / 10) / (2048.0 / 6), 1e-4);
    ASSERT_EQ(measurement.copies.size(), 1U);
    EXPECT_NEAR(measurement.copies[0].gb_s, 2048 * 4 / 6e3, 1e-4);
    EXPECT_FALSE(measurement.interrupted);
    EXPECT_TRUE(measurement.failure.empty());
}

TEST_F(MeasureTest, PutsShortCallsTogetherUntilASampleIsLongEnough) {
    const Measurement measurement = measured({setting(fast_), setting(slow_)});
    EXPECT_EQ(measurement.results[0].calls_per_sample, 40U);
    EXPECT_EQ(measurement.results[1].calls_per_sample, 10U);
    script_.phase_us["slow"] = {5000};
    EXPECT_EQ(measured({setting(slow_)}).results[0].calls_per_sample, 1U);
}

TEST_F(MeasureTest, StopsAtTheLeastTimeWhereThereIsNoNoise) {
    const Result result = measured({setting(slow_)}).results[0];
    EXPECT_EQ(result.us.noise(), 0);
    EXPECT_GE(static_cast<double>(result.us.n) * 400e-6, policy_.min_time_s);
    EXPECT_LE(static_cast<double>(result.us.n) * 400e-6, 1.04 * policy_.min_time_s);
}

TEST_F(MeasureTest, TakesTheLeastNumberOfSamplesHoweverLongTheyTake) {
    script_.phase_us["slow"] = {1e6};
    EXPECT_EQ(measured({setting(slow_)}).results[0].us.n, policy_.min_samples);
}

TEST_F(MeasureTest, GoesOnToTheTimeLimitWhereThereIsNoise) {
    // Samples alternate between one and two lengths, so the interval never closes.
    script_.phase_us["slow"] = {450};
    script_.more_us = [](const std::string&, std::size_t call) { return call / 2 % 2 == 0 ? 0 : 450; };
    const Result result = measured({setting(slow_)}).results[0];
    EXPECT_GT(result.us.noise(), 0.4);
    // Each sample has an untimed call first: 0.675 ms on average, twice.
    EXPECT_NEAR(static_cast<double>(result.us.n) * 1350e-6, policy_.time_limit_s,
                0.05 * policy_.time_limit_s);
}

TEST_F(MeasureTest, TakesTurns) {
    measured({setting(fast_), setting(slow_)});
    const std::vector<std::string> turn{"copy of 4096", "copy of 3072", "fast", "slow"};
    ASSERT_GT(script_.timed_runs.size(), 400U);
    for (std::size_t i = 0; i < 400; ++i) EXPECT_EQ(script_.timed_runs[i], turn[i % turn.size()]) << i;
}

TEST_F(MeasureTest, AllocatesNothingOnceItMeasures) {
    policy_.phases = PhaseMethod::stamps;
    measured({setting(fast_), setting(split_)});
    // The phase recorder allocates no engine memory here.
    EXPECT_EQ(script_.allocations, script_.allocations_at_first_timed_run);
}

TEST_F(MeasureTest, ColdCallsComeBackToABufferAfterThreeTimesTheCache) {
    measured({setting(fast_)});
    const std::uint64_t in_between = script_.inputs.size() * num_items * sizeof(compaction::Item);
    EXPECT_GE(in_between, 3 * engine_.device().cache_bytes);
    EXPECT_LT(in_between, 4 * engine_.device().cache_bytes);
    EXPECT_EQ(script_.outputs.size(), script_.inputs.size());
}

TEST_F(MeasureTest, LongStreamsAreCopiedInPartsThatASignalNeedNotWaitFor) {
    stream_.num_items = 17 << 20;
    std::size_t largest = 0;
    script_.on_copy = [&](std::size_t size_bytes) { largest = std::max(largest, size_bytes); };
    const std::uint64_t bytes = stream_.num_items * sizeof(compaction::Item);
    FakeEngine engine(script_, /*cache_bytes=*/bytes * 2 / 3);
    const StreamRing ring(engine, stream_, {stream_, engine.device()});
    ASSERT_EQ(ring.size(), 2U);
    EXPECT_EQ(std::memcmp(ring[0].in, ring[1].in, bytes), 0);
    EXPECT_EQ(largest, std::size_t{64} << 20);
}

TEST_F(MeasureTest, NothingMoreIsCopiedAfterACancellation) {
    std::atomic<bool> cancel = false;
    std::size_t copies = 0;
    script_.on_copy = [&](std::size_t) { cancel = ++copies == 3; };
    const StreamRing ring(engine_, stream_, {stream_, engine_.device()}, &cancel);
    EXPECT_EQ(copies, 3U);
}

TEST_F(MeasureTest, HotCallsStayWhereTheyAre) {
    stream_.cache = Cache::hot;
    EXPECT_EQ(measured({setting(fast_)}).results.size(), 1U);
    EXPECT_EQ(script_.inputs.size(), 1U);
    EXPECT_EQ(script_.outputs.size(), 1U);
}

TEST_F(MeasureTest, KeepsThrottledSamplesAndFlagsThem) {
    script_.clock_hz = [asked = 0]() mutable { return ++asked > 40 ? 1.4e9 : 2e9; };
    const Measurement measurement = measured({setting(slow_)});
    const Result& result = measurement.results[0];
    EXPECT_EQ(result.us.n, result.samples_us.size());
    EXPECT_GT(result.throttled, 0U);
    EXPECT_FALSE(result.supports_verdict());
    EXPECT_EQ(measurement.lowest_clock_hz, 1.4e9);
    EXPECT_EQ(measurement.highest_clock_hz, 2e9);
    // Copy, floor and algorithm in turn: the first 13 rounds ended at full speed.
    EXPECT_EQ(result.us.n - result.throttled, 13U);
    EXPECT_GT(measurement.copies[0].throttled, 0U);
}

TEST_F(MeasureTest, AnUnknownClockFlagsNothing) {
    script_.clock_hz = [] { return 0.0; };
    EXPECT_EQ(measured({setting(slow_)}).results[0].throttled, 0U);
}

TEST_F(MeasureTest, FindsOneWrongResultAmongMany) {
    stream_.cache = Cache::cold;
    script_.lazy = [](const std::string& id, std::size_t call) { return id == "slow" && call == 5000; };
    const Measurement measurement = measured({setting(fast_), setting(slow_)});
    EXPECT_TRUE(measurement.results[0].correct());
    EXPECT_FALSE(measurement.results[1].correct());
}

TEST_F(MeasureTest, NoCallPassesWithTheOutputOfAnother) {
    for (const Cache cache : {Cache::cold, Cache::hot}) {
        stream_.cache = cache;
        script_.lazy = [](const std::string& id, std::size_t) { return id == "slow"; };
        const Measurement measurement = measured({setting(fast_), setting(slow_)});
        ASSERT_EQ(measurement.results.size(), 2U) << name_of(cache);
        EXPECT_TRUE(measurement.results[0].correct()) << name_of(cache);
        EXPECT_FALSE(measurement.results[1].correct()) << name_of(cache);
    }
}

TEST_F(MeasureTest, ChecksEveryCallWhereThatIsCheapAndOneOfEachSampleWhereItIsNot) {
    const Result cheap = measured({setting(slow_)}).results[0];
    EXPECT_EQ(cheap.calls_checked, cheap.calls_timed);
    script_.check_us = 1e5;
    const Result dear = measured({setting(slow_)}).results[0];
    EXPECT_EQ(dear.calls_checked, dear.us.n);
}

TEST_F(MeasureTest, SkipsWhatDoesNotFitAndSaysWhatWould) {
    stream_.cache = Cache::hot;
    script_.free_bytes = 100'000;
    Setting large = setting(fast_);
    large.stream.num_items = 1 << 20;
    const Measurement measurement = measured({setting(fast_), large});
    EXPECT_EQ(measurement.results.size(), 1U);
    ASSERT_EQ(measurement.skipped.size(), 1U);
    const std::string& reason = measurement.skipped[0].reason;
    EXPECT_NE(reason.find("n = 2^20 needs"), std::string::npos) << reason;
    EXPECT_NE(reason.find("free on Fake device"), std::string::npos) << reason;
    // Input, output, the same size of poison, each in steps of 256 bytes, and the count.
    EXPECT_NE(reason.find("up to n = 8256 would fit"), std::string::npos) << reason;
}

TEST_F(MeasureTest, SkipsWhatTheDeviceRefusesAndGoesOn) {
    script_.refused = {"slow"};
    script_.max_items = num_items;
    Setting long_one = setting(fast_);
    long_one.stream.num_items = 2 * num_items;
    const Measurement measurement = measured({long_one, setting(slow_), setting(fast_)});
    ASSERT_EQ(measurement.results.size(), 1U);
    EXPECT_EQ(measurement.results[0].setting, setting(fast_));
    ASSERT_EQ(measurement.skipped.size(), 2U);
    EXPECT_EQ(measurement.skipped[0].setting, long_one);
    EXPECT_EQ(measurement.skipped[0].reason, "The fake device takes no more items.");
    EXPECT_EQ(measurement.skipped[1].setting, setting(slow_));
    EXPECT_EQ(measurement.skipped[1].reason, "The fake device has no room for that.");
}

TEST_F(MeasureTest, SkipsWhatTheSystemHasNoMemoryForAndGoesOn) {
    stream_.cache = Cache::hot;
    script_.max_host_bytes = std::size_t{1} << 20;
    Setting large = setting(fast_);
    large.stream.num_items = 1 << 20;
    const Measurement measurement = measured({large, setting(fast_)});
    ASSERT_EQ(measurement.results.size(), 1U);
    EXPECT_EQ(measurement.results[0].setting, setting(fast_));
    ASSERT_EQ(measurement.skipped.size(), 1U);
    EXPECT_EQ(measurement.skipped[0].setting, large);
    const std::string& reason = measurement.skipped[0].reason;
    EXPECT_TRUE(reason.starts_with("n = 2^20: host memory ran out")) << reason;
}

TEST_F(MeasureTest, RefusesWhatNoDeviceCouldRunBeforeItMeasures) {
    Setting illegal = setting(slow_);
    illegal.options[compaction::Option::blocks] = 7;
    illegal.stream.num_items = 2 * num_items;
    EXPECT_THROW(measured({setting(fast_), illegal}), compaction::Error);
    EXPECT_TRUE(script_.timed_runs.empty());
}

TEST_F(MeasureTest, KeepsWhatWasMeasuredWhenItIsInterrupted) {
    std::atomic<bool> cancel = false;
    hooks_.cancel = &cancel;
    hooks_.stream_done = [&](const Measurement&) { cancel = true; };
    Setting second = setting(fast_);
    second.stream.num_items = 2048;
    const Measurement measurement = measured({setting(fast_), second});
    EXPECT_TRUE(measurement.interrupted);
    EXPECT_EQ(measurement.results.size(), 1U);
}

TEST_F(MeasureTest, KeepsTheSamplesTakenBeforeAnInterruption) {
    std::atomic<bool> cancel = false;
    hooks_.cancel = &cancel;
    script_.clock_hz = [&, asked = 0]() mutable {
        if (++asked > 30) cancel = true;
        return 2e9;
    };
    const Measurement measurement = measured({setting(fast_)});
    EXPECT_TRUE(measurement.interrupted);
    ASSERT_EQ(measurement.results.size(), 1U);
    EXPECT_EQ(measurement.results[0].us.n, 10U);
}

TEST_F(MeasureTest, KeepsResultsWhenTheDeviceFails) {
    Setting second = setting(slow_);
    second.stream.num_items = 2048;
    hooks_.stream_done = [this](const Measurement&) { script_.fails_at_call = script_.calls["slow"] + 3; };
    const Measurement measurement = measured({setting(fast_), second});
    EXPECT_EQ(measurement.results.size(), 1U);
    EXPECT_EQ(measurement.failure, "The fake device broke.");
    EXPECT_FALSE(measurement.interrupted);
}

TEST_F(MeasureTest, ReportsProgress) {
    // The noisy one goes on when the other is done.
    script_.more_us = [](const std::string& id, std::size_t call) {
        return id == "slow" ? 5.0 * static_cast<double>(call * call % 7) : 0;
    };
    std::vector<Progress> reports;
    hooks_.progress = [&](const Progress& progress) { reports.push_back(progress); };
    Setting second = setting(fast_);
    second.stream.num_items = 2048;
    measured({setting(fast_), setting(slow_), second});
    ASSERT_FALSE(reports.empty());
    EXPECT_EQ(reports.front().settings_done, 0U);
    EXPECT_EQ(reports.front().settings_total, 3U);
    EXPECT_NE(reports.front().activity.find("warming up"), std::string::npos);
    EXPECT_GE(reports.back().settings_done, 2U);
    EXPECT_LT(reports.back().seconds_left, reports.front().seconds_left);
    // Finished settings of the current stream count too.
    EXPECT_TRUE(std::ranges::any_of(reports, [](const Progress& each) { return each.settings_done == 1; }));
    EXPECT_TRUE(std::ranges::is_sorted(reports, {}, &Progress::settings_done));
    for (std::size_t i = 1; i < reports.size(); ++i) EXPECT_GE(reports[i].seconds_left, 0);
}

TEST_F(MeasureTest, ShowsTheResultsSoFar) {
    std::vector<Measurement> shown;
    hooks_.so_far = [&](Measurement measurement) { shown.push_back(std::move(measurement)); };
    policy_.phases = PhaseMethod::stamps;
    Setting second = setting(fast_);
    second.stream.num_items = 2048;
    const Measurement whole = measured({setting(fast_), setting(slow_), second});
    ASSERT_FALSE(shown.empty());
    // The first sample is shown, although it belongs to the warm-up.
    EXPECT_FALSE(shown.front().results.empty() && shown.front().copies.empty());
    for (const Measurement& each : shown) {
        EXPECT_LE(each.results.size(), whole.results.size());
        EXPECT_LE(each.copies.size(), whole.copies.size());
        for (std::size_t i = 0; i < each.results.size(); ++i) {
            EXPECT_EQ(each.results[i].setting, whole.results[i].setting);
        }
    }
    const auto unsettled = [](const Measurement& each) {
        return std::ranges::count(each.results, false, &Result::settled);
    };
    EXPECT_GT(std::ranges::count_if(shown, [&](const Measurement& each) { return unsettled(each) > 0; }), 1);
    EXPECT_EQ(unsettled(whole), 0);
}

TEST_F(MeasureTest, WhatIsInterruptedIsNotSettled) {
    std::atomic<bool> cancel = false;
    hooks_.cancel = &cancel;
    policy_.phases = PhaseMethod::stamps;
    hooks_.so_far = [&](const Measurement& measurement) {
        if (!measurement.results.empty() && measurement.results.front().us.n >= 20) cancel = true;
    };
    const Measurement measurement = measured({setting(split_)});
    EXPECT_TRUE(measurement.interrupted);
    ASSERT_EQ(measurement.results.size(), 1U);
    EXPECT_FALSE(measurement.results[0].settled);
    EXPECT_TRUE(measurement.results[0].phases.empty());
}

TEST_F(MeasureTest, NothingToMeasureIsNoError) {
    const Measurement measurement = measured({});
    EXPECT_TRUE(measurement.results.empty());
    EXPECT_TRUE(measurement.copies.empty());
}

}  // namespace
