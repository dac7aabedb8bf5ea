// One item in all views: what samples say about it, and how it is pinned and released.
#include "app/format/figures.hpp"
#include "app/panels/follow_model.hpp"
#include "tests/app/panels/drawn_text.hpp"
#include "tests/app/panels/gallery_states.hpp"
#include "tests/app/panels/interface_fixture.hpp"
#include "tests/app/scene/sampled_stream.hpp"

namespace warpsieve {
namespace {

using namespace panels;

/// Sixteen slots of which the odd ones are live, in parts of four.
class FollowModel : public testing::Test {
  protected:
    FollowModel() {
        algorithm_.id = "fake";
        algorithm_.name = "Made up";
        algorithm_.engine = compaction::EngineId::cpu;
        algorithm_.phases = {{compaction::PhaseRole::count, "count", ""},
                             {compaction::PhaseRole::prefix, "prefix", ""},
                             {compaction::PhaseRole::scatter, "move", ""}};
        sample_.algorithm = &algorithm_;
        sample_.slots = 16;
        sample_.live = sample_.kept = 8;
        for (std::uint32_t slot = 0; slot < 16; ++slot) {
            const bool live = slot % 2 == 1;
            in_.push_back({live ? slot + 1 : 0, static_cast<std::uint16_t>(live), 51, 0});
            out_.push_back(slot < 8 ? scene::SlotCell{2 * slot + 2, 1, 51, 0} : scene::SlotCell{});
        }
    }

    /// Takes what `request` asks for.
    void take(const scene::SampleRequest& request) {
        sample_.request = request;
        const scene::SlotWindow& window = request.window;
        const auto num_cells = static_cast<std::ptrdiff_t>(std::min<std::size_t>(window.cells(), 16));
        const auto in = in_.begin() + static_cast<std::ptrdiff_t>(window.first_slot);
        sample_.in.assign(in, in + num_cells);
        sample_.first_rank = window.first_slot / 2;
        sample_.first_output_index = scene::round_down_to_row(sample_.first_rank, window.row_slots());
        const auto out = out_.begin() + static_cast<std::ptrdiff_t>(sample_.first_output_index);
        sample_.out.assign(out, out + num_cells);
        sample_.found_output_index = request.wanted_handle != 0 && request.wanted_handle % 2 == 0
                                         ? request.wanted_handle / 2 - 1
                                         : scene::SlotSample::nowhere;
    }

