#pragma once

#include "app/panels/ui.hpp"

/// A panel that takes the upper end of the view, above the scene: the welcome card, or a step of the tour.
namespace warpsieve::panels {

/// The maximum share of the view's height that the panel takes. A longer text scrolls.
inline constexpr float max_docked_share = 0.5F;

// Pixels at 100 %.
inline constexpr float docked_margin = 14;   ///< left and right of the rows
inline constexpr float docked_padding = 10;  ///< above the first row and below the last
inline constexpr float docked_row_gap = 7;
inline constexpr float max_docked_text_width = 860;

/// Height of a row of buttons with the gap below it, in pixels.
float docked_row_height(const plots::Style& style);

/// Opens the panel and draws its background. Close with end_docked_panel().
void begin_docked_panel(const Ui& ui, const char* name, const gl::Rectangle& panel);
/// `bottom`: the lower end of the last row, in pixels of the window.
void end_docked_panel(const Ui& ui, float bottom);

}  // namespace warpsieve::panels
