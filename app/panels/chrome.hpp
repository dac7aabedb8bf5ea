#pragma once

#include <span>
#include <string_view>

#include "app/diagnostics/change_watch.hpp"
#include "app/panels/ui.hpp"
#include "app/view_model/messages.hpp"
#include "app/view_model/snapshot.hpp"

/// The parts of the window around the panels: the status line, the splitters, messages, the change card and
/// the list of keys.
namespace warpsieve::panels {

/// Draws the strip of tabs above the view. Returns the right end of its last tab, in pixels.
/// `reserved_width`: the width to leave free right of the tabs; without room for both, the tabs leave out
/// their keys.
float draw_tabs(Ui& ui, float reserved_width);

void draw_status_line(Ui& ui);

/// `drag_start_size`: the size of the dragged pane when the drag began, in pixels at 100 %; kept between
/// frames.
void draw_splitters(Ui& ui, float& drag_start_size);

enum class CaptureMessages : std::uint8_t { shown, left_out };
/// Draws warnings and errors below the view, where they cover nothing, until they are dismissed; failed
/// checks stay. Returns the height they need, in pixels. `of_captures`: messages about captures.
float draw_messages(Ui& ui, const Messages& messages, const CheckResults& checks,
                    CaptureMessages of_captures);

/// Draws the effect of the last change of a control: a line after the tabs, and a table while the mouse is on
/// it. `change`: null for none. `open`: whether the table was shown in the last frame.
void draw_change_card(Ui& ui, const ChangeCard* change, float tabs_end, bool& open);
/// Minimum width of the change card, for its outcome, in pixels; 0 without a change.
float min_width_of_change_card(const Ui& ui, const ChangeCard* change);

/// Draws a note over the view: that a lab holds the scene, or why the view is empty.
void draw_view_notes(Ui& ui);

/// Draws the list of keys while `open`, those that match `query`.
void draw_help(Ui& ui, bool& open, std::string_view query);

}  // namespace warpsieve::panels
