// Keys, buttons, tabs, mouse and splitters, and every size and state that the window can be in.
#include <algorithm>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "app/panels/presentation.hpp"
#include "app/panels/shortcuts.hpp"
#include "app/panels/view_panel.hpp"
#include "tests/app/panels/drawn_text.hpp"
#include "tests/app/panels/interface_fixture.hpp"

namespace warpsieve {
namespace {

TEST(Tabs, AreThoseThatTheSettingsName) {
    std::vector<std::string_view> ids;
    for (const panels::ViewType& tab : panels::tabs()) ids.push_back(tab.id);
    EXPECT_TRUE(std::ranges::equal(ids, tab_ids));
}

TEST_F(InterfaceTest, EveryKeyDoesWhatTheListSays) {
    Settings& settings = machine_.settings;
    EXPECT_TRUE(press(GLFW_KEY_F12).capture);
    EXPECT_TRUE(press(GLFW_KEY_F12, false, true).capture_plot);
    EXPECT_TRUE(press(GLFW_KEY_F12, true).toggle_recording);
    EXPECT_TRUE(press(GLFW_KEY_R).reset_scene);
    EXPECT_FALSE(press(GLFW_KEY_Q).quit) << "a slip of a finger must not end what was measured";
    EXPECT_TRUE(press(GLFW_KEY_Q, true).quit);
    press(GLFW_KEY_SPACE);
    EXPECT_TRUE(settings.run.paused);
    press(GLFW_KEY_SPACE);
    EXPECT_TRUE(type(".").single_step);
    EXPECT_TRUE(settings.run.paused);
    const std::uint64_t slots = settings.run.slots;
    type("]");
    EXPECT_EQ(settings.run.slots, slots * 2);
    type("[");
    EXPECT_EQ(settings.run.slots, slots);
    type("-");
    EXPECT_NEAR(settings.run.live_fraction, 0.45F, 1e-5F);
    type("=");
    EXPECT_NEAR(settings.run.live_fraction, 0.5F, 1e-5F);
    for (const std::uint32_t expected : {2U, 4U, 8U, 16U, 32U, 64U, 1U}) {
        press(GLFW_KEY_I);
        EXPECT_EQ(settings.run.iterations, expected);
    }
    press(GLFW_KEY_C);
    EXPECT_FALSE(settings.run.check);
    press(GLFW_KEY_L);
    EXPECT_EQ(settings.window.theme, Theme::light);
    press(GLFW_KEY_EQUAL, true);
    EXPECT_FLOAT_EQ(settings.window.scale, 1.25F);
    press(GLFW_KEY_KP_SUBTRACT, true);
    EXPECT_FLOAT_EQ(settings.window.scale, 1.0F);
    press(GLFW_KEY_MINUS, true);
    EXPECT_FLOAT_EQ(settings.window.scale, 1.0F);
    // The list names each key once.
    std::map<std::string, int> listed;
    for (const panels::Shortcut& shortcut : panels::shortcuts()) {
        EXPECT_EQ(++listed[shortcut.keys], 1) << shortcut.keys;
        EXPECT_LE(shortcut.action.size(), 40U) << shortcut.action << " runs into the next column of the list";
    }
}

TEST_F(InterfaceTest, ButtonsAskForWhatTheySay) {
    window_ = {1280, 1000};  // all controls without scrolling
    frame();
    EXPECT_TRUE(click(point_of("window")).capture);
    click(point_of("plots on: dark"));
    EXPECT_EQ(machine_.settings.window.plot_theme, Theme::dark);
    EXPECT_TRUE(click(point_of("reset")).reset_scene);
    EXPECT_TRUE(click(point_of("reset statistics")).clear_timings);
    click(point_of("pause"));
    EXPECT_TRUE(machine_.settings.run.paused);
    click(point_of("theme: light"));
    EXPECT_EQ(machine_.settings.window.theme, Theme::light);
    click(point_of("UI scale: 150"));
    EXPECT_FLOAT_EQ(machine_.settings.window.scale, 1.5F);
}

TEST_F(InterfaceTest, WordsOfButtonsFitAtEveryScale) {
    machine_.settings.window.tab = lens_tab;
    for (const float scale : {1.0F, 1.5F, 2.0F}) {
        interface_->set_style(scale, Theme::dark);
        window_ = {1280, 1800};  // as narrow as a small window, and high enough for all controls
        frame();
        const auto map = nlohmann::json::parse(interface_->control_map());
        for (const char* label :
             {"swap", "A to B", "B to A", "pause", "step", "reset", "window", "plot", "record"}) {
            ASSERT_TRUE(map.contains(label)) << label;
            const float width = map[label][2];
            EXPECT_GE(width, ImGui::GetFont()->CalcTextSizeA(ImGui::GetFont()->FontSize, FLT_MAX, 0, label).x)
                << label << " at " << scale;
        }
    }
}

TEST_F(InterfaceTest, AnEmptyViewSaysWhy) {
    machine_.settings.run.source = "synthetic";
    for (const auto& [pattern, empty] :
         {std::pair{workloads::Pattern::empty, true}, std::pair{workloads::Pattern::first_only, true},
          std::pair{workloads::Pattern::last_only, true}, std::pair{workloads::Pattern::random, false}}) {
        machine_.settings.run.pattern = pattern;
        for (const char* tab : {"particles", "slot_map", "lens"}) {
            machine_.settings.window.tab = tab;
            machine_.settings.window.lens_mode = LensMode::particles;
            frame();
            frame();
            EXPECT_EQ(has_control("nothing to see"), empty) << static_cast<int>(pattern) << ' ' << tab;
        }
    }
    machine_.settings.run.live_fraction = 0;
    frame();
    frame();
    EXPECT_TRUE(has_control("nothing to see"));
}

TEST_F(InterfaceTest, TheMouseTurnsAndZoomsTheView) {
    frame();
    ImGuiIO& io = ImGui::GetIO();
    const ImVec2 middle = point_of("view");
    io.MousePos = middle;
    frame();
    io.MouseWheel = 1;
    EXPECT_LT(frame().camera.zoom, 1);
    io.MouseDown[0] = true;
    frame();
    io.MousePos = {middle.x + 40, middle.y + 10};
    const Requests dragged = frame();
    EXPECT_NE(dragged.camera.azimuth, 0);
    EXPECT_NE(dragged.camera.elevation, 0);
    io.MouseDown[0] = false;
    frame();
    // Over a panel the mouse belongs to the panel.
    io.MousePos = point_of("slots");
    frame();
    io.MouseWheel = 1;
    EXPECT_EQ(frame().camera.zoom, 1);
}

TEST_F(InterfaceTest, MAndTheButtonsChooseWhatTheParticlesShow) {
    const ParticlesMode& mode = machine_.settings.window.particles_mode;
    frame();
    EXPECT_EQ(mode, ParticlesMode::sparse_dense);
    press(GLFW_KEY_M);
    EXPECT_EQ(mode, ParticlesMode::output_alone);
    click(point_of("sparse and dense"));
    EXPECT_EQ(mode, ParticlesMode::sparse_dense);
    click(point_of("output alone"));
    EXPECT_EQ(mode, ParticlesMode::output_alone);
    // In other views the key means something else.
    type("2");
    press(GLFW_KEY_M);
    EXPECT_EQ(mode, ParticlesMode::output_alone);
}

TEST_F(InterfaceTest, ThePresentationHasNoPanelsAndRestoresWhatItChanged) {
    Settings& settings = machine_.settings;
    type("2");
    frame();
    const Settings before = settings;
    press(GLFW_KEY_F11);
    frame();
    EXPECT_TRUE(interface_->presents());
    EXPECT_EQ(interface_->scene_rectangle(window_, settings).width, window_.width);
    EXPECT_TRUE(has_control("presentation"));
    EXPECT_FALSE(has_control("slots")) << "a panel";
    // Source and algorithm change by themselves.
    machine_.snapshot.display.now_s += panels::change_interval_s;
    frame();
    EXPECT_NE(settings.run.source, before.run.source);
    EXPECT_NE(settings.run.a.algorithm, before.run.a.algorithm);
    EXPECT_EQ(interface_->user_settings(settings), before) << "what a killed program leaves";
    press(GLFW_KEY_ESCAPE);
    EXPECT_FALSE(interface_->presents());
    EXPECT_EQ(settings, before);
    frame();
    EXPECT_TRUE(has_control("slots"));
    press(GLFW_KEY_F11);
    press(GLFW_KEY_F11);
    EXPECT_FALSE(interface_->presents());
    EXPECT_EQ(settings, before);
}

TEST_F(InterfaceTest, SplittersAreDraggedWithinLimitsAndPutBack) {
    frame();
    const ImVec2 at = point_of("controls splitter");
    drag(at, {at.x + 60, at.y});
    EXPECT_NEAR(machine_.settings.window.controls_width, 400, 1);
    frame();
    drag(point_of("controls splitter"), {1270, at.y});
    EXPECT_LE(machine_.settings.window.controls_width, 0.5F * 1280);
    const ImVec2 timings = point_of("timings splitter");
    drag(timings, {timings.x, timings.y - 50});
    EXPECT_NEAR(machine_.settings.window.timings_height, 270, 1);
    frame();
    const ImVec2 moved = point_of("controls splitter");
    click(moved);
    click(moved);
    EXPECT_EQ(machine_.settings.window.controls_width, Settings{}.window.controls_width);
}

TEST_F(InterfaceTest, EverySizeAndStateIsBuilt) {
    Snapshot& snapshot = machine_.snapshot;
    for (const gl::PixelSize size : {gl::PixelSize{1, 1}, gl::PixelSize{320, 200}, gl::PixelSize{1024, 640},
                                     gl::PixelSize{2560, 1440}}) {
        for (const float scale : {1.0F, 1.5F, 2.0F}) {
            window_ = size;
            interface_->set_style(scale, Theme::light);
            for (const bool plain : {false, true}) {
                snapshot.display.plain_plots = plain;
                frame();
                frame();
            }
        }
    }
    window_ = {1280, 720};
    machine_.timeline.clear();
    machine_.figures->a.rows.clear();
    frame();
    // Times that are not finite.
    experiments::FrameSample broken;
    broken.algorithm = snapshot.runs.a.algorithm;
    broken.num_phases = 3;
    broken.phase_us.fill(std::numeric_limits<float>::quiet_NaN());
    broken.total_us = std::numeric_limits<float>::infinity();
    machine_.timeline.push(broken);
    frame();
    machine_.timeline.push({});
    frame();
    snapshot.timings.timeline = nullptr;
    snapshot.runs.a.algorithm = nullptr;
    frame();
}

TEST_F(InterfaceTest, EveryTabIsShownByItsKeyAndByTheMouse) {
    for (const panels::ViewType& tab : panels::tabs()) {
        type(std::string(1, tab.key).c_str());
        EXPECT_EQ(machine_.settings.window.tab, tab.id);
    }
    frame();
    for (const panels::ViewType& tab : panels::tabs()) {
        click(point_of("tab: " + std::string(tab.id)));
        EXPECT_EQ(machine_.settings.window.tab, tab.id);
    }
    machine_.settings.window.tab = "one of a later version";
    frame();
    EXPECT_EQ(&panels::current_tab(machine_.settings), &panels::tabs().front());
}

TEST_F(InterfaceTest, TimingsMakeRoomForTheView) {
    frame();
    const auto height_of_view = [this] {
        return nlohmann::json::parse(interface_->control_map())["view"][3];
    };
    const int before = height_of_view();
    press(GLFW_KEY_T);
    EXPECT_GT(height_of_view(), before + 200);
    press(GLFW_KEY_T);
    EXPECT_EQ(height_of_view(), before);
}

TEST_F(InterfaceTest, TheFocusedPlotIsTheOneTheMouseWasOver) {
    frame();
    ASSERT_NE(interface_->focused_plot(), nullptr);
    ImGui::GetIO().MousePos = point_of("plot: timings");
    frame();
    ImGui::GetIO().MousePos = point_of("slots");
    frame();
    ASSERT_NE(interface_->focused_plot(), nullptr);
    EXPECT_EQ(interface_->focused_plot()->name, "timings");
    press(GLFW_KEY_T);
    frame();
    const panels::PlotArea* without = interface_->focused_plot();
    EXPECT_TRUE(!without || without->name != "timings") << "what is not shown cannot be taken";
}

TEST_F(InterfaceTest, APictureIsBuiltWithoutTouchingTheWindow) {
    frame();
    const std::string before = interface_->control_map();
    const Settings settings = machine_.settings;
    interface_->set_style(2.0F, Theme::light);
    ImGuiIO& io = ImGui::GetIO();
    io.DisplaySize = {2560, 1440};
    ImGui::NewFrame();
    const auto plot = interface_->build_picture(machine_.snapshot, machine_.settings, {2560, 1440});
    ImGui::Render();
    ASSERT_TRUE(plot);
    EXPECT_GT(plot->high.x - plot->low.x, 400);
    EXPECT_EQ(interface_->control_map(), before);
    EXPECT_EQ(machine_.settings, settings);
}

TEST_F(InterfaceTest, ATableIsCopiedAsText) {
    frame();
    ImGui::GetIO().MousePos = point_of("table: timings");
    frame();
    EXPECT_NE(press(GLFW_KEY_C, true).notice, "");
    EXPECT_TRUE(machine_.settings.run.check) << "Ctrl+C is not C";
    const std::string markdown = ImGui::GetClipboardText();
    EXPECT_NE(markdown.find("| us | median |"), std::string::npos) << markdown;
    EXPECT_NE(markdown.find("| total |"), std::string::npos) << markdown;
    press(GLFW_KEY_C, true, true);
    const std::string csv = ImGui::GetClipboardText();
    EXPECT_TRUE(csv.starts_with("us,median,q1,q3,min,n,")) << csv;
    EXPECT_NE(csv.find("\ntotal,"), std::string::npos) << csv;
}

TEST_F(InterfaceTest, LowTimingsKeepTheTotal) {
    machine_.settings.window.timings_height = 60;
    for (int i = 0; i < 3; ++i) frame();
    // Without "total" of the plot.
    const std::string text = drawn::all_text();
    const std::string table = text.substr(std::min(text.find("25%75%"), text.size()));
    EXPECT_EQ(table.find("between"), std::string::npos) << "not every row fits: " << table;
    EXPECT_NE(table.find("total"), std::string::npos) << table;
}

TEST_F(InterfaceTest, ASimulatedGpuShowsStepsAndAccessesWhereTimesWouldBe) {
    fake::simulate(machine_);
    trace::AccessCounts counts{7, 4096, 5'432, {}};
    for (const compaction::Phase& phase : machine_.snapshot.runs.a.algorithm->phases) {
        counts.phases.push_back({});
        counts.phases.back() = {phase.name, phase.role, 1'000, 2'234, 1'212, 343, 0, 65'536, 4'096};
    }
    frame();
    EXPECT_NE(drawn::all_text().find("Countingtheloads"), std::string::npos) << drawn::all_text();
    machine_.snapshot.runs.a.accesses = fake::unowned(counts);
    frame();
    for (const char* expected : {"Stepsofacompaction", "1,234steps", "1,212", "5,432", "seed7"})
        EXPECT_NE(drawn::all_text().find(expected), std::string::npos) << expected << drawn::all_text();
}

TEST_F(InterfaceTest, IsWrittenAsSvgWithTextAsText) {
    machine_.snapshot.display.plain_plots = true;
    frame();
    const std::string svg =
        interface_->svg_document(interface_->svg_elements({0, 0}, {1280, 720}, 0), {1280, 720}, 2);
    EXPECT_TRUE(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"640\" height=\"360\""));
    // Spaces have no glyphs: the places of the letters leave room for them.
    EXPECT_NE(svg.find(">Timeofacompaction</text>"), std::string::npos);
    EXPECT_NE(svg.find("font-family=\"JetBrains Mono"), std::string::npos);
    EXPECT_NE(svg.find("<path fill="), std::string::npos);
    const auto count = [&svg](const std::string& text) {
        std::size_t found = 0;
        for (std::size_t at = svg.find(text); at != std::string::npos; at = svg.find(text, at + 1)) ++found;
        return found;
    };
    EXPECT_EQ(count("<g "), count("</g>"));
    EXPECT_EQ(count("<text "), count("</text>"));
    EXPECT_EQ(count("<clipPath "), count("<g "));
}

TEST_F(InterfaceTest, AReplayShowsTheRecordedMedians) {
    window_ = {1600, 900};
    frame();
    EXPECT_EQ(drawn::all_text().find("recorded"), std::string::npos);
    const RecordedFigures recorded{.file = "run.png",
                                   .device = "other",
                                   .algorithm = "cub_select",
                                   .num_kept = 1,
                                   .kept_at_s = {},
                                   .rows = {{"total", {.median = 123, .q1 = 122, .q3 = 124, .n = 9}}}};
    machine_.snapshot.recorded = &recorded;
    frame();
    EXPECT_NE(drawn::all_text().find("recorded"), std::string::npos);
    EXPECT_NE(drawn::all_text().find("123"), std::string::npos) << drawn::all_text();
}

}  // namespace
}  // namespace warpsieve
