#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/scene/slot_sample.hpp"
#include "app/trace/stream_parts.hpp"

/// Model of the slot map: cells, zoom and bars. Pure functions.
namespace warpsieve::panels {

/// A picture of slots as a grid of cells.
struct SlotGrid {
    std::uint32_t columns = 0;
    std::uint32_t rows = 0;
    std::uint32_t slots_per_cell = 1;
    std::uint32_t cell_pixels = 1;

    std::uint64_t row_slots() const { return std::uint64_t{columns} * slots_per_cell; }
    std::uint64_t slots() const { return row_slots() * rows; }
    bool operator==(const SlotGrid&) const = default;
};

/// Room for one picture, in pixels.
struct MapRoom {
    std::uint32_t width = 0;
    std::uint32_t height = 0;
};

/// "1 of 16" for the first, or "the only one" if `count` is 1. `index`: from 0.
std::string number_among(std::uint64_t index, std::uint64_t count);

/// The largest round number of columns up to `max_columns`: 4, 5, 6 or 7 times a power of two. Parts of usual
/// lengths then begin in few columns.
std::uint32_t round_columns(std::uint32_t max_columns);

/// The zoom steps of a stream, from the grid that holds all of it to the one with cells of `max_cell_pixels`.
/// Empty if there is no room or no slot. `picture_columns`: slots in a row of the picture that the stream
/// shows, or 0; a row of the first grid is then a row of the picture, if it fits.
std::vector<SlotGrid> zoom_ladder(MapRoom room, std::uint64_t slots, std::uint32_t max_cell_pixels,
                                  std::uint64_t picture_columns = 0);

/// The slot `first`, moved back to the start of a row, and further back so that the picture does not extend
/// past the last slot.
std::uint64_t aligned_first(const SlotGrid& grid, std::uint64_t first, std::uint64_t slots);

/// The first slot of a grid that has `slot` in the row at `share` of the picture's height.
std::uint64_t first_around(const SlotGrid& grid, std::uint64_t slot, float share, std::uint64_t slots);

/// A cell of a picture.
struct CellPosition {
    std::uint32_t column;
    std::uint32_t row;
};
/// The cell of a slot or output index `position` in a picture that begins with `first`; nullopt outside of
/// the picture.
std::optional<CellPosition> cell_of(const scene::SlotWindow& window, std::uint64_t first,
                                    std::uint64_t position);

/// The number of rows before a slot or output index, with fractions. Clamped to the picture.
float rows_before(const scene::SlotWindow& window, std::uint64_t first, std::uint64_t position);

/// A bar: neighbouring parts.
struct PartBar {
    std::uint64_t begin = 0;                   ///< first slot
    std::uint64_t end = 0;                     ///< one past the last slot
    std::optional<std::uint64_t> count = {};   ///< kept items; nullopt if unknown
    std::optional<std::uint64_t> offset = {};  ///< output index of the first, if they are contiguous

    bool operator==(const PartBar&) const = default;
};

/// Merges the groups in a window into bars of a power of two groups each. A bar spans at least `min_rows`
/// rows of the window, and there are at most `max_bars` bars.
std::vector<PartBar> bars_of(std::span<const trace::PartGroup> groups, const scene::SlotWindow& window,
                             float min_rows, std::size_t max_bars = 256);
/// The groups in a window.
std::span<const trace::PartGroup> groups_in(std::span<const trace::PartGroup> groups,
                                            const scene::SlotWindow& window);

/// The number of live slots before slot `position`; nullopt unless a cell of the sample begins there or it is
/// the first live slot of a cell.
std::optional<std::uint64_t> rank_at(const scene::SlotSample& sample, std::uint64_t position);

/// The number of parts between two drawn boundaries: 1 while parts are at least `min_pixels` long and at most
/// `max_lines` are visible.
std::uint64_t boundary_step(const compaction::BlockParts& parts, const scene::SlotWindow& window,
                            std::uint32_t cell_pixels, std::uint32_t min_pixels, std::uint64_t max_lines);

}  // namespace warpsieve::panels
