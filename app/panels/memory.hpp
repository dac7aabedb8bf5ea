#pragma once

#include <string>

#include "app/panels/chrome.hpp"
#include "app/panels/command_palette.hpp"
#include "app/panels/controls.hpp"
#include "app/panels/labs/labs_view.hpp"
#include "app/panels/presentation.hpp"
#include "app/panels/timings_panel.hpp"
#include "app/panels/tour_panel.hpp"
#include "app/panels/views/difference_view.hpp"
#include "app/panels/views/inside_view.hpp"
#include "app/panels/views/lens_view.hpp"
#include "app/panels/views/race_view.hpp"
#include "app/panels/views/slot_map.hpp"
#include "app/panels/views/slow_motion_view.hpp"
#include "app/panels/views/timeline_view.hpp"
#include "app/view_model/view.hpp"

namespace warpsieve::panels {

/// What the panels remember between frames, each its own.
struct Memory {
    Tooltips tooltips;
    ControlMap controls;
    Pictures pictures;
    TypedValue typed;
    ControlsMemory controls_panel;
    TimingsMemory timings;
    SlotMapMemory slot_map;
    LensMemory lens;
    SlowMotionMemory slow_motion;
    RaceMemory race;
    DifferenceMemory difference;
    TimelineMemory timeline;
    InsideMemory inside;
    FollowMemory follow;
    LabPlots lab_plots;
    SettingsHistory history;
    Focus focus;
    std::string clicked;  ///< label of the control under the last click
    Presentation presentation;
    TourMemory tour;
    bool welcome_closed = false;
    bool help_open = false;
    bool change_card_open = false;
    float splitter_start = 0;   ///< the size of a splitter's zone when a drag began
    float messages_height = 0;  ///< that the messages needed in the last frame, in pixels
    PaletteMemory palette;
};

}  // namespace warpsieve::panels
