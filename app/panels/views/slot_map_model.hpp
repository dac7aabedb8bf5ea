#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/scene/slot_sample.hpp"
#include "compaction/partition.hpp"

/// What the slot map shows and where, without drawing it: cells, zoom, bars and places. Pure functions.
namespace warpsieve::panels {

/// A picture of slots: so many pixels to a cell, so many slots to a cell.
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

/// "15 (of 16, counted from 0)"; of one, "the only one".
std::string number_in_words(std::uint64_t index, std::uint64_t count);

/// The largest number of cells side by side in `most` that is 4, 5, 6 or 7 times a power of two, so that
/// parts of usual lengths begin in few columns.
std::uint32_t even_columns(std::uint32_t most);

/// The grids that a stream can be looked at through, from the one that holds all of it to the one with the
/// largest cells, `largest_cell` pixels. At least one; empty where there is no room.
std::vector<SlotGrid> zoom_ladder(MapRoom room, std::uint64_t slots, std::uint32_t largest_cell);

/// `first` moved to the start of a row, and so that the picture does not end in emptiness.
std::uint64_t aligned_first(const SlotGrid& grid, std::uint64_t first, std::uint64_t slots);

/// The first slot of `to` that keeps `slot` in the row of the picture that lies at `share` of its height.
std::uint64_t first_around(const SlotGrid& to, std::uint64_t slot, float share, std::uint64_t slots);

/// Where a position of the stream, or of the output, lies in a picture that begins with position `first`.
struct CellPlace {
    std::uint32_t column;
    std::uint32_t row;
};
std::optional<CellPlace> cell_of(const scene::SlotWindow& window, std::uint64_t first,
                                 std::uint64_t position);

/// The rows before a position, with fractions: where a bar begins. Clamped to the picture.
float rows_before(const scene::SlotWindow& window, std::uint64_t first, std::uint64_t position);

/// A bar: neighbouring parts.
struct PartBar {
    std::uint64_t first_part = 0;
    std::uint64_t last_part = 0;  ///< one behind
    std::uint64_t begin = 0;      ///< slot
    std::uint64_t end = 0;
    std::uint64_t count = 0;   ///< live slots
    std::uint64_t offset = 0;  ///< live slots before: where its output starts

    bool operator==(const PartBar&) const = default;
};

/// How the parts in a window are gathered into bars.
struct BarPlan {
    std::uint64_t parts_per_bar = 1;      ///< a power of two
    std::uint64_t first_part = 0;         ///< a multiple of it
    std::vector<std::uint64_t> begins{};  ///< where each bar begins, and where the last one ends
};

/// Bars of at least `rows_per_bar` rows of the window, up to `most` of them; parts: known.
BarPlan plan_bars(const compaction::Partition& parts, const scene::SlotWindow& window, float rows_per_bar,
                  std::size_t most = 256);

/// How many slots before `position` are live, where the sample tells: it was marked, or a cell begins there.
std::optional<std::uint64_t> rank_at(const scene::SlotSample& sample, std::uint64_t position);

/// Bars with what a sample says of them; those it says nothing of are left out.
std::vector<PartBar> fill_bars(const compaction::Partition& parts, const BarPlan& plan,
                               const scene::SlotSample& sample);

/// The overview of the whole stream is made of so many equal bins.
inline constexpr std::uint64_t overview_bins = 64;
constexpr std::uint64_t overview_begin(std::uint64_t slots, std::uint64_t bin) {
    return slots / overview_bins * bin + slots % overview_bins * bin / overview_bins;
}

/// The positions whose rank a window needs: where bars and the bins of the overview begin, and both ends of
/// the hovered part.
std::vector<std::uint64_t> plan_marks(const compaction::Partition& parts, const BarPlan& bars,
                                      std::optional<std::uint64_t> hovered_part);

/// What is drawn as parts: the algorithm's own, or, where they are not known, sixteenths of the stream.
compaction::Partition drawn_parts(const compaction::Partition& parts);

/// Every how many parts a boundary is drawn in a window: 1 while parts are at least `least_pixels` long and
/// no more than `most` are on show.
std::uint64_t boundary_step(const compaction::Partition& parts, const scene::SlotWindow& window,
                            std::uint32_t cell_pixels, std::uint32_t least_pixels, std::uint64_t most);

/// How many items come before cell `index` of the slots: exactly, from the cells before it.
std::uint64_t rank_of_cell(const scene::SlotSample& sample, std::size_t index);

}  // namespace warpsieve::panels
