// The race: the order of finish is the order of medians, one factor for all, ties share a place.
#include "app/panels/views/race_model.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <optional>
#include <random>

#include "tests/app/plots/fake_replay.hpp"

namespace warpsieve::panels {
namespace {

/// Its ratio is that to a lane of 1 µs.
Runner runner(double median_us, double spread = 0.001) {
    const experiments::Interval interval{median_us * (1 - spread), median_us * (1 + spread), 0.96};
    return {median_us, interval, {experiments::Comparison::b_faster, 300, median_us, interval}};
}

/// Up to eight runners whose times differ by up to a factor of 1,000; some do not run.
std::vector<Runner> random_runners(std::mt19937& random) {
    std::uniform_real_distribution<double> exponent(0, 3);
    std::uniform_real_distribution<double> spread(0, 0.3);
    std::vector<Runner> runners(1 + random() % 8);
    for (Runner& each : runners) {
        if (random() % 6 != 0) each = runner(std::pow(10, exponent(random)), spread(random));
    }
    return runners;
}

class RaceModelTest : public testing::Test {
  protected:
    std::mt19937 random_{7};
};

TEST_F(RaceModelTest, TheOrderOfFinishIsTheOrderOfMedians) {
    for (int round = 0; round < 500; ++round) {
        const auto runners = random_runners(random_);
        const RacePace pace = pace_of(runners);
        const auto order = finishing_order(runners);
        for (std::size_t i = 1; i < order.size(); ++i) {
            EXPECT_LE(runners[order[i - 1]].median_us, runners[order[i]].median_us);
            EXPECT_LE(finish_s(runners[order[i - 1]], pace), finish_s(runners[order[i]], pace));
        }
        EXPECT_EQ(order.size(), static_cast<std::size_t>(std::ranges::count_if(runners, &Runner::runs)));
    }
}

TEST_F(RaceModelTest, AllStripsAreSlowedDownByTheSameFactorAndNeverMoveBack) {
    for (int round = 0; round < 500; ++round) {
        const auto runners = random_runners(random_);
        const RacePace pace = pace_of(runners);
        for (const Runner& each : runners) {
            if (!each.runs()) continue;
            EXPECT_NEAR(finish_s(each, pace) / each.median_us, pace.slowdown * 1e-6, 1e-9 * pace.slowdown);
            float before = 0;
            for (double elapsed = 0; elapsed < 10; elapsed += 0.37) {
                const float share = share_done(each, pace, elapsed);
                EXPECT_GE(share, before);
                EXPECT_LE(share, 1);
                if (elapsed >= finish_s(each, pace) && elapsed <= pace.seconds) {
                    EXPECT_EQ(share, 1);
                }
                before = share;
            }
        }
    }
}

TEST_F(RaceModelTest, ARaceLastsAFewSecondsAndItsFastestCanBeSeen) {
    for (int round = 0; round < 500; ++round) {
        const auto runners = random_runners(random_);
        const RacePace pace = pace_of(runners);
        const auto order = finishing_order(runners);
        if (order.empty()) {
            EXPECT_EQ(pace.slowdown, 0);
            continue;
        }
        EXPECT_GE(pace.seconds, 4.99);
        EXPECT_LE(pace.seconds, 8);
        EXPECT_GE(finish_s(runners[order.front()], pace), 0.249);
    }
}

TEST_F(RaceModelTest, PlacesFollowTheOrderAndTiesShareThem) {
    for (int round = 0; round < 500; ++round) {
        const auto runners = random_runners(random_);
        const auto places = places_of(runners);
        const auto order = finishing_order(runners);
        for (std::size_t i = 0; i < order.size(); ++i) {
            const std::uint32_t place = places[order[i]];
            EXPECT_GE(place, 1U);
            EXPECT_LE(place, i + 1);
            if (i > 0) {
                EXPECT_GE(place, places[order[i - 1]]);
            }
            const Runner& leader = runners[order[place - 1]];
            EXPECT_EQ(places[order[place - 1]], place) << "a place has the number of the first to finish";
            if (place != i + 1) {
                EXPECT_NE(compare(leader.over_fastest.interval, runners[order[i]].over_fastest.interval),
                          experiments::Change::slower);
            }
        }
        for (std::size_t i = 0; i < runners.size(); ++i) EXPECT_EQ(places[i] == 0, !runners[i].runs());
    }
}

TEST_F(RaceModelTest, TwoFirstsLeaveTheSecondPlaceFree) {
    const std::vector runners{runner(20), runner(10, 0.05), {}, runner(10.2, 0.05)};
    EXPECT_EQ(places_of(runners), (std::vector<std::uint32_t>{3, 1, 0, 1}));
    // Intervals apart: no tie, however close the medians are.
    EXPECT_EQ(places_of(std::vector{runner(10), runner(10.3)}), (std::vector<std::uint32_t>{1, 2}));
}

class RaceTest : public testing::Test {
  protected:
    RaceTest() {
        algorithm_.id = "fake";
        algorithm_.name = "Made up";
        algorithm_.engine = compaction::EngineId::cpu;
        for (const double median : {10.0, 40.0, 20.0})
            view_.lanes.push_back({.algorithm = &algorithm_,
                                   .n = 600,
                                   .median_us = median,
                                   .over_fastest = runner(median / 10).over_fastest});
    }

