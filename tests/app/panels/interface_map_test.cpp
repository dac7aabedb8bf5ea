// The slot map with a fake mouse: it asks for what it shows, zooms, moves and goes back.
#include <array>

#include "tests/app/panels/drawn_text.hpp"
#include "tests/app/panels/interface_fixture.hpp"
#include "tests/app/scene/sampled_stream.hpp"

namespace warpsieve {
namespace {

class SlotMapTest : public InterfaceTest {
  protected:
    SlotMapTest() {
        fake::make_cpu_machine(machine_);
        machine_.settings.window.tab = "slot_map";
        machine_.snapshot.stream.slots = machine_.settings.run.slots = std::uint64_t{1} << 18;
        stream_.emplace(machine_);
    }

    /// A frame whose request is answered.
    Requests style() {
        const Requests requests = frame();
        if (requests.slot_map) {
            asked_ = *requests.slot_map->sample;
            stream_->take(machine_, asked_);
        }
        return requests;
    }
    void wheel(ImVec2 at, float notches) {
        ImGui::GetIO().MousePos = at;
        style();
        ImGui::GetIO().MouseWheel = notches;
        style();
        ImGui::GetIO().MouseWheel = 0;
        style();
    }
    static std::size_t vertices() { return static_cast<std::size_t>(ImGui::GetDrawData()->TotalVtxCount); }

