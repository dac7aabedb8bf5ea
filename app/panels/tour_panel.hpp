#pragma once

#include "app/panels/ui.hpp"
#include "app/tour/tour.hpp"
#include "app/view_model/view.hpp"

namespace warpsieve::panels {

struct SlowMotionMemory;

/// What the guided tour remembers between frames.
struct TourMemory {
    tour::Tour tour;
    int height = 0;           ///< of its panel in this frame, in pixels; 0 while it does not run
    double story_time_s = 0;  ///< of slow motion before the tour
    bool story_plays = false;
};

void show_tour_step(TourMemory& memory, SlowMotionMemory& slow_motion, std::size_t index, Settings& settings,
                    const Settings& defaults);
/// Gives back what the tour has replaced. Does nothing where it does not run.
void leave_tour(TourMemory& memory, SlowMotionMemory& slow_motion, Settings& settings);

/// Height of the panel above a view of that size, in pixels; 0 while the tour does not run.
int tour_panel_height(const TourMemory& memory, const plots::Style& style, const View& view,
                      gl::PixelSize area);

/// Title, text, figure and buttons of the step, in `panel`.
void draw_tour(Ui& ui, const gl::Rectangle& panel);

}  // namespace warpsieve::panels
