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

struct RaceFrame : Ui {
    const CatalogueView& catalogue;
    const RaceView& view;
    const StreamView& stream;
    const SlotMapView& slot_map;
    std::uint64_t num_kept;  ///< by the running algorithm
    double now_s;
    RaceMemory& memory;
};

void draw_race(RaceFrame& ui);

/// A menu, `width` pixels wide, that chooses the algorithms of the race.
void draw_race_choice(RaceFrame& ui, float width);

}  // namespace warpsieve::panels
