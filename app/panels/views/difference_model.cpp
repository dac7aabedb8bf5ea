#include "app/panels/views/difference_model.hpp"

#include <algorithm>

#include "app/plots/style.hpp"
#include "app/view_model/snapshot.hpp"

namespace warpsieve::panels {
namespace {

/// Fewer than scene::max_cells, because two outputs are sampled and painted.
constexpr std::uint64_t max_cells = std::uint64_t{1} << 17;
static_assert(max_cells <= scene::max_cells);

/// A grid of `num_cells` cells of `width` x `height` pixels, or nullopt if they do not fit into the room. The
/// caller sets the slots per cell. The number of columns is that of round_columns() if the rows then fit.
std::optional<OutputGrid> grid_of(MapRoom room, std::uint64_t num_cells, std::uint32_t width,
                                  std::uint32_t height) {
    constexpr std::uint32_t max_side = map_picture_side;
    const std::uint32_t max_columns = std::min(room.width / width, max_side);
    const std::uint64_t max_rows = std::min(room.height / height, max_side);
    for (const std::uint32_t columns : {round_columns(max_columns), max_columns}) {
        if (columns == 0 || columns * max_rows < num_cells) continue;
        const auto rows = static_cast<std::uint32_t>((num_cells + columns - 1) / columns);
        if (std::uint64_t{columns} * rows > max_cells) continue;
        return OutputGrid{.columns = columns,
                          .rows = rows,
                          .slots_per_cell = 1,
                          .cell_width = width,
                          .cell_height = height};
    }
    return std::nullopt;
}

}  // namespace

std::optional<OutputGrid> filling_grid(MapRoom room, std::uint64_t output_slots, std::uint32_t longest_side) {
    constexpr std::uint32_t max_aspect_ratio = 2;
    for (std::uint32_t slots_per_cell = 1; slots_per_cell <= scene::max_slots_per_cell; slots_per_cell *= 2) {
        const std::uint64_t num_cells =
            std::max<std::uint64_t>((output_slots + slots_per_cell - 1) / slots_per_cell, 1);
        if (num_cells > max_cells) continue;
        std::optional<OutputGrid> best;
        std::uint32_t max_area = 0;
        for (std::uint32_t longer = longest_side; longer > 0; --longer) {
            // Tries the square first, so that a stretched cell is taken only if it is larger.
            for (std::uint32_t shorter = longer;
                 shorter * max_aspect_ratio >= longer && longer * shorter > max_area; --shorter) {
                auto grid = grid_of(room, num_cells, longer, shorter);
                if (!grid) grid = grid_of(room, num_cells, shorter, longer);
                if (!grid) continue;
                max_area = longer * shorter;
                best = grid;
            }
        }
        if (!best) continue;
        best->slots_per_cell = slots_per_cell;
        return best;
    }
    return std::nullopt;
}

bool is_same(const scene::SlotCell& a, const scene::SlotCell& b) {
    return a.first_handle == b.first_handle && a.items == b.items;
}

OutputDifference compare_outputs(std::span<const scene::SlotCell> a, std::span<const scene::SlotCell> b) {
    OutputDifference difference;
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
        if (a[i].items == 0 && b[i].items == 0) continue;
        ++difference.cells;
        if (!is_same(a[i], b[i])) ++difference.differing;
    }
    return difference;
}

void paint_difference(std::span<const scene::SlotCell> cells, std::span<const scene::SlotCell> others,
                      const Paint& wanted, std::vector<std::uint32_t>& pixels) {
    constexpr float dim = 0.3F;
    paint(cells, wanted, pixels);
    const std::uint32_t empty = empty_colour(wanted.theme);
    for (std::size_t i = 0; i < std::min(cells.size(), others.size()); ++i) {
        if (is_same(cells[i], others[i])) pixels[i] = plots::mix(empty, pixels[i], dim);
    }
}

}  // namespace warpsieve::panels
