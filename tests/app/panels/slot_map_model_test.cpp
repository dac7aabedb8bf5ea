// The slot map's arithmetic: cells, zoom and bars; and its colours.
#include "app/panels/views/slot_map_model.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "app/panels/views/slot_map_paint.hpp"
#include "app/view_model/snapshot.hpp"

namespace warpsieve::panels {
namespace {

using compaction::equal_parts;
using compaction::Partition;
using compaction::PartKind;
using scene::SlotCell;
using scene::SlotSample;
using scene::SlotWindow;

constexpr MapRoom usual_room{360, 370};

TEST(SlotMapModel, NumbersSayThatTheyAreCountedFromZero) {
    EXPECT_EQ(number_in_words(15, 16), "15 (of 16, counted from 0)");
    EXPECT_EQ(number_in_words(0, 1'200), "0 (of 1,200, counted from 0)");
    EXPECT_EQ(number_in_words(0, 1), "the only one");
}

TEST(SlotMapModel, ColumnsAreFourToSevenTimesAPowerOfTwo) {
    for (std::uint32_t max_columns = 8; max_columns < 2000; ++max_columns) {
        std::uint32_t columns = even_columns(max_columns);
        EXPECT_LE(columns, max_columns);
        EXPECT_GT(columns * 5, max_columns * 4) << "little is left unused";
        while (columns % 2 == 0 && columns > 7) columns /= 2;
        EXPECT_LE(columns, 7U);
    }
    EXPECT_EQ(even_columns(5), 5U);
    EXPECT_EQ(even_columns(0), 0U);
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

/// A sample of a stream of which every third slot is live, as a sampler would take it.
struct Sampled {
    SlotSample sample;

    Sampled(const SlotWindow& window, std::uint64_t slots, std::vector<std::uint64_t> marks) {
        const auto live_before = [](std::uint64_t slot) { return (slot + 2) / 3; };
        sample.slots = slots;
        sample.request.window = window;
        sample.first_rank = live_before(window.first_slot);
        for (std::uint64_t cell = 0; cell < window.cells(); ++cell) {
            const std::uint64_t begin = std::min(window.first_slot + cell * window.slots_per_cell, slots);
            const std::uint64_t end = std::min(begin + window.slots_per_cell, slots);
            sample.in.push_back({0, static_cast<std::uint16_t>(live_before(end) - live_before(begin)), 0, 0});
        }
        for (const std::uint64_t mark : marks) sample.ranks.push_back(live_before(mark));
        sample.request.marks = std::move(marks);
    }
};

TEST(SlotMapModel, OffsetsAreTheExclusivePrefixOfTheCounts) {
    const std::uint64_t slots = 10'000;
    const SlotWindow window{0, 32, 40, 8};
    for (const Partition& parts :
         {equal_parts(PartKind::tile, slots, 96), equal_parts(PartKind::block, slots, 7),
          Partition{PartKind::sequence, slots, 37, 256, 9, 64, {}}, compaction::whole_stream(slots)}) {
        const BarPlan plan = plan_bars(parts, window, 1.5F);
        const Sampled sampled(window, slots, plan_marks(parts, plan, {}));
        const std::vector<PartBar> bars = fill_bars(plan, sampled.sample);
        ASSERT_EQ(bars.size() + 1, plan.begins.size()) << "every bar is known";
        std::uint64_t before = 0;
        std::uint64_t slot = 0;
        for (const PartBar& bar : bars) {
            EXPECT_EQ(bar.offset, before);
            EXPECT_EQ(bar.begin, slot);
            before += bar.count;
            slot = bar.end;
        }
        EXPECT_EQ(slot, slots);
        EXPECT_EQ(before, (slots + 2) / 3);
    }
}

TEST(SlotMapModel, BarsAreAsHighAsAskedAndBeginBeforeTheWindow) {
    const Partition parts = equal_parts(PartKind::sequence, 1 << 20, 256);
    const SlotWindow window{10 * 2560, 320, 370, 8};
    const BarPlan plan = plan_bars(parts, window, 14);
    EXPECT_EQ(plan.parts_per_bar, 256U) << "14 rows of 2,560 slots are 140 parts, and 256 the power above";
    EXPECT_EQ(plan.begins.front(), 0U);
    EXPECT_LE(plan_bars(parts, window, 0, 50).begins.size(), 51U) << "never more than there may be";
}

TEST(SlotMapModel, RanksAreKnownAtMarksAndAtCellsAlone) {
    const SlotWindow window{96, 4, 3, 8};
    const Sampled sampled(window, 1000, {5, 777});
    EXPECT_EQ(rank_at(sampled.sample, 5), 2U);
    EXPECT_EQ(rank_at(sampled.sample, 777), 259U);
    EXPECT_EQ(rank_at(sampled.sample, 96), 32U);
    EXPECT_EQ(rank_at(sampled.sample, 96 + 16), 38U);
    EXPECT_EQ(rank_at(sampled.sample, 96 + 96), 64U) << "the end of the last cell";
    EXPECT_FALSE(rank_at(sampled.sample, 97));
    EXPECT_FALSE(rank_at(sampled.sample, 300));
    SlotSample with_handles = sampled.sample;
    with_handles.in[1].first = 108 + 1;
    EXPECT_EQ(rank_at(with_handles, 108), rank_at(with_handles, 104)) << "the first live slot of its cell";
}

TEST(SlotMapModel, TheHoveredPartIsMarked) {
    const Partition parts = equal_parts(PartKind::block, 1000, 64);
    const auto marks = plan_marks(parts, {}, 15);
    EXPECT_NE(std::ranges::find(marks, 960), marks.end());
    EXPECT_EQ(marks.back(), 1000U);
    EXPECT_LE(*std::ranges::max_element(marks), 1000U);
    EXPECT_LE(plan_marks(parts, plan_bars(parts, {0, 1000, 1, 1}, 0), 3).size(), scene::max_marks);
}

TEST(SlotMapModel, PartsThatAreNotKnownAreShownBySixteenths) {
    const Partition parts = drawn_parts(compaction::unknown_partition(1000, "Nobody knows."));
    EXPECT_TRUE(parts.known());
    EXPECT_EQ(parts.num_parts, 16U);
    EXPECT_EQ(parts.end(15), 1000U);
    EXPECT_EQ(drawn_parts(equal_parts(PartKind::tile, 1000, 8)).num_parts, 125U);
}

TEST(SlotMapModel, BoundariesThinOutWherePartsAreSmall) {
    const Partition parts = equal_parts(PartKind::chunk, 1 << 20, 32);
    const SlotWindow all{0, 320, 410, 8};
    EXPECT_EQ(boundary_step(parts, {0, 40, 40, 1}, 8, 3, 800), 1U);
    const std::uint64_t step = boundary_step(parts, all, 1, 3, 800);
    EXPECT_LE((1U << 15) / step, 800U);
    EXPECT_EQ(boundary_step(equal_parts(PartKind::chunk, 4096, 2), {0, 64, 64, 1}, 1, 3, 10'000), 2U)
        << "two pixels are too few";
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
