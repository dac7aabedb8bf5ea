#include "experiments/statistics.hpp"

#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <vector>

#include "experiments/split_schedule.hpp"
#include "experiments/timeline.hpp"

namespace {

using experiments::FrameSample;
using experiments::SplitSchedule;
using experiments::summarise;
using experiments::Summary;
using experiments::Timeline;

constexpr float nan = std::numeric_limits<float>::quiet_NaN();
constexpr float infinity = std::numeric_limits<float>::infinity();

TEST(Summarise, InterpolatesBetweenOrderStatistics) {
    // The answers of R's quantile(), whose default is type 7.
    const Summary four = summarise(std::array{4.0F, 1.0F, 3.0F, 2.0F});
    EXPECT_DOUBLE_EQ(four.median, 2.5);
    EXPECT_DOUBLE_EQ(four.q1, 1.75);
    EXPECT_DOUBLE_EQ(four.q3, 3.25);
    EXPECT_DOUBLE_EQ(four.min, 1);
    EXPECT_DOUBLE_EQ(four.max, 4);
    EXPECT_EQ(four.n, 4U);
    EXPECT_DOUBLE_EQ(four.interquartile_range(), 1.5);
    EXPECT_DOUBLE_EQ(four.noise(), 0.6);

    const Summary five = summarise(std::array{10.0F, 50.0F, 20.0F, 40.0F, 30.0F});
    EXPECT_DOUBLE_EQ(five.median, 30);
    EXPECT_DOUBLE_EQ(five.q1, 20);
    EXPECT_DOUBLE_EQ(five.q3, 40);
}

TEST(Summarise, OneSampleIsAllFiveNumbers) {
    const Summary one = summarise(std::array{7.0F});
    EXPECT_DOUBLE_EQ(one.min, 7);
    EXPECT_DOUBLE_EQ(one.q1, 7);
    EXPECT_DOUBLE_EQ(one.median, 7);
    EXPECT_DOUBLE_EQ(one.q3, 7);
    EXPECT_DOUBLE_EQ(one.max, 7);
    EXPECT_DOUBLE_EQ(one.noise(), 0);
}

TEST(Summarise, CountsAndSkipsWhatIsNotFinite) {
    const Summary summary = summarise(std::array{nan, 1.0F, infinity, 3.0F, -infinity, 2.0F, nan});
    EXPECT_DOUBLE_EQ(summary.median, 2);
    EXPECT_DOUBLE_EQ(summary.min, 1);
    EXPECT_DOUBLE_EQ(summary.max, 3);
    EXPECT_EQ(summary.n, 3U);
    EXPECT_EQ(summary.left_out, 4U);
}

TEST(Summarise, NothingGivesZeros) {
    for (const std::vector<float>& sample : {std::vector<float>{}, std::vector<float>{nan, nan}}) {
        const Summary summary = summarise(sample);
        EXPECT_EQ(summary.n, 0U);
        EXPECT_EQ(summary.left_out, sample.size());
        EXPECT_EQ(summary.median, 0);
        EXPECT_EQ(summary.interquartile_range(), 0);
        EXPECT_EQ(summary.noise(), 0);
    }
}

FrameSample frame(std::uint64_t number) {
    FrameSample sample;
    sample.frame = number;
    return sample;
}

TEST(Timeline, KeepsTheLastFramesOldestFirst) {
    Timeline timeline(4);
    EXPECT_EQ(timeline.size(), 0U);
    EXPECT_EQ(timeline.capacity(), 4U);
    for (std::uint64_t number = 0; number < 3; ++number) timeline.push(frame(number));
    ASSERT_EQ(timeline.size(), 3U);
    for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(timeline[i].frame, i);

    for (std::uint64_t number = 3; number < 10; ++number) timeline.push(frame(number));
    ASSERT_EQ(timeline.size(), 4U);
    for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(timeline[i].frame, 6 + i);
}

TEST(Timeline, StartsAnewWhenCleared) {
    Timeline timeline(4);
    for (std::uint64_t number = 0; number < 6; ++number) timeline.push(frame(number));
    timeline.clear();
    EXPECT_EQ(timeline.size(), 0U);
    timeline.push(frame(100));
    timeline.push(frame(101));
    ASSERT_EQ(timeline.size(), 2U);
    EXPECT_EQ(timeline[0].frame, 100U);
    EXPECT_EQ(timeline[1].frame, 101U);
}

/// A schedule that has seen batches of `compactions` with and without a split.
SplitSchedule schedule_that_knows(float plain_us, float split_us, std::uint32_t compactions) {
    SplitSchedule schedule;
    for (int i = 0; i < 16; ++i) {
        const bool split = schedule.next(compactions);
        schedule.add_batch(split ? split_us : plain_us, compactions, split);
    }
    return schedule;
}

int splits_in(SplitSchedule& schedule, int batches, std::uint32_t compactions) {
    int splits = 0;
    for (int batch = 0; batch < batches; ++batch) splits += schedule.next(compactions);
    return splits;
}

TEST(SplitSchedule, SplitsTwoOfFourBatchesUntilItKnowsTheCost) {
    SplitSchedule schedule;
    EXPECT_EQ(schedule.cost_us(), 0);
    EXPECT_FALSE(schedule.split_batches_count());
    std::vector<bool> split;
    for (int batch = 0; batch < 8; ++batch) split.push_back(schedule.next(1));
    EXPECT_EQ(split, (std::vector{true, false, false, true, true, false, false, true}));
}

TEST(SplitSchedule, StaysWithinAQuarterOfOnePercent) {
    // 3 us for the boundaries of a compaction of 10 us: 0.25 % is one split in 120 compactions, or, as they
    // come an odd number apart, in 121.
    SplitSchedule schedule = schedule_that_knows(10, 13, 1);
    EXPECT_DOUBLE_EQ(schedule.cost_us(), 3);
    EXPECT_EQ(schedule.period(), 120U);
    EXPECT_FALSE(schedule.split_batches_count());
    EXPECT_EQ(splits_in(schedule, 1210, 1), 10);
}

TEST(SplitSchedule, CountsCompactionsAndNotBatches) {
    // The same compaction, 15 in a batch: not every eighth batch but every ninth.
    SplitSchedule schedule = schedule_that_knows(150, 153, 15);
    EXPECT_EQ(schedule.period(), 120U);
    EXPECT_EQ(splits_in(schedule, 90, 15), 10);
}

TEST(SplitSchedule, UsesThePhasesIfBatchesShowNoDifference) {
    SplitSchedule schedule = schedule_that_knows(160, 160, 16);
    EXPECT_EQ(schedule.cost_us(), 0);
    for (int i = 0; i < 8; ++i) schedule.add_split(14);
    EXPECT_DOUBLE_EQ(schedule.cost_us(), 4);
}

TEST(SplitSchedule, SplitsAlwaysWhereBoundariesCostNothing) {
    SplitSchedule schedule = schedule_that_knows(100, 99, 1);
    EXPECT_EQ(schedule.cost_us(), 0);
    EXPECT_TRUE(schedule.split_batches_count());
    EXPECT_EQ(splits_in(schedule, 10, 1), 10);
}

TEST(SplitSchedule, LeavesPlainBatchesInBothPlaces) {
    // 0.4 % for the boundaries: every second batch would do, and those left would all be even ones.
    SplitSchedule schedule = schedule_that_knows(1000, 1004, 1);
    EXPECT_EQ(schedule.period(), 2U);
    std::array<int, 2> plain{};
    for (int batch = 0; batch < 60; ++batch) plain[batch % 2] += schedule.next(1) ? 0 : 1;
    EXPECT_EQ(plain[0], 20);
    EXPECT_EQ(plain[1], 20);
}

TEST(SplitSchedule, ForgetsWhenRestartedOrTheBatchChanges) {
    SplitSchedule schedule = schedule_that_knows(10, 13, 1);
    schedule.restart();
    EXPECT_EQ(schedule.cost_us(), 0);
    schedule = schedule_that_knows(10, 13, 1);
    schedule.next(2);
    EXPECT_EQ(schedule.cost_us(), 0);
}

}  // namespace
