#pragma once

#include "app/panels/ui.hpp"
#include "app/panels/views/race_model.hpp"
#include "app/view_model/machine_view.hpp"
#include "app/view_model/race_view.hpp"
#include "app/view_model/slot_map_view.hpp"
#include "app/view_model/stream_view.hpp"

namespace warpsieve::panels {

/// What the race remembers between frames.
struct RaceMemory {
    Race race;
};

void draw_race(Ui& ui);

/// A menu, `width` pixels wide, that chooses the algorithms of the race.
void draw_race_choice(Ui& ui, float width);

}  // namespace warpsieve::panels
