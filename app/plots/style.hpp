#pragma once

#include <imgui.h>

#include <cmath>
#include <initializer_list>
#include <string>
#include <string_view>

#include "app/plots/palette.hpp"

namespace warpsieve::plots {

/// The typefaces of the window, built for its scale.
struct Fonts {
    ImFont* text = nullptr;     ///< Inter
    ImFont* heading = nullptr;  ///< Inter SemiBold
    ImFont* small = nullptr;    ///< Inter, for units and hints
    ImFont* figures = nullptr;  ///< JetBrains Mono: all digits are equally wide
};

/// Style of all drawing: colours, typefaces, scale.
struct Style {
    Palette palette;
    Fonts fonts;
    float scale = 1;
    bool plain = false;  ///< software OpenGL: few primitives, no anti-aliasing, no translucency

    /// A length given for 100 %, in whole pixels of the window.
    float px(float at_100_percent) const { return std::round(at_100_percent * scale); }
};

float text_width(const ImFont* font, std::string_view text);
/// Draws with the top left at `position`.
void draw_text(ImDrawList& list, const ImFont* font, ImVec2 position, ImU32 colour, std::string_view text);

/// Draws with the baseline at `position.y`, so that typefaces can share a line; returns the right end.
float draw_on_baseline(ImDrawList& list, const ImFont* font, ImVec2 position, ImU32 colour,
                       std::string_view text);

/// Draws a sentence in as many lines as it needs and fit into the box, the last one elided where it needs
/// more.
void draw_wrapped(ImDrawList& list, const ImFont* font, ImVec2 low, ImVec2 high, ImU32 colour,
                  std::string_view text);

/// `text`, elided at its end to fit into `width`.
std::string elided(const ImFont* font, std::string_view text, float width);
/// The first of the texts that fits into `width`; else the last, elided.
std::string fitting(const ImFont* font, std::initializer_list<std::string_view> texts, float width);

}  // namespace warpsieve::plots
