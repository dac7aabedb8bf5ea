#pragma once

#include <cstdint>
#include <vector>

#include "app/panels/ui.hpp"
#include "app/panels/views/slot_map_paint.hpp"
#include "app/view_model/slot_map_view.hpp"

namespace warpsieve::panels {

/// What the slot map remembers between frames.
struct SlotMapMemory {
    float dragged_rows = 0;  ///< fraction of a row that the mouse has moved

    scene::SampleRequest request;
    std::vector<std::uint32_t> slot_pixels;
    std::vector<std::uint32_t> place_pixels;
    std::uint64_t painted_serial = 0;
    Paint painted;
};

void draw_slot_map(Ui& ui);

}  // namespace warpsieve::panels
