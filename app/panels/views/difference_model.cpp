#include "app/panels/views/difference_model.hpp"

#include <algorithm>

#include "app/plots/palette.hpp"

namespace warpsieve::panels {

bool is_same(const scene::SlotCell& a, const scene::SlotCell& b) {
    return a.first == b.first && a.items == b.items;
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
