// The cells in which the outputs of A and B differ.
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

TEST(Difference, CountsCellsWithAnotherItem) {
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

TEST(Difference, ItsGridFillsTheRoom) {
    // Lengths and rooms of windows from 1024 x 640 to 2560 x 1440.
    for (const std::uint64_t output_slots : {2'100ULL, 9'000ULL, 147'465ULL, 1'000'003ULL, 9'437'185ULL}) {
        for (const MapRoom room : {MapRoom{326, 290}, MapRoom{540, 420}, MapRoom{1'091, 1'050}}) {
            SCOPED_TRACE(testing::Message()
                         << output_slots << " output slots in " << room.width << " x " << room.height);
            const auto grid = filling_grid(room, output_slots, 24);
            ASSERT_TRUE(grid);
            const std::uint64_t cells = std::uint64_t{grid->columns} * grid->rows;
            EXPECT_GE(cells * grid->slots_per_cell, output_slots);
            EXPECT_LE(cells, scene::max_cells);
            const std::uint32_t width = grid->columns * grid->cell_width;
            const std::uint32_t height = grid->rows * grid->cell_height;
            EXPECT_LE(width, room.width);
            EXPECT_LE(height, room.height);
            EXPECT_GT(width * height, room.width * room.height / 2);
        }
    }
    // Square cells of whole pixels would leave 42 percent unused.
    const auto grid = filling_grid({1'091, 1'050}, 147'465, 24);
    ASSERT_TRUE(grid);
    EXPECT_EQ(grid->slots_per_cell, 2U);
    EXPECT_GT(grid->rows * grid->cell_height, 900U);
    EXPECT_FALSE(filling_grid({0, 10}, 100, 24));
}

}  // namespace
}  // namespace warpsieve::panels
