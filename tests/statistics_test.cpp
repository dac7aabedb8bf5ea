#include "experiments/statistics.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

#include "experiments/timeline.hpp"
#include "tests/support/special_values.hpp"

namespace {

using experiments::FrameSample;
using experiments::summarise;
using experiments::Summary;
using experiments::Timeline;
using testing_support::infinity;
using testing_support::nan;

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

TEST(Statistics, mean_beside_median) {
    const std::vector<float> sample{1, 2, 3, 10, nan};
    const experiments::Summary summary = experiments::summarise(sample);
    EXPECT_DOUBLE_EQ(summary.mean, 4);
    EXPECT_NEAR(summary.mean_error, std::sqrt(50.0 / 3 / 4), 1e-12);
    const experiments::Interval interval = experiments::mean_interval(summary);
    EXPECT_NEAR(interval.low, 4 - 1.96 * summary.mean_error, 1e-12);
    EXPECT_NEAR(interval.high, 4 + 1.96 * summary.mean_error, 1e-12);
    EXPECT_EQ(experiments::mean_interval(experiments::summarise(std::vector<float>{1})).coverage, 0);
}

}  // namespace
