// The scene of a compaction's memory: what is drawn, what its labels say, and what lies under the mouse.
#include "app/scene/memory_scene.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "tests/app/scene/fake_memory.hpp"

namespace warpsieve::scene {
namespace {

using fake::Memory;

MemoryColours some_colours() {
    MemoryColours colours;
    for (std::size_t i = 0; i < colours.slots.size(); ++i)
        colours.slots[i] = {1 - static_cast<float>(i) / 256, 0.5F, static_cast<float>(i) / 256};
    colours.phases = {Tint{0, 0, 1}, Tint{1, 0.5F, 0}, Tint{0, 1, 0}, Tint{1, 0, 1}};
    colours.hole = {0.1F, 0.1F, 0.1F};
    colours.future = {0.2F, 0.2F, 0.2F};
    colours.flash = {1, 1, 1};
    return colours;
}

MemoryScene scene_of(Memory& memory, bool at_rest = false) {
    MemoryScene scene;
    describe(memory, memory.state(), some_colours(), at_rest, scene);
    return scene;
}

std::vector<std::string> texts_of(const MemoryScene& scene, LabelKind kind) {
    std::vector<std::string> texts;
    for (const Label& label : scene.labels)
        if (label.kind == kind) texts.push_back(label.text);
    return texts;
}

Matrix projection(float aspect) {
    return Camera(memory_viewpoint()).view_projection(aspect);
}

TEST(MemoryScene, BothSheetsHaveTheSameScaleAndRunFromLeftToRight) {
    Memory memory;
    const MemoryScene scene = scene_of(memory);
    EXPECT_EQ(scene.input.across, scene.output.across);
    EXPECT_EQ(scene.input.rows, scene.output.rows);
    EXPECT_EQ(scene.input_cells.size(), fake::memory_slots);
    EXPECT_EQ(scene.output_cells.size(), fake::memory_slots);
    for (std::uint32_t cell = 32; cell < fake::memory_slots; cell += 32) {
        EXPECT_GT(scene.input.centre(cell).x, scene.input.centre(cell - 32).x);
        EXPECT_FLOAT_EQ(scene.input.centre(cell).x, scene.output.centre(cell).x);
        EXPECT_LT(scene.output.centre(cell).z, scene.input.centre(cell).z);
    }
}

TEST(MemoryScene, AStoreChangesACellAndALoadLightsOne) {
    Memory memory;
    memory.move_to(70);
    const MemoryScene before = scene_of(memory);
    memory.now().output[5] = {1, 0.25F, 69};
    memory.now().input[40].loaded_at = 69;
    memory.now().input[40].phase = 2;
    const MemoryScene after = scene_of(memory);
    for (std::size_t cell = 0; cell < fake::memory_slots; ++cell) {
        EXPECT_EQ(after.output_cells[cell].body != before.output_cells[cell].body, cell == 5) << cell;
        EXPECT_EQ(after.input_cells[cell].face >> 24 > 0, cell == 40) << cell;
    }
    // The flash fades, the item stays.
    memory.move_to(95);
    const MemoryScene later = scene_of(memory);
    EXPECT_LT(later.output_cells[5].glow, 0.1F * after.output_cells[5].glow);
    EXPECT_NE(later.output_cells[5].body, before.output_cells[5].body);
}

TEST(MemoryScene, KeptAndDroppedDifferInShapeToo) {
    Memory memory;
    memory.move_to(70);
    const MemoryScene scene = scene_of(memory);
    for (std::uint32_t cell = 0; cell < fake::memory_slots; ++cell) {
        EXPECT_EQ(scene.input_cells[cell].body >> 24 > 0, memory.is_kept(cell)) << cell;
        EXPECT_EQ(scene.output_cells[cell].body >> 24 > 0, cell < memory.num_kept()) << cell;
    }
}

TEST(MemoryScene, PartsAreSeparatedWhereTheyBegin) {
    Memory memory;
    const MemoryScene scene = scene_of(memory);
    std::size_t begins = 0;
    for (std::uint32_t cell = 0; cell < fake::memory_slots; ++cell) {
        if (!(scene.input_cells[cell].edges & left_edge)) continue;
        EXPECT_EQ(cell / 32 % 8, 0U);
        ++begins;
    }
    EXPECT_EQ(begins, 32 * (fake::memory_parts - 1));
}

TEST(MemoryScene, PillarsGrowWithTheirCountsAndUnstoredWordsHaveNone) {
    Memory memory;
    memory.move_to(50);
    memory.store_words(5);
    const MemoryScene scene = scene_of(memory);
    ASSERT_EQ(scene.words.size(), 2 * fake::memory_parts);
    for (std::size_t part = 1; part < fake::memory_parts; ++part)
        EXPECT_GT(scene.words[part].top.y, scene.words[part - 1].top.y);
    const float foot = scene.words.back().top.y;
    for (std::size_t part = 0; part < fake::memory_parts; ++part)
        EXPECT_EQ(scene.words[fake::memory_parts + part].top.y > foot, part < 5) << part;
    // A ribbon for each offset that is known.
    EXPECT_EQ(scene.ribbons.size(), 5U);
}

TEST(MemoryScene, WhatAPartHasLoadedStandsAsAGhostWithoutANumber) {
    Memory memory;
    memory.move_to(20);
    memory.now().part_loaded[3] = 7;
    const MemoryScene scene = scene_of(memory);
    ASSERT_EQ(scene.ghosts.size(), 1U);
    EXPECT_EQ(scene.ghosts.front().form, BoxForm::ghost);
    EXPECT_TRUE(texts_of(scene, LabelKind::figure).empty());
    EXPECT_TRUE(
        std::ranges::any_of(scene.labels, [](const Label& each) { return each.detail == "counting"; }));
}

TEST(MemoryScene, ASumIsShownWhereTheValuesOfTheTraceAgree) {
    Memory memory;
    memory.move_to(50);
    memory.store_words(4);
    // 8 + 24 = 32, and the sum after it: 32 + 40 = 72.
    EXPECT_EQ(texts_of(scene_of(memory), LabelKind::sum), std::vector<std::string>{"32 + 40 = 72"});
    memory.store(1, 3, 73, 48, 1);
    EXPECT_TRUE(texts_of(scene_of(memory), LabelKind::sum).empty());
}

TEST(MemoryScene, ValuesThatFollowFromOthersAreHatched) {
    auto buffers = Memory::counts_and_offsets();
    buffers[1].is_derived = true;
    Memory memory(buffers);
    memory.move_to(70);
    memory.store_words(fake::memory_parts);
    const MemoryScene scene = scene_of(memory);
    EXPECT_EQ(std::ranges::count(scene.boxes, BoxForm::hatched, &Box::form), 16);
    EXPECT_EQ(std::ranges::count(scene.boxes, BoxForm::solid, &Box::form), 16);
}

TEST(MemoryScene, WordsThatALibraryStoresAreUnknownUntilItEnds) {
    Memory memory;
    memory.move_to(50);
    EXPECT_EQ(std::ranges::count(scene_of(memory).boxes, BoxForm::hatched, &Box::form), 0);
    memory.set_library(1);
    const MemoryScene scene = scene_of(memory);
    EXPECT_EQ(std::ranges::count(scene.boxes, BoxForm::hatched, &Box::form), 16);
    EXPECT_TRUE(std::ranges::any_of(
        scene.labels, [](const Label& label) { return label.detail == "unknown until the library ends"; }));
}

TEST(MemoryScene, ManyWordsAreATerrainWithTheHopsOfTheLaunch) {
    Memory memory({{compaction::BufferRole::sums, "sums of a level", fake::memory_slots, false, false}});
    memory.move_to(50);
    for (std::size_t word = 0; word < fake::memory_slots; ++word)
        memory.store(0, word, static_cast<float>(word), 49, 1);
    const MemoryScene without = scene_of(memory);
    EXPECT_TRUE(without.arcs.empty());
    EXPECT_EQ(std::ranges::count(without.boxes, BoxForm::solid, &Box::form), 4096);
    memory.set_hop(1, 512);
    const MemoryScene scene = scene_of(memory);
    EXPECT_GT(scene.arcs.size(), 50U);
    EXPECT_LT(scene.arcs.size(), 500U);
    // 512 words are 16 columns.
    for (const Arc& arc : scene.arcs) EXPECT_NEAR(arc.to[0] - arc.from[0], 16 * scene.input.across[0], 1e-3F);
    EXPECT_TRUE(std::ranges::any_of(scene.labels,
                                    [](const Label& label) { return label.detail == "words 512 apart"; }));
}

TEST(MemoryScene, ALookIsAnArcBetweenTwoWords) {
    Memory memory({{compaction::BufferRole::status, "counts of tiles", fake::memory_parts, true, false}});
    memory.move_to(30);
    for (std::size_t part = 0; part < fake::memory_parts; ++part) memory.store(0, part, 100, 20, 0);
    memory.now().look_back_loads.push_back({0, 9, 4, 29.5F});
    const MemoryScene scene = scene_of(memory);
    ASSERT_EQ(scene.arcs.size(), 1U);
    // Its head is at the part that looks.
    EXPECT_FLOAT_EQ(scene.arcs[0].from[0], scene.words[4].top.x);
    EXPECT_FLOAT_EQ(scene.arcs[0].to[0], scene.words[9].top.x);
    EXPECT_GT(scene.arcs[0].head, 0);
}

TEST(MemoryScene, AFlightGoesFromItsSlotToItsPlace) {
    Memory memory;
    memory.move_to(80);
    memory.now().flights.push_back({256, 8, 70, 81});
    const MemoryScene scene = scene_of(memory);
    ASSERT_EQ(scene.arcs.size(), 1U);
    EXPECT_FLOAT_EQ(scene.arcs[0].from[0], scene.input.centre(256).x);
    EXPECT_FLOAT_EQ(scene.arcs[0].to[2], scene.output.centre(8).z);
    EXPECT_EQ(std::ranges::count(scene.boxes, BoxForm::item, &Box::form), 1);
    // Until it is about to be stored, it waits over its slot.
    memory.move_to(72);
    const MemoryScene waiting = scene_of(memory);
    EXPECT_TRUE(waiting.arcs.empty());
    EXPECT_EQ(std::ranges::count(waiting.boxes, BoxForm::item, &Box::form), 1);
}

TEST(MemoryScene, AtRestThereAreWordsWithoutNumbersAndFlights) {
    Memory memory;
    memory.move_to(100);
    memory.store_words(fake::memory_parts);
    memory.now().flights.push_back({256, 8, 70, 101});
    const MemoryScene scene = scene_of(memory, true);
    EXPECT_TRUE(scene.at_rest);
    EXPECT_TRUE(scene.input_cells.empty());
    EXPECT_TRUE(scene.arcs.empty());
    EXPECT_EQ(scene.boxes.size(), 2 * fake::memory_parts);
    EXPECT_TRUE(texts_of(scene, LabelKind::figure).empty());
    EXPECT_TRUE(texts_of(scene, LabelKind::sum).empty());
}

TEST(MemoryScene, LabelsAreInsideTheViewAndDoNotOverlap) {
    Memory memory;
    memory.store_words(fake::memory_parts);
    const MeasureLabel measure = [](const Label& label) {
        return std::array{8.0F * static_cast<float>(label.text.size() + label.detail.size()), 15.0F};
    };
    for (const double time : {20.0, 50.0, 80.0, 100.0}) {
        memory.move_to(time);
        const MemoryScene scene = scene_of(memory);
        for (const auto& [width, height] : {std::pair{932.0F, 436.0F}, {932.0F, 200.0F}, {400.0F, 300.0F}}) {
            const std::vector<PlacedLabel> placed =
                place(scene.labels, projection(width / height), width, height, measure);
            const auto stays = [&](std::string_view text) {
                return std::ranges::any_of(placed,
                                           [&](const PlacedLabel& each) { return each.label->text == text; });
            };
            EXPECT_TRUE(stays("INPUT") && stays("OUTPUT") && stays("counts")) << width << " x " << height;
            for (std::size_t i = 0; i < placed.size(); ++i) {
                const PlacedLabel& a = placed[i];
                EXPECT_GE(a.left, 0);
                EXPECT_GE(a.top, 0);
                EXPECT_LE(a.left + a.width, width);
                EXPECT_LE(a.top + a.height, height);
                for (std::size_t j = 0; j < i; ++j) {
                    const PlacedLabel& b = placed[j];
                    EXPECT_FALSE(a.left < b.left + b.width && b.left < a.left + a.width &&
                                 a.top < b.top + b.height && b.top < a.top + a.height)
                        << a.label->text << " over " << b.label->text;
                }
            }
        }
    }
}

/// The fake memory as a picture of 64 by 64 pixels, a cell for each.
constexpr std::uint64_t pixels_in_row = 64;

TEST(MemoryPicture, CellsLieAsThePixelsOfThePicture) {
    Memory memory;
    memory.set_picture_columns(pixels_in_row);
    const MemoryScene scene = scene_of(memory);
    for (const CellField& field : {scene.input, scene.output}) {
        ASSERT_EQ(field.cells, fake::memory_slots);
        for (std::uint32_t slot = 0; slot < fake::memory_slots; ++slot) {
            const std::uint32_t cell = field.cell_of(slot);
            ASSERT_EQ(field.item_of(cell), slot);
            if (slot % pixels_in_row > 0) {
                EXPECT_GT(field.centre(cell).x, field.centre(field.cell_of(slot - 1)).x);
                EXPECT_FLOAT_EQ(field.centre(cell).z, field.centre(field.cell_of(slot - 1)).z);
            }
            if (slot < pixels_in_row) continue;
            const Vector above =
                field.centre(field.cell_of(slot - static_cast<std::uint32_t>(pixels_in_row)));
            EXPECT_FLOAT_EQ(field.centre(cell).x, above.x);
            EXPECT_GT(field.centre(cell).z, above.z);
            EXPECT_LE(field.centre(cell).y, above.y);
        }
    }
    EXPECT_FLOAT_EQ(scene.input.centre(0).x, scene.output.centre(0).x);
    EXPECT_TRUE(scene.ribbons.empty()) << "a part is no stretch of the width";
}

TEST(MemoryPicture, KeptPixelsAreLitAndTheOutputShowsWhatWasStored) {
    Memory memory;
    memory.set_picture_columns(pixels_in_row);
    memory.move_to(70);
    // Stored in the reverse order.
    for (std::size_t i = 0; i < 8; ++i)
        memory.now().output[i] = {1, 1 - static_cast<float>(i) / 8, trace::never};
    const MemoryScene scene = scene_of(memory);
    const auto red = [](const SheetCell& cell) { return cell.body & 255U; };
    const auto blue = [](const SheetCell& cell) { return cell.body >> 16 & 255U; };
    for (std::uint32_t cell = 0; cell < fake::memory_slots; ++cell) {
        const bool lit = (scene.input_cells[cell].body >> 8 & 255U) > 60;
        EXPECT_EQ(lit, memory.is_kept(scene.input.item_of(cell))) << cell;
    }
    for (std::size_t i = 1; i < 8; ++i) {
        EXPECT_GT(red(scene.output_cells[i]), red(scene.output_cells[i - 1]));
        EXPECT_LT(blue(scene.output_cells[i]), blue(scene.output_cells[i - 1]));
    }
    EXPECT_EQ(scene.output_cells[8].body, scene.output_cells[9].body);
}

TEST(MemoryPicture, FlightsAndHitsKnowThePixel) {
    Memory memory;
    memory.set_picture_columns(pixels_in_row);
    memory.move_to(80);
    memory.now().flights.push_back({517, 37, 70, 81});
    const MemoryScene scene = scene_of(memory);
    ASSERT_EQ(scene.arcs.size(), 1U);
    const Vector from = scene.input.at(8.5F, 5.5F);
    const Vector to = scene.output.at(0.5F, 37.5F);
    EXPECT_FLOAT_EQ(scene.arcs[0].from[0], from.x);
    EXPECT_FLOAT_EQ(scene.arcs[0].from[2], from.z);
    EXPECT_FLOAT_EQ(scene.arcs[0].to[0], to.x);
    const auto found =
        hit(memory, memory.state(), scene, projection(2), *project(projection(2), from), 2, 0.004F);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->index, 517U);
    EXPECT_EQ(found->lines.front(), "slot 517, kept");
    ASSERT_TRUE(found->counterpart);
    EXPECT_FLOAT_EQ(found->counterpart->x, to.x);
}

class MemoryHitTest : public testing::Test {
  protected:
    std::optional<MemoryHit> hit_at(const Vector& position, float reach = 0.004F) {
        scene_ = scene_of(memory_);
        return hit(memory_, memory_.state(), scene_, projection(2), *project(projection(2), position), 2,
                   reach);
    }

