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

using compaction::Partition;
using scene::SlotWindow;

constexpr std::array cell_sizes{1U, 2U, 3U, 4U, 6U, 8U, 12U, 16U, 24U, 32U, 48U};
constexpr std::uint32_t max_side = map_picture_side;

SlotGrid grid_of(MapRoom room, std::uint32_t cell_pixels, std::uint32_t slots_per_cell) {
    const std::uint32_t columns = std::min(even_columns(room.width / cell_pixels), max_side);
    return {columns, std::min(room.height / cell_pixels, max_side), slots_per_cell, cell_pixels};
}

bool is_legal(const SlotGrid& grid) {
    return grid.columns > 0 && grid.rows > 0 && std::uint64_t{grid.columns} * grid.rows <= scene::max_cells;
}

/// The length of a part that the end of the stream does not shorten.
std::uint64_t usual_length(const Partition& parts) {
    return std::max<std::uint64_t>(parts.items_each > 0 ? parts.items_each : parts.longer_by, 1);
}

/// The parts in a window: [first, last).
struct PartRange {
    std::uint64_t first;
    std::uint64_t last;
};
PartRange parts_in(const Partition& parts, const SlotWindow& window) {
    const std::uint64_t end = std::min(window.first_slot + window.row_slots() * window.rows, parts.num_items);
    if (end <= window.first_slot) return {0, 0};
    return {parts.part_of(window.first_slot), parts.part_of(end - 1) + 1};
}

/// The grid with the fewest columns, of those that even_columns() returns, that hold all slots, so that its
/// rows use the height.
SlotGrid narrowed(SlotGrid grid, std::uint64_t slots) {
    for (SlotGrid fewer = grid; fewer.columns > 8; grid = fewer) {
        fewer.columns = even_columns(fewer.columns - 1);
        if (fewer.slots() < slots) break;
    }
    return grid;
}

}  // namespace

std::string number_in_words(std::uint64_t index, std::uint64_t count) {
    if (count == 1) return "the only one";
    return format::grouped(index) + " (of " + format::grouped(count) + ", counted from 0)";
}

std::uint32_t even_columns(std::uint32_t max_columns) {
    if (max_columns < 8) return max_columns;
    const int shift = static_cast<int>(std::bit_width(max_columns)) - 3;
    return max_columns >> shift << shift;
}

std::vector<SlotGrid> zoom_ladder(MapRoom room, std::uint64_t slots, std::uint32_t largest_cell) {
    std::vector<SlotGrid> grids;
    for (const std::uint32_t size : cell_sizes) {
        const SlotGrid grid = grid_of(room, size, 1);
        if (size > largest_cell) break;
        if (is_legal(grid)) grids.push_back(grid);
    }
    if (grids.empty() || slots == 0) return {};
    // Drop cells smaller than those that show all of a short stream.
    while (grids.size() > 1 && grids[1].slots() >= slots) grids.erase(grids.begin());
    const SlotGrid finest = grids.front();
    for (std::uint32_t each = 2; grids.front().slots() < slots && each <= scene::max_slots_per_cell;
         each *= 2) {
        grids.insert(grids.begin(), grid_of(room, finest.cell_pixels, each));
    }
    grids.front() = narrowed(grids.front(), slots);
    return grids;
}

std::uint64_t aligned_first(const SlotGrid& grid, std::uint64_t first, std::uint64_t slots) {
    const std::uint64_t row = grid.row_slots();
    const std::uint64_t all_rows = (slots + row - 1) / row;
    const std::uint64_t last_first_row = all_rows > grid.rows ? all_rows - grid.rows : 0;
    return std::min(first / row, last_first_row) * row;
}

