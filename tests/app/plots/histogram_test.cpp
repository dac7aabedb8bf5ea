#include "app/plots/histogram.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "tests/support/special_values.hpp"

namespace {

using namespace warpsieve;
using testing_support::nan;

std::size_t counted(const plots::Histogram& histogram) {
    return std::accumulate(histogram.counts.begin(), histogram.counts.end(), std::size_t{0}) +
           histogram.below + histogram.above;
}

TEST(Histogram, HasTheBinsOfFreedmanAndDiaconis) {
    std::vector<float> values(1'000);
    std::iota(values.begin(), values.end(), 1'000.0F);
    const plots::Histogram histogram = plots::make_histogram(values, false);
    // The bins are 99.9 wide: twice the interquartile range of 499.5 over the cube root of 1,000. The range
    // is 999.
    EXPECT_EQ(histogram.counts.size(), 10U);
    EXPECT_DOUBLE_EQ(histogram.low, 1'000);
    EXPECT_DOUBLE_EQ(histogram.high, 1'999);
    EXPECT_EQ(counted(histogram), 1'000U);
    for (const std::size_t count : histogram.counts) EXPECT_NEAR(static_cast<double>(count), 100, 1);
    EXPECT_DOUBLE_EQ(histogram.us.median, 1'499.5);
    EXPECT_DOUBLE_EQ(histogram.edge(0), 1'000);
    EXPECT_DOUBLE_EQ(histogram.edge(10), 1'999);
}

TEST(Histogram, CountsWhatLiesBeyondTheFences) {
    std::vector<float> values;
    for (int i = 0; i < 600; ++i) values.push_back(100.0F + static_cast<float>(i % 11));
    values[300] = 4'000;
    values[301] = 5'000;
    values[302] = 3;
    for (const bool logarithmic : {false, true}) {
        const plots::Histogram histogram = plots::make_histogram(values, logarithmic);
        EXPECT_EQ(histogram.above, 2U);
        EXPECT_EQ(histogram.below, 1U);
        EXPECT_LT(histogram.high, 200) << "a spike does not flatten the rest";
        EXPECT_EQ(counted(histogram), 600U);
        EXPECT_LE(histogram.counts.size(), 64U);
        EXPECT_EQ(histogram.us.max, 5'000);
    }
}

TEST(Histogram, SurvivesEmptyEqualAndBrokenData) {
    EXPECT_TRUE(plots::make_histogram({}, false).counts.empty());
    EXPECT_TRUE(plots::make_histogram(std::vector<float>{nan, nan}, true).counts.empty());
    EXPECT_TRUE(plots::make_histogram(std::vector<float>(5, 0.0F), true).counts.empty());
    for (const bool logarithmic : {false, true}) {
        const plots::Histogram equal = plots::make_histogram(std::vector<float>(50, 7.0F), logarithmic);
        EXPECT_LT(equal.low, 7);
        EXPECT_GT(equal.high, 7);
        EXPECT_EQ(*std::ranges::max_element(equal.counts), 50U);
        const plots::Histogram broken =
            plots::make_histogram(std::vector<float>{nan, 5, 6, 7, -1, 0, 6, 6}, logarithmic);
        EXPECT_EQ(counted(broken), 7U);
        EXPECT_EQ(broken.us.left_out, 1U);
    }
}

TEST(Histogram, DividesALogarithmicAxisEvenly) {
    std::vector<float> values;
    for (int i = 0; i < 700; ++i) values.push_back(std::pow(10.0F, static_cast<float>(i) / 350));
    const plots::Histogram histogram = plots::make_histogram(values, true);
    EXPECT_NEAR(histogram.edge(0), 1, 1e-3);
    EXPECT_NEAR(histogram.position_of(10), 0.5, 0.01);
    const std::size_t max = *std::ranges::max_element(histogram.counts);
    const std::size_t min = *std::ranges::min_element(histogram.counts);
    EXPECT_LE(max - min, 2U);
}

}  // namespace
