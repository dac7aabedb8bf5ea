// Scales, ticks, thinning and hit testing of XyPlot, and that it draws whatever it is given.
#include <gtest/gtest.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <set>
#include <string>

#include "app/panels/fonts.hpp"
#include "app/plots/axis.hpp"
#include "app/plots/ghost_line.hpp"
#include "app/plots/markers.hpp"
#include "app/plots/scale.hpp"
#include "app/plots/xy_plot.hpp"
#include "tests/app/panels/drawn_text.hpp"
#include "tests/support/special_values.hpp"

namespace {

using namespace warpsieve;
using plots::Counts;
using plots::Range;
using plots::Scale;
using plots::XyPlot;
using plots::XyPoint;
using testing_support::infinity;
using testing_support::nan;

std::vector<std::string> labels_of(const Scale& scale, Counts counts, std::size_t most) {
    std::vector<std::string> labels;
    for (const plots::Tick& tick : plots::ticks_of(scale, counts, most)) labels.push_back(tick.label);
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
    EXPECT_EQ(labels_of({1024, 65536, true, 0, 1}, Counts::items, 9),
              (std::vector<std::string>{"2¹⁰", "2¹¹", "2¹²", "2¹³", "2¹⁴", "2¹⁵", "2¹⁶"}));
    EXPECT_EQ(labels_of({1024, 65536, true, 0, 1}, Counts::items, 4),
              (std::vector<std::string>{"2¹⁰", "2¹²", "2¹⁴", "2¹⁶"}));
    EXPECT_EQ(labels_of({1, 10000, true, 0, 1}, Counts::time_us, 5),
              (std::vector<std::string>{"1 µs", "10 µs", "100 µs", "1 ms", "10 ms"}));
    EXPECT_EQ(labels_of({0, 1, false, 0, 1}, Counts::share, 6),
              (std::vector<std::string>{"0 %", "20 %", "40 %", "60 %", "80 %", "100 %"}));
    EXPECT_EQ(labels_of({1e6, 1e10, true, 0, 1}, Counts::per_second, 5),
              (std::vector<std::string>{"1 M", "10 M", "100 M", "1 G", "10 G"}));
    EXPECT_EQ(labels_of({0, 4000, false, 0, 1}, Counts::time_us, 5),
              (std::vector<std::string>{"0", "1", "2", "3", "4 ms"}));
}

TEST(ScaleTicks, AreThereOnAnyRange) {
    for (const Counts counts : {Counts::number, Counts::items, Counts::time_us, Counts::share}) {
        for (const bool logarithmic : {false, true}) {
            for (const auto& [low, high] : {std::pair{1.1, 1.9}, {37.0, 44.0}, {65536.0, 65536.0 * 40}}) {
                const auto ticks = plots::ticks_of({low, high, logarithmic, 0, 1}, counts, 8);
                EXPECT_LE(ticks.size(), 8U);
                EXPECT_FALSE(counts != Counts::items && ticks.size() < 2) << low << " " << logarithmic;
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

TEST(LineStyles, DifferInThePair) {
    std::set<std::pair<ImU32, plots::Marker>> seen;
    const plots::Palette& palette = plots::palette_of(plots::PaletteId::dark);
    for (std::size_t i = 0; i < 56; ++i) {
        const plots::LineStyle style = plots::line_style(palette, i);
        EXPECT_TRUE(seen.emplace(style.colour, style.marker).second) << i;
    }
}

TEST(LineStyles, ThatShareAColourDifferInMoreThanBeingFilled) {
    using plots::Marker;
    const plots::Palette& palette = plots::palette_of(plots::PaletteId::dark);
    const auto are = [](Marker a, Marker b, Marker one, Marker other) {
        return (a == one && b == other) || (a == other && b == one);
    };
    for (std::size_t i = 0; i < 49; ++i) {
        const plots::LineStyle first = plots::line_style(palette, i);
        const plots::LineStyle next = plots::line_style(palette, i + 7);
        ASSERT_EQ(first.colour, next.colour);
        EXPECT_FALSE(are(first.marker, next.marker, Marker::circle, Marker::ring)) << i;
        EXPECT_FALSE(are(first.marker, next.marker, Marker::triangle, Marker::inverted)) << i;
        EXPECT_FALSE(are(first.marker, next.marker, Marker::plus, Marker::cross)) << i;
    }
}

/// Relative luminance of WCAG 2.1.
double luminance(ImU32 colour) {
    const auto linear = [](ImU32 byte) {
        const double c = static_cast<double>(byte & 0xFF) / 255;
        return c <= 0.03928 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * linear(colour >> IM_COL32_R_SHIFT) + 0.7152 * linear(colour >> IM_COL32_G_SHIFT) +
           0.0722 * linear(colour >> IM_COL32_B_SHIFT);
}

double contrast(ImU32 first, ImU32 second) {
    const double a = luminance(first);
    const double b = luminance(second);
    return (std::max(a, b) + 0.05) / (std::min(a, b) + 0.05);
}

TEST(Ghost, StandsOutFromEveryPhase) {
    using compaction::PhaseRole;
    for (const plots::PaletteId theme : {plots::PaletteId::dark, plots::PaletteId::light}) {
        plots::Style style;
        style.palette = plots::palette_of(theme);
        const ImU32 ghost = plots::ghost_colour(style);
        EXPECT_GE(contrast(ghost, style.palette.panel), 3.0);
        for (const PhaseRole role : {PhaseRole::count, PhaseRole::prefix, PhaseRole::move, PhaseRole::fused})
            EXPECT_GE(contrast(ghost, plots::style_of(role).colour), 1.5) << static_cast<int>(role);
    }
}

TEST(LineStyles, StandOutFromTheGround) {
    for (const plots::PaletteId theme : {plots::PaletteId::dark, plots::PaletteId::light}) {
        const plots::Palette& palette = plots::palette_of(theme);
        for (const ImU32 colour : palette.series) {
            for (const ImU32 behind : {palette.ground, palette.panel}) {
                const double a = luminance(colour);
                const double b = luminance(behind);
                EXPECT_GE((std::max(a, b) + 0.05) / (std::min(a, b) + 0.05), 3.0);
            }
        }
    }
}

XyPlot two_lines() {
    XyPlot plot{.x = {"items", Counts::items, true}, .y = {"time of a call", Counts::time_us, true}};
    for (std::size_t s = 0; s < 2; ++s) {
        plots::XySeries series{s == 0 ? "first" : "second", s, {}};
        for (int i = 10; i <= 20; ++i) {
            const double y = std::exp2(i - 8) * (s == 0 ? 1 : 1.6);
            series.points.push_back({.x = std::exp2(i), .y = y, .q1 = y * 0.9, .q3 = y * 1.1, .n = 30});
        }
        plot.series.push_back(series);
    }
    return plot;
}

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
    const auto hit = plots::nearest(plot, scales, {at.x + 1, at.y - 1}, 20);
    ASSERT_TRUE(hit);
    EXPECT_EQ(*hit, (plots::XyHit{1, 4}));
    EXPECT_FALSE(plots::nearest(plot, scales, {at.x, at.y - 100}, 20));
    EXPECT_FALSE(plots::nearest(XyPlot{}, scales, at, 20));
}

TEST(XyHits, AreNeverPointsThatAreNotShown) {
    XyPlot plot = two_lines();
    plot.series[1].points[4].y = nan;
    plot.series[1].points[5].y = 0;
    const plots::XyScales scales = plots::make_scales(plot, {0, 0}, {400, 200});
    EXPECT_EQ(plots::count_unplaced(plot, scales), 2U);
    for (float x = 0; x < 400; x += 3) {
        for (float y = 0; y < 200; y += 3) {
            const auto hit = plots::nearest(plot, scales, {x, y}, 50);
            if (hit && hit->series == 1) {
                EXPECT_NE(hit->point, 4U);
                EXPECT_NE(hit->point, 5U);
            }
        }
    }
}

/// Draw lists need fonts, and fonts need a context, but no window.
class XyDrawing : public testing::Test {
  protected:
    XyDrawing() {
        ImGui::CreateContext();
        style_.fonts = panels::build_fonts(1);
        style_.palette = plots::palette_of(plots::PaletteId::light);
        unsigned char* pixels = nullptr;
        int width = 0;
        int height = 0;
        ImGui::GetIO().Fonts->GetTexDataAsRGBA32(&pixels, &width, &height);
        ImGui::GetIO().DisplaySize = {800, 600};
        ImGui::NewFrame();
    }
    ~XyDrawing() override {
        ImGui::EndFrame();
        ImGui::DestroyContext();
    }
    ImDrawList& list() { return *ImGui::GetForegroundDrawList(); }
    /// Draws, and expects every vertex to be finite and within the rectangle, give or take a line's width.
    std::optional<plots::XyHit> draw(const XyPlot& plot, ImVec2 size = {500, 300},
                                     std::optional<ImVec2> mouse = {}) {
        const int before = list().VtxBuffer.Size;
        const auto hit = plots::draw(list(), {20, 30}, {20 + size.x, 30 + size.y}, plot, style_, mouse);
        vertices_ = list().VtxBuffer.Size - before;
        for (int i = before; i < list().VtxBuffer.Size; ++i) {
            const ImVec2 at = list().VtxBuffer[i].pos;
            EXPECT_TRUE(std::isfinite(at.x) && std::isfinite(at.y));
            EXPECT_GE(at.x, 18);
            EXPECT_LE(at.x, 22 + size.x);
        }
        return hit;
    }

    plots::Style style_;
    int vertices_ = 0;
    std::size_t glyphs_before_ = 0;
};

/// The middles of both ends of the slanting lines of that colour that were drawn from `first` on.
std::vector<std::array<ImVec2, 2>> slanting_lines(const ImDrawList& list, int first, ImU32 colour,
                                                  float least = 4) {
    std::vector<std::array<ImVec2, 2>> lines;
    for (int i = first; i + 6 <= list.IdxBuffer.Size; i += 3) {
        const auto corner = [&](int k) { return list.VtxBuffer[list.IdxBuffer[i + k]]; };
        // Two triangles over four corners: those of both ends in turn.
        if (list.IdxBuffer[i + 3] < list.IdxBuffer[i] || corner(0).col != colour) continue;
        const auto middle = [](const ImDrawVert& a, const ImDrawVert& b) {
            return ImVec2{(a.pos.x + b.pos.x) / 2, (a.pos.y + b.pos.y) / 2};
        };
        const int base = std::min({list.IdxBuffer[i], list.IdxBuffer[i + 1], list.IdxBuffer[i + 2]});
        if (base + 4 > list.VtxBuffer.Size) continue;
        const ImVec2 from = middle(list.VtxBuffer[base], list.VtxBuffer[base + 1]);
        const ImVec2 to = middle(list.VtxBuffer[base + 2], list.VtxBuffer[base + 3]);
        if (std::abs(from.x - to.x) > least && std::abs(from.y - to.y) > least) lines.push_back({from, to});
    }
    return lines;
}

TEST_F(XyDrawing, NoStrokeToAPointCrossesAName) {
    drawn::GlyphFinder finder;
    std::mt19937 random(5);
    const auto share = [&random] { return static_cast<double>(random() % 1'000) / 1'000; };
    std::size_t strokes = 0;
    for (int picture = 0; picture < 30; ++picture) {
        XyPlot plot{.x = {"x"}, .y = {"y"}, .lines = false};
        for (Range* range : {&plot.x.shown, &plot.y.shown}) {
            range->include(0);
            range->include(10);
        }
        for (std::size_t i = 0; i < 12; ++i)
            plot.series.push_back(
                {"algorithm_" + std::to_string(i), i, {{.x = 5 + share(), .y = 4 + 2 * share()}}});
        const int first = list().IdxBuffer.Size;
        draw(plot, {900, 400});
        std::vector<drawn::Glyph> names;
        for (const drawn::Glyph& glyph : drawn::glyphs_of(list(), finder)) names.push_back(glyph);
        // Pictures before this one have other names at other places.
        names.erase(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(glyphs_before_));
        glyphs_before_ += names.size();
        for (const auto& [from, to] : slanting_lines(list(), first, style_.palette.muted)) {
            ++strokes;
            for (int step = 0; step <= 60; ++step) {
                const float way = static_cast<float>(step) / 60;
                const ImVec2 at{from.x + (to.x - from.x) * way, from.y + (to.y - from.y) * way};
                for (const drawn::Glyph& name : names) {
                    EXPECT_FALSE(at.x > name.low.x && at.x < name.high.x && at.y > name.low.y + 1 &&
                                 at.y < name.high.y - 1)
                        << "picture " << picture << " at " << at.x << ", " << at.y;
                }
            }
        }
    }
    EXPECT_GT(strokes, 30U);
}

TEST_F(XyDrawing, PutsNoNameOnALimit) {
    drawn::GlyphFinder finder;
    std::mt19937 random(7);
    const auto share = [&random] { return static_cast<double>(random() % 1'000) / 1'000; };
    std::size_t dashes = 0;
    std::size_t glyphs = 0;
    for (int picture = 0; picture < 30; ++picture) {
        XyPlot plot{.x = {"x"}, .y = {"y"}, .lines = false};
        for (Range* range : {&plot.x.shown, &plot.y.shown}) {
            range->include(0);
            range->include(10);
        }
        plot.limits.push_back({.name = "copy speed", .level = 0.8, .diagonal = true});
        plot.limits.push_back({.name = "read speed", .level = 0.9, .diagonal = true});
        // Dots just below the diagonals, as algorithms are that move few bytes in vain.
        for (std::size_t i = 0; i < 12; ++i) {
            const double x = 2 + 7 * share();
            plot.series.push_back(
                {"algorithm_" + std::to_string(i), i, {{.x = x, .y = (0.7 + 0.2 * share()) * x}}});
        }
        const int first = list().IdxBuffer.Size;
        draw(plot, {500, 500});
        std::vector<drawn::Glyph> names;
        for (const drawn::Glyph& glyph : drawn::glyphs_of(list(), finder)) names.push_back(glyph);
        names.erase(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(glyphs_before_));
        glyphs_before_ += names.size();
        glyphs += names.size();
        for (const auto& [from, to] : slanting_lines(list(), first, style_.palette.label, 2)) {
            ++dashes;
            for (const drawn::Glyph& name : names) {
                const ImVec2 at{(from.x + to.x) / 2, (from.y + to.y) / 2};
                EXPECT_FALSE(at.x > name.low.x && at.x < name.high.x && at.y > name.low.y &&
                             at.y < name.high.y)
                    << "picture " << picture << " at " << at.x << ", " << at.y;
            }
        }
    }
    EXPECT_GT(dashes, 1'000U);
    EXPECT_GT(glyphs, 3'000U);
}

TEST_F(XyDrawing, PutsNoNameOnTheQuartilesOfAPoint) {
    XyPlot plot{.x = {"x"}, .y = {"y"}, .lines = false};
    plot.x.shown.include(0);
    plot.x.shown.include(10);
    plot.series.push_back({"a name", 0, {{.x = 5, .y = 5}}});
    plot.series.push_back({"", 1, {{.x = 5.6, .y = 9, .q1 = 0.5, .q3 = 9.5, .n = 9}}});
    const int before = list().VtxBuffer.Size;
    draw(plot);
    const ImU32 stroke =
        plots::mix(style_.palette.ground, plots::line_style(style_.palette, 1).colour, 0.55F);
    float stroke_left = FLT_MAX;
    float stroke_right = 0;
    for (int i = before; i < list().VtxBuffer.Size; ++i) {
        const ImDrawVert& each = list().VtxBuffer[i];
        if (each.col != stroke) continue;
        stroke_left = std::min(stroke_left, each.pos.x);
        stroke_right = std::max(stroke_right, each.pos.x);
    }
    ASSERT_LT(stroke_left, stroke_right);
    for (int i = before; i + 3 < list().VtxBuffer.Size; ++i) {
        const ImDrawVert& each = list().VtxBuffer[i];
        const bool in_data = each.pos.y > 60 && each.pos.y < 280;
        EXPECT_FALSE(each.col == style_.palette.label && in_data && each.pos.x > stroke_left &&
                     each.pos.x < stroke_right)
            << each.pos.x << ", " << each.pos.y;
    }
}

TEST_F(XyDrawing, HasTheSuperscriptsInEveryTypeface) {
    const plots::Fonts& fonts = style_.fonts;
    for (const ImFont* font : {fonts.text, fonts.heading, fonts.small, fonts.figures}) {
        for (const int glyph :
             {0x00B9, 0x00B2, 0x00B3, 0x2070, 0x2074, 0x2075, 0x2076, 0x2077, 0x2078, 0x2079})
            EXPECT_NE(font->FindGlyphNoFallback(static_cast<ImWchar>(glyph)), nullptr) << glyph;
    }
    // No figure has an exponent that is a letter.
    for (const ImFont* font : {fonts.text, fonts.heading, fonts.small})
        EXPECT_NE(font->FindGlyphNoFallback(0x2071), nullptr);
}

TEST_F(XyDrawing, SurvivesNothingOnePointAndBrokenPoints) {
    XyPlot plot{.x = {"items", Counts::items, true},
                .y = {"time", Counts::time_us, true},
                .nothing = "Nothing was measured yet."};
    draw(plot);
    EXPECT_GT(vertices_, 0);
    plot.series.push_back({"one", 0, {{.x = 1024, .y = 7}}});
    draw(plot);
    plot.series.push_back({"broken", 1, {{.x = 0, .y = 1}, {.x = nan, .y = 2}, {.x = 3, .y = -infinity}}});
    draw(plot);
    plot.series.push_back({"empty", 2, {}});
    plot.limits.push_back({.name = "no speed", .level = nan});
    plot.limits.push_back({.name = "nothing", .level = 0, .diagonal = true});
    draw(plot);
    plot.lines = false;
    draw(plot);
}

TEST_F(XyDrawing, TellsThePointUnderTheMouseAlsoAtTheEdges) {
    const XyPlot plot = two_lines();
    bool found = false;
    for (float x = 20; x < 520; x += 10) {
        for (float y = 30; y < 330; y += 10)
            found = draw(plot, {500, 300}, ImVec2{x, y}).has_value() || found;
    }
    EXPECT_TRUE(found);
}

TEST_F(XyDrawing, LeavesNoRoomUndrawnOrOverdrawn) {
    const XyPlot plot = two_lines();
    for (const float width : {1.0F, 60.0F, 150.0F, 700.0F}) {
        for (const float height : {1.0F, 50.0F, 90.0F, 500.0F}) draw(plot, {width, height});
    }
}

TEST(XyNotes, SayHowManyNamesAreLeftOut) {
    EXPECT_EQ(plots::words_on_names(0), "");
    EXPECT_EQ(plots::words_on_names(1), "1 name left out: point at a dot to read its name");
    EXPECT_EQ(plots::words_on_names(3), "3 names left out: point at a dot to read its name");
}

TEST_F(XyDrawing, SaysSoWhereNamesHaveNoRoom) {
    // Nothing else in this colour stands above the data.
    const auto note_drawn = [this](int points, ImVec2 size) {
        XyPlot plot{.x = {"x"}, .y = {"y"}, .lines = false};
        for (int i = 0; i < points; ++i)
            plot.series.push_back({"a name that needs room", 0, {{.x = 5, .y = 5}}});
        const int before = list().VtxBuffer.Size;
        draw(plot, size);
        return std::any_of(
            list().VtxBuffer.begin() + before, list().VtxBuffer.end(), [this](const ImDrawVert& each) {
                return each.col == style_.palette.muted && each.pos.y < 30 + style_.fonts.small->FontSize + 4;
            });
    };
    EXPECT_FALSE(note_drawn(3, {500, 300}));
    EXPECT_TRUE(note_drawn(60, {500, 300}));
    note_drawn(60, {150, 90});
}

TEST_F(XyDrawing, CostsAsMuchAsThereArePixelsNotPoints) {
    XyPlot plot = two_lines();
    for (plots::XySeries& series : plot.series) {
        series.points.clear();
        for (int i = 1; i <= 4096; ++i) {
            const double y = i * 0.1 + i % 5;
            series.points.push_back({.x = 65536.0 * i, .y = y, .q1 = y * 0.98, .q3 = y * 1.02, .n = 10});
        }
    }
    draw(plot);
    EXPECT_LT(vertices_, 40'000);
    style_.plain = true;
    draw(plot);
    EXPECT_LT(vertices_, 20'000);
}

}  // namespace
