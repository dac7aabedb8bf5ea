#pragma once

#include "app/panels/ui.hpp"

namespace warpsieve::panels {

/// `offers_tour`: with a button that starts the guided tour.
void draw_particles(Ui& ui, bool offers_tour);

/// Turns and zooms the camera with the mouse on the item that ImGui drew last, `size` pixels large.
void move_camera(Ui& ui, ImVec2 size);

}  // namespace warpsieve::panels
