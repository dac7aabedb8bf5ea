#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "app/panels/views/slot_map_paint.hpp"
#include "app/scene/slot_sample.hpp"

/// Where two outputs of the same stream hold different items. Pure functions.
namespace warpsieve::panels {

struct OutputDifference {
    std::uint64_t cells = 0;      ///< that hold an item in either output
    std::uint64_t differing = 0;  ///< of these: another first item, or another number of items

    double share() const {
        return cells > 0 ? static_cast<double>(differing) / static_cast<double>(cells) : 0;
    }
};

/// Whether a cell holds the same in both outputs, judged by its first item and its number of items.
bool is_same(const scene::SlotCell& a, const scene::SlotCell& b);

/// Compares cell by cell; both have the same window.
OutputDifference compare_outputs(std::span<const scene::SlotCell> a, std::span<const scene::SlotCell> b);

/// Paints `cells` by slot; those that are the same in `others` are dim.
void paint_difference(std::span<const scene::SlotCell> cells, std::span<const scene::SlotCell> others,
                      const Paint& wanted, std::vector<std::uint32_t>& pixels);

}  // namespace warpsieve::panels
