#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "app/scene/slot_sample.hpp"
#include "app/settings/settings.hpp"

/// How the cells of the slot map are coloured.
namespace warpsieve::panels {

/// What the colour of an item tells.
enum class MapColour : std::uint8_t {
    age,   ///< of the item, from born to dead
    slot,  ///< where it comes from, so that its order can be seen
};

/// The colour of an item, as ImGui packs it; `share` from 0 (born, the first slot) to 1 (dead, the last one).
/// Lightness goes one way all along, away from the ground's at 0, so that hue is not needed to read it.
std::uint32_t item_colour(Theme theme, MapColour colour, float share);

/// What an empty slot looks like, and a place of the output that holds what it must not.
std::uint32_t empty_colour(Theme theme);
std::uint32_t fault_colour(Theme theme);

/// How cells are turned into pixels.
struct Paint {
    Theme theme = Theme::dark;
    MapColour colour = MapColour::age;
    std::uint64_t first_slot = 0;  ///< of those on show
    std::uint64_t slots = 0;       ///< on show: the colours of MapColour::slot run over them
    std::uint32_t slots_per_cell = 1;
    bool ordered = true;  ///< a place out of order is a fault

    bool operator==(const Paint&) const = default;
};

/// A pixel for each cell: in the colour of its first item, the stronger the more of it is filled.
void paint(std::span<const scene::SlotCell> cells, const Paint& paint, std::vector<std::uint32_t>& pixels);

}  // namespace warpsieve::panels
