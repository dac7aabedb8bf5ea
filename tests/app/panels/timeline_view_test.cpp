// The timeline view without a window: what it shows, what is kept as a ghost, and every size and state.
#include <array>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "tests/app/panels/drawn_text.hpp"
#include "tests/app/panels/timeline_fixture.hpp"

namespace warpsieve {
namespace {

TEST_F(TimelineViewTest, KeepsTheFramesUnderTheNewestSettingsAsGhost) {
    run(50);
    const auto [frames, frames_b] = press(GLFW_KEY_K).keep_as_ghost;
    ASSERT_EQ(frames.size(), 50U);
    for (const experiments::FrameSample& sample : frames) EXPECT_EQ(sample.config_epoch, 1U);
    EXPECT_EQ(frames.back().frame, machine_.snapshot.display.frame - 1);
    EXPECT_TRUE(frames_b.empty()) << "there is no B";
    machine_.settings.window.tab = "particles";
    EXPECT_TRUE(press(GLFW_KEY_K).keep_as_ghost.front().empty()) << "its keys are for the view alone";
}

TEST_F(TimelineViewTest, KeepsTheFramesOfBWithThoseOfA) {
    run(50);
    const auto of_b = std::make_shared<experiments::Timeline>();
    for (std::uint32_t epoch = 3; epoch < 5; ++epoch) {
        experiments::FrameSample sample = machine_.timeline[machine_.timeline.size() - 1];
        sample.config_epoch = epoch;
        of_b->push(sample);
    }
    machine_.snapshot.timings.timeline_b = of_b;
    const experiments::FrameLogs frames = press(GLFW_KEY_K).keep_as_ghost;
    EXPECT_EQ(frames[0].size(), 50U);
    ASSERT_EQ(frames[1].size(), 1U) << "those under B's newest settings";
    EXPECT_EQ(frames[1].back().config_epoch, 4U);
}

/// A picture of the last frame shows the figures of the run so far, however short it was.
TEST_F(TimelineViewTest, TheFiguresAreThoseOfTheFrameThatWritesThem) {
    run(50);
    EXPECT_NE(drawn::all_text().find("n50"), std::string::npos) << drawn::all_text();
    run(70);
    machine_.figures->a.num_kept = 7'654'321;
    frame();
    EXPECT_NE(drawn::all_text().find("n70"), std::string::npos) << drawn::all_text();
    EXPECT_NE(drawn::all_text().find("7,654,321kept"), std::string::npos) << drawn::all_text();
    --machine_.snapshot.display.figures_serial;  // this frame writes no figures
    machine_.snapshot.runs.a.num_kept = 1'234'567;
    frame();
    EXPECT_NE(drawn::all_text().find("7,654,321kept"), std::string::npos) << drawn::all_text();
}

TEST_F(TimelineViewTest, KeepsWhatTheControlsShowWhereverItIsScrolledTo) {
    run(700);
    for (int i = 0; i < 3; ++i) drag(point_of("history", 0.1F), point_of("history", 0.9F));
    ASSERT_EQ(epoch_shown(), 0U);
    for (const bool held : {false, true}) {
        if (held) press(GLFW_KEY_H);
        run(20);
        const experiments::FrameLogs frames = press(GLFW_KEY_K).keep_as_ghost;
        ASSERT_EQ(frames[0].size(), 20U);
        EXPECT_EQ(frames[0].back().config_epoch, config_epoch_);
    }
}

TEST_F(TimelineViewTest, TheSamePlotStandsOnce) {
    EXPECT_FALSE(has_control("timings plot"));
    machine_.settings.window.timeline_mode = TimelineMode::inside;
    frame();
    EXPECT_TRUE(has_control("timings plot")) << "the inside of one compaction is another plot";
    machine_.settings.window.tab = "particles";
    frame();
    EXPECT_TRUE(has_control("timings plot"));
}

TEST_F(TimelineViewTest, WhatIsGoneIsForgotten) {
    click(point_of("history", 0.5F));
    frame();
    ASSERT_TRUE(has_control("unpin"));
    machine_.timeline.clear();
    run(100);
    EXPECT_FALSE(has_control("unpin"));
    experiments::Timeline empty;
    machine_.snapshot.timings.timeline = fake::unowned(empty);
    frame();
    press(GLFW_KEY_LEFT);
    EXPECT_TRUE(press(GLFW_KEY_K).keep_as_ghost.front().empty());
    machine_.snapshot.timings.timeline = nullptr;
    press(GLFW_KEY_H);
    frame();
}

TEST_F(TimelineViewTest, AGhostIsTypedAndDropped) {
    click(point_of("ghost file"));
    ImGui::GetIO().AddInputCharactersUTF8("runs/a.csv");
    frame();
    EXPECT_TRUE(machine_.settings.window.ghost.empty()) << "no half-typed file is tried";
    press(GLFW_KEY_ENTER);
    frame();
    EXPECT_EQ(machine_.settings.window.ghost, "runs/a.csv");
    frame();
    click(point_of("drop"));
    EXPECT_TRUE(machine_.settings.window.ghost.empty());
}

TEST_F(TimelineViewTest, WhatTheDriverSaysOfTheGpuStandsBelowWhereItIsKnown) {
    const auto shown_with = [this](std::shared_ptr<const nvml::Reading> reading) {
        machine_.snapshot.machine.gpu_reading = std::move(reading);
        frame();
        return has_control("gpu now");
    };
    const auto made = [](const nvml::Reading& reading) {
        return std::make_shared<const nvml::Reading>(reading);
    };
    const ImVec2 before = point_of("history");
    EXPECT_TRUE(shown_with(made(fake::hot_reading())));
    EXPECT_TRUE(shown_with(made({.temperature_c = 43, .unknown = "The rest is not known."})));
    EXPECT_FALSE(shown_with(made(fake::no_reading())));
    EXPECT_GT(point_of("history").y, before.y) << "its room goes to the plot";
    EXPECT_FALSE(shown_with(nullptr));
    window_ = {1024, 400};
    EXPECT_FALSE(shown_with(made(fake::hot_reading()))) << "no room";
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
    broken.algorithm = machine_.snapshot.runs.a.algorithm;
    for (const gl::PixelSize size : {gl::PixelSize{1, 1}, gl::PixelSize{400, 300}, gl::PixelSize{1024, 640},
                                     gl::PixelSize{2560, 1440}}) {
        window_ = size;
        for (const bool logarithmic : {false, true}) {
            machine_.settings.window.timeline_log = logarithmic;
            machine_.snapshot.display.plain_plots = !machine_.snapshot.display.plain_plots;
            machine_.snapshot.timings.ghost = machine_.snapshot.timings.ghost ? nullptr : &ghost;
            machine_.snapshot.machine.gpu_reading =
                std::make_shared<const nvml::Reading>(logarithmic ? fake::hot_reading() : fake::no_reading());
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
    EXPECT_TRUE(has_control("ghost file"));
    interface_.emplace(2.0F, Theme::dark);
    window_ = {1024, 640};
    frame();
    ASSERT_TRUE(has_control("history"));
    const std::array<float, 4> plot = nlohmann::json::parse(interface_->control_map())["history"];
    EXPECT_GE(plot[3], 48) << "the data are high enough for two labels of their axis";
    EXPECT_TRUE(has_control("hold")) << "the first row stays";
    EXPECT_FALSE(has_control("ghost file"));
    press(GLFW_KEY_L, false, true);
    EXPECT_TRUE(machine_.settings.window.timeline_log) << "what is left out has a key";
}

TEST_F(TimelineViewTest, InALowWindowTheStripsGiveWayToThePlot) {
    for (const float scale : {1.0F, 1.5F, 2.0F}) {
        interface_.emplace(scale, Theme::dark);
        int heights_with_strip = 0;
        for (int height = static_cast<int>(320 * scale); height <= 1200; height += 40) {
            window_ = {1280, height};
            frame();
            EXPECT_TRUE(has_control("history")) << height << " pixels at " << scale;
            heights_with_strip += has_control("overview") ? 1 : 0;
        }
        EXPECT_GT(heights_with_strip, 0) << scale;
    }
}

}  // namespace
}  // namespace warpsieve
