#pragma once

#include <imgui.h>

#include <cstddef>
#include <cstdint>

#include "app/plots/palette.hpp"

namespace warpsieve::plots {

/// In an order in which neighbours differ in shape, not only in being filled: lines that share a colour have
/// neighbouring markers.
enum class Marker : std::uint8_t { circle, square, triangle, diamond, plus, ring, inverted, cross };

/// How one of several lines is drawn. Colours and markers repeat after different counts, so that the first 56
/// lines differ in the pair, and neighbours in both.
struct LineStyle {
    ImU32 colour;
    Marker marker;
};
LineStyle line_style(const Palette& palette, std::size_t index);

/// Draws into the square around `centre` that reaches `radius` to each side.
void draw_marker(ImDrawList& list, ImVec2 centre, float radius, LineStyle style);

/// A straight line in dashes of that length, with gaps of two thirds of it.
void draw_dashed(ImDrawList& list, ImVec2 from, ImVec2 to, ImU32 colour, float thickness, float dash);

}  // namespace warpsieve::plots
