// The arithmetic of plots and of the layout: figures, ticks, panes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "app/format/figures.hpp"
#include "app/panels/layout.hpp"
#include "app/plots/axis.hpp"
#include "app/plots/bars.hpp"
#include "app/plots/columns.hpp"
#include "app/plots/heat_map.hpp"
#include "tests/support/special_values.hpp"

namespace {

using namespace warpsieve;
using testing_support::infinity;
using testing_support::nan;

/// Relative luminance of WCAG 2.1, without the linear part of its gamma curve.
double rough_luminance(ImU32 colour) {
    const auto channel = [colour](int shift) {
        return std::pow(static_cast<double>((colour >> shift) & 0xFF) / 255, 2.2);
    };
    return 0.2126 * channel(IM_COL32_R_SHIFT) + 0.7152 * channel(IM_COL32_G_SHIFT) +
           0.0722 * channel(IM_COL32_B_SHIFT);
}

TEST(HeatColour, DarkensSteadilyFromTheBestToTheWorst) {
    constexpr double worst = 3;
    double before = rough_luminance(plots::heat_colour(1, worst));
    for (double ratio = 1.02; ratio < worst; ratio += 0.02) {
        const double now = rough_luminance(plots::heat_colour(ratio, worst));
        EXPECT_LE(now, before) << ratio;
        before = now;
    }
    EXPECT_GT(rough_luminance(plots::heat_colour(1, worst)), 0.7);
    EXPECT_LT(rough_luminance(plots::heat_colour(worst, worst)), 0.03);
    EXPECT_EQ(plots::heat_colour(50, worst), plots::heat_colour(worst, worst));
    EXPECT_EQ(plots::heat_colour(0.5, worst), plots::heat_colour(1, worst));
}

TEST(Ink, CanBeReadOnEveryMixOfRaisedAndAccent) {
    constexpr double flare = 0.05;
    for (const plots::PaletteId theme : {plots::PaletteId::dark, plots::PaletteId::light}) {
        const plots::Palette& palette = plots::palette_of(theme);
        for (float share = 0; share <= 1; share += 0.05F) {
            const ImU32 colour = plots::mix(palette.raised, palette.accent, share);
            const double a = rough_luminance(colour) + flare;
            const double b = rough_luminance(plots::ink_on(palette, colour)) + flare;
            EXPECT_GT(std::max(a, b) / std::min(a, b), 4.0) << static_cast<int>(theme) << " " << share;
        }
    }
}

TEST(BarAxis, CutsOnlyBarsFarLongerThanTheNextShorterOne) {
    EXPECT_GT(plots::bar_axis_end({10, 20}), 20);
    EXPECT_LT(plots::bar_axis_end({20, 10}), 22);
    EXPECT_LT(plots::bar_axis_end({10, 4000, 12}), 15);
    EXPECT_GT(plots::bar_axis_end({72.8, 76.1, 87.7, 169, 701, 994, 1010, 1030, 1320}), 1320)
        << "half of the bars are no outliers";
    EXPECT_LT(plots::bar_axis_end({10, 100, 1000}), 15) << "each far above the one before";
    EXPECT_LT(plots::bar_axis_end({7}), 8);
    EXPECT_EQ(plots::bar_axis_end({}), 1);
    EXPECT_LT(plots::bar_axis_end({nan, 0, 3}), 4);
    const plots::BarAxis axis{100, 300, 50};
    EXPECT_EQ(axis.x_of(0), 100);
    EXPECT_EQ(axis.x_of(25), 200);
    EXPECT_EQ(axis.x_of(1e9), 300);
    EXPECT_EQ(axis.x_of(-1), 100);
}

TEST(HeatMap, CellsFillTheAreaRowByRowFromTheBottom) {
    const plots::HeatMapCells cells{{10, 20}, {5, 4}, 3, 2};
    EXPECT_EQ(cells.low_of(0).x, 10);
    EXPECT_EQ(cells.low_of(0).y, 24);
    EXPECT_EQ(cells.low_of(5).x, 20);
    EXPECT_EQ(cells.low_of(5).y, 20);
}

TEST(Figures, AUnitNearItsEndDoesNotFlip) {
    const format::TimeUnit us{"µs", 1};
    format::UnitHysteresis unit;
    const auto name = [&](double time_us, format::TimeUnit shared) {
        return std::string(unit.update(time_us, shared).name);
    };
    EXPECT_EQ(name(902, us), "µs");
    EXPECT_EQ(name(999.6, us), "ms");
    EXPECT_EQ(name(902, us), "ms") << "until it is clearly below";
    EXPECT_EQ(name(490, us), "µs");
    EXPECT_EQ(name(902, us), "µs");
    EXPECT_EQ(name(2e6, us), "s");
    EXPECT_EQ(name(902e3, {"ms", 1e-3}), "s");
    EXPECT_EQ(name(902, {"ms", 1e-3}), "ms");
}

TEST(Figures, RoughOnesHaveTwoDigits) {
    EXPECT_EQ(format::rough(14.32), "14");
    EXPECT_EQ(format::rough(107.3), "110");
    EXPECT_EQ(format::rough(6.29), "6.3");
    EXPECT_EQ(format::rough(9.96), "10");
    EXPECT_EQ(format::rough(1683), "1,700");
    EXPECT_EQ(format::rough(nan), "–");
}

TEST(Figures, HaveThreeSignificantDigits) {
    EXPECT_EQ(format::significant(8.4249), "8.42");
    EXPECT_EQ(format::significant(142.6), "143");
    EXPECT_EQ(format::significant(1234), "1,230");
    EXPECT_EQ(format::significant(0.12345), "0.123");
    EXPECT_EQ(format::significant(0), "0");
    EXPECT_EQ(format::significant(1'234'567), "1,230,000");
}

TEST(Figures, RoundUpIntoTheNextDecade) {
    EXPECT_EQ(format::significant(9.996), "10.0");
    EXPECT_EQ(format::significant(99.96), "100");
    EXPECT_EQ(format::significant(999.6), "1,000");
}

TEST(Figures, AreNeverNaN) {
    EXPECT_EQ(format::significant(nan), "–");
    EXPECT_EQ(format::significant(infinity), "–");
}

TEST(Figures, CarryTheirUnit) {
    EXPECT_EQ(format::duration(8.42).unit, "µs");
    EXPECT_EQ(format::duration(999.4).number, "999");
    EXPECT_EQ(format::duration(999.7).number, "1.00");
    EXPECT_EQ(format::duration(999.7).unit, "ms");
    EXPECT_EQ(format::duration(2.5e6).unit, "s");
    EXPECT_EQ(format::bytes(29'360'128).number, "29.4");
    EXPECT_EQ(format::bytes(29'360'128).unit, "MB");
    EXPECT_EQ(format::percent(0.372).number, "37.2");
}

TEST(Figures, CountsAreReadAsTheyAreWritten) {
    EXPECT_EQ(format::slot_count_text(262'144), "2¹⁸ = 262,144");
    EXPECT_EQ(format::with_powers("n = 2^18, 12^3, 2^"), "n = 2¹⁸, 12^3, 2^");
    EXPECT_EQ(format::with_powers("2^4, 2^i - 3 and 2^items"), "2⁴, 2ⁱ - 3 and 2^items");
    EXPECT_EQ(format::without_powers("2⁴, 2ⁱ - 3"), "2^4, 2^i - 3");
    EXPECT_EQ(format::parse_count("2¹⁸ = 262,144"), 262'144U);
    EXPECT_EQ(format::parse_count("2⁷"), 128U);
    EXPECT_EQ(format::slot_count_text(1'000'003), "1,000,003");
    for (const std::uint64_t slots : {4'096ULL, 262'144ULL, 1'000'003ULL}) {
        EXPECT_EQ(format::parse_count(format::slot_count_text(slots)), slots);
    }
    EXPECT_EQ(format::parse_count(" 2^20 "), 1'048'576U);
    for (const char* nonsense : {"", "abc", "2^", "2^64", "12x", "-5", "99999999999999999999999"}) {
        EXPECT_FALSE(format::parse_count(nonsense)) << nonsense;
    }
    EXPECT_EQ(format::parse_number("12.5 %"), 12.5);
    EXPECT_EQ(format::parse_number("0,5"), 0.5);
    EXPECT_EQ(format::parse_number("0,500"), 0.5);
    EXPECT_EQ(format::parse_number("12,5"), 12.5);
    EXPECT_EQ(format::parse_number("1,000"), 1'000);
    EXPECT_EQ(format::parse_number("-12,000.5"), -12'000.5);
    EXPECT_EQ(format::parse_number("1,234,567"), 1'234'567);
    for (const char* const text : {"1,00,000", "1,0000,000", "1234,567,000", "1,000,", "1,,000", ","})
        EXPECT_FALSE(format::parse_number(text)) << text;
    EXPECT_FALSE(format::parse_number("nan"));
    EXPECT_FALSE(format::parse_number("half"));
}

TEST(Figures, AreCutAtTheDecimalPoint) {
    EXPECT_EQ(format::split_at_decimal_point("8.42").whole, "8");
    EXPECT_EQ(format::split_at_decimal_point("8.42").fraction, ".42");
    EXPECT_EQ(format::split_at_decimal_point("143").whole, "143");
    EXPECT_TRUE(format::split_at_decimal_point("143").fraction.empty());
}

TEST(RangeHysteresis, FollowsTheUsualFramesAndCountsTheRest) {
    std::vector<float> values(600, 10.0F);
    values[77] = 95.0F;
    plots::RangeHysteresis range;
    range.update(values, 0.016);
    EXPECT_GT(range.current_end(), 10);
    EXPECT_LT(range.current_end(), 20);
    EXPECT_EQ(range.spikes(), 1U);
    EXPECT_EQ(range.largest(), 95);
}

TEST(RangeHysteresis, IsNotSetByOutliersHoweverFewTheFramesOrManyTheOutliers) {
    plots::RangeHysteresis few;
    few.update(std::vector<float>{10, 10, 95, 11, 95, 10, 10, 11, 10, 10}, 0.016);
    EXPECT_LT(few.current_end(), 20);
    EXPECT_EQ(few.spikes(), 2U);
    std::vector<float> values(600, 10.0F);
    for (std::size_t i = 0; i < values.size(); i += 12) values[i] = 95.0F;
    plots::RangeHysteresis burst;
    burst.update(values, 0.016);
    EXPECT_LT(burst.current_end(), 20);
    EXPECT_EQ(burst.spikes(), 50U);
    burst.update(values, 0.016, plots::RangeHysteresis::Fit::typical, 30);
    for (int i = 0; i < 100; ++i) burst.update(values, 0.1, plots::RangeHysteresis::Fit::typical, 30);
    EXPECT_GE(burst.current_end(), 30) << "a value that is to be shown in any case";
}

TEST(RangeHysteresis, ShowsEverythingWhereNothingSticksOut) {
    std::vector<float> values(600);
    std::iota(values.begin(), values.end(), 600.0F);
    plots::RangeHysteresis range;
    range.update(values, 0.016);
    EXPECT_EQ(range.spikes(), 0U);
    EXPECT_GE(range.current_end(), 1199);
}

TEST(CalmLogLow, IsADecadeThatMovesUpOnlyWhenTheDataHasLeftIt) {
    std::vector<float> values(100, 25.0F);
    EXPECT_DOUBLE_EQ(plots::log_low_with_hysteresis(values, 0), 10);
    values.assign(100, 7.0F);
    EXPECT_DOUBLE_EQ(plots::log_low_with_hysteresis(values, 10), 1);
    values.assign(100, 11.0F);
    EXPECT_DOUBLE_EQ(plots::log_low_with_hysteresis(values, 1), 1) << "near the limit it rests";
    values.assign(100, 14.0F);
    EXPECT_DOUBLE_EQ(plots::log_low_with_hysteresis(values, 1), 10);
    values.assign(100, 0.02F);
    values[0] = nan;
    values[1] = -3;
    values[2] = 0;
    EXPECT_DOUBLE_EQ(plots::log_low_with_hysteresis(values, 0), 0.01);
    EXPECT_EQ(plots::log_low_with_hysteresis({}, 1), 0);
    values.assign(5, nan);
    EXPECT_EQ(plots::log_low_with_hysteresis(values, 1), 0);
}

TEST(RangeHysteresis, MakesRoomForAllOnALogarithmicAxis) {
    std::vector<float> values(600, 10.0F);
    values[77] = 95.0F;
    plots::RangeHysteresis range;
    range.update(values, 0.016, plots::RangeHysteresis::Fit::all);
    EXPECT_GE(range.current_end(), 95);
    EXPECT_EQ(range.spikes(), 0U);
}

TEST(RangeHysteresis, EasesAndThenRests) {
    plots::RangeHysteresis range;
    range.update(std::vector<float>(600, 10.0F), 0.016);
    const double before = range.current_end();
    const std::vector<float> larger(600, 100.0F);
    range.update(larger, 0.016);
    EXPECT_GT(range.current_end(), before);
    EXPECT_LT(range.current_end(), 100);
    for (int i = 0; i < 200; ++i) range.update(larger, 0.016);
    const double rested = range.current_end();
    EXPECT_GT(rested, 100);
    // A wobble of a few percent moves nothing.
    range.update(std::vector<float>(600, 97.0F), 0.016);
    EXPECT_EQ(range.current_end(), rested);
}

TEST(RangeHysteresis, SurvivesEmptyAndBrokenData) {
    plots::RangeHysteresis range;
    range.update({}, 0.016);
    EXPECT_EQ(range.spikes(), 0U);
    range.update(std::vector<float>{nan, nan}, 0.016);
    EXPECT_EQ(range.current_end(), 0);
    range.update(std::vector<float>{nan, 5.0F}, 0.016);
    EXPECT_GE(range.current_end(), 5);
    plots::RangeHysteresis zeros;
    zeros.update(std::vector<float>(10, 0.0F), 0.016);
    EXPECT_TRUE(std::isfinite(zeros.current_end()));
}

TEST(Spread, MovesNeighboursApartAndNoFurther) {
    std::vector<float> places{10, 11, 12, 80};
    plots::spread_apart(places, 15, 0, 100);
    for (std::size_t i = 1; i < places.size(); ++i) EXPECT_GE(places[i] - places[i - 1], 15 - 1e-3F);
    EXPECT_EQ(places[3], 80);
    std::vector<float> crowded{99, 99, 99};
    plots::spread_apart(crowded, 40, 0, 60);
    EXPECT_GE(crowded.front(), -1e-3F);
    EXPECT_LE(crowded.back(), 60);
}

TEST(KeepApart, LeavesTheOtherWhereItIs) {
    EXPECT_EQ(plots::position_apart(80, 20, 30, 0, 100), 80);
    EXPECT_EQ(plots::position_apart(40, 50, 30, 0, 100), 20);
    EXPECT_EQ(plots::position_apart(60, 50, 30, 0, 100), 80);
    EXPECT_EQ(plots::position_apart(10, 15, 30, 0, 100), 45) << "no room on its own side";
    EXPECT_EQ(plots::position_apart(-5, 60, 30, 0, 100), 0);
    EXPECT_EQ(plots::position_apart(10, 15, 30, 0, 40), 40) << "nor on the other";
}

/// Checks the number of pixels of every pane, and that no two panes overlap.
void expect_tiles(const panels::Panes& panes, gl::PixelSize window) {
    const std::array all{panes.controls,         panes.controls_splitter, panes.tabs,  panes.view,
                         panes.timings_splitter, panes.timings,           panes.status};
    std::int64_t area = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const panels::Rectangle& a = all[i];
        EXPECT_GE(a.x, 0);
        EXPECT_GE(a.y, 0);
        EXPECT_LE(a.x + a.width, window.width);
        EXPECT_LE(a.y + a.height, window.height);
        area += std::int64_t{a.width} * a.height;
        for (std::size_t j = i + 1; j < all.size(); ++j) {
            const panels::Rectangle& b = all[j];
            const bool apart = a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y ||
                               b.y + b.height <= a.y;
            EXPECT_TRUE(apart) << i << " and " << j;
        }
    }
    EXPECT_EQ(area, std::int64_t{window.width} * window.height);
}

TEST(Layout, PanesTileTheWindow) {
    for (const gl::PixelSize window :
         {gl::PixelSize{1024, 640}, gl::PixelSize{1280, 720}, gl::PixelSize{2560, 1440}}) {
        for (const float scale : {1.0F, 1.25F, 1.5F, 1.75F, 2.0F}) {
            for (const float dragged : {0.0F, 220.0F, 340.0F, 5000.0F, nan}) {
                SCOPED_TRACE(testing::Message()
                             << window.width << " at " << scale << ", dragged to " << dragged);
                Settings settings;
                settings.window.controls_width = dragged;
                settings.window.timings_height = dragged;
                const panels::Panes panes = panels::lay_out(window, settings, scale);
                expect_tiles(panes, window);
                EXPECT_GE(panes.view.width, window.width * 2 / 5);
                EXPECT_GE(panes.view.height, window.height / 4);
                settings.window.show_timings = false;
                const panels::Panes without = panels::lay_out(window, settings, scale);
                expect_tiles(without, window);
                EXPECT_EQ(without.timings.height, 0);
            }
        }
    }
}

TEST(Layout, TheViewKeepsRoomForAPlotWithItsAxes) {
    const panels::Panes panes = panels::lay_out({1024, 640}, {}, 2);
    EXPECT_GE(panes.view.height, 240);
    EXPECT_GE(panes.timings.height, 264) << "the timings have a plot too";
}

TEST(Layout, AMinimisedWindowHasNoNegativeZones) {
    for (const gl::PixelSize window : {gl::PixelSize{0, 0}, gl::PixelSize{1, 1}, gl::PixelSize{40, 30}}) {
        const panels::Panes panes = panels::lay_out(window, {}, 2);
        for (const panels::Rectangle& pane : {panes.controls, panes.view, panes.timings, panes.status}) {
            EXPECT_GE(pane.width, 0);
            EXPECT_GE(pane.height, 0);
        }
    }
}

TEST(Layout, HasTheSizesThatAreAskedFor) {
    const panels::Panes panes = panels::lay_out({1280, 720}, {}, 1);
    EXPECT_EQ(panes.controls.width, 340);
    EXPECT_EQ(panes.timings.height, 220);
    const panels::Panes doubled = panels::lay_out({2560, 1440}, {}, 2);
    EXPECT_EQ(doubled.controls.width, 680);
    EXPECT_EQ(doubled.timings.height, 440);
}

}  // namespace
