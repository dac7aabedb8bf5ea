// Algorithms race over the stream of every frame: timed by themselves, without disturbing the main
// run.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "app/settings/window_preferences.hpp"
#include "tests/app/live/live_run_fixture.hpp"

namespace warpsieve {
namespace {

class RaceRunTest : public LiveRunFixture {
  protected:
    RaceRunTest() { run_.configure(settings_.run, false); }

    void race(const std::vector<std::string>& algorithms) { run_.race(algorithms); }
    /// Runs frames until those lanes have replays.
    void expect_replays(const std::vector<bool>& expected, bool in_steps) {
        std::vector<bool> found;
        const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
        while (found != expected && std::chrono::steady_clock::now() < deadline) {
            frames(1);
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
            found.clear();
            for (const RaceLane& lane : snapshot().figures->race.lanes) {
                found.push_back(lane.replay != nullptr);
                if (!lane.replay) continue;
                EXPECT_EQ(&lane.replay->algorithm(), lane.algorithm);
                EXPECT_EQ(lane.replay->in_steps(), in_steps);
                EXPECT_EQ(lane.replay->num_items(), min_slots);
            }
        }
        EXPECT_EQ(found, expected);
    }
    std::uint64_t allocations() const { return run_.engine().counters().allocations; }
};

TEST_F(RaceRunTest, TimesEachLaneInTheOrderOfTheSettings) {
    race({"cpu_loop", "cpu_simd", "cpu_scan_scatter"});
    frames(30);
    const RaceFigures& shown = snapshot().figures->race;
    ASSERT_EQ(shown.lanes.size(), 3U);
    EXPECT_EQ(shown.lanes[0].algorithm->id, "cpu_loop");
    EXPECT_EQ(shown.lanes[2].algorithm->id, "cpu_scan_scatter");
    for (const RaceLane& lane : shown.lanes) {
        EXPECT_EQ(lane.problem, "");
        EXPECT_GE(lane.n, 5U);
        EXPECT_GT(lane.median_us, 0);
    }
}

TEST_F(RaceRunTest, TheTimesOfTheLanesAreTheirRatiosToTheFastest) {
    race({"cpu_loop", "cpu_simd", "cpu_scan_scatter"});
    frames(100);
    const std::vector<RaceLane> lanes = snapshot().figures->race.lanes;
    ASSERT_EQ(lanes.size(), 3U);
    const auto fastest = std::ranges::min_element(lanes, {}, &RaceLane::median_us);
    EXPECT_EQ(fastest->over_fastest.median, 1);
    for (const RaceLane& lane : lanes) {
        EXPECT_EQ(2 * lane.over_fastest.pairs, lane.n);
        EXPECT_GE(lane.over_fastest.pairs, experiments::min_pairs);
        EXPECT_DOUBLE_EQ(lane.median_us, lane.over_fastest.median * fastest->median_us);
        EXPECT_LE(lane.over_fastest.interval.low, lane.over_fastest.median);
        EXPECT_GE(lane.over_fastest.interval.high, lane.over_fastest.median);
        EXPECT_LE(lane.interval.low, lane.median_us);
        EXPECT_GE(lane.interval.high, lane.median_us);
    }
}

TEST_F(RaceRunTest, LanesThatDoNotFitIntoAFrameHaveRatiosToo) {
    // Without times, each lane fills a frame; so does each of these.
    settings_.run.slots = 32'000;
    settings_.run.iterations = 500;
    run_.configure(settings_.run, false);
    race({"cpu_loop", "std_copy_if", "cpu_scan_scatter", "cpu_simd"});
    for (int i = 0; i < 100 && snapshot().figures->race.lanes[3].over_fastest.pairs == 0; ++i) frames(4);
    for (const RaceLane& lane : snapshot().figures->race.lanes)
        EXPECT_GT(lane.over_fastest.pairs, 0U) << lane.algorithm->id << lane.problem;
}

TEST_F(RaceRunTest, ALaneThatWasNotTimedHasAFrameForItself) {
    race({"cpu_loop", "cpu_simd", "cpu_scan_scatter"});
    frames(4);
    for (const RaceLane& lane : snapshot().figures->race.lanes)
        EXPECT_EQ(lane.n, 0U) << "three lanes have run four times in all, and the first times do not count";
}

TEST_F(RaceRunTest, MakesReplaysOfThePairAlone) {
    race({"cpu_loop", "cpu_simd", "cpu_scan_scatter"});
    frames(30);
    for (const RaceLane& lane : snapshot().figures->race.lanes) EXPECT_EQ(lane.replay, nullptr);
    run_.make_race_replays(
        {&compaction::find_algorithm("cpu_scan_scatter"), &compaction::find_algorithm("cpu_loop")});
    expect_replays({true, false, true}, false);
    for (const RaceLane& lane : snapshot().figures->race.lanes) EXPECT_EQ(lane.problem, "");
}

TEST_F(RaceRunTest, ASimulatedGpuOnlyTracesItsLanes) {
    settings_.run.engine = compaction::EngineId::simulated;
    run_.configure(settings_.run, false);
    race(WindowPreferences{}.race);
    const std::vector<RaceLane> lanes = snapshot().figures->race.lanes;
    ASSERT_EQ(lanes.size(), 2U) << "two by default";
    run_.make_race_replays({lanes[0].algorithm, lanes[1].algorithm});
    expect_replays({true, true}, true);
    for (const RaceLane& lane : snapshot().figures->race.lanes) EXPECT_EQ(lane.n, 0U);
}

TEST_F(RaceRunTest, EveryAlgorithmOfTheEngineCanRace) {
    std::vector<std::string> ids;
    for (const compaction::Algorithm& algorithm : compaction::catalogue()) {
        if (algorithm.engine == compaction::EngineId::cpu) ids.push_back(algorithm.id);
    }
    while (!ids.empty()) {
        race(ids);
        frames(40);
        for (const RaceLane& lane : snapshot().figures->race.lanes) {
            EXPECT_EQ(lane.problem, "") << lane.algorithm->id;
            EXPECT_GT(lane.n, 0U) << lane.algorithm->id;
        }
        ids.erase(ids.begin(),
                  ids.begin() + static_cast<std::ptrdiff_t>(snapshot().figures->race.lanes.size()));
    }
}

TEST_F(RaceRunTest, LeavesOutOtherEnginesAndWhatIsMoreThanEight) {
    std::vector<std::string> ids{"sequence_wise", "no such algorithm"};
    for (int twice = 0; twice < 2; ++twice) {
        for (const compaction::Algorithm& algorithm : compaction::catalogue()) ids.push_back(algorithm.id);
    }
    race(ids);
    EXPECT_EQ(snapshot().figures->race.lanes.size(), max_racing);
    race({"sequence_wise"});
    frames(3);
    EXPECT_TRUE(snapshot().figures->race.lanes.empty());
}

TEST_F(RaceRunTest, TheDefaultSetFillsEightLanesAndEndsWithThePlainLoop) {
    race(WindowPreferences{}.race);
    const std::vector<RaceLane> lanes = snapshot().figures->race.lanes;
    ASSERT_EQ(lanes.size(), max_racing);
    EXPECT_EQ(lanes.back().algorithm->id, "cpu_loop");
    for (const RaceLane& lane : lanes) EXPECT_FALSE(lane.algorithm->synchronises) << lane.algorithm->id;
}

TEST_F(RaceRunTest, LeavesTheStatisticsOfTheMainRunAlone) {
    frames(10);
    const auto n_before = snapshot().timings.timeline->size();
    const std::vector<compaction::Item> before = kept();
    race({"cpu_loop", "std_copy_if"});
    frames(10);
    EXPECT_EQ(snapshot().timings.timeline->size(), n_before + 10);
    EXPECT_EQ(figures_of(snapshot().figures->a.rows, total_row_name)->n, 20U) << "the statistics restarted";
    EXPECT_EQ(snapshot().checks.a.wrong, 0U);
    race({});
    frames(1);
    EXPECT_EQ(figures_of(snapshot().figures->a.rows, total_row_name)->n, 21U);
    EXPECT_FALSE(kept().empty());
}

TEST_F(RaceRunTest, HasMemoryOnlyWhileItIsShown) {
    frames(1);
    EXPECT_TRUE(snapshot().figures->race.lanes.empty());
    const auto before = allocations();
    frames(3);
    EXPECT_EQ(allocations(), before);
    race({"cpu_loop", "cpu_scan_scatter"});
    const auto opened = allocations();
    EXPECT_GT(opened, before);
    frames(40);
    race({"cpu_loop", "cpu_scan_scatter"});
    EXPECT_EQ(allocations(), opened) << "neither a frame nor the same wish allocates";
    race({});
    EXPECT_TRUE(snapshot().figures->race.lanes.empty());
}

TEST_F(RaceRunTest, AChangeOfTheStreamMeasuresAnewAndOneOfTheAlgorithmDoesNot) {
    race({"cpu_loop"});
    frames(20);
    const auto serial = snapshot().figures->race.serial;
    settings_.run.a.algorithm = "cpu_simd";
    run_.configure(settings_.run, false);
    EXPECT_EQ(snapshot().figures->race.serial, serial);
    settings_.run.live_fraction = 0.1F;
    run_.configure(settings_.run, false);
    race({"cpu_loop"});
    EXPECT_NE(snapshot().figures->race.serial, serial);
    EXPECT_EQ(snapshot().figures->race.lanes[0].n, 0U);
    const auto second = snapshot().figures->race.serial;
    settings_.run.slots = 2 * min_slots;
    run_.configure(settings_.run, false);
    race({"cpu_loop"});
    EXPECT_NE(snapshot().figures->race.serial, second);
    frames(20);
    EXPECT_GT(snapshot().figures->race.lanes[0].n, 0U);
    EXPECT_EQ(snapshot().figures->race.lanes[0].problem, "");
}

TEST_F(RaceRunTest, ALaneWithoutMemorySaysSo) {
    // The slots fit, the output of the race does not.
    settings_.run.slots = 34'000;
    run_.configure(settings_.run, false);
    race({"cpu_loop", "cpu_simd"});
    frames(3);
    ASSERT_EQ(snapshot().figures->race.lanes.size(), 2U);
    for (const RaceLane& lane : snapshot().figures->race.lanes) {
        EXPECT_NE(lane.problem.find("memory limit"), std::string::npos) << lane.problem;
        EXPECT_EQ(lane.n, 0U);
    }
}

}  // namespace
}  // namespace warpsieve