std::uint64_t first_around(const SlotGrid& to, std::uint64_t slot, float share, std::uint64_t slots) {
    const std::uint64_t row = slot / to.row_slots();
    const auto above =
        static_cast<std::uint64_t>(std::clamp(share, 0.0F, 1.0F) * static_cast<float>(to.rows));
    return aligned_first(to, (row > above ? row - above : 0) * to.row_slots(), slots);
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

BarPlan plan_bars(const Partition& parts, const SlotWindow& window, float min_rows_per_bar,
                  std::size_t max_bars) {
    BarPlan plan;
    const PartRange shown = parts_in(parts, window);
    if (shown.last == shown.first) return plan;
    const auto wanted_slots = std::max(min_rows_per_bar, 0.0F) * static_cast<float>(window.row_slots());
    const std::uint64_t length = usual_length(parts);
    while (static_cast<float>(plan.parts_per_bar * length) < wanted_slots ||
           (shown.last - shown.first) / plan.parts_per_bar + 2 > max_bars) {
        plan.parts_per_bar *= 2;
    }
    std::uint64_t part = shown.first / plan.parts_per_bar * plan.parts_per_bar;
    for (; part < shown.last; part += plan.parts_per_bar) plan.begins.push_back(parts.begin(part));
    plan.begins.push_back(parts.begin(part));
    return plan;
}

std::optional<std::uint64_t> rank_at(const scene::SlotSample& sample, std::uint64_t position) {
    const auto mark = std::ranges::find(sample.request.marks, position);
    if (mark != sample.request.marks.end()) {
        return sample.ranks[static_cast<std::size_t>(mark - sample.request.marks.begin())];
    }
    const SlotWindow& window = sample.request.window;
    if (position < window.first_slot) return {};
    const std::uint64_t cell = (position - window.first_slot) / window.slots_per_cell;
    const bool begins_cell =
        cell <= window.cells() && (position - window.first_slot) % window.slots_per_cell == 0;
    const bool is_first_item = cell < sample.in.size() && sample.in[cell].first == position + 1;
    if (!begins_cell && !is_first_item) return {};
    const std::span before = std::span(sample.in).first(std::min<std::size_t>(cell, sample.in.size()));
    return std::accumulate(
        before.begin(), before.end(), sample.first_rank,
        [](std::uint64_t rank, const scene::SlotCell& earlier) { return rank + earlier.items; });
}

std::vector<PartBar> fill_bars(const BarPlan& plan, const scene::SlotSample& sample) {
    std::vector<PartBar> bars;
    for (std::size_t i = 0; i + 1 < plan.begins.size(); ++i) {
        const auto offset = rank_at(sample, plan.begins[i]);
        const auto end = rank_at(sample, plan.begins[i + 1]);
        if (!offset || !end) continue;
        bars.push_back({plan.begins[i], plan.begins[i + 1], *end - *offset, *offset});
    }
    return bars;
}

std::vector<std::uint64_t> plan_marks(const Partition& parts, const BarPlan& bars,
                                      std::optional<std::uint64_t> hovered_part) {
    std::vector<std::uint64_t> marks = bars.begins;
    for (std::uint64_t bin = 0; bin <= overview_bins; ++bin) {
        marks.push_back(overview_begin(parts.num_items, bin));
    }
    if (hovered_part && *hovered_part < parts.num_parts) {
        marks.push_back(parts.begin(*hovered_part));
        marks.push_back(parts.end(*hovered_part));
    }
    return marks;
}

Partition drawn_parts(const Partition& parts) {
    if (parts.known()) return parts;
    constexpr std::uint64_t sixteen = 16;
    return compaction::equal_parts(compaction::PartKind::chunk, parts.num_items,
                                   std::max<std::uint64_t>((parts.num_items + sixteen - 1) / sixteen, 1));
}

std::uint64_t boundary_step(const Partition& parts, const SlotWindow& window, std::uint32_t cell_pixels,
                            std::uint32_t min_pixels, std::uint64_t max_lines) {
    std::uint64_t step = 1;
    const double pixels_each = static_cast<double>(usual_length(parts)) / window.slots_per_cell * cell_pixels;
    const PartRange shown = parts_in(parts, window);
    while (pixels_each * static_cast<double>(step) < min_pixels ||
           (shown.last - shown.first) / step > max_lines) {
        step *= 2;
    }
    return step;
}

}  // namespace warpsieve::panels
