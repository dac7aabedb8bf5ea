#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "app/scene/slot_sample.hpp"
#include "app/settings/settings.hpp"

/// How the cells of the slot map are coloured.
namespace warpsieve::panels {

/// The colour of an item, packed as ImU32. `share`: from 0 (born, first slot) to 1 (dead, last slot).
/// Lightness is monotonic, so that the map can be read without hue.
std::uint32_t item_colour(Theme theme, MapColour colour, float share);

/// The colours of an empty slot and of an output cell with a wrong item.
std::uint32_t empty_colour(Theme theme);
std::uint32_t fault_colour(Theme theme);

/// How cells are turned into pixels.
struct Paint {
    Theme theme = Theme::dark;
    MapColour colour = MapColour::age;
    std::uint64_t first_slot = 0;  ///< first visible slot
    std::uint64_t slots = 0;  ///< number of visible slots, over which MapColour::slot spreads its colours
    std::uint32_t slots_per_cell = 1;
    bool ordered = true;  ///< an item out of order is a fault

    bool operator==(const Paint&) const = default;
};

/// Paints a pixel for each cell in the colour of its first item; the colours of fuller cells are stronger.
void paint(std::span<const scene::SlotCell> cells, const Paint& wanted, std::vector<std::uint32_t>& pixels);

}  // namespace warpsieve::panels