    Memory memory_;
    MemoryScene scene_;
};

TEST_F(MemoryHitTest, FindsEachSlotAtItsOwnProjection) {
    scene_ = scene_of(memory_);
    for (std::uint32_t slot = 3; slot < fake::memory_slots; slot += 61) {
        const auto found = hit_at(scene_.input.centre(slot));
        ASSERT_TRUE(found);
        EXPECT_EQ(found->kind, MemoryHit::Kind::slot);
        EXPECT_EQ(found->index, slot);
    }
    const auto found = hit_at(scene_.output.centre(2000));
    ASSERT_TRUE(found);
    EXPECT_EQ(found->kind, MemoryHit::Kind::output_index);
    EXPECT_EQ(found->index, 2000U);
}

TEST_F(MemoryHitTest, SaysWhereAnItemGoesAndWhy) {
    memory_.move_to(70);
    memory_.store_words(fake::memory_parts);
    scene_ = scene_of(memory_);
    const auto kept = hit_at(scene_.input.centre(2 * 256 + 5));
    ASSERT_TRUE(kept);
    EXPECT_EQ(kept->lines, (std::vector<std::string>{"slot 517, kept", "5 kept before it in sequence 3",
                                                     "goes to 32 + 5 = 37"}));
    ASSERT_TRUE(kept->counterpart);
    EXPECT_FLOAT_EQ(kept->counterpart->x, scene_.output.centre(37).x);
    const auto dropped = hit_at(scene_.input.centre(255));
    ASSERT_TRUE(dropped);
    EXPECT_EQ(dropped->lines, std::vector<std::string>{"slot 255, dropped"});
    EXPECT_FALSE(dropped->counterpart);
    EXPECT_EQ(hit_of_slot(memory_, memory_.state(), scene_, 517).lines, kept->lines);
}

TEST_F(MemoryHitTest, ChoosesAnItemBehindTheFirstPart) {
    const auto slot = slot_to_follow(memory_);
    ASSERT_TRUE(slot);
    EXPECT_TRUE(memory_.is_kept(*slot));
    EXPECT_GE(*slot / 256, 1U);
    EXPECT_EQ(*slot % 256, 3U) << "three are kept before it in its sequence";
    memory_.knows_output = false;
    EXPECT_FALSE(slot_to_follow(memory_));
}

TEST_F(MemoryHitTest, AWordThatIsNotStoredIsNotGuessed) {
    memory_.move_to(20);
    scene_ = scene_of(memory_);
    const auto word = hit_at(scene_.words[2].top);
    ASSERT_TRUE(word);
    EXPECT_EQ(word->kind, MemoryHit::Kind::word);
    EXPECT_EQ(word->lines, (std::vector<std::string>{"counts of sequences, sequence 3", "not stored yet"}));
    // Without a stored offset there is no sum, and without a way no place.
    EXPECT_EQ(hit_of_slot(memory_, memory_.state(), scene_, 517).lines.back(), "goes to 37");
    memory_.knows_output = false;
    EXPECT_EQ(hit_of_slot(memory_, memory_.state(), scene_, 517).lines.back(), "where it goes is unknown");
    EXPECT_FALSE(hit_of_slot(memory_, memory_.state(), scene_, 517).counterpart);
}

TEST_F(MemoryHitTest, NothingIsOutOfReach) {
    EXPECT_FALSE(hit_at({0, 6, -9}));
}

}  // namespace
}  // namespace warpsieve::scene
