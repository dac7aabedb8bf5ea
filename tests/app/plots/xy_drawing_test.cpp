// XyPlot draws any data, and its names cover nothing.
#include <gtest/gtest.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <cfloat>
#include <cmath>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "app/panels/fonts.hpp"
#include "app/plots/heat_map.hpp"
#include "app/plots/style.hpp"
#include "app/plots/xy_plot.hpp"
#include "tests/app/panels/drawn_text.hpp"
#include "tests/app/plots/fake_lines.hpp"
#include "tests/support/special_values.hpp"

namespace {

using namespace warpsieve;
using fake::two_lines;
using plots::AxisQuantity;
using plots::Range;
using plots::XyPlot;
using testing_support::infinity;
using testing_support::nan;

/// Draw lists need fonts, and fonts need an ImGui context, but no window.
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
    /// Draws the plot. Expects every vertex to be finite and within the rectangle, up to the width of a line.
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

    /// The glyphs that were drawn since the last call.
    std::vector<drawn::Glyph> new_glyphs(drawn::GlyphFinder& finder) {
        std::vector<drawn::Glyph> glyphs = drawn::glyphs_of(list(), finder);
        glyphs.erase(glyphs.begin(), glyphs.begin() + static_cast<std::ptrdiff_t>(glyphs_before_));
        glyphs_before_ += glyphs.size();
        return glyphs;
    }

    plots::Style style_;
    int vertices_ = 0;

  private:
    std::size_t glyphs_before_ = 0;
};

/// An empty plot of points. Both axes go from 0 to 10.
XyPlot empty_plot() {
    XyPlot plot{.x = {"x"}, .y = {"y"}, .lines = false};
    for (Range* range : {&plot.x.shown, &plot.y.shown}) {
        range->include(0);
        range->include(10);
    }
    return plot;
}

/// The middles of both ends of each slanted line of a colour that was drawn from vertex `first` on.
std::vector<std::array<ImVec2, 2>> slanting_lines(const ImDrawList& list, int first, ImU32 colour,
                                                  float min_length = 4) {
    std::vector<std::array<ImVec2, 2>> lines;
    for (int i = first; i + 6 <= list.IdxBuffer.Size; i += 3) {
        const auto corner = [&](int k) { return list.VtxBuffer[list.IdxBuffer[i + k]]; };
        // A line is two triangles over four corners: two at each end.
        if (list.IdxBuffer[i + 3] < list.IdxBuffer[i] || corner(0).col != colour) continue;
        const auto middle = [](const ImDrawVert& a, const ImDrawVert& b) {
            return ImVec2{(a.pos.x + b.pos.x) / 2, (a.pos.y + b.pos.y) / 2};
        };
        const int base = std::min({list.IdxBuffer[i], list.IdxBuffer[i + 1], list.IdxBuffer[i + 2]});
        if (base + 4 > list.VtxBuffer.Size) continue;
        const ImVec2 from = middle(list.VtxBuffer[base], list.VtxBuffer[base + 1]);
        const ImVec2 to = middle(list.VtxBuffer[base + 2], list.VtxBuffer[base + 3]);
        if (std::abs(from.x - to.x) > min_length && std::abs(from.y - to.y) > min_length)
            lines.push_back({from, to});
    }
    return lines;
}

TEST_F(XyDrawing, NoStrokeToAPointCrossesAName) {
    drawn::GlyphFinder finder;
    std::mt19937 random(5);
    const auto share = [&random] { return static_cast<double>(random() % 1'000) / 1'000; };
    std::size_t strokes = 0;
    for (int picture = 0; picture < 30; ++picture) {
        XyPlot plot = empty_plot();
        for (std::size_t i = 0; i < 12; ++i)
            plot.series.push_back(
                {"algorithm_" + std::to_string(i), i, {{.x = 5 + share(), .y = 4 + 2 * share()}}});
        const int first = list().IdxBuffer.Size;
        draw(plot, {900, 400});
        const std::vector<drawn::Glyph> names = new_glyphs(finder);
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
        XyPlot plot = empty_plot();
        plot.limits.push_back({.name = "copy speed", .level = 0.8, .diagonal = true});
        plot.limits.push_back({.name = "read speed", .level = 0.9, .diagonal = true});
        // Dots just below the diagonals, like algorithms that move few useless bytes.
        for (std::size_t i = 0; i < 12; ++i) {
            const double x = 2 + 7 * share();
            plot.series.push_back(
                {"algorithm_" + std::to_string(i), i, {{.x = x, .y = (0.7 + 0.2 * share()) * x}}});
        }
        const int first = list().IdxBuffer.Size;
        draw(plot, {500, 500});
        const std::vector<drawn::Glyph> names = new_glyphs(finder);
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
        plots::mix(style_.palette.background, plots::line_style(style_.palette, 1).colour, 0.55F);
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
    // No number has an exponent.
    for (const ImFont* font : {fonts.text, fonts.heading, fonts.small})
        EXPECT_NE(font->FindGlyphNoFallback(0x2071), nullptr);
}

TEST_F(XyDrawing, SurvivesNothingOnePointAndBrokenPoints) {
    XyPlot plot{.x = {"items", AxisQuantity::items, true},
                .y = {"time", AxisQuantity::time_us, true},
                .empty_text = "Nothing was measured yet."};
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

TEST_F(XyDrawing, SaysSoWhereNamesHaveNoRoom) {
    // Nothing else in this colour is above the data.
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

/// An empty view may be null, which Dear ImGui would read.
TEST_F(XyDrawing, TextMayBeEmpty) {
    const std::string_view none;
    plots::draw_text(list(), style_.fonts.small, {}, 0, none);
    plots::draw_paragraph(list(), style_.fonts.small, {}, 100, 0, none);
    EXPECT_EQ(plots::text_width(style_.fonts.small, none), 0);
    EXPECT_EQ(plots::paragraph_height(style_.fonts.small, none, 100), 0);
    const std::array values{1.0, 2.0};
    const std::array<std::string, 2> labels{"32", "64"};
    const std::array<std::string, 1> row_labels;
    plots::HeatMap map;
    map.values = values;
    map.columns = 2;
    map.column_labels = labels;
    map.row_labels = row_labels;
    map.column_title = "threads";
    plots::draw_heat_map(list(), {20, 30}, {520, 330}, map, style_);
}

}  // namespace
