// The timeline view without a window: holding, scrolling, zooming, pinning, and what is kept as a ghost.
#include "tests/app/panels/drawn_text.hpp"
#include "tests/app/panels/interface_fixture.hpp"

namespace warpsieve {
namespace {

class TimelineViewTest : public InterfaceTest {
  protected:
    TimelineViewTest() {
        machine_.settings.window.tab = "timeline";
        frame();
        frame();
    }
    /// More frames of the algorithm in force, under settings of their own.
    void run(std::uint64_t frames) {
        const std::size_t before = machine_.timeline.size();
        experiments::Timeline made(machine_.timeline.capacity());
        std::swap(made, machine_.timeline);
        made_up::fill_timeline(machine_, *machine_.view.runs.a.algorithm, {4.31F, 1.96F, 5.72F}, 19.4F, 2411,
                               frames);
        std::swap(made, machine_.timeline);
        ++config_epoch_;
        for (std::size_t i = 0; i < made.size(); ++i) {
            experiments::FrameSample sample = made[i];
            sample.config_epoch = config_epoch_;
            machine_.timeline.push(sample);
        }
        EXPECT_GE(machine_.timeline.size(), before);
        frame();
    }
    /// The settings of the newest visible frame.
    std::uint32_t epoch_shown() {
        frame();
        frame();
        const std::string label = "history under settings ";
        const auto map = nlohmann::json::parse(interface_->control_map());
        for (const auto& [key, place] : map.items())
            if (key.starts_with(label))
                return static_cast<std::uint32_t>(std::stoul(key.substr(label.size())));
        ADD_FAILURE() << "no history";
        return 0;
    }
    bool has(const std::string& control) const {
        return nlohmann::json::parse(interface_->control_map()).contains(control);
    }
    void turn_wheel(ImVec2 at, float notches) {
        ImGui::GetIO().MousePos = at;
        frame();
        ImGui::GetIO().MouseWheel = notches;
        frame();
        ImGui::GetIO().MouseWheel = 0;
        frame();
    }
    std::uint32_t config_epoch_ = 0;
};

TEST_F(TimelineViewTest, KeepsTheFramesUnderTheNewestSettingsAsGhost) {
    run(50);
    const Requests requests = press(GLFW_KEY_K);
    ASSERT_EQ(requests.keep_as_ghost.size(), 50U);
    for (const experiments::FrameSample& sample : requests.keep_as_ghost) EXPECT_EQ(sample.config_epoch, 1U);
    EXPECT_EQ(requests.keep_as_ghost.back().frame, machine_.view.display.frame - 1);
    machine_.settings.window.tab = "particles";
    EXPECT_TRUE(press(GLFW_KEY_K).keep_as_ghost.empty()) << "its keys are for the view alone";
}

TEST_F(TimelineViewTest, KeepsWhatTheControlsShowWhereverItIsScrolledTo) {
    run(700);
    for (int i = 0; i < 3; ++i) drag(place("history", 0.1F), place("history", 0.9F));
    ASSERT_EQ(epoch_shown(), 0U);
    for (const bool held : {false, true}) {
        if (held) press(GLFW_KEY_H);
        run(20);
        const Requests requests = press(GLFW_KEY_K);
        ASSERT_EQ(requests.keep_as_ghost.size(), 20U);
        EXPECT_EQ(requests.keep_as_ghost.back().config_epoch, config_epoch_);
    }
}

TEST_F(TimelineViewTest, HoldsTheHistoryWhileTheSceneGoesOn) {
    press(GLFW_KEY_H);
    run(50);
    EXPECT_EQ(epoch_shown(), 0U);
    EXPECT_FALSE(machine_.settings.run.paused) << "the scene is not what is held";
    press(GLFW_KEY_H);
    EXPECT_EQ(epoch_shown(), 1U);
    click(place("hold"));
    run(50);
    EXPECT_EQ(epoch_shown(), 1U);
    click(place("live"));
    EXPECT_EQ(epoch_shown(), 2U);
}

TEST_F(TimelineViewTest, IsDraggedBackAndReturnsToTheNewest) {
    run(700);
    EXPECT_EQ(epoch_shown(), 1U);
    drag(place("history", 0.05F), place("history", 0.95F));
    EXPECT_EQ(epoch_shown(), 1U) << "540 of 600 frames back, still within the 700";
    drag(place("history", 0.05F), place("history", 0.95F));
    EXPECT_EQ(epoch_shown(), 0U);
    run(10);
    EXPECT_EQ(epoch_shown(), 0U) << "what is looked at stays";
    press(GLFW_KEY_END);
    EXPECT_EQ(epoch_shown(), 2U);
    // Not past the newest, nor past the oldest.
    drag(place("history", 0.95F), place("history", 0.05F));
    EXPECT_EQ(epoch_shown(), 2U);
    for (int i = 0; i < 6; ++i) drag(place("history", 0.05F), place("history", 0.95F));
    EXPECT_EQ(epoch_shown(), 0U);
    for (int i = 0; i < 6; ++i) drag(place("history", 0.95F), place("history", 0.05F));
    EXPECT_EQ(epoch_shown(), 2U) << "dragged back to the newest, it follows again";
    run(5);
    EXPECT_EQ(epoch_shown(), 3U);
}

TEST_F(TimelineViewTest, TheSamePlotStandsOnce) {
    EXPECT_FALSE(has("timings plot"));
    machine_.settings.window.timeline_mode = TimelineMode::inside;
    frame();
    EXPECT_TRUE(has("timings plot")) << "the inside of one compaction is another plot";
    machine_.settings.window.tab = "particles";
    frame();
    EXPECT_TRUE(has("timings plot"));
}

TEST_F(TimelineViewTest, TheStripOfTheFrameStandsBesideThePlotAndInItsPlace) {
    EXPECT_TRUE(has("frame strip"));
    machine_.settings.window.tab = "particles";
    for (const gl::PixelSize size : {gl::PixelSize{1280, 720}, gl::PixelSize{1600, 1000}}) {
        window_ = size;
        frame();
        EXPECT_TRUE(has("frame strip")) << size.width;
        EXPECT_TRUE(has("timings plot")) << size.width;
        EXPECT_NE(drawn::all_text().find("median25%75%"), std::string::npos) << "the table has lost columns";
    }
    window_ = {1024, 640};
    frame();
    EXPECT_FALSE(has("frame strip")) << "the plot needs the room";
}

TEST_F(TimelineViewTest, FiguresOfTheFrameKeepApart) {
    machine_.view.timings.frame = {
        998, {8.01, 9.02, 7.03, 6.04, 5.05, 4.06}, FramePartTimes{177, 188, 199, 166, 155, 144}};
    window_ = {2560, 1440};
    for (const float scale : {1.0F, 1.5F}) {
        machine_.settings.window.scale = machine_.view.display.scale = scale;
        interface_->set_style(scale, Theme::dark);
        machine_.settings.window.tab = "particles";
        frame();
        frame();
        ASSERT_TRUE(has("frame strip"));
        drawn::GlyphFinder finder;
        std::size_t found = 0;
        for (const drawn::WindowText& window : drawn::texts(finder)) {
            for (std::size_t i = 3; i + 2 < window.glyphs.size(); ++i) {
                const auto is = [&](std::size_t at, char c) {
                    return window.glyphs[at].codepoint == static_cast<unsigned char>(c);
                };
                if (!(is(i - 3, '8') && is(i - 2, '.') && is(i - 1, '0') && is(i, '1') && is(i + 1, '1')))
                    continue;
                ++found;
                const float digit = window.glyphs[i].high.x - window.glyphs[i].low.x;
                EXPECT_GT(window.glyphs[i + 1].low.x - window.glyphs[i].high.x, 0.8F * digit) << scale;
            }
        }
        EXPECT_EQ(found, 1U);
    }
}

TEST_F(TimelineViewTest, TheStripOfTheFrameFillsItsRoom) {
    for (const gl::PixelSize size :
         {gl::PixelSize{1280, 720}, gl::PixelSize{1600, 1000}, gl::PixelSize{2560, 1440}}) {
        window_ = size;
        frame();
        frame();
        const auto [low, high] = corners("frame strip");
        const ImVec2 last{low.x + (high.x - low.x) * 0.6F, low.y};
        EXPECT_FALSE(drawn::text_within(last, high).empty()) << "no figures on the right at " << size.width;
    }
}

TEST_F(TimelineViewTest, ScrollingBackHoldsTheHistory) {
    run(700);
    drag(place("history", 0.05F), place("history", 0.95F));
    for (int i = 0; i < 8; ++i) run(1'000);
    EXPECT_EQ(epoch_shown(), 1U) << "although the live history has overwritten these frames";
    press(GLFW_KEY_H);
    EXPECT_EQ(epoch_shown(), 9U) << "the hold is lit, so its key lets go";
}

TEST_F(TimelineViewTest, TheWheelZoomsWithinTheHistory) {
    ASSERT_EQ(machine_.settings.window.timeline_frames, 600U);
    turn_wheel(place("history"), 1);
    EXPECT_EQ(machine_.settings.window.timeline_frames, 480U);
    turn_wheel(place("history"), -40);
    EXPECT_EQ(machine_.settings.window.timeline_frames, 6'000U);
    turn_wheel(place("history"), 80);
    EXPECT_EQ(machine_.settings.window.timeline_frames, 60U);
    click(place("2,000"));
    EXPECT_EQ(machine_.settings.window.timeline_frames, 2'000U);
    press(GLFW_KEY_L, false, true);
    EXPECT_TRUE(machine_.settings.window.timeline_log);
    EXPECT_EQ(machine_.settings.window.theme, Theme::dark) << "L alone is the theme";
    click(place("log"));
    EXPECT_FALSE(machine_.settings.window.timeline_log);
}

TEST_F(TimelineViewTest, TheWheelZoomsAboutTheMouseWhereTheHistoryIsHeld) {
    run(300);
    run(50);
    ASSERT_EQ(epoch_shown(), 2U);
    turn_wheel(place("history", 0.97F), 8);
    EXPECT_EQ(epoch_shown(), 2U) << "near the newest frame, it keeps following";
    turn_wheel(place("history", 0.97F), -40);
    click(place("600"));
    press(GLFW_KEY_H);
    turn_wheel(place("history", 0.1F), 8);
    EXPECT_EQ(epoch_shown(), 0U) << "540 frames back";
    turn_wheel(place("history", 0.1F), -40);
    EXPECT_EQ(epoch_shown(), 2U);
}

TEST_F(TimelineViewTest, TheWheelZoomsAboutTheMouseWhileItFollows) {
    run(300);
    run(50);
    turn_wheel(place("history", 0.1F), 8);
    EXPECT_EQ(epoch_shown(), 0U) << "540 frames back stay in place";
    turn_wheel(place("history", 0.5F), -40);
    run(10);
    EXPECT_EQ(epoch_shown(), 3U) << "out again as far as the newest frame, it follows";
}

TEST_F(TimelineViewTest, TheOverviewScrollsTheHistory) {
    run(3'000);
    EXPECT_EQ(epoch_shown(), 1U);
    click(place("overview", 0.45F));
    EXPECT_EQ(epoch_shown(), 0U) << "3,300 frames back";
    drag(place("overview", 0.45F), place("overview", 0.55F));
    EXPECT_EQ(epoch_shown(), 1U) << "2,400 back to 3,000";
    drag(place("overview", 0.55F), place("overview", 0.99F));
    run(10);
    EXPECT_EQ(epoch_shown(), 2U) << "at the newest frame it follows again";
}

TEST_F(TimelineViewTest, ShiftDragSelectsARange) {
    ImGui::GetIO().KeyShift = true;
    drag(place("history", 0.25F), place("history", 0.75F));
    ImGui::GetIO().KeyShift = false;
    frame();
    ASSERT_TRUE(has("range"));
    const auto exported = [this] {
        ImGui::GetIO().MousePos = place("history");
        frame();
        ImGui::GetIO().MouseDown[1] = true;
        frame();
        ImGui::GetIO().MouseDown[1] = false;
        frame();
        frame();
        ImGui::GetIO().MousePos = place("Export CSV");
        frame();
        ImGui::GetIO().MouseDown[0] = true;
        frame();
        ImGui::GetIO().MouseDown[0] = false;
        const Requests requests = frame();
        frame();
        EXPECT_TRUE(requests.save_file.has_value());
        const std::string text = requests.save_file ? requests.save_file->text : std::string();
        return std::ranges::count(text, '\n');
    };
    EXPECT_NEAR(static_cast<double>(exported()), 302, 2) << "a heading and 301 frames";
    EXPECT_EQ(epoch_shown(), 0U) << "and does not scroll";
    press(GLFW_KEY_ESCAPE);
    frame();
    EXPECT_FALSE(has("range"));
    EXPECT_EQ(exported(), 601) << "the visible frames";
}

TEST_F(TimelineViewTest, TheMenuOfTheRightButtonFitsAndCopies) {
    const auto choose = [this](const char* entry) {
        ImGui::GetIO().MousePos = place("history");
        frame();
        ImGui::GetIO().MouseDown[1] = true;
        frame();
        ImGui::GetIO().MouseDown[1] = false;
        frame();
        frame();
        return click(place(entry));
    };
    std::string copied;
    ImGui::GetIO().ClipboardUserData = &copied;
    ImGui::GetIO().SetClipboardTextFn = [](void* to, const char* text) {
        *static_cast<std::string*>(to) = text;
    };
    choose("Copy data");
    EXPECT_TRUE(copied.starts_with("frame,")) << copied.substr(0, 60);
    EXPECT_EQ(std::ranges::count(copied, '\n'), 601) << "a heading and the visible frames";
    choose("Fit all frames");
    choose("Fit usual frames");
    choose("Fit all frames");
    EXPECT_FALSE(has("Fit usual frames")) << "the menu closes";
}

TEST_F(TimelineViewTest, ADoubleClickFitsEveryFrame) {
    for (const char* tab : {"timeline", "particles"}) {
        machine_.settings.window.tab = tab;
        for (int i = 0; i < 30; ++i) frame();
        const std::string plot = tab == std::string("timeline") ? "history" : "timings plot";
        const auto axis = [&] {
            ImGui::GetIO().MousePos = {-1, -1};
            for (int i = 0; i < 120; ++i) frame();
            const auto [low, high] = corners(plot);
            return drawn::text_within({low.x - 60, low.y - 12}, {low.x, high.y});
        };
        const std::string usual = axis();
        const auto double_click = [&] {
            ImGui::GetIO().MousePos = place(plot);
            for (int i = 0; i < 2; ++i) {
                frame();
                ImGui::GetIO().MouseDown[0] = true;
                frame();
                ImGui::GetIO().MouseDown[0] = false;
            }
            frame();
        };
        double_click();
        EXPECT_NE(axis(), usual) << tab;
        double_click();
        EXPECT_EQ(axis(), usual) << tab;
    }
}

TEST_F(TimelineViewTest, TheAxesAreReadOffAtTheMouse) {
    const auto point_at = [this](ImVec2 mouse) {
        ImGui::GetIO().MousePos = mouse;
        for (int i = 0; i < 3; ++i) frame();
    };
    const auto [low, high] = corners("history");
    const ImVec2 mouse{low.x + 100, (low.y + high.y) / 2};
    point_at({-1, -1});
    const std::string left = drawn::text_within({low.x - 60, mouse.y - 10}, {low.x, mouse.y + 10});
    const std::string below = drawn::text_within({mouse.x - 40, high.y}, {mouse.x + 40, high.y + 24});
    point_at(mouse);
    EXPECT_NE(drawn::text_within({low.x - 60, mouse.y - 10}, {low.x, mouse.y + 10}), left) << "its time";
    EXPECT_NE(drawn::text_within({mouse.x - 40, high.y}, {mouse.x + 40, high.y + 24}), below) << "its frame";
}

TEST_F(TimelineViewTest, AClickOnALegendEntryHidesItAndShiftClickShowsItAlone) {
    click(place("series: prefix"));
    frame();
    EXPECT_TRUE(has("hidden: prefix"));
    EXPECT_FALSE(has("hidden: count"));
    click(place("series: prefix"));
    frame();
    EXPECT_FALSE(has("hidden: prefix"));
    const auto shift_click = [this] {
        ImGui::GetIO().KeyShift = true;
        click(place("series: count"));
        ImGui::GetIO().KeyShift = false;
        frame();
    };
    shift_click();
    EXPECT_FALSE(has("hidden: count"));
    for (const char* other : {"hidden: prefix", "hidden: move", "hidden: total"})
        EXPECT_TRUE(has(other)) << other;
    shift_click();
    EXPECT_FALSE(has("hidden: prefix"));
}

TEST_F(TimelineViewTest, SaysHowManyFramesTheWheelShows) {
    frame();
    EXPECT_FALSE(has("frames shown")) << "a button says it";
    turn_wheel(place("history"), 1);
    EXPECT_TRUE(has("frames shown"));
    click(place("2,000"));
    frame();
    EXPECT_FALSE(has("frames shown"));
}

TEST_F(TimelineViewTest, AClickPinsAFrameAndArrowsGoFromThere) {
    EXPECT_FALSE(has("unpin"));
    click(place("history", 0.5F));
    frame();
    EXPECT_TRUE(has("unpin"));
    click(place("history", 0.5F));
    frame();
    EXPECT_FALSE(has("unpin")) << "a second click lets go";
    drag(place("history", 0.6F), place("history", 0.5F));
    frame();
    EXPECT_FALSE(has("unpin")) << "a drag is no click";
    click(place("history", 0.002F));
    frame();
    ASSERT_TRUE(has("unpin"));
    // The oldest shown lies 600 back; stepping past the edge takes the window along.
    run(300);
    for (int i = 0; i < 700; ++i) press(GLFW_KEY_LEFT);
    EXPECT_EQ(epoch_shown(), 0U);
    for (int i = 0; i < 900; ++i) press(GLFW_KEY_RIGHT);
    EXPECT_EQ(epoch_shown(), 1U);
    press(GLFW_KEY_ESCAPE);
    EXPECT_FALSE(has("unpin"));
}

TEST_F(TimelineViewTest, WhatIsGoneIsForgotten) {
    click(place("history", 0.5F));
    frame();
    ASSERT_TRUE(has("unpin"));
    machine_.timeline.clear();
    run(100);
    EXPECT_FALSE(has("unpin"));
    experiments::Timeline empty;
    machine_.view.timings.timeline = &empty;
    frame();
    press(GLFW_KEY_LEFT);
    EXPECT_TRUE(press(GLFW_KEY_K).keep_as_ghost.empty());
    machine_.view.timings.timeline = nullptr;
    press(GLFW_KEY_H);
    frame();
}

TEST_F(TimelineViewTest, AGhostIsTypedAndDropped) {
    click(place("ghost file"));
    ImGui::GetIO().AddInputCharactersUTF8("runs/a.csv");
    frame();
    EXPECT_TRUE(machine_.settings.window.ghost.empty()) << "no half-typed file is tried";
    press(GLFW_KEY_ENTER);
    frame();
    EXPECT_EQ(machine_.settings.window.ghost, "runs/a.csv");
    frame();
    click(place("drop"));
    EXPECT_TRUE(machine_.settings.window.ghost.empty());
}

TEST_F(TimelineViewTest, WhatTheDriverSaysOfTheGpuStandsBelowWhereItIsKnown) {
    const auto shown_with = [this](std::shared_ptr<const nvml::Reading> reading) {
        machine_.view.machine.gpu_reading = std::move(reading);
        frame();
        return has("gpu now");
    };
    const auto made = [](const nvml::Reading& reading) {
        return std::make_shared<const nvml::Reading>(reading);
    };
    const ImVec2 before = place("history");
    EXPECT_TRUE(shown_with(made(made_up::hot_reading())));
    EXPECT_TRUE(shown_with(made({.temperature_c = 43, .unknown = "The rest is not known."})));
    EXPECT_FALSE(shown_with(made(made_up::no_reading())));
    EXPECT_GT(place("history").y, before.y) << "its room goes to the plot";
    EXPECT_FALSE(shown_with(nullptr));
    window_ = {1024, 400};
    EXPECT_FALSE(shown_with(made(made_up::hot_reading()))) << "no room";
}

TEST_F(TimelineViewTest, EverythingIsDrawnInEverySizeWithWhateverData) {
    experiments::SavedRun ghost{.name = "a.csv",
                                .algorithm = "cub_select",
                                .total_us = std::vector<float>(900, 12.0F),
                                .us = {.median = 12, .q1 = 11, .q3 = 13, .min = 10, .max = 14, .n = 900}};
    experiments::FrameSample broken;
    broken.phase_us.fill(std::numeric_limits<float>::quiet_NaN());
    broken.num_phases = 3;
    broken.total_us = std::numeric_limits<float>::infinity();
    broken.algorithm = machine_.view.runs.a.algorithm;
    for (const gl::PixelSize size : {gl::PixelSize{1, 1}, gl::PixelSize{400, 300}, gl::PixelSize{1024, 640},
                                     gl::PixelSize{2560, 1440}}) {
        window_ = size;
        for (const bool logarithmic : {false, true}) {
            machine_.settings.window.timeline_log = logarithmic;
            machine_.view.display.plain_plots = !machine_.view.display.plain_plots;
            machine_.view.timings.ghost = machine_.view.timings.ghost ? nullptr : &ghost;
            machine_.view.machine.gpu_reading = std::make_shared<const nvml::Reading>(
                logarithmic ? made_up::hot_reading() : made_up::no_reading());
            machine_.timeline.push(broken);
            frame();
            ghost.us.q3 = ghost.us.q3 * 100;  // far above
            frame();
            machine_.timeline.push({});
            frame();
        }
    }
}

TEST_F(TimelineViewTest, InASmallWindowTheToolbarGivesWayAndThePlotKeepsItsAxes) {
    EXPECT_TRUE(has("ghost file"));
    interface_.emplace(2.0F, Theme::dark);
    window_ = {1024, 640};
    frame();
    ASSERT_TRUE(has("history"));
    const std::array<float, 4> plot = nlohmann::json::parse(interface_->control_map())["history"];
    EXPECT_GE(plot[3], 48) << "the data are high enough for two labels of their axis";
    EXPECT_TRUE(has("hold")) << "the first row stays";
    EXPECT_FALSE(has("ghost file"));
    press(GLFW_KEY_L, false, true);
    EXPECT_TRUE(machine_.settings.window.timeline_log) << "what is left out has a key";
}

}  // namespace
}  // namespace warpsieve
