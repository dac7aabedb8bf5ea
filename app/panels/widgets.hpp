#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/panels/ui.hpp"
#include "app/settings/schema.hpp"

/// The controls of the panels. Each draws one row, label left and control right, records itself in the
/// control map under its label and offers its tooltip. Each kind is a file in widgets/.
namespace warpsieve::panels {

/// Common parts of a row. `disabled_reason` disables the control and is shown in its tooltip; empty for an
/// enabled one.
struct Row {
    std::string_view label;
    std::string_view tooltip = {};
    std::string_view key = {};
    std::string disabled_reason = {};
};

void heading(const Ui& ui, std::string_view text);

/// The heading of controls that set one side of the A/B lens: it names the side while there are two.
std::string of_edited_side(const Ui& ui, std::string_view text);

/// Says in the box of a view that it has too little room to show `what`: "the slots".
void say_too_small(const Ui& ui, ImVec2 low, ImVec2 high, std::string_view what);

/// Draws a muted, wrapped remark over the width of the panel.
void note(const Ui& ui, std::string_view text);
/// Draws the remark below the control of the last row.
void note_under_control(const Ui& ui, std::string_view text);
/// The width that a line of the remark has.
float width_under_control(const Ui& ui);

/// A slider over whole steps. Click or drag sets it, the arrow keys move it by one step while the mouse is
/// over it, Ctrl+click types a value. The value is a number with muted words before and after it.
struct Slider {
    Row row;
    int step = 0;
    int last_step = 1;
    std::string before = {};
    std::string number = {};
    std::string unit = {};
};
struct SliderResult {
    std::optional<int> step;           ///< moved there
    std::optional<std::string> typed;  ///< typed text, for the caller to parse
};
SliderResult slider(Ui& ui, const Slider& slider);
/// The slider without its label, tooltip and note, `width` pixels wide; uses the ImGui ID set before.
SliderResult bare_slider(Ui& ui, const Slider& slider, float width);

/// Parses the text typed into the slider with that label and clamps it to the legal range of its setting;
/// nothing if it is not a number. A note below the slider reports a changed or refused value. `scale`: the
/// number of the slider's units per unit of the setting, such as 100 for percent.
std::optional<std::uint64_t> typed_count(Ui& ui, std::string_view label, const std::string& typed,
                                         const AllowedValues& allowed);
std::optional<float> typed_number(Ui& ui, std::string_view label, const std::string& typed,
                                  const AllowedValues& allowed, const std::string& unit, double scale = 1);
/// Shows a note below the slider or number field with that label until the next change.
void note_below(Ui& ui, std::string_view label, std::string text);
/// Draws the note of the control with that label, if it has one.
void draw_note_below(Ui& ui, std::string_view label);

/// A choice among a few, all visible.
struct Segment {
    std::string_view label;
    std::string disabled_reason = {};  ///< greys this segment out
    bool is_effective = false;         ///< marked: automatic resolves to it
};
/// Draws the segments. Returns the clicked one. If `selected` is past the end, none is selected.
std::optional<std::size_t> segments(Ui& ui, const Row& row, std::span<const Segment> choices,
                                    std::size_t selected);

/// A choice among many, one visible until it is opened.
struct MenuEntry {
    std::string label;
    std::string tooltip = {};
    std::string disabled_reason = {};  ///< greys it out
};
/// Draws the menu. Returns the entry that was clicked.
std::optional<std::size_t> menu(Ui& ui, const Row& row, std::span<const MenuEntry> entries,
                                std::size_t selected);

/// The menu without its label; uses the ImGui ID and width set before. Entries record themselves as "name:
/// label".
struct MenuState {
    bool open = false;  ///< the menu then shows no tooltip of its own
    std::optional<std::size_t> clicked;
};
MenuState bare_menu(Ui& ui, std::string_view name, const std::string& shown,
                    std::span<const MenuEntry> entries, std::size_t selected);

/// Draws a menu with entries of any kind. Returns whether it is open, by click or key; then draw the entries
/// and call end_menu(). Uses the ImGui ID and width set before. `chosen`: the name of the entry that gets the
/// focus first.
bool begin_menu(Ui& ui, const char* id, std::string_view name, const std::string& shown,
                std::string_view chosen = {});
void end_menu(Ui& ui);
enum class AfterPress : std::uint8_t { close_menu, keep_menu_open };
/// Records the entry that ImGui drew last. Returns whether a key presses the entry.
bool key_presses_entry(Ui& ui, std::string_view name, AfterPress after = AfterPress::close_menu);

/// Draws a field for a whole number, with buttons that add and subtract 1. Returns the number, clamped to the
/// allowed range. A note reports a clamped number.
double number_field(Ui& ui, const Row& row, const AllowedValues& allowed, double number);

/// Draws the label, then puts the cursor at the control column; call `end_row` after the control.
void begin_row(Ui& ui, const Row& row);
void end_row(Ui& ui, const Row& row);

/// A button within a row, `width` pixels wide; 0: as wide as its label. Records itself under `label`, or
/// under what follows "##" in it.
bool button(Ui& ui, const char* label, float width, std::string_view tooltip, std::string_view key);

/// A button of `button_row`. `widest_label`: the longest label of a button whose label changes.
struct RowButton {
    const char* label;
    std::string_view tooltip;
    std::string_view key = {};
    std::string disabled_reason = {};
    std::string_view widest_label = label;
};
/// A row of buttons that share its width; returns the index of the pressed one.
std::optional<std::size_t> button_row(Ui& ui, std::string_view label, std::span<const RowButton> buttons);

/// A button; disabled while `disabled_reason` has a reason.
bool action(Ui& ui, const char* label, float width, std::string_view tooltip, std::string_view key,
            const std::string& disabled_reason = {});

}  // namespace warpsieve::panels
