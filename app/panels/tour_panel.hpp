#pragma once

#include "app/panels/ui.hpp"
#include "app/tour/tour.hpp"
#include "app/view_model/snapshot.hpp"

namespace warpsieve::panels {

/// State of the guided tour between frames.
struct TourMemory {
    tour::Tour tour;
    std::uint64_t num_shown = 0;  ///< steps shown so far; a step that is shown again counts again
};

void show_tour_step(TourMemory& memory, std::size_t index, Settings& settings, const Settings& defaults);

/// Height of the panel above a view of that size, in pixels; 0 while the tour does not run.
int tour_panel_height(const TourMemory& memory, const plots::Style& style, const Snapshot& snapshot,
                      gl::PixelSize area);

/// Draws title, text, figure and buttons of the step in `panel`.
void draw_tour(Ui& ui, const gl::Rectangle& panel);

}  // namespace warpsieve::panels
