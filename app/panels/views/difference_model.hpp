#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "app/panels/views/slot_map_model.hpp"
#include "app/panels/views/slot_map_paint.hpp"
#include "app/scene/slot_sample.hpp"

/// Finds the cells in which two outputs of the same stream differ. Pure functions.
namespace warpsieve::panels {

struct OutputDifference {
    std::uint64_t cells = 0;      ///< cells that hold an item in either output
    std::uint64_t differing = 0;  ///< cells whose first item or number of items differs

    double share() const {
        return cells > 0 ? static_cast<double>(differing) / static_cast<double>(cells) : 0;
    }
};

/// The picture of an output as a grid of cells, which may be wider than high or higher than wide.
struct OutputGrid {
    std::uint32_t columns = 0;
    std::uint32_t rows = 0;
    std::uint32_t slots_per_cell = 1;
    std::uint32_t cell_width = 1;  ///< in pixels
    std::uint32_t cell_height = 1;

    bool operator==(const OutputGrid&) const = default;
};

/// The grid that shows `output_slots` with the fewest slots per cell and, among those, the largest cells.
/// Returns nullopt if there is no room. `longest_side`: longest side of a cell, in pixels.
std::optional<OutputGrid> filling_grid(MapRoom room, std::uint64_t output_slots, std::uint32_t longest_side);

/// Whether both cells have the same first item and the same number of items.
bool is_same(const scene::SlotCell& a, const scene::SlotCell& b);

/// Compares cell by cell; both have the same window.
OutputDifference compare_outputs(std::span<const scene::SlotCell> a, std::span<const scene::SlotCell> b);

/// Paints `cells` by slot; cells equal to those of `others` are dim.
void paint_difference(std::span<const scene::SlotCell> cells, std::span<const scene::SlotCell> others,
                      const Paint& wanted, std::vector<std::uint32_t>& pixels);

}  // namespace warpsieve::panels
