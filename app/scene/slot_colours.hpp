#pragma once

#include <array>
#include <cstdint>

/// The colours of the items by their slot, in the scene and in the slot map. Lightness is monotonic, so the
/// order is seen without hue. No colour is near that of a phase, also with a colour vision deficiency. Each
/// has a contrast of 3 : 1 with an empty cell.
namespace warpsieve::scene {

/// From the first slot to the last, 0xRRGGBB.
using SlotColours = std::array<std::uint32_t, 6>;

inline constexpr SlotColours dark_slot_colours{0xFBCA56, 0xFCB484, 0xFBAAB5, 0xC5A6CF, 0x997CC2, 0x775EC1};
inline constexpr SlotColours light_slot_colours{0x1A0D4D, 0x471C94, 0x7A29A3, 0xA02E82, 0xB03F46, 0xB2603C};

}  // namespace warpsieve::scene
