// The slot map's arithmetic: cells, zoom and bars; and its colours.
#include "app/panels/views/slot_map_model.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "app/panels/views/slot_map_paint.hpp"
#include "app/view_model/snapshot.hpp"

namespace warpsieve::panels {
namespace {

using compaction::equal_parts;
using compaction::PartKind;
using scene::SlotCell;
using scene::SlotSample;
using scene::SlotWindow;
using trace::PartGroup;

constexpr MapRoom usual_room{360, 370};

TEST(SlotMapModel, NumbersSayThatTheyAreCountedFromZero) {
    EXPECT_EQ(number_among(15, 16), "16 of 16");
    EXPECT_EQ(number_among(0, 1'200), "1 of 1,200");
    EXPECT_EQ(number_among(0, 1), "the only one");
}

TEST(SlotMapModel, ColumnsAreFourToSevenTimesAPowerOfTwo) {
    for (std::uint32_t max_columns = 8; max_columns < 2000; ++max_columns) {
        std::uint32_t columns = round_columns(max_columns);
        EXPECT_LE(columns, max_columns);
        EXPECT_GT(columns * 5, max_columns * 4) << "little is left unused";
        while (columns % 2 == 0 && columns > 7) columns /= 2;
        EXPECT_LE(columns, 7U);
    }
    EXPECT_EQ(round_columns(5), 5U);
    EXPECT_EQ(round_columns(0), 0U);
}

TEST(SlotMapModel, TheFirstZoomShowsAllAndTheLastLargeCells) {
    for (const std::uint64_t slots :
         {std::uint64_t{1} << 12, std::uint64_t{1} << 17, std::uint64_t{1'000'003}, std::uint64_t{1} << 24,
          std::uint64_t{1} << 26}) {
        for (const MapRoom room : {usual_room, MapRoom{160, 120}, MapRoom{1000, 1100}, MapRoom{2000, 300}}) {
            SCOPED_TRACE(std::to_string(slots) + " in " + std::to_string(room.width));
            const auto ladder = zoom_ladder(room, slots, 24);
            ASSERT_FALSE(ladder.empty());
            EXPECT_GE(ladder.front().slots(), slots);
            const double rows = static_cast<double>(slots) / static_cast<double>(ladder.front().row_slots());
            EXPECT_GT(rows / ladder.front().rows, 0.7) << "little of the height is left unused";
            EXPECT_EQ(ladder.back().cell_pixels, 24U);
            EXPECT_EQ(ladder.back().slots_per_cell, 1U);
            for (std::size_t i = 0; i < ladder.size(); ++i) {
                EXPECT_LE(ladder[i].columns * ladder[i].rows, scene::max_cells);
                EXPECT_LE(std::max(ladder[i].columns, ladder[i].rows), std::uint32_t{map_picture_side});
                EXPECT_LE(ladder[i].columns * ladder[i].cell_pixels, room.width);
                EXPECT_LE(ladder[i].rows * ladder[i].cell_pixels, room.height);
                if (i == 0) continue;
                EXPECT_LT(ladder[i].slots(), ladder[i - 1].slots()) << "closer shows less";
            }
        }
    }
    EXPECT_TRUE(zoom_ladder({0, 100}, 4096, 24).empty());
}

TEST(SlotMapModel, LargerWindowsShowMoreCells) {
    constexpr std::array rooms{MapRoom{360, 370}, MapRoom{560, 700}, MapRoom{850, 1080}, MapRoom{1300, 1900}};
    for (const std::uint64_t slots : {1ULL << 17, 1ULL << 19, 1ULL << 20, 1ULL << 24}) {
        std::uint32_t last = scene::max_slots_per_cell;
        for (const MapRoom& room : rooms) {
            const SlotGrid whole = zoom_ladder(room, slots, 24).front();
            EXPECT_LE(whole.slots_per_cell, last) << slots << " in " << room.width;
            last = whole.slots_per_cell;
        }
        EXPECT_LT(last, zoom_ladder(rooms.front(), slots, 24).front().slots_per_cell) << slots;
    }
    EXPECT_EQ(zoom_ladder(rooms[2], 1ULL << 19, 24).front().slots_per_cell, 1U) << "one slot a cell";
    const SlotGrid largest = zoom_ladder(rooms[3], 1ULL << 24, 24).front();
    EXPECT_GT(largest.rows * largest.cell_pixels, rooms[3].height * 3 / 4) << "the height is used";
}

TEST(SlotMapModel, ARowIsThatOfThePicture) {
    const auto small = zoom_ladder({400, 300}, 100 * 60, 24, 100);
    EXPECT_EQ(small.front(), (SlotGrid{100, 60, 1, 4}));
    const auto wide = zoom_ladder({400, 300}, 736 * 180, 24, 736);
    EXPECT_EQ(wide.front(), (SlotGrid{368, 180, 2, 1}));
    EXPECT_LT(wide[1].slots(), wide[0].slots());
    const auto tall = zoom_ladder({400, 300}, 1024 * 1024, 24, 1024);
    EXPECT_EQ(tall, zoom_ladder({400, 300}, 1024 * 1024, 24)) << "a row cannot hold several of the picture";
}

TEST(SlotMapModel, AWindowStartsAtARowAndEndsWithTheStream) {
    const SlotGrid grid{64, 10, 4, 2};
    EXPECT_EQ(aligned_first(grid, 1000, 100'000), 768U);
    EXPECT_EQ(aligned_first(grid, 99'999, 100'000), (391U - 10) * 256);
    EXPECT_EQ(aligned_first(grid, 5000, 1000), 0U) << "all of it fits";
}

TEST(SlotMapModel, ZoomingKeepsTheSlotUnderTheMouse) {
    const std::uint64_t slots = std::uint64_t{1} << 20;
    const auto ladder = zoom_ladder(usual_room, slots, 24);
    for (const SlotGrid& grid : ladder) {
        for (const float share : {0.0F, 0.3F, 0.9F}) {
            const std::uint64_t slot = 600'000;
            const std::uint64_t first = first_around(grid, slot, share, slots);
            EXPECT_LE(first, slot);
            EXPECT_LT(slot, first + grid.slots());
            if (first > 0 && first + grid.slots() < slots) {
                const double row = static_cast<double>(slot - first) / static_cast<double>(grid.row_slots());
                EXPECT_NEAR(row / grid.rows, share, 1.5 / grid.rows);
            }
        }
    }
}

TEST(SlotMapModel, FindsTheCellOfASlot) {
    const SlotWindow window{1024, 8, 4, 2};
    EXPECT_FALSE(cell_of(window, 1024, 1023));
    EXPECT_EQ(cell_of(window, 1024, 1024)->column, 0U);
    const auto at = cell_of(window, 1024, 1024 + 2 * 8 + 5);
    ASSERT_TRUE(at);
    EXPECT_EQ(at->row, 1U);
    EXPECT_EQ(at->column, 2U);
    EXPECT_FALSE(cell_of(window, 1024, 1024 + 64));
    EXPECT_FLOAT_EQ(rows_before(window, 1024, 1024 + 24), 1.5F);
    EXPECT_FLOAT_EQ(rows_before(window, 1024, 5000), 4) << "no further than the picture";
    EXPECT_FLOAT_EQ(rows_before(window, 1024, 0), 0);
}

/// Groups of `items_each` slots, of which every third is kept, in order.
std::vector<PartGroup> third_kept(std::uint64_t slots, std::uint64_t items_each) {
    const auto kept_before = [](std::uint64_t slot) { return (slot + 2) / 3; };
    std::vector<PartGroup> groups;
    for (std::uint64_t begin = 0; begin < slots; begin += items_each) {
        const std::uint64_t end = std::min(begin + items_each, slots);
        groups.push_back({begin, end, kept_before(end) - kept_before(begin), kept_before(begin)});
    }
    return groups;
}

TEST(SlotMapModel, BarsAddUpTheGroupsOfTheTrace) {
    const std::uint64_t slots = 10'000;
    for (const std::uint64_t items_each : {std::uint64_t{96}, std::uint64_t{7}, std::uint64_t{320}, slots}) {
        std::uint64_t before = 0;
        std::uint64_t slot = 0;
        for (const PartBar& bar : bars_of(third_kept(slots, items_each), {0, 32, 40, 8}, 1.5F)) {
            EXPECT_EQ(bar.begin, slot);
            EXPECT_EQ(bar.offset, before);
            slot = bar.end;
            before += bar.count.value_or(0);
        }
        EXPECT_EQ(slot, slots);
        EXPECT_EQ(before, (slots + 2) / 3);
    }
}

TEST(SlotMapModel, BarsAreAsHighAsAskedAndBeginBeforeTheWindow) {
    const std::vector<PartGroup> groups = third_kept(1 << 20, 256);
    const SlotWindow window{10 * 2560, 320, 370, 8};
    const std::vector<PartBar> bars = bars_of(groups, window, 14);
    EXPECT_EQ(bars.front().begin, 0U);
    EXPECT_EQ(bars.front().end, 256U * 256)
        << "14 rows of 2,560 slots are 140 groups, and 256 the power above";
    EXPECT_LE(bars_of(groups, window, 0, 50).size(), 50U) << "never more than there may be";
    EXPECT_TRUE(bars_of({}, window, 14).empty());
}

TEST(SlotMapModel, ABarKnowsWhatAllOfItsGroupsKnow) {
    const SlotWindow window{0, 10, 40, 1};
    EXPECT_EQ(bars_of(std::vector<PartGroup>{{0, 100, 30, 0}, {100, 200, {}, 30}}, window, 20),
              (std::vector<PartBar>{{0, 200, {}, {}}}));
    EXPECT_EQ(bars_of(std::vector<PartGroup>{{0, 100, 30, 20}, {100, 200, 20, 0}}, window, 20),
              (std::vector<PartBar>{{0, 200, 50, {}}}))
        << "not side by side";
    EXPECT_EQ(
        bars_of(std::vector<PartGroup>{{0, 100, 0, {}}, {100, 200, 30, 20}, {200, 300, 4, 50}}, window, 40),
        (std::vector<PartBar>{{0, 300, 34, 20}}));
}

TEST(SlotMapModel, RanksAreKnownAtCellsAlone) {
    SlotSample sample;
    sample.request.window = {96, 4, 3, 8};
    sample.first_rank = 32;
    sample.in = std::vector<SlotCell>(12, {0, 3, 0, 0});
    EXPECT_EQ(rank_at(sample, 96), 32U);
    EXPECT_EQ(rank_at(sample, 96 + 16), 38U);
    EXPECT_EQ(rank_at(sample, 96 + 96), 68U) << "the end of the last cell";
    EXPECT_FALSE(rank_at(sample, 97));
    EXPECT_FALSE(rank_at(sample, 300));
    sample.in[1].first_handle = 108 + 1;
    EXPECT_EQ(rank_at(sample, 108), rank_at(sample, 104)) << "the first live slot of its cell";
}

TEST(SlotMapModel, BoundariesThinOutWherePartsAreSmall) {
    const compaction::BlockParts parts{.partition = equal_parts(PartKind::chunk, 1 << 20, 32)};
    const SlotWindow all{0, 320, 410, 8};
    EXPECT_EQ(boundary_step(parts, {0, 40, 40, 1}, 8, 3, 800), 1U);
    const std::uint64_t step = boundary_step(parts, all, 1, 3, 800);
    EXPECT_LE((1U << 15) / step, 800U);
    const compaction::BlockParts pairs{.partition = equal_parts(PartKind::chunk, 4096, 2)};
    EXPECT_EQ(boundary_step(pairs, {0, 64, 64, 1}, 1, 3, 10'000), 2U) << "two pixels are too few";
}

TEST(SlotMapPaint, EmptyFullAndWrongDiffer) {
    const std::vector<SlotCell> cells{{0, 0, 0, 0},
                                      {1, 8, 0, 0},
                                      {1, 1, 0, 0},
                                      {1, 8, 255, 0},
                                      {1, 8, 0, scene::out_of_order},
                                      {1, 8, 0, scene::no_slot}};
    for (const Theme theme : {Theme::dark, Theme::light}) {
        std::vector<std::uint32_t> pixels;
        paint(cells, {theme, MapColour::age, 0, 100, 8, true}, pixels);
        EXPECT_EQ(pixels[0], empty_colour(theme));
        EXPECT_EQ(pixels[1], item_colour(theme, MapColour::age, 0));
        EXPECT_NE(pixels[2], pixels[0]) << "one item of eight can be seen";
        EXPECT_NE(pixels[2], pixels[1]);
        EXPECT_EQ(pixels[3], item_colour(theme, MapColour::age, 1));
        EXPECT_EQ(pixels[4], fault_colour(theme));
        EXPECT_EQ(pixels[5], fault_colour(theme));
        paint(cells, {theme, MapColour::age, 0, 100, 8, false}, pixels);
        EXPECT_EQ(pixels[4], pixels[1]) << "order is not asked of an unordered algorithm";
        EXPECT_EQ(pixels[5], fault_colour(theme));
    }
}

TEST(SlotMapPaint, SlotColoursRunOverWhatIsOnShow) {
    const std::vector<SlotCell> cells{{1001, 1, 9, 0}, {1100, 1, 9, 0}, {1, 1, 9, 0}, {5000, 1, 9, 0}};
    std::vector<std::uint32_t> pixels;
    paint(cells, {Theme::dark, MapColour::slot, 1000, 100, 1, true}, pixels);
    const std::uint32_t first = item_colour(Theme::dark, MapColour::slot, 0);
    const std::uint32_t last = item_colour(Theme::dark, MapColour::slot, 1);
    EXPECT_EQ(pixels, (std::vector<std::uint32_t>{first, last, first, last}));
}

float lightness(std::uint32_t colour) {
    const auto channel = [&](int shift) { return static_cast<float>(colour >> shift & 0xFF); };
    return 0.2126F * channel(0) + 0.7152F * channel(8) + 0.0722F * channel(16);
}

TEST(SlotMapPaint, LightnessGoesOneWayTowardsTheGround) {
    for (const Theme theme : {Theme::dark, Theme::light}) {
        for (const MapColour colour : {MapColour::age, MapColour::slot}) {
            const float ground = lightness(empty_colour(theme));
            float distance = 1e9F;
            for (float share = 0; share <= 1; share += 0.05F) {
                const float next = std::abs(lightness(item_colour(theme, colour, share)) - ground);
                EXPECT_LT(next, distance + 0.5F) << share;
                EXPECT_GT(next, 40) << "no item is lost in the ground";
                distance = next;
            }
        }
    }
}

}  // namespace
}  // namespace warpsieve::panels
