#pragma once

#include <span>
#include <string_view>

#include "app/panels/ui.hpp"

namespace warpsieve::panels {

inline constexpr std::string_view labs_tab = "labs";

/// A view that the main area can show. To add one: a file with its `draw`, and a line in tabs.cpp.
struct Tab {
    std::string_view id;   ///< "particles": what the settings keep
    const char* name;      ///< "Particles"
    char key;              ///< that shows it
    const char* meaning;   ///< for the tooltip
    bool over_scene;       ///< the particles are drawn beneath it
    void (*draw)(Ui& ui);  ///< fills zones.view
};

/// Every tab there is, in the order of the strip.
std::span<const Tab> tabs();

/// The tab that the settings name, else the first.
const Tab& tab_in_force(const Settings& settings);

/// Draws the strip above the main area; returns the right end of its last tab, in pixels. `beside`: what is
/// wanted right of the tabs; without room for both, the tabs leave out their keys.
float draw_tabs(Ui& ui, float beside);

}  // namespace warpsieve::panels
