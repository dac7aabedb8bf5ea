#pragma once

#include "app/gl/context.hpp"
#include "app/panels/interface.hpp"
#include "app/settings/settings.hpp"

/// Layout of the window. Pure functions of its size, the settings and the scale.
namespace warpsieve::panels {

/// The panes of the window. They do not overlap and fill it.
struct Panes {
    Rectangle controls;           ///< left, from the top down to the status line
    Rectangle controls_splitter;  ///< between controls and the rest
    Rectangle tabs;               ///< the strip above the view
    Rectangle view;               ///< the view of the current tab
    Rectangle messages;           ///< below the view; empty without messages
    Rectangle timings_splitter;   ///< between view and timings
    Rectangle timings;
    Rectangle status;  ///< bottom, over the whole width
};

/// Lays out a window. Limits dragged sizes so that the other panes stay usable. A window too small for all of
/// them shrinks the controls and timings before the view. `messages_height`: the height that the messages
/// need, in pixels; they get at most a third of the view.
Panes lay_out(gl::PixelSize window, const Settings& settings, float scale, float messages_height = 0);

/// The column of the view, counted from its left end, where A ends and B begins in the A/B lens.
int divider_column(const Rectangle& view, const Settings& settings);

/// Clamp the size that a splitter was dragged to, in pixels at 100 %, to the limits of this window.
float clamped_controls_width(float wanted, gl::PixelSize window, float scale);
float clamped_timings_height(float wanted, gl::PixelSize window, float scale);

}  // namespace warpsieve::panels