    compaction::Algorithm algorithm_;
    scene::SlotSample sample_;
    std::vector<scene::SlotCell> in_;
    std::vector<scene::SlotCell> out_;
};

TEST_F(FollowModel, TheRequestForASlotTellsEverythingAboutIt) {
    for (std::uint64_t slot = 0; slot < 16; ++slot) {
        take(request_for_slot(slot));
        const auto item = follow_item(sample_, slot);
        ASSERT_TRUE(item.has_value());
        EXPECT_EQ(item->rank, slot / 2);
        EXPECT_EQ(item->live, slot % 2 == 1);
        EXPECT_FALSE(item->missing);
        if (slot % 2 == 1) {
            EXPECT_EQ(item->output_index, slot / 2);
            EXPECT_NEAR(item->age.value_or(0), 0.2F, 1e-3F);
        } else {
            EXPECT_FALSE(item->output_index.has_value());
            EXPECT_EQ(facts_of(*item, nullptr).back().value, "empty");
        }
    }
    EXPECT_FALSE(follow_item(sample_, 16).has_value());
}

TEST_F(FollowModel, ALiveItemThatIsNotInTheOutputIsMissing) {
    take(request_for_slot(5));
    sample_.found_output_index = scene::SlotSample::nowhere;
    const auto item = follow_item(sample_, 5);
    EXPECT_TRUE(item->missing);
    EXPECT_FALSE(item->output_index.has_value());
}

TEST_F(FollowModel, WithoutASearchOnlyAnOrderedOutputTellsTheIndex) {
    auto request = request_for_slot(5);
    request.wanted_handle = 0;
    take(request);
    EXPECT_EQ(follow_item(sample_, 5)->output_index, 2U);
    algorithm_.stable = false;
    EXPECT_FALSE(follow_item(sample_, 5)->output_index.has_value());
}

TEST_F(FollowModel, AnOutputIndexLeadsBackToItsSlot) {
    take(request_for_stream(16));
    for (std::uint64_t i = 0; i < 8; ++i) EXPECT_EQ(slot_at_output_index(sample_, i), 2 * i + 1);
    EXPECT_FALSE(slot_at_output_index(sample_, 8).has_value()) << "behind the last item";
    EXPECT_FALSE(slot_at_output_index(sample_, 1000).has_value());
}

TEST_F(FollowModel, ARequestForTheStreamHoldsAllOfItAndIsLegal) {
    for (const std::uint64_t slots : {1ULL, 4096ULL, 1'000'003ULL, 1ULL << 26}) {
        const auto window = request_for_stream(slots).window;
        EXPECT_GE(window.row_slots() * window.rows, slots);
        EXPECT_LE(window.cells(), scene::max_cells);
        EXPECT_LE(window.slots_per_cell, scene::max_slots_per_cell);
    }
}

/// Four parts of four slots; in each launch block b processes part b on multiprocessor 3 - b.
TEST_F(FollowModel, TheTraceTellsThePartAndTheBlocksOfASlot) {
    compaction::RunTrace trace;
    trace.processors = 4;
    for (std::uint32_t launch : {0U, 1U}) {
        trace.launches.push_back({.phase = static_cast<std::uint8_t>(2 * launch), .blocks = 4});
        trace.launches.back().parts = {
            .partition = compaction::equal_parts(compaction::PartKind::tile, 16, 4), .num_blocks = 4};
        for (std::uint32_t block = 0; block < 4; ++block)
            trace.spans.push_back({.begin_us = static_cast<float>(4 - block),
                                   .end_us = 5,
                                   .block = block,
                                   .processor = 3 - block,
                                   .phase = static_cast<std::uint8_t>(2 * launch),
                                   .launch = launch});
    }
    algorithm_.engine = compaction::EngineId::cuda;
    take(request_for_slot(5));
    std::uint64_t frame = sample_.frame;
    const auto told = [&] {
        const trace::TracedRun run = trace::prepare(algorithm_, frame, trace);
        std::string text;
        for (const FollowedFact& fact : facts_of(*follow_item(sample_, 5), &run))
            text += fact.name + ": " + fact.value + "; ";
        return text;
    };
    EXPECT_EQ(told(),
              "slot: 5; tile: 2 of 4; rank: 2; output index: 2; age: 20.0 %; moved by: "
              "move, block 1 on multiprocessor 2; ");
    trace.launches[1].parts->by_ticket = true;
    EXPECT_NE(told().find("move, unknown;"), std::string::npos) << told();
    trace.launches[1].parts->ticket_blocks = {0, 3, 1, 2};
    EXPECT_NE(told().find("move, block 3 on multiprocessor 0;"), std::string::npos) << told();
    frame += 1'234;
    const std::string in_frame = "move, block 3 on multiprocessor 0 in frame " + format::grouped(frame) + ";";
    EXPECT_NE(told().find(in_frame), std::string::npos) << "the sample is of another frame: " << told();
}

TEST_F(FollowModel, ThePhaseThatMovesIsTheMoveElseTheFusedOne) {
    EXPECT_EQ(moving_phase(algorithm_)->name, "move");
    algorithm_.phases = {{compaction::PhaseRole::fused, "select", ""}};
    EXPECT_EQ(moving_phase(algorithm_)->name, "select");
    algorithm_.phases.clear();
    EXPECT_EQ(moving_phase(algorithm_), nullptr);
}

class FollowTest : public InterfaceTest {
  protected:
    FollowTest() {
        frame();
        ImGui::GetIO().MousePos = point_of("view");
        EXPECT_TRUE(frame().pick.has_value());
        machine_.snapshot.follow.picked = 1000;
        frame();
    }
};

TEST_F(FollowTest, PointingAtAParticleAsksForItsItem) {
    const Requests requests = frame();
    EXPECT_EQ(requests.locate, 1000U);
    ASSERT_TRUE(requests.slot_map.has_value());
    EXPECT_EQ(requests.slot_map->sample->wanted_handle, 1001U);
    EXPECT_EQ(requests.slot_map->picture.width, 0) << "no picture to upload";
    EXPECT_FALSE(has_control("followed item"));
}

TEST_F(FollowTest, AClickPinsItInEveryViewAndEscLetsGo) {
    click(point_of("view"));
    machine_.snapshot.follow.picked.reset();
    for (const char* key : {"2", "3", "4", "5", "6", "1"}) {
        type(key);
        frame();
        EXPECT_TRUE(has_control("followed item")) << machine_.settings.window.tab;
    }
    EXPECT_EQ(frame().locate, 1000U);
    press(GLFW_KEY_ESCAPE);
    EXPECT_FALSE(has_control("followed item"));
}

TEST_F(FollowTest, ADragTurnsTheCameraAndPinsNothing) {
    const ImVec2 at = point_of("view");
    drag(at, {at.x + 60, at.y + 10});
    frame();
    EXPECT_FALSE(has_control("followed item"));
}

TEST_F(FollowTest, TheItemStaysWhileTheMouseRests) {
    const ImVec2 at = point_of("view");
    ImGui::GetIO().MousePos = at;
    machine_.snapshot.follow.picked = 10;
    frame();
    frame();
    EXPECT_EQ(frame().locate, 10U);
    // Others pass below it.
    for (const std::uint64_t other : {20U, 30U, 40U}) {
        machine_.snapshot.follow.picked = other;
        frame();
        EXPECT_EQ(frame().locate, 10U);
    }
    ImGui::GetIO().MousePos = {at.x + 3, at.y};
    frame();
    EXPECT_EQ(frame().locate, 40U);
    machine_.snapshot.follow.picked.reset();
    frame();
    EXPECT_FALSE(frame().locate.has_value()) << "nothing is near";
}

TEST_F(FollowTest, TheRingsOfAnItemAreNamed) {
    click(point_of("view"));
    machine_.snapshot.follow.markers = {WindowPoint{500, 200}, WindowPoint{700, 300}, WindowPoint{600, 250}};
    frame();
    const Rectangle scene = interface_->scene_rectangle(window_, machine_.settings);
    const std::string text = drawn::text_within(
        {static_cast<float>(scene.x), static_cast<float>(scene.y)},
        {static_cast<float>(scene.x + scene.width), static_cast<float>(scene.y + scene.height)});
    for (const char* name : {"particle", "slot", "output"})
        EXPECT_NE(text.find(name), std::string::npos) << text;
}

TEST_F(FollowTest, ASlotThatIsGoneIsLetGo) {
    click(point_of("view"));
    frame();
    ASSERT_TRUE(has_control("followed item"));
    machine_.snapshot.follow.picked.reset();
    machine_.snapshot.stream.slots = 500;
    frame();
    EXPECT_FALSE(frame().locate.has_value());
    EXPECT_FALSE(has_control("followed item"));
}

/// The figures are of the running frames, the compaction in slow motion is an earlier one.
TEST_F(FollowTest, SlowMotionHasNoStripOfFigures) {
    click(point_of("view"));
    frame();
    ASSERT_TRUE(has_control("followed item"));
    machine_.settings.window.slow_motion = 50;
    frame();
    frame();
    EXPECT_FALSE(has_control("followed item"));
    machine_.settings.window.slow_motion = 0;
    frame();
    frame();
    EXPECT_TRUE(has_control("followed item"));
}

TEST_F(FollowTest, TheViewMakesRoomForTheStrip) {
    const Rectangle before = interface_->scene_rectangle(window_, machine_.settings);
    click(point_of("view"));
    const Rectangle after = interface_->scene_rectangle(window_, machine_.settings);
    EXPECT_EQ(after.height, before.height - 28);
}

/// A real stream on the CPU engine, with a slot that is pinned.
class FollowedTest : public InterfaceTest {
  protected:
    void arrange(void (*state)(fake::Machine&)) {
        state(machine_);
        stream_.emplace(machine_);
        answered_frames(3);
    }
    void answered_frames(int count) {
        for (int i = 0; i < count; ++i) {
            const Requests requests = frame();
            if (requests.slot_map) stream_->take(machine_, *requests.slot_map);
        }
    }
    void point_at(ImVec2 at) {
        ImGui::GetIO().MousePos = at;
        answered_frames(4);
    }
    void pin() {
        ImGui::GetIO().MouseDown[0] = true;
        answered_frames(1);
        ImGui::GetIO().MouseDown[0] = false;
        answered_frames(2);
        ASSERT_TRUE(has_control("followed item"));
    }

