#pragma once

#include <array>
#include <cstdint>

/// The colours of the items by their slot, in the scene and in the slot map. Lightness is monotonic, so the
/// order is seen without hue. No colour is near that of a phase, also with a colour vision deficiency. Each
/// has a contrast of 3 : 1 with an empty cell.
namespace warpsieve::scene {

/// From the first slot to the last, 0xRRGGBB.
using SlotColours = std::array<std::uint32_t, 6>;

inline constexpr SlotColours dark_slot_colours{0xFFF25C, 0xFFE399, 0xEDD6E0, 0x9985C2, 0x9957E6, 0x7545FA};
inline constexpr SlotColours light_slot_colours{0x1A0D4D, 0x471C94, 0x7A29A3, 0xA02E82, 0xB03F46, 0xB2603C};

}  // namespace warpsieve::scene
