// Scales, their ticks, and the thinning of points.
#include "app/plots/axis.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/special_values.hpp"

namespace {

using namespace warpsieve;
using plots::AxisQuantity;
using plots::Range;
using plots::Scale;
using testing_support::infinity;
using testing_support::nan;

std::vector<std::string> labels_of(const Scale& scale, AxisQuantity quantity, std::size_t max_ticks) {
    std::vector<std::string> labels;
    for (const plots::Tick& tick : plots::ticks_of(scale, quantity, max_ticks)) labels.push_back(tick.label);
    return labels;
}

TEST(Scales, GoToPixelsAndBack) {
    for (const bool logarithmic : {false, true}) {
        const Scale scale{2, 4096, logarithmic, 300, 20};
        EXPECT_FLOAT_EQ(scale.at(2), 300);
        EXPECT_FLOAT_EQ(scale.at(4096), 20);
        for (const double value : {2.0, 64.0, 1000.0}) {
            EXPECT_NEAR(scale.value_at(scale.at(value)), value, 1e-3 * value);
        }
    }
}

TEST(Scales, HaveNoPlaceForWhatHasNoLogarithm) {
    const Scale linear{0, 1, false, 0, 1};
    const Scale logarithmic{1, 10, true, 0, 1};
    EXPECT_TRUE(linear.shows(0));
    EXPECT_FALSE(logarithmic.shows(0));
    EXPECT_FALSE(logarithmic.shows(-3));
    EXPECT_FALSE(linear.shows(nan));
    EXPECT_FALSE(linear.shows(infinity));
}

TEST(Scales, OfOneValueAndOfNoneHaveAWidth) {
    for (const bool logarithmic : {false, true}) {
        for (const bool from_zero : {false, true}) {
            Range one;
            one.include(5);
            Range zero;
            if (!logarithmic) zero.include(0);
            for (const Range& range : {Range{}, one, zero}) {
                const Scale scale = plots::make_scale(range, logarithmic, from_zero, 0, 100);
                EXPECT_LT(scale.low, scale.high);
                EXPECT_TRUE(std::isfinite(scale.at(5)));
                if (!range.empty) {
                    EXPECT_LE(scale.low, range.low);
                    EXPECT_GT(scale.high, range.high);
                }
            }
        }
    }
    Range positive;
    positive.include(0.2);
    positive.include(0.9);
    EXPECT_EQ(plots::make_scale(positive, false, true, 0, 100).low, 0);
}

TEST(ScaleTicks, AreWrittenAsPeopleWriteThem) {
    EXPECT_EQ(labels_of({1024, 65536, true, 0, 1}, AxisQuantity::items, 9),
              (std::vector<std::string>{"2¹⁰", "2¹¹", "2¹²", "2¹³", "2¹⁴", "2¹⁵", "2¹⁶"}));
    EXPECT_EQ(labels_of({1024, 65536, true, 0, 1}, AxisQuantity::items, 4),
              (std::vector<std::string>{"2¹⁰", "2¹²", "2¹⁴", "2¹⁶"}));
    EXPECT_EQ(labels_of({1, 10000, true, 0, 1}, AxisQuantity::time_us, 5),
              (std::vector<std::string>{"1 µs", "10 µs", "100 µs", "1 ms", "10 ms"}));
    EXPECT_EQ(labels_of({0, 1, false, 0, 1}, AxisQuantity::share, 6),
              (std::vector<std::string>{"0 %", "20 %", "40 %", "60 %", "80 %", "100 %"}));
    EXPECT_EQ(labels_of({1e6, 1e10, true, 0, 1}, AxisQuantity::per_second, 5),
              (std::vector<std::string>{"1 M", "10 M", "100 M", "1 G", "10 G"}));
    EXPECT_EQ(labels_of({0, 4000, false, 0, 1}, AxisQuantity::time_us, 5),
              (std::vector<std::string>{"0", "1", "2", "3", "4 ms"}));
}

TEST(ScaleTicks, AreThereOnAnyRange) {
    for (const AxisQuantity quantity :
         {AxisQuantity::number, AxisQuantity::items, AxisQuantity::time_us, AxisQuantity::share}) {
        for (const bool logarithmic : {false, true}) {
            for (const auto& [low, high] : {std::pair{1.1, 1.9}, {37.0, 44.0}, {65536.0, 65536.0 * 40}}) {
                const auto ticks = plots::ticks_of({low, high, logarithmic, 0, 1}, quantity, 8);
                EXPECT_LE(ticks.size(), 8U);
                EXPECT_FALSE(quantity != AxisQuantity::items && ticks.size() < 2)
                    << low << " " << logarithmic;
            }
        }
    }
}

TEST(ThinOut, KeepsEndsAndExtremesOfEveryColumn) {
    std::vector<float> x;
    std::vector<float> y;
    for (int i = 0; i < 4096; ++i) {
        x.push_back(static_cast<float>(i) * 0.05F);
        y.push_back(i == 2017 ? 90.0F : i == 1033 ? -5.0F : static_cast<float>(i % 7));
    }
    const auto kept = plots::thin_out(x, y, 1);
    EXPECT_LE(kept.size(), 4 * 206U);
    EXPECT_TRUE(std::ranges::is_sorted(kept));
    EXPECT_EQ(kept.front(), 0U);
    EXPECT_EQ(kept.back(), 4095U);
    EXPECT_TRUE(std::ranges::count(kept, 2017U) == 1);
    EXPECT_TRUE(std::ranges::count(kept, 1033U) == 1);
}

TEST(ThinOut, LeavesSparsePointsAlone) {
    EXPECT_EQ(plots::thin_out({0, 10, 20}, {1, 2, 3}, 1), (std::vector<std::size_t>{0, 1, 2}));
    EXPECT_TRUE(plots::thin_out({}, {}, 1).empty());
}

}  // namespace
