#pragma once

#include "app/gl/context.hpp"
#include "app/panels/interface.hpp"
#include "app/settings/settings.hpp"

/// Where things go. Pure functions of the window's size, the settings and the scale.
namespace warpsieve::panels {

/// The zones of the window: they do not overlap and together they are the window.
struct Zones {
    Rectangle controls;           ///< left, from the top down to the status line
    Rectangle controls_splitter;  ///< between controls and the rest
    Rectangle tabs;               ///< the strip above the view
    Rectangle view;               ///< what the tab in force shows
    Rectangle timings_splitter;   ///< between view and timings
    Rectangle timings;
    Rectangle status;  ///< bottom, over the whole width
};

/// Lays a window out. Sizes that people dragged are kept within what leaves the other zones usable; a window
/// too small for all of them shrinks the controls and timings before the view.
Zones lay_out(gl::PixelSize window, const Settings& settings, float scale);

/// The column of the view, from its left end, where A ends and B begins in the A/B lens.
int divider_column(const Rectangle& view, const Settings& settings);

/// Widths and heights, at 100 %, that a splitter may be dragged to in this window.
float clamped_controls_width(float wanted, gl::PixelSize window, float scale);
float clamped_timings_height(float wanted, gl::PixelSize window, float scale);

}  // namespace warpsieve::panels
