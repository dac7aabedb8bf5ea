// Scales, limits, hit testing and notes of XyPlot.
#include "app/plots/xy_plot.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "tests/app/plots/fake_lines.hpp"
#include "tests/support/special_values.hpp"

namespace {

using namespace warpsieve;
using fake::two_lines;
using plots::XyPlot;
using plots::XyPoint;
using testing_support::nan;

TEST(XyScales, HoldPointsQuartilesAndLimits) {
    XyPlot plot = two_lines();
    plot.limits.push_back({.name = "copy", .level = 1e5});
    const ImVec2 low{50, 10};
    const ImVec2 high{450, 210};
    const plots::XyScales scales = plots::make_scales(plot, low, high);
    for (const plots::XySeries& series : plot.series) {
        for (const XyPoint& point : series.points) {
            const ImVec2 at = scales.at(point);
            EXPECT_GT(at.x, low.x);
            EXPECT_LT(at.x, high.x);
            EXPECT_GT(scales.y.at(point.q3), low.y);
            EXPECT_LT(scales.y.at(point.q1), high.y);
        }
    }
    EXPECT_GT(scales.y.at(1e5), low.y);
}

TEST(XyScales, StayWhereTheDataWillCome) {
    XyPlot plot = two_lines();
    plot.x.shown.include(std::exp2(10));
    plot.x.shown.include(std::exp2(20));
    const plots::XyScales whole = plots::make_scales(plot, {0, 0}, {400, 200});
    for (plots::XySeries& series : plot.series) series.points.resize(2);
    EXPECT_EQ(plots::make_scales(plot, {0, 0}, {400, 200}).x.high, whole.x.high);
}

TEST(XyLimits, ThatCoincideAreOneLineWithBothNames) {
    XyPlot plot = two_lines();
    plot.limits = {{.name = "copy speed", .level = 1000, .diagonal = true},
                   {.name = "read speed", .level = 1010, .diagonal = true},
                   {.name = "far", .level = 4000, .diagonal = true},
                   {.name = "level", .level = 1000}};
    const plots::XyScales scales = plots::make_scales(plot, {50, 10}, {450, 210});
    const std::vector<plots::XyLimit> distinct = plots::distinct_limits(plot, scales, 5);
    ASSERT_EQ(distinct.size(), 3U);
    EXPECT_EQ(distinct[0].name, "copy speed, read speed");
    EXPECT_EQ(distinct[1].name, "far");
    EXPECT_EQ(distinct[2].name, "level");
}

TEST(XyHits, AreTheNearestPointWithinReach) {
    const XyPlot plot = two_lines();
    const plots::XyScales scales = plots::make_scales(plot, {0, 0}, {400, 200});
    const ImVec2 at = scales.at(plot.series[1].points[4]);
    const auto hit = plots::nearest_point(plot, scales, {at.x + 1, at.y - 1}, 20);
    ASSERT_TRUE(hit);
    EXPECT_EQ(*hit, (plots::XyHit{1, 4}));
    EXPECT_FALSE(plots::nearest_point(plot, scales, {at.x, at.y - 100}, 20));
    EXPECT_FALSE(plots::nearest_point(XyPlot{}, scales, at, 20));
}

TEST(XyHits, AreNeverPointsThatAreNotShown) {
    XyPlot plot = two_lines();
    plot.series[1].points[4].y = nan;
    plot.series[1].points[5].y = 0;
    const plots::XyScales scales = plots::make_scales(plot, {0, 0}, {400, 200});
    EXPECT_EQ(plots::count_unplottable(plot, scales), 2U);
    for (float x = 0; x < 400; x += 3) {
        for (float y = 0; y < 200; y += 3) {
            const auto hit = plots::nearest_point(plot, scales, {x, y}, 50);
            if (hit && hit->series == 1) {
                EXPECT_NE(hit->point, 4U);
                EXPECT_NE(hit->point, 5U);
            }
        }
    }
}

TEST(XyNotes, SayHowManyNamesAreLeftOut) {
    EXPECT_EQ(plots::left_out_names_text(0), "");
    EXPECT_EQ(plots::left_out_names_text(1), "1 name left out: point at a dot to read its name");
    EXPECT_EQ(plots::left_out_names_text(3), "3 names left out: point at a dot to read its name");
}

}  // namespace
