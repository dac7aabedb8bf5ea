// Colours and markers of lines: they differ from each other and from the background.
#include <gtest/gtest.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <utility>

#include "app/plots/bands.hpp"
#include "app/plots/style.hpp"

namespace {

using namespace warpsieve;

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
        const ImU32 compared = style.palette.compared;
        EXPECT_GE(contrast(compared, style.palette.panel), 3.0);
        for (const PhaseRole role :
             {PhaseRole::count, PhaseRole::prefix, PhaseRole::scatter, PhaseRole::fused})
            EXPECT_GE(contrast(compared, plots::style_of(role).colour), 1.5) << static_cast<int>(role);
    }
}

TEST(LineStyles, StandOutFromTheGround) {
    for (const plots::PaletteId theme : {plots::PaletteId::dark, plots::PaletteId::light}) {
        const plots::Palette& palette = plots::palette_of(theme);
        for (const ImU32 colour : palette.series) {
            for (const ImU32 behind : {palette.background, palette.panel})
                EXPECT_GE(contrast(colour, behind), 3.0);
        }
    }
}

/// CIE L*a*b* of sRGB, D65.
std::array<double, 3> lab(ImU32 colour) {
    const auto linear = [colour](int shift) {
        const double c = static_cast<double>((colour >> shift) & 0xFF) / 255;
        return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
    };
    const double r = linear(IM_COL32_R_SHIFT), g = linear(IM_COL32_G_SHIFT), b = linear(IM_COL32_B_SHIFT);
    const auto f = [](double t) { return t > 0.008856 ? std::cbrt(t) : 7.787 * t + 16.0 / 116; };
    const double x = f((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505);
    const double y = f(0.2126 * r + 0.7152 * g + 0.0722 * b);
    const double z = f((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089);
    return {116 * y - 16, 500 * (x - y), 200 * (y - z)};
}

double difference(ImU32 a, ImU32 b) {
    const auto first = lab(a), second = lab(b);
    return std::hypot(first[0] - second[0], first[1] - second[1], first[2] - second[2]);
}

TEST(LineStyles, HaveNoColourOfAPhase) {
    using compaction::PhaseRole;
    for (const plots::PaletteId theme : {plots::PaletteId::dark, plots::PaletteId::light}) {
        const auto& series = plots::palette_of(theme).series;
        for (std::size_t i = 0; i < series.size(); ++i) {
            for (const PhaseRole role :
                 {PhaseRole::count, PhaseRole::prefix, PhaseRole::scatter, PhaseRole::fused})
                EXPECT_GE(difference(series[i], plots::style_of(role).colour), 30) << i;
            for (std::size_t j = 0; j < i; ++j)
                EXPECT_GE(difference(series[i], series[j]), 20) << i << " " << j;
        }
    }
}

TEST(Controls, StandOutFromThePanel) {
    for (const plots::PaletteId theme : {plots::PaletteId::dark, plots::PaletteId::light}) {
        const plots::Palette& palette = plots::palette_of(theme);
        for (const ImU32 part : {palette.control_edge, palette.accent}) {
            for (const ImU32 behind : {palette.panel, palette.raised}) EXPECT_GE(contrast(part, behind), 3.0);
        }
        EXPECT_GE(contrast(palette.accent, palette.control_edge), 1.2) << "the set part of a slider";
    }
}

}  // namespace
