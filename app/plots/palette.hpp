#pragma once

#include <imgui.h>

#include <array>
#include <cstdint>

#include "compaction/algorithm.hpp"

namespace warpsieve::plots {

/// Every colour of the window. Text on panel and on raised keeps a contrast of at least 4.5 : 1 in both
/// themes (WCAG 2.1, success criterion 1.4.3), muted text included.
struct Palette {
    ImU32 ground;  ///< behind everything
    ImU32 panel;
    ImU32 raised;       ///< fields and buttons
    ImU32 raised_more;  ///< the same, under the mouse
    ImU32 track;        ///< the empty part of a slider
    ImU32 outline;      ///< hairlines between zones
    ImU32 grid;         ///< hairlines within a plot
    ImU32 text;
    ImU32 label;  ///< names of controls: between text and muted
    ImU32 muted;  ///< units, hints
    ImU32 accent;
    ImU32 accent_fill;  ///< accent mixed into raised: chosen segments, filled part of a slider
    ImU32 good;
    ImU32 warning;
    ImU32 warning_text;  ///< words of warning on panel
    ImU32 error;
    ImU32 on_warning;             ///< text on `warning`
    ImU32 on_error;               ///< text on `error`
    ImU32 interop;                ///< the line of map / unmap
    ImU32 ghost;                  ///< a saved run; stands out from every phase in hue and in lightness
    std::array<ImU32, 8> series;  ///< lines of a plot; contrast of at least 3 : 1 with ground and panel
};

/// For a dark screen, or for light paper.
enum class PaletteId : std::uint8_t { dark, light };
const Palette& palette_of(PaletteId id);

/// How a phase is drawn. Hue is never the only cue: fused phases are hatched, and every band and row has its
/// name. Source: Okabe and Ito 2008, "Color Universal Design".
struct SeriesStyle {
    ImU32 colour;
    bool hatched;
};
SeriesStyle style_of(compaction::PhaseRole role);
/// How the time between calls is drawn.
SeriesStyle between_calls_style(const Palette& palette);

/// `colour` over `ground` at `share` from 0 to 1, blended into one opaque colour.
ImU32 mix(ImU32 ground, ImU32 colour, float share);
/// `text` or `ground`, whichever has more contrast with the colour below it.
ImU32 ink_on(const Palette& palette, ImU32 colour);

/// A small square in the colour and hatch of a series, for legends and rows.
void draw_swatch(ImDrawList& list, ImVec2 centre, float size, SeriesStyle style, ImU32 ground);

}  // namespace warpsieve::plots