    std::optional<fake::SampledStream> stream_;
};

TEST_F(FollowedTest, ACellOfTheDifferenceIsFoundOnBothSides) {
    arrange(states::difference);
    EXPECT_FALSE(has_control("followed in A"));
    for (const char* side : {"difference A", "difference B"}) {
        point_at(point_of(side, 0.3F));
        EXPECT_TRUE(has_control("followed in A")) << side;
        EXPECT_TRUE(has_control("followed in B")) << side;
    }
    const auto [low, high] = corners("followed in B");
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    EXPECT_TRUE(low.x <= mouse.x && mouse.x <= high.x && low.y <= mouse.y && mouse.y <= high.y);
    pin();
    ImGui::GetIO().MousePos = {-1, -1};
    answered_frames(4);
    EXPECT_TRUE(has_control("followed in A"));
    EXPECT_EQ(drawn::all_text().find("Waitingforthefirst"), std::string::npos) << "the pictures stay";
}

TEST_F(FollowedTest, NothingMovesUnderTheMouseWhenAClickPins) {
    arrange(states::map);
    const auto expect_same_place = [this](const char* picture) {
        const auto [low, high] = corners(picture);
        point_at(point_of(picture, 0.4F));
        pin();
        answered_frames(2);
        const auto [low_after, high_after] = corners(picture);
        EXPECT_EQ(low_after.y, low.y) << picture;
        EXPECT_EQ(high_after.y, high.y) << picture;
        EXPECT_EQ(high_after.x, high.x) << picture;
    };
    expect_same_place("slot map: sparse");
    press(GLFW_KEY_ESCAPE);
    ImGui::GetIO().MousePos = {-1, -1};
    arrange(states::difference);
    ASSERT_FALSE(has_control("followed item"));
    expect_same_place("difference A");
}

TEST_F(FollowedTest, APinnedSlotIsMarkedInEveryView) {
    arrange(states::map);
    point_at(point_of("slot map: sparse", 0.4F));
    pin();
    EXPECT_TRUE(has_control("followed in map"));
    machine_.snapshot.follow.markers[1] = WindowPoint{700, 200};
    type("1");
    frame();
    EXPECT_TRUE(has_control("followed in scene"));
    fake::race(machine_);
    type("6");
    answered_frames(4);
    EXPECT_TRUE(has_control("followed in race"));
}

TEST_F(FollowedTest, APinnedSlotIsShownInTheKernels) {
    arrange(states::map);
    const WindowPreferences& window = machine_.settings.window;
    press(GLFW_KEY_D);
    EXPECT_EQ(window.tab, slot_map_tab) << "no item is followed";
    point_at(point_of("slot map: sparse", 0.4F));
    pin();
    const auto [low, high] = corners("followed item");
    const std::string strip = drawn::text_within(low, high);
    const auto shows_slot_of_strip = [&] {
        const std::uint64_t slot = window.kernel_slot - 1 + window.kernel_item - 1;
        return window.tab == kernel_tab && window.kernel_slot % window.kernel_items == 1 &&
               strip.find("slot" + format::grouped(slot) + "sequence") != std::string::npos;
    };
    press(GLFW_KEY_D);
    EXPECT_TRUE(shows_slot_of_strip()) << strip << ' ' << window.kernel_slot << ' ' << window.kernel_item;
    type("2");
    machine_.settings.window.kernel_slot = machine_.settings.window.kernel_item = 0;
    machine_.snapshot.stream.phase = 123;
    answered_frames(2);
    click(point_of("in the kernels"));
    EXPECT_TRUE(shows_slot_of_strip()) << strip << ' ' << window.kernel_slot << ' ' << window.kernel_item;
    EXPECT_EQ(window.kernel_phase, 123U);
}

TEST_F(FollowedTest, TheBarsOfItsPartAreFramed) {
    arrange(states::inside_cpu);
    const compaction::Algorithm& algorithm = *machine_.snapshot.runs.a.algorithm;
    compaction::RunTrace trace = fake::trace_of(algorithm, 2, 16, 1, 24.0F);
    fake::add_parts(trace, algorithm, machine_.snapshot.stream.slots);
    machine_.snapshot.runs.a.traced = fake::traced(algorithm, trace);
    answered_frames(2);
    EXPECT_FALSE(has_control("followed in inside"));
    type("1");
    machine_.snapshot.follow.picked = 5;
    point_at(point_of("view"));
    pin();
    machine_.snapshot.follow.picked.reset();
    type("4");
    answered_frames(3);
    EXPECT_TRUE(has_control("followed in inside"));
}

}  // namespace
}  // namespace warpsieve
