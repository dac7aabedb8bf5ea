#pragma once

#include "app/panels/ui.hpp"
#include "app/panels/views/race_model.hpp"
#include "app/view_model/check_view.hpp"
#include "app/view_model/run_view.hpp"

namespace warpsieve::panels {

/// What the A/B lens remembers between frames.
struct LensMemory {
    Side edited = Side::a;  ///< the side that the controls set
    Race race;              ///< of A against B
    float grip = 0;         ///< where the mouse took hold of the divider, in pixels from its line
};

void draw_lens(Ui& ui);

}  // namespace warpsieve::panels
