#pragma once

#include <imgui.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

#include "compaction/algorithm.hpp"

/// Colours, typefaces, line styles and text of the window.
namespace warpsieve::plots {

/// The colours of the window. Text on `panel` and on `raised`, muted text included, has a contrast of at
/// least 4.5 : 1 in both themes (WCAG 2.1, success criterion 1.4.3). `control_edge` and `accent` have 3 : 1
/// on both (1.4.11).
struct Palette {
    ImU32 background;  ///< behind everything
    ImU32 panel;
    ImU32 raised;        ///< fields and buttons
    ImU32 raised_more;   ///< fields and buttons under the mouse
    ImU32 control_edge;  ///< outline of fields and buttons, the empty part of a slider
    ImU32 track;         ///< the empty part of a bar
    ImU32 outline;       ///< hairlines between panes
    ImU32 grid;          ///< hairlines within a plot
    ImU32 text;
    ImU32 label;  ///< names of controls; its contrast is between `text` and `muted`
    ImU32 muted;  ///< units, hints
    ImU32 accent;
    ImU32 accent_fill;  ///< chosen segments, filled part of a slider
    ImU32 good;
    ImU32 warning;
    ImU32 warning_text;  ///< warnings as text on `panel`
    ImU32 error;
    ImU32 on_warning;             ///< text on `warning`
    ImU32 on_error;               ///< text on `error`
    ImU32 interop;                ///< the line of map / unmap
    ImU32 compared;               ///< B or a saved run; differs from every phase in hue and lightness
    std::array<ImU32, 8> series;  ///< lines of a plot: far from the colours of phases, and at least 3 : 1 in
                                  ///< contrast with `background` and `panel`
};

/// The dark palette suits screens, the light one print.
enum class PaletteId : std::uint8_t { dark, light };
const Palette& palette_of(PaletteId id);

/// How a phase is drawn. Hue is never the only cue: fused phases are hatched, and every band and row has a
/// name. Source: Okabe and Ito 2008, "Color Universal Design".
struct SeriesStyle {
    ImU32 colour;
    bool hatched;
};
SeriesStyle style_of(compaction::PhaseRole role);
/// The name of the time between two compactions in plots and tables.
inline constexpr std::string_view between_compactions = "between";
/// How the time between calls is drawn.
SeriesStyle between_calls_style(const Palette& palette);

/// The opaque blend of `background` and `colour`, where `share` from 0 to 1 is the weight of `colour`.
ImU32 mix(ImU32 background, ImU32 colour, float share);
/// The colour with another opacity. `alpha`: 0 to 255.
ImU32 with_alpha(ImU32 colour, ImU32 alpha);
/// The text colour with more contrast on `colour`: `text` or `background` of the palette.
ImU32 ink_on(const Palette& palette, ImU32 colour);

/// Draws a small square in the colour and hatch of a series, for legends and rows.
void draw_swatch(ImDrawList& list, ImVec2 centre, float size, SeriesStyle style, ImU32 background);

/// Neighbours in this order differ in shape, not only in filling, because lines that share a colour have
/// neighbouring markers.
enum class Marker : std::uint8_t { circle, square, triangle, diamond, plus, ring, inverted, cross };

/// How one of several lines is drawn. Colours and markers repeat with different periods, so that no two of
/// the first 56 lines have the same pair, and neighbours differ in both.
struct LineStyle {
    ImU32 colour;
    Marker marker;
};
LineStyle line_style(const Palette& palette, std::size_t index);

/// Draws a marker that fits into the square of 2 * `radius` around `centre`.
void draw_marker(ImDrawList& list, ImVec2 centre, float radius, LineStyle style);

/// Draws a dashed line. Gaps are two thirds as long as dashes.
void draw_dashed(ImDrawList& list, ImVec2 from, ImVec2 to, ImU32 colour, float thickness, float dash);

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

    /// Converts a length at a scale of 100 % to whole pixels of the window.
    float px(float at_100_percent) const { return std::round(at_100_percent * scale); }
};

float text_width(const ImFont* font, std::string_view text);
/// Draws text with its top left corner at `position`.
void draw_text(ImDrawList& list, const ImFont* font, ImVec2 position, ImU32 colour, std::string_view text);

/// Draws a playhead: a line from `top` to `bottom`, with a handle below its end.
void draw_playhead(ImDrawList& list, const Style& style, float x, float top, float bottom);

/// Draws text with its baseline at `position.y`, so that typefaces can share a line. Returns its right end.
float draw_on_baseline(ImDrawList& list, const ImFont* font, ImVec2 position, ImU32 colour,
                       std::string_view text);

/// Draws text in the lines that fit into the rectangle, and elides the last one if the text is longer.
void draw_wrapped(ImDrawList& list, const ImFont* font, ImVec2 low, ImVec2 high, ImU32 colour,
                  std::string_view text);

/// Draws text in as many lines of at most `width` pixels as it needs.
void draw_paragraph(ImDrawList& list, const ImFont* font, ImVec2 position, float width, ImU32 colour,
                    std::string_view text);
float paragraph_height(const ImFont* font, std::string_view text, float width);

/// `text`, cut with an ellipsis if it is wider than `width`.
std::string elided(const ImFont* font, std::string_view text, float width);
/// The first of the texts that fits into `width`, else the last one, elided.
std::string fitting(const ImFont* font, std::initializer_list<std::string_view> texts, float width);

}  // namespace warpsieve::plots