    std::optional<fake::SampledStream> stream_;
    scene::SampleRequest asked_;
};

TEST_F(SlotMapTest, ItsWordsAreNotCutOffInASmallWindow) {
    window_ = {1024, 640};
    for (const std::uint64_t slots : {std::uint64_t{1} << 18, std::uint64_t{1} << 24}) {
        machine_.snapshot.stream.slots = machine_.settings.run.slots = slots;
        stream_.emplace(machine_);
        for (int i = 0; i < 4; ++i) style();
        const auto [low, high] = corners("controls splitter");
        const std::string text = drawn::text_within({high.x, 30}, {1024, 386});
        EXPECT_EQ(text.find("…"), std::string::npos) << text;
        EXPECT_NE(text.find("slots,"), std::string::npos) << text;
        EXPECT_NE(text.find("live"), std::string::npos) << text;
        EXPECT_NE(text.find("acellis"), std::string::npos) << text;
    }
}

TEST_F(SlotMapTest, KeyTwoShowsItAndOnlyThenItAsks) {
    machine_.settings.window.tab = "particles";
    EXPECT_FALSE(frame().slot_map);
    type("2");
    EXPECT_EQ(machine_.settings.window.tab, "slot_map");
    EXPECT_TRUE(frame().slot_map);
}

TEST_F(SlotMapTest, ShowsTheWholeStreamAtFirstAndPaintsEachSampleOnce) {
    const Requests first = style();
    ASSERT_TRUE(first.slot_map);
    EXPECT_EQ(first.slot_map->picture.width, 0) << "there is nothing to paint yet";
    EXPECT_EQ(asked_.window.first_slot, 0U);
    EXPECT_GE(asked_.window.row_slots() * asked_.window.rows, machine_.snapshot.stream.slots);
    EXPECT_TRUE(first.slot_map->with_trace);
    const Requests painted = frame();
    EXPECT_EQ(painted.slot_map->picture.width, static_cast<int>(asked_.window.columns));
    EXPECT_EQ(painted.slot_map->slots_pixels.size(), asked_.window.cells());
    EXPECT_EQ(painted.slot_map->output_pixels.size(), asked_.window.cells());
    EXPECT_EQ(frame().slot_map->picture.width, 0) << "nothing is new";
    machine_.settings.window.theme = Theme::light;
    EXPECT_GT(frame().slot_map->picture.width, 0) << "but the colours";
}

TEST_F(SlotMapTest, TheWheelZoomsAndADoubleClickShowsAllAgain) {
    style();
    style();
    const ImVec2 at = point_of("slot map: sparse");
    const std::uint64_t all = asked_.window.row_slots() * asked_.window.rows;
    for (int i = 0; i < 20; ++i) wheel(at, 1);
    EXPECT_EQ(asked_.window.slots_per_cell, 1U);
    EXPECT_LT(asked_.window.row_slots() * asked_.window.rows, all / 100);
    EXPECT_GT(asked_.window.first_slot, machine_.snapshot.stream.slots / 4)
        << "around the mouse, not at the start";
    wheel(at, -1);
    const std::uint64_t before = asked_.window.first_slot;
    drag(at, {at.x, at.y - 60});
    style();
    EXPECT_GT(asked_.window.first_slot, before) << "dragged up, what comes later shows";
    EXPECT_EQ(asked_.window.first_slot % asked_.window.row_slots(), 0U);
    click(at);
    click(at);
    style();
    EXPECT_EQ(asked_.window.first_slot, 0U);
    EXPECT_EQ(asked_.window.row_slots() * asked_.window.rows, all);
}

TEST_F(SlotMapTest, TheNextStartShowsTheSameSlots) {
    style();
    style();
    for (int i = 0; i < 6; ++i) wheel(point_of("slot map: sparse"), 1);
    const scene::SlotWindow before = asked_.window;
    EXPECT_GT(before.first_slot, 0U);
    interface_.emplace(1.0F, Theme::dark);  // nothing is left of it but the settings
    style();
    EXPECT_EQ(asked_.window, before);
}

TEST_F(SlotMapTest, AZoomThatIsTooCloseForThisWindowComesBack) {
    machine_.settings.window.slot_map_zoom = 4'000'000'000U;
    machine_.settings.window.slot_map_first = ~std::uint64_t{0};
    style();
    style();
    EXPECT_EQ(asked_.window.slots_per_cell, 1U);
    EXPECT_LT(asked_.window.first_slot, machine_.snapshot.stream.slots);
    const std::uint32_t rows = asked_.window.rows;
    wheel(point_of("slot map: sparse"), -1);
    EXPECT_GT(asked_.window.rows, rows) << "one notch of the wheel is enough to see more";
}

TEST_F(SlotMapTest, TheOverviewGoesWhereItIsClicked) {
    style();
    style();
    for (int i = 0; i < 6; ++i) wheel(point_of("slot map: sparse"), 1);
    click(point_of("slot map: overview"));
    style();
    const std::uint64_t middle =
        asked_.window.first_slot + asked_.window.row_slots() * asked_.window.rows / 2;
    EXPECT_NEAR(static_cast<double>(middle), static_cast<double>(machine_.snapshot.stream.slots) / 2,
                static_cast<double>(asked_.window.row_slots() * 2));
}

TEST_F(SlotMapTest, PointingAtASlotAsksForItsItem) {
    style();
    style();
    const ImVec2 at = point_of("slot map: sparse", 0.3F);
    for (int i = 0; i < 12; ++i) wheel(at, 1);
    style();
    // One of the neighbouring slots is live; its item is at the position that the count gives.
    std::uint32_t wanted = 0;
    for (float x = 0; x < 200 && wanted == 0; x += 9) {
        ImGui::GetIO().MousePos = {at.x + x - 60, at.y};
        style();
        wanted = asked_.wanted_handle;
    }
    ASSERT_NE(wanted, 0U);
    const std::shared_ptr<const scene::SlotSample> taken = stream_->sample();
    const scene::SlotSample& sample = *taken;
    EXPECT_EQ(sample.request.wanted_handle, wanted);
    EXPECT_EQ(stream_->stream().out[sample.found_output_index], wanted);
    const std::size_t with_card = [&] {
        style();
        return vertices();
    }();
    ImGui::GetIO().MousePos = {-1, -1};
    style();
    style();
    EXPECT_EQ(asked_.wanted_handle, 0U);
    EXPECT_LT(vertices() + 50, with_card) << "the card and the line have gone";
}

/// Everything about parts is told by the trace, so an altered trace is told as it is.
class TracedSlotMapTest : public SlotMapTest {
  protected:
    TracedSlotMapTest() {
        machine_.snapshot.stream.slots = machine_.settings.run.slots = 4096;
        stream_.emplace(machine_);
        compaction::RunTrace& trace = stream_->trace();
        trace = {};
        trace.processors = 8;
        trace.launches.push_back({.phase = 0, .blocks = 4});
        trace.launches[0].parts = {
            .partition = compaction::equal_parts(compaction::PartKind::tile, 4096, 1024),
            .counts_selected = true,
            .num_blocks = 4};
        const std::array<std::uint64_t, 4> kept{700, 0, 1000, 5};
        for (std::uint32_t block = 0; block < 4; ++block)
            trace.spans.push_back({.begin_us = static_cast<float>(9 - block),
                                   .end_us = 10,
                                   .block = block,
                                   .processor = 7 - block,
                                   .num_selected = kept[block]});
    }
    /// The words of the view, after the trace has been taken.
    std::string words() {
        for (int i = 0; i < 4; ++i) style();
        return drawn::all_text();
    }
    static bool has(const std::string& text, const char* part) {
        return text.find(part) != std::string::npos;
    }
};

TEST_F(TracedSlotMapTest, CountsAndOffsetsAreThoseOfTheSpans) {
    std::string text = words();
    for (const char* part : {"700of1,024", "0of1,024", "1,000of1,024", "5of1,024", "1,700", "4tilesof1,024"})
        EXPECT_TRUE(has(text, part)) << part << " in " << text;
    stream_->trace().spans[2].num_selected = 900;
    text = words();
    EXPECT_TRUE(has(text, "900of1,024")) << text;
    EXPECT_TRUE(has(text, "1,600")) << text;
    EXPECT_FALSE(has(text, "1,000of1,024")) << text;
    stream_->trace().spans.erase(stream_->trace().spans.begin() + 2);
    text = words();
    EXPECT_TRUE(has(text, "unknownof1,024")) << text;
}

TEST_F(TracedSlotMapTest, BoundariesAndBlocksAreThoseOfTheTrace) {
    words();
    const auto [low, high] = corners("slot map: sparse");
    const auto told_at = [&, low = low, high = high](float share) {
        ImGui::GetIO().MousePos = {low.x + 5, low.y + (high.y - low.y) * share};
        return words();
    };
    std::string text = told_at(0.6F);
    EXPECT_TRUE(has(text, "tile3of4")) << text;
    EXPECT_TRUE(has(text, "worker5,number2of4tostart")) << text;
    EXPECT_TRUE(has(text, "1,000of1,024")) << text;
    stream_->trace().launches[0].parts->partition.items_each = 512;
    stream_->trace().launches[0].parts->partition.num_parts = 8;
    text = told_at(0.6F);
    EXPECT_TRUE(has(text, "tile6of8")) << text;
    EXPECT_TRUE(has(text, "unknown:thetracehasthesum")) << "each block has two tiles: " << text;
    EXPECT_TRUE(has(text, "worker6,number3of4tostart")) << text;
}

TEST_F(TracedSlotMapTest, SaysWhatTheTraceDoesNotTell) {
    stream_->trace().launches[0].parts->counts_selected = false;
    EXPECT_TRUE(has(words(), "doesnottellhowmanyitemseachpartkeeps"));
    stream_->trace().launches[0].parts.reset();
    EXPECT_TRUE(has(words(), "doesnottellwhichblockprocesseswhichslots"));
    stream_->trace().launches.clear();
    EXPECT_TRUE(has(words(), "belongtoalibrary"));
    machine_.snapshot.slot_map.traced = nullptr;
    frame();
    EXPECT_TRUE(has(drawn::all_text(), "Waitingforatraceofthisframe"));
}

TEST_F(SlotMapTest, ColoursAreChosen) {
    style();
    style();
    style();
    click(point_of("slot map colour: slot"));
    machine_.snapshot.display.frame++;
    style();
    const auto pixels = [&] {
        stream_->take(machine_, asked_);
        const Requests painted = frame();
        return std::vector<std::uint32_t>(painted.slot_map->output_pixels.begin(),
                                          painted.slot_map->output_pixels.end());
    };
    const auto by_slot = pixels();
    click(point_of("slot map colour: age"));
    style();
    EXPECT_NE(pixels(), by_slot);
}

TEST_F(SlotMapTest, IsThereAtEverySizeAndForEveryLength) {
    for (const gl::PixelSize window : {gl::PixelSize{1024, 640}, {2560, 1440}, {640, 360}, {300, 200}}) {
        window_ = window;
        EXPECT_NO_FATAL_FAILURE(style());
        style();
    }
    window_ = {1280, 720};
    for (const std::uint64_t slots : {min_slots, std::uint64_t{1'000'003}}) {
        machine_.snapshot.stream.slots = machine_.settings.run.slots = slots;
        machine_.snapshot.slot_map.sample = nullptr;
        stream_.emplace(machine_);
        style();
        style();
        EXPECT_GE(asked_.window.row_slots() * asked_.window.rows, slots);
        EXPECT_GT(vertices(), 100U);
    }
}

}  // namespace
}  // namespace warpsieve
