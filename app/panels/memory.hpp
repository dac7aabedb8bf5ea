#pragma once

#include <string>

#include "app/panels/capture_picker.hpp"
#include "app/panels/chrome.hpp"
#include "app/panels/command_palette.hpp"
#include "app/panels/controls.hpp"
#include "app/panels/presentation.hpp"
#include "app/panels/time_microscope.hpp"
#include "app/panels/timings_panel.hpp"
#include "app/panels/tour_panel.hpp"
#include "app/panels/view_panel.hpp"
#include "app/view_model/snapshot.hpp"

namespace warpsieve::panels {

/// State of the panels between frames.
struct Memory {
    Tooltips tooltips;
    ControlMap controls;
    Pictures pictures;
    TypedValue typed;
    ControlsMemory controls_panel;
    TimingsMemory timings;
    std::vector<std::unique_ptr<ViewPanel>> views =
        make_views();          ///< one per view, in the order of views.def
    Side lens_side = Side::a;  ///< the side that the controls set while the A/B lens is shown
    FollowState follow;
    SlowMotion slow_motion;
    SettingsHistory history;
    Focus focus;
    std::string clicked;  ///< label of the control under the last click
    Presentation presentation;
    TourMemory tour;
    bool welcome_closed = false;
    int docked_height = 0;  ///< height of the tour or of the welcome card in this frame, in pixels
    bool help_open = false;
    std::string help_query;  ///< filters the list of keys
    bool change_card_open = false;
    float drag_start_size = 0;  ///< see draw_splitters()
    int above_scene = 0;        ///< height of what the view drew above the scene in the last frame, in pixels
    int below_scene = 0;        ///< height of what the view drew below the scene in the last frame, in pixels
    bool view_takes_timings_pane = false;  ///< in the last frame
    float messages_height = 0;             ///< height of the messages in the last frame, in pixels
    PaletteMemory palette;
    PickerMemory picker;
};

}  // namespace warpsieve::panels
