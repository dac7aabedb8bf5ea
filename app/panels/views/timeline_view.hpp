#pragma once

#include <cstdint>
#include <optional>

#include "app/panels/ui.hpp"
#include "app/panels/views/timeline_memory.hpp"
#include "app/plots/columns.hpp"
#include "app/view_model/machine_view.hpp"
#include "app/view_model/timings_view.hpp"
#include "experiments/timeline.hpp"

/// The parts of the timeline view, and what its keys do.
namespace warpsieve::panels {

void draw_timeline(Ui& ui);

/// The history it shows: the held one, else the live one; nullptr before the first frame.
const experiments::Timeline* shown_timeline(const Ui& ui);

/// The visible frames, clamped to the history.
plots::Window shown_window(const Ui& ui, const experiments::Timeline& timeline);

/// Sets `end`, one past the newest visible frame. Scrolling back holds the history, so that what is looked at
/// stays; scrolling to the newest frame lets go.
void scroll_to(Ui& ui, const experiments::Timeline& timeline, std::int64_t end);

/// Shows that many frames and keeps the frame `fixed` in place; keeps the newest if none is given or the view
/// follows.
void zoom_to(Ui& ui, const experiments::Timeline& timeline, double frames,
             std::optional<std::uint64_t> fixed);

/// Actions of keys and buttons; effective only while the view is shown.
void toggle_hold(Ui& ui);
void follow_newest(Ui& ui);
void keep_as_ghost(Ui& ui);
void toggle_log_times(Ui& ui);
/// Moves the pin by that many frames, and the visible window with it.
void step_pin(Ui& ui, int frames);

/// Draws the rows of controls above the plot; returns their lower end. Leaves out controls that would extend
/// below `lowest`: keys, wheel and file drop do the same.
float draw_timeline_toolbar(Ui& ui, ImVec2 low, float right, float lowest);
/// The height of the processor clock and the driver's report below a plot of that height; 0 where there is no
/// room.
float timeline_clock_height(const Ui& ui, float plot_height);
/// Draws them from `top` down to `high`, bottom right, aligned with the plot at `place`.
void draw_timeline_clock(Ui& ui, const plots::PlotFrame& place, float top, ImVec2 high);
/// The strip with the whole history.
void draw_timeline_overview(Ui& ui, const experiments::Timeline& timeline, ImVec2 low, ImVec2 high);
/// Selects the frames between two, both included.
void select_range(Ui& ui, const experiments::Timeline& timeline, std::uint64_t from, std::uint64_t to);
/// Draws the selected range over the plot, with its median and quartiles.
void draw_range(Ui& ui, const plots::PlotFrame& place);
/// Makes the names beside the plot switches: a click hides a series, Shift+click shows it alone.
void draw_timeline_legend(Ui& ui);
/// The menu of the right mouse button over the plot.
void draw_timeline_menu(Ui& ui, const experiments::Timeline& timeline, const plots::PlotFrame& place);
/// The column beside the plot: histogram, and the numbers of one frame.
void draw_timeline_side(Ui& ui, const experiments::Timeline& timeline, ImVec2 low, ImVec2 high);

}  // namespace warpsieve::panels
