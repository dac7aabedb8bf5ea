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

/// The whole window. Only the tables of tabs and shortcuts use it; they hand each panel the frame it needs.
struct WindowFrame : Ui {
    Memory& memory;

    ControlsFrame for_controls() {
        return {*this,
                view.catalogue,
                view.stream,
                view.runs,
                view.machine.engine_reason,
                view.display,
                memory.tour.tour.runs(),
                memory.controls_panel};
    }
    TimingsFrame for_timings() {
        return {*this,
                view.runs,
                view.timings,
                view.stream,
                view.machine.device.name,
                view.quality.badges,
                memory.timings};
    }
    StatusFrame for_status_line() {
        return {*this,
                view.catalogue.engines,
                view.machine,
                view.timings,
                view.checks,
                view.runs.b.has_value(),
                view.labs.running,
                view.messages,
                view.display.for_picture};
    }
    SlotMapFrame for_slot_map() { return {*this, view.stream.slots, view.slot_map, memory.slot_map}; }
    LensFrame for_lens() { return {*this, view.runs, view.checks, view.display.now_s, memory.lens}; }
    DifferenceFrame for_difference() {
        return {*this, view.runs, view.stream.slots, view.slot_map, memory.difference};
    }
    SlowMotionFrame for_slow_motion() {
        return {*this, view.runs, view.stream, view.display.now_s, memory.slow_motion};
    }
    RaceFrame for_race() {
        return {*this,         view.catalogue,       view.race,          view.stream,
                view.slot_map, view.runs.a.num_kept, view.display.now_s, memory.race};
    }
    TimelineFrame for_timeline() {
        return {
            *this,          view.timings, view.runs.a.algorithm, view.machine, view.display.figures_serial,
            memory.timeline};
    }
    InsideFrame for_inside() { return {*this, view.runs, view.slot_map, view.display.now_s, memory.inside}; }
    LabsFrame for_labs() {
        return {*this,           view.catalogue,     view.stream,
                view.labs,       view.display.now_s, view.machine.device.processors,
                memory.lab_plots};
    }
};

/// What the view itself does not say: that a lab holds the scene, or why there is nothing to see.
void draw_view_notes(WindowFrame& ui);

}  // namespace warpsieve::panels
