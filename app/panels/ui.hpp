#pragma once

#include <imgui.h>

#include <algorithm>
#include <span>
#include <string>

#include "app/gl/keys.hpp"
#include "app/panels/control_map.hpp"
#include "app/panels/focus.hpp"
#include "app/panels/follow.hpp"
#include "app/panels/layout.hpp"
#include "app/panels/pictures.hpp"
#include "app/panels/tooltips.hpp"
#include "app/plots/style.hpp"
#include "app/settings/history.hpp"
#include "app/settings/settings.hpp"
#include "app/view_model/snapshot.hpp"

namespace warpsieve::panels {

/// A rectangle of the window. ImRect is part of Dear ImGui's internal header, which changes between releases.
struct Rect {
    ImVec2 low;
    ImVec2 high;

    float width() const { return high.x - low.x; }
    float height() const { return high.y - low.y; }
    bool contains(ImVec2 point) const {
        return point.x >= low.x && point.x < high.x && point.y >= low.y && point.y < high.y;
    }
};

inline Rect rect_of(const gl::Rectangle& pane) {
    const ImVec2 low{static_cast<float>(pane.x), static_cast<float>(pane.y)};
    return {low, {low.x + static_cast<float>(pane.width), low.y + static_cast<float>(pane.height)}};
}

/// The value that a person types into a slider, and the note on a typed value that was changed or refused.
struct TypedValue {
    std::string slider;  ///< label of the slider that takes the text; empty: none
    std::string text;
    bool just_opened = false;  ///< the text field is drawn for the first time
    std::string note_below;    ///< label of the control that the note stands below, until the next change
    std::string note;
    bool note_is_new = false;  ///< written in this frame
};

struct Memory;

/// Context of every panel: what it reads, edits and draws with.
struct Ui {
    const Snapshot& snapshot;
    Memory& memory;
    Settings& settings;
    Requests& requests;
    const plots::Style& style;
    const Panes& panes;
    gl::PixelSize window;
    Tooltips& tooltips;
    ControlMap& controls;
    Pictures& pictures;
    TypedValue& typed;
    const bool& help_open;
    const bool& palette_open;
    const bool& picker_open;
    FollowState& follow;
    Side& lens_side;                     ///< the side that the controls set while the A/B lens is shown
    const Settings* defaults = nullptr;  ///< defaults of this machine; never null in a frame
    SettingsHistory* history = nullptr;  ///< never null in a frame
    Focus* focus = nullptr;              ///< never null in a frame
    std::span<const gl::KeyEvent> keys =
        {};  ///< keys of this frame; empty while a text field has the keyboard

    float px(float at_100_percent) const { return style.px(at_100_percent); }
    const plots::Palette& palette() const { return style.palette; }
    const plots::Fonts& fonts() const { return style.fonts; }
    /// Whether a view may show facts about what is under the mouse, in a tooltip or a card. They would cover
    /// the list of keys.
    bool shows_cards() const { return !help_open && !palette_open && !picker_open; }
    /// The side whose algorithm and options the controls set.
    Side edited() const { return settings.compares() ? lens_side : Side::a; }
    /// Number of presses and repeats of the key, without Ctrl and Alt.
    int presses(int key) const {
        return static_cast<int>(std::ranges::count_if(keys, [key](const gl::KeyEvent& event) {
            return event.is_down() && event.key == key && !event.ctrl && !event.alt;
        }));
    }
};

/// Whether the rectangle of this ImGui window is clicked in this frame.
bool is_clicked(ImVec2 low, ImVec2 high);

/// ImGui::InvisibleButton of at least one pixel: Dear ImGui asserts that neither side is 0.
bool invisible_button(const char* id, ImVec2 size);

/// Opens the ImGui window of a pane; close with ImGui::End().
void begin_pane(const char* name, const Rectangle& pane, int extra_flags = 0);

}  // namespace warpsieve::panels
