#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/panels/panel_frame.hpp"

/// The few controls that the panels are made of. Each draws one row, label left and control right, records
/// itself in the control map under its label and offers its tooltip.
namespace warpsieve::panels {

/// What every row has. `off_because` greys the control out and is shown in its tooltip; empty for one that
/// works.
struct Row {
    std::string_view label;
    std::string_view tooltip;
    std::string_view key;
    std::string off_because;
};

void heading(const PanelFrame& frame, std::string_view text);

/// The heading of controls that set one side of the A/B lens: it names the side while there are two.
std::string of_edited_side(const PanelFrame& frame, std::string_view text);

/// A muted remark, wrapped: over the width of the panel, or below the control of the row before.
void note(const PanelFrame& frame, std::string_view text, bool below_control = false);

/// A slider over whole steps. Click or drag to set, the arrow keys move it by one while the mouse is over it,
/// Ctrl+click types a value. Its value is drawn as a figure, with muted words before and after it.
struct Slider {
    Row row;
    int step = 0;
    int last_step = 1;
    std::string before;
    std::string figure;
    std::string unit;
};
struct SliderAnswer {
    std::optional<int> step;           ///< moved there
    std::optional<std::string> typed;  ///< what was typed, for the caller to read
};
SliderAnswer slider(PanelFrame& frame, const Slider& slider);

/// What was typed into the slider of that label as a number, put within what there may be; nothing where it
/// is no number. A line below the slider says where that is not what was typed.
std::optional<std::uint64_t> typed_count(PanelFrame& frame, std::string_view label, const std::string& typed,
                                         std::uint64_t least, std::uint64_t most);
std::optional<double> typed_number(PanelFrame& frame, std::string_view label, const std::string& typed,
                                   int least, int most, const std::string& unit);
/// The line below the slider of that label, until something changes.
void tell_below(PanelFrame& frame, std::string_view label, std::string text);

/// A choice among a few, all visible.
struct Segment {
    std::string_view label;
    std::string off_because;  ///< greys this segment out
    bool in_force = false;    ///< marked as what an automatic choice came to
};
/// The segment that was clicked. `selected` may be none of them (over the end).
std::optional<std::size_t> segments(PanelFrame& frame, const Row& row, std::span<const Segment> choices,
                                    std::size_t selected);

/// A choice among many, one visible until it is opened.
struct MenuEntry {
    std::string label;
    std::string tooltip;
    std::string off_because;  ///< greys it out
};
/// The entry that was clicked.
std::optional<std::size_t> menu(PanelFrame& frame, const Row& row, std::span<const MenuEntry> entries,
                                std::size_t selected);

/// The menu alone, under the ID and with the width set before, with `shown` in it. Entries record themselves
/// as "name: label".
struct MenuState {
    bool open = false;  ///< then it is no place for a tooltip of the menu itself
    std::optional<std::size_t> clicked;
};
MenuState bare_menu(PanelFrame& frame, std::string_view name, const std::string& shown,
                    std::span<const MenuEntry> entries, std::size_t selected);

/// Puts the cursor to the control column after drawing the label; call `end_row` after the control.
void begin_row(PanelFrame& frame, const Row& row);
void end_row(PanelFrame& frame, const Row& row);

/// A text field for a path. What does not fit is left out of its middle while nobody types, for the name of
/// the file is at its end.
void path_field(PanelFrame& frame, const char* id, const char* hint, std::string& path);

/// As much of the beginning and, above all, the end of a path as fits into `width`, with an ellipsis between.
std::string elided_path(const ImFont* font, std::string_view path, float width);

/// The widths of buttons that share what is left of a row: each its words and an equal part of the rest.
std::vector<float> shared_widths(const PanelFrame& frame, std::initializer_list<std::string_view> labels);

/// A button within a row, `width` pixels wide. Records itself under `label`.
bool button(PanelFrame& frame, const char* label, float width, std::string_view tooltip,
            std::string_view key);

}  // namespace warpsieve::panels
