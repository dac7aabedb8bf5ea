#include "app/panels/views/slot_map_model.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numeric>

#include "app/format/figures.hpp"
#include "app/view_model/snapshot.hpp"

namespace warpsieve::panels {
namespace {

using scene::SlotWindow;
using trace::PartGroup;

constexpr std::array cell_pixel_sizes{1U, 2U, 3U, 4U, 6U, 8U, 12U, 16U, 24U, 32U, 48U};
constexpr std::uint32_t max_side = map_picture_side;

SlotGrid grid_of(MapRoom room, std::uint32_t cell_pixels, std::uint32_t slots_per_cell) {
    const std::uint32_t columns = std::min(round_columns(room.width / cell_pixels), max_side);
    return {columns, std::min(room.height / cell_pixels, max_side), slots_per_cell, cell_pixels};
}

bool is_legal(const SlotGrid& grid) {
    return grid.columns > 0 && grid.rows > 0 && std::uint64_t{grid.columns} * grid.rows <= scene::max_cells;
}

/// Whether the largest picture with cells of `cell_pixels` would leave much of the room empty.
bool is_too_small(MapRoom room, std::uint32_t cell_pixels) {
    return std::max(room.width, room.height) / cell_pixels > max_side * 3 / 2;
}

std::uint64_t end_of(const SlotWindow& window) {
    return window.first_slot + window.row_slots() * window.rows;
}

/// Takes columns away from a grid while it still holds all slots, so that they fill more of its rows.
SlotGrid narrowed(SlotGrid grid, std::uint64_t slots) {
    constexpr std::uint32_t min_columns = 8;
    while (grid.columns > min_columns) {
        SlotGrid narrower = grid;
        narrower.columns = round_columns(grid.columns - 1);
        if (narrower.slots() < slots) break;
        grid = narrower;
    }
    return grid;
}

/// The grid with the fewest slots per cell and, among those, the largest cells, whose rows are those of a
/// picture with `row_slots` slots in a row.
std::optional<SlotGrid> grid_with_rows_of(MapRoom room, std::uint64_t slots, std::uint64_t row_slots) {
    if (row_slots == 0) return std::nullopt;
    const std::uint64_t rows = (slots + row_slots - 1) / row_slots;
    for (std::uint64_t slots_per_cell = 1;
         slots_per_cell <= scene::max_slots_per_cell && row_slots % slots_per_cell == 0;
         slots_per_cell *= 2) {
        const std::uint64_t columns = row_slots / slots_per_cell;
        const auto fits = [&](std::uint32_t cell_pixels) {
            return columns * cell_pixels <= std::min(room.width, max_side) &&
                   rows * cell_pixels <= std::min(room.height, max_side) &&
                   columns * rows <= scene::max_cells;
        };
        const auto largest_cell = std::find_if(cell_pixel_sizes.rbegin(), cell_pixel_sizes.rend(), fits);
        if (largest_cell == cell_pixel_sizes.rend()) continue;
        return SlotGrid{.columns = static_cast<std::uint32_t>(columns),
                        .rows = static_cast<std::uint32_t>(rows),
                        .slots_per_cell = static_cast<std::uint32_t>(slots_per_cell),
                        .cell_pixels = *largest_cell};
    }
    return std::nullopt;
}

/// The bar of neighbouring groups. Its count is unknown if that of a group is; its offset is unknown if the
/// items of the groups are not contiguous in the output.
PartBar bar_of(std::span<const PartGroup> groups) {
    PartBar bar{.begin = groups.front().begin, .end = groups.back().end};
    std::uint64_t count = 0;
    for (const PartGroup& group : groups) {
        if (!group.kept) return {.begin = bar.begin, .end = bar.end};
        if (*group.kept == 0) continue;
        if (count == 0) {
            bar.offset = group.output_index;
        } else if (bar.offset && group.output_index != *bar.offset + count) {
            bar.offset.reset();
        }
        count += *group.kept;
    }
    bar.count = count;
    return bar;
}

}  // namespace

std::string number_among(std::uint64_t index, std::uint64_t count) {
    if (count == 1) return "the only one";
    return format::grouped(index + 1) + " of " + format::grouped(count);
}

std::uint32_t round_columns(std::uint32_t max_columns) {
    if (max_columns < 8) return max_columns;
    const int shift = static_cast<int>(std::bit_width(max_columns)) - 3;
    return max_columns >> shift << shift;
}

std::vector<SlotGrid> zoom_ladder(MapRoom room, std::uint64_t slots, std::uint32_t max_cell_pixels,
                                  std::uint64_t picture_columns) {
    std::vector<SlotGrid> grids;
    for (const std::uint32_t cell_pixels : cell_pixel_sizes) {
        if (cell_pixels > max_cell_pixels) break;
        const SlotGrid grid = grid_of(room, cell_pixels, 1);
        if (is_legal(grid) && !is_too_small(room, cell_pixels)) grids.push_back(grid);
    }
    if (grids.empty() || slots == 0) return {};
    // Keeps only the largest cells that show all of a short stream, and larger ones.
    while (grids.size() > 1 && grids[1].slots() >= slots) grids.erase(grids.begin());
    const SlotGrid smallest_cells = grids.front();
    for (std::uint32_t slots_per_cell = 2;
         grids.front().slots() < slots && slots_per_cell <= scene::max_slots_per_cell; slots_per_cell *= 2) {
        grids.insert(grids.begin(), grid_of(room, smallest_cells.cell_pixels, slots_per_cell));
    }
    grids.front() = narrowed(grids.front(), slots);
    if (const auto picture = grid_with_rows_of(room, slots, picture_columns)) grids.front() = *picture;
    return grids;
}

std::uint64_t aligned_first(const SlotGrid& grid, std::uint64_t first, std::uint64_t slots) {
    const std::uint64_t row_slots = grid.row_slots();
    const std::uint64_t all_rows = (slots + row_slots - 1) / row_slots;
    const std::uint64_t max_first_row = all_rows > grid.rows ? all_rows - grid.rows : 0;
    return std::min(first / row_slots, max_first_row) * row_slots;
}

std::uint64_t first_around(const SlotGrid& grid, std::uint64_t slot, float share, std::uint64_t slots) {
    const std::uint64_t row = slot / grid.row_slots();
    const auto rows_above =
        static_cast<std::uint64_t>(std::clamp(share, 0.0F, 1.0F) * static_cast<float>(grid.rows));
    return aligned_first(grid, (row > rows_above ? row - rows_above : 0) * grid.row_slots(), slots);
}

std::optional<CellPosition> cell_of(const SlotWindow& window, std::uint64_t first, std::uint64_t position) {
    if (position < first || window.columns == 0) return {};
    const std::uint64_t cell = (position - first) / window.slots_per_cell;
    if (cell >= window.cells()) return {};
    return CellPosition{static_cast<std::uint32_t>(cell % window.columns),
                        static_cast<std::uint32_t>(cell / window.columns)};
}

float rows_before(const SlotWindow& window, std::uint64_t first, std::uint64_t position) {
    if (position <= first || window.columns == 0) return 0;
    const double rows = static_cast<double>(position - first) / static_cast<double>(window.row_slots());
    return static_cast<float>(std::min(rows, static_cast<double>(window.rows)));
}

std::span<const PartGroup> groups_in(std::span<const PartGroup> groups, const SlotWindow& window) {
    const auto first = std::ranges::upper_bound(groups, window.first_slot, {}, &PartGroup::end);
    return {first, std::ranges::lower_bound(first, groups.end(), end_of(window), {}, &PartGroup::begin)};
}

std::vector<PartBar> bars_of(std::span<const PartGroup> groups, const SlotWindow& window, float min_rows,
                             std::size_t max_bars) {
    const std::span<const PartGroup> shown = groups_in(groups, window);
    if (shown.empty()) return {};
    const auto min_slots = std::max(min_rows, 0.0F) * static_cast<float>(window.row_slots());
    // Groups are about as long as the first.
    const std::uint64_t group_slots = groups.front().end - groups.front().begin;
    const auto bars_are_too_short = [&](std::size_t groups_per_bar) {
        return groups_per_bar < groups.size() && static_cast<float>(groups_per_bar * group_slots) < min_slots;
    };
    // Two more bars, because those at both ends may extend past the window. Three are always allowed, or the
    // doubling below might not end.
    const auto there_are_too_many = [&](std::size_t groups_per_bar) {
        return shown.size() / groups_per_bar + 2 > std::max<std::size_t>(max_bars, 3);
    };
    std::size_t groups_per_bar = 1;
    while (bars_are_too_short(groups_per_bar) || there_are_too_many(groups_per_bar)) groups_per_bar *= 2;
    const auto first_shown = static_cast<std::size_t>(shown.data() - groups.data());
    // Bars begin at multiples of their length, so that scrolling does not change them.
    const std::size_t begin = first_shown / groups_per_bar * groups_per_bar;
    std::vector<PartBar> bars;
    for (std::size_t i = begin; i < first_shown + shown.size(); i += groups_per_bar) {
        bars.push_back(bar_of(groups.subspan(i, std::min(groups_per_bar, groups.size() - i))));
    }
    return bars;
}

std::optional<std::uint64_t> rank_at(const scene::SlotSample& sample, std::uint64_t position) {
    const SlotWindow& window = sample.request.window;
    if (position < window.first_slot) return {};
    const std::uint64_t cell = (position - window.first_slot) / window.slots_per_cell;
    // The rank is known at the end of the last cell too.
    const bool begins_cell =
        cell <= window.cells() && (position - window.first_slot) % window.slots_per_cell == 0;
    // The handle of a slot is its number plus 1.
    const bool is_first_item = cell < sample.in.size() && sample.in[cell].first_handle == position + 1;
    if (!begins_cell && !is_first_item) return {};
    const std::span earlier_cells = std::span(sample.in).first(std::min<std::size_t>(cell, sample.in.size()));
    return std::accumulate(
        earlier_cells.begin(), earlier_cells.end(), sample.first_rank,
        [](std::uint64_t rank, const scene::SlotCell& earlier) { return rank + earlier.items; });
}

std::uint64_t boundary_step(const compaction::BlockParts& parts, const SlotWindow& window,
                            std::uint32_t cell_pixels, std::uint32_t min_pixels, std::uint64_t max_lines) {
    const std::uint64_t first = parts.partition.part_of(window.first_slot + parts.lead);
    const std::uint64_t part_slots = std::max<std::uint64_t>(parts.end(first) - parts.begin(first), 1);
    const std::uint64_t visible_parts = window.row_slots() * window.rows / part_slots;
    const double part_pixels = static_cast<double>(part_slots) / window.slots_per_cell * cell_pixels;
    std::uint64_t parts_per_line = 1;
    while (part_pixels * static_cast<double>(parts_per_line) < min_pixels ||
           visible_parts / parts_per_line > max_lines)
        parts_per_line *= 2;
    return parts_per_line;
}

}  // namespace warpsieve::panels
