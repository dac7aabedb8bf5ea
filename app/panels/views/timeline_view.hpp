#pragma once

#include <cstdint>
#include <optional>

#include "app/panels/panel_frame.hpp"
#include "app/plots/columns.hpp"
#include "experiments/timeline.hpp"

/// The parts of the timeline view, and what its keys do.
namespace warpsieve::panels {

/// The history it shows: the one that was held, else the live one; nullptr before the first frame.
const experiments::Timeline* shown_timeline(const PanelFrame& frame);

/// Which of its frames, within what there is.
plots::Window shown_window(const PanelFrame& frame, const experiments::Timeline& timeline);

/// Puts one past the newest frame shown at `end`; at the newest there is, the view follows again.
void scroll_to(PanelFrame& frame, const experiments::Timeline& timeline, std::int64_t end);

/// Shows so many frames and leaves the frame `fixed` where it is; the newest, where none is given or the
/// view follows.
void zoom_to(PanelFrame& frame, const experiments::Timeline& timeline, double frames,
             std::optional<std::uint64_t> fixed);

/// What keys and buttons do; each only while the view is shown.
void toggle_hold(PanelFrame& frame);
void follow_newest(PanelFrame& frame);
void keep_as_ghost(PanelFrame& frame);
void toggle_log_times(PanelFrame& frame);
/// Moves the pin by so many frames, and the window with it.
void step_pin(PanelFrame& frame, int frames);

/// The rows of controls above the plot; returns where they end. What would need a row that goes below
/// `lowest` is left out: its keys, the wheel and dropping a file do the same.
float draw_timeline_toolbar(PanelFrame& frame, ImVec2 low, float right, float lowest);
/// What the clock of the processors, and what the driver says of the GPU, take below a plot of that height;
/// 0 where there is no room.
float timeline_clock_height(const PanelFrame& frame, float plot_height);
/// Draws them from `top` down to `high`, bottom right, aligned with the plot at `place`.
void draw_timeline_clock(PanelFrame& frame, const plots::PlotFrame& place, float top, ImVec2 high);
/// The column beside the plot: histogram, and the numbers of one frame.
void draw_timeline_side(PanelFrame& frame, const experiments::Timeline& timeline, ImVec2 low, ImVec2 high);

}  // namespace warpsieve::panels