    compaction::Algorithm algorithm_;
    RaceFigures view_{1, {}};
    Race race_;
};

TEST_F(RaceTest, StartsWhenEveryLaneHasARatio) {
    const experiments::PairedRatio known = view_.lanes[1].over_fastest;
    view_.lanes[1].over_fastest = {};
    view_.lanes[1].over_fastest.pairs = experiments::min_pairs - 1;
    start_when_due(race_, view_, 0);
    EXPECT_FALSE(race_.started);
    EXPECT_EQ(awaited_lane(view_), 1U);
    view_.lanes[1].over_fastest = known;
    start_when_due(race_, view_, 1);
    EXPECT_TRUE(race_.started);
    EXPECT_EQ(race_.places, (std::vector<std::uint32_t>{1, 3, 2}));
}

TEST_F(RaceTest, ALaneThatFailsIsNotWaitedFor) {
    view_.lanes[1] = {.algorithm = &algorithm_, .problem = "out of memory"};
    start_when_due(race_, view_, 0);
    EXPECT_TRUE(race_.started);
    EXPECT_EQ(race_.places, (std::vector<std::uint32_t>{1, 0, 2}));
}

TEST_F(RaceTest, KeepsItsMediansUntilTheNextStart) {
    start_when_due(race_, view_, 0);
    view_.lanes[0].median_us = 99;
    const double end_s = race_.pace.seconds + race_.photo_s;
    start_when_due(race_, view_, end_s + 1);
    EXPECT_EQ(race_.runners[0].median_us, 10);
    EXPECT_TRUE(race_.is_over(end_s + 1));
    start_when_due(race_, view_, end_s + 4);
    EXPECT_EQ(race_.runners[0].median_us, 99);
    EXPECT_EQ(race_.elapsed_s(end_s + 4), 0);
}

TEST_F(RaceTest, StandsStillWhenTheFirstFinishesAndThenGoesOn) {
    start_when_due(race_, view_, 100);
    const double first_s = finish_s(race_.runners[0], race_.pace);
    EXPECT_FALSE(race_.in_photo(100 + 0.99 * first_s));
    EXPECT_TRUE(race_.in_photo(100 + 1.01 * first_s));
    EXPECT_NEAR(race_.elapsed_s(100 + first_s + 2), first_s, 1e-9);
    EXPECT_EQ(share_done(race_.runners[0], race_.pace, race_.elapsed_s(100 + first_s + 2)), 1);
    EXPECT_LT(share_done(race_.runners[2], race_.pace, race_.elapsed_s(100 + first_s + 2)), 1);
    double before = 0;
    for (double now_s = 100; now_s < 112; now_s += 0.05) {
        EXPECT_GE(race_.elapsed_s(now_s), before);
        before = race_.elapsed_s(now_s);
    }
    race_.go_on(100 + first_s + 1);
    EXPECT_FALSE(race_.in_photo(100 + first_s + 1));
    EXPECT_NEAR(race_.elapsed_s(100 + first_s + 2), first_s + 1, 1e-9);
}

TEST_F(RaceTest, OneRunnerHasNoPhotoFinish) {
    view_.lanes.resize(1);
    start_when_due(race_, view_, 0);
    EXPECT_EQ(race_.photo_s, 0);
    EXPECT_EQ(photo_text(race_, view_), "");
}

TEST_F(RaceTest, ThePhotoFinishHasTheRatioOfPairs) {
    compaction::Algorithm second = algorithm_;
    second.name = "Another";
    view_.lanes[0].over_fastest = {experiments::Comparison::same, 300, 1, {1, 1, 1}};
    view_.lanes[2].algorithm = &second;
    const auto text_of = [&](experiments::PairedRatio ratio) {
        race_ = {};
        view_.lanes[2].over_fastest = ratio;
        start_when_due(race_, view_, 0);
        return photo_text(race_, view_);
    };
    EXPECT_EQ(
        text_of({experiments::Comparison::b_faster, 300, 2.02, {1.98, 2.05, 0.95}}),
        "Made up is first at 10.0 µs. Another takes 2.02 times as long [1.98, 2.05], median of 300 pairs.");
    EXPECT_EQ(text_of({experiments::Comparison::ambiguous, 300, 1.02, {0.98, 1.05, 0.95}}),
              "shared at 10.0 µs: Another takes 1.02 times as long as Made up [0.980, 1.05], "
              "median of 300 pairs.");
}

TEST_F(RaceTest, ANewMeasurementEndsIt) {
    start_when_due(race_, view_, 0);
    view_.serial = 2;
    view_.lanes[0].over_fastest = {};
    start_when_due(race_, view_, 1);
    EXPECT_FALSE(race_.started);
}

TEST_F(RaceTest, ManagesWithoutLanes) {
    view_.lanes.clear();
    start_when_due(race_, view_, 0);
    EXPECT_FALSE(race_.started);
    EXPECT_EQ(share_done({}, pace_of({}), 1), 0);
}

TEST_F(RaceModelTest, StepsMakeARaceOfTheirOwnAndNoRatio) {
    compaction::Algorithm a, b;
    a.name = "First";
    b.name = "Second";
    RaceFigures figures{1, {{.algorithm = &a}, {.algorithm = &b}}};
    EXPECT_EQ(shown_pair({}, figures, false), std::nullopt) << "nobody has been timed";
    EXPECT_EQ(shown_pair({}, figures, true), (std::array<std::size_t, 2>{0, 1}));
    Race race;
    figures.lanes[1].replay = std::make_shared<fake::Replay>(true, 64);
    start_in_steps_when_due(race, figures, 10);
    EXPECT_FALSE(race.started) << "one replay is missing";
    figures.lanes[0].replay = std::make_shared<fake::Replay>(true, 141);
    start_in_steps_when_due(race, figures, 11);
    ASSERT_TRUE(race.started);
    EXPECT_EQ(shown_pair(race, figures, true), (std::array<std::size_t, 2>{0, 1})) << "as the lanes";
    EXPECT_EQ(photo_text_in_steps(race, figures), "Second ends at step 64, when First has done 64 of 141.");
    EXPECT_EQ(replay_time(race, 64, 11), 0);
    const double photo = 11 + race.photo_at_s;
    EXPECT_NEAR(replay_time(race, 64, photo - race.photo_at_s / 2), 32, 1e-9);
    for (const double later : {0.0, 1.0, 2.9}) EXPECT_NEAR(replay_time(race, 64, photo + later), 64, 1e-9);
    EXPECT_GT(replay_time(race, 64, photo + 4), 64);
}

TEST_F(RaceModelTest, TheMemoryOfTheFirstTwoIsShown) {
    compaction::Algorithm algorithm;
    Race race;
    race.runners = {runner(30), {}, runner(10), runner(20)};
    race.started = true;
    RaceFigures figures;
    figures.lanes.resize(4);
    for (RaceLane& lane : figures.lanes) lane.algorithm = &algorithm;
    EXPECT_EQ(shown_pair(race, figures, false), (std::array<std::size_t, 2>{2, 3}));
}

}  // namespace
}  // namespace warpsieve::panels
