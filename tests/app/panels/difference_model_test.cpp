// Where the outputs of A and B hold different items.
#include "app/panels/views/difference_model.hpp"

#include <gtest/gtest.h>

namespace warpsieve::panels {
namespace {

std::vector<scene::SlotCell> cells_of(const std::vector<std::uint32_t>& handles) {
    std::vector<scene::SlotCell> cells;
    for (const std::uint32_t handle : handles)
        cells.push_back({handle, static_cast<std::uint16_t>(handle != 0), 0, 0});
    return cells;
}

TEST(Difference, CountsPlacesWithAnotherItem) {
    const auto a = cells_of({1, 3, 5, 7, 0, 0});
    EXPECT_EQ(compare_outputs(a, a).differing, 0U);
    EXPECT_EQ(compare_outputs(a, a).cells, 4U);
    const auto swapped = compare_outputs(a, cells_of({3, 1, 5, 7, 0, 0}));
    EXPECT_EQ(swapped.differing, 2U);
    EXPECT_DOUBLE_EQ(swapped.share(), 0.5);
    const auto longer = compare_outputs(a, cells_of({1, 3, 5, 7, 9, 0}));
    EXPECT_EQ(longer.cells, 5U);
    EXPECT_EQ(longer.differing, 1U) << "an item that one side lacks";
    EXPECT_EQ(compare_outputs({}, {}).share(), 0);
}

TEST(Difference, DimsWhatIsTheSame) {
    const auto a = cells_of({1, 3, 5, 0});
    const auto b = cells_of({1, 5, 3, 0});
    for (const Theme theme : {Theme::dark, Theme::light}) {
        const Paint wanted{theme, MapColour::slot, 0, 8, 1, false};
        std::vector<std::uint32_t> plain;
        std::vector<std::uint32_t> pixels;
        paint(a, wanted, plain);
        paint_difference(a, b, wanted, pixels);
        EXPECT_NE(pixels[0], plain[0]);
        EXPECT_NE(pixels[0], empty_colour(theme)) << "dim, and still there";
        EXPECT_EQ(pixels[1], plain[1]);
        EXPECT_EQ(pixels[2], plain[2]);
        EXPECT_EQ(pixels[3], empty_colour(theme));
    }
}

}  // namespace
}  // namespace warpsieve::panels
