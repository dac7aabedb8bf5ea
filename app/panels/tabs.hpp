#pragma once

#include <span>
#include <string_view>

#include "app/panels/panel_frame.hpp"

namespace warpsieve::panels {

/// Something that the main area can show. To add one: a file with its `draw`, and a line in tabs.cpp.
struct Tab {
    std::string_view id;              ///< "particles": what the settings keep
    const char* name;                 ///< "Particles"
    char key;                         ///< that shows it
    const char* meaning;              ///< for the tooltip
    bool over_scene;                  ///< the particles are drawn beneath it
    void (*draw)(PanelFrame& frame);  ///< fills zones.view
};

/// Every tab there is, in the order of the strip.
std::span<const Tab> tabs();

/// The tab that the settings name; the first where they name none that exists.
const Tab& tab_in_force(const Settings& settings);

/// The strip above the main area; returns where its last tab ends, in pixels.
float draw_tabs(PanelFrame& frame);

/// The views, one file each.
void draw_particles(PanelFrame& frame);
void draw_slot_map(PanelFrame& frame);
void draw_lens(PanelFrame& frame);
void draw_timeline(PanelFrame& frame);
void draw_labs(PanelFrame& frame);

}  // namespace warpsieve::panels
