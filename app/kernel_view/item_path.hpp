#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "app/kernel_view/replay.hpp"

/// Where an item of the input goes, and which store a load sees.
namespace warpsieve::kernel_view {

/// The path of an item of four bytes through memory.
struct ItemPath {
    std::uint32_t item = 0;   ///< index in the input
    std::uint32_t value = 0;  ///< the item itself
    bool is_unique = false;   ///< whether it is not 0, and no other item of the input has its value
    std::optional<std::uint32_t> output;  ///< index at which the output ends up with it; empty if nowhere
    std::vector<std::uint32_t> events;    ///< that load or store it, as indices into Events::events
};

/// Follows an item: the loads of its place in the input, and, if its value is unique and not zero, each load,
/// store and copy of a word with that value. `item`: below the length of the input. The trace must have items
/// of four bytes.
ItemPath path_of_item(const Events& events, std::uint32_t item);

/// The first item that an event loads from the input; else the item whose value, unique and not 0, it moves;
/// empty if there is none.
std::optional<std::uint32_t> item_of(const Events& events, std::uint32_t event);

/// The stores whose bytes the loads of a step read, as sorted indices into Events::events; empty for a step
/// without loads. What was in memory before the launch has none. `state`: that of the step.
std::vector<std::uint32_t> observed_stores(const Events& events, const State& state,
                                           std::span<const std::uint32_t> step);

}  // namespace warpsieve::kernel_view
