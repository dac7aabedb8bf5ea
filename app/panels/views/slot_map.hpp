#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "app/panels/views/slot_map_model.hpp"
#include "app/panels/views/slot_map_paint.hpp"

namespace warpsieve::panels {

/// What the slot map remembers between frames.
struct SlotMapMemory {
    float dragged_rows = 0;  ///< part of a row that the mouse has moved
    MapColour colour = MapColour::age;

    scene::SampleRequest request;
    std::vector<std::uint32_t> slot_pixels;
    std::vector<std::uint32_t> place_pixels;
    std::uint64_t painted_serial = 0;
    Paint painted;
};

}  // namespace warpsieve::panels
