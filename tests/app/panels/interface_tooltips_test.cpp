// Tooltips: where they are placed, and when they appear and go.
#include <imgui_internal.h>

#include <algorithm>
#include <string>

#include "app/panels/timings_panel.hpp"
#include "app/panels/tooltips.hpp"
#include "tests/app/panels/interface_fixture.hpp"

namespace warpsieve {
namespace {

TEST_F(InterfaceTest, ATooltipDoesNotComeBackAfterAClick) {
    const auto tooltip_after = [&](int frames) {
        for (int i = 0; i < frames; ++i) frame();
        const ImGuiWindow* tooltip = ImGui::FindWindowByName("##Tooltip_00");
        return tooltip && tooltip->Active && !tooltip->Hidden;
    };
    frame();
    ImGui::GetIO().MousePos = point_of("pause");
    EXPECT_TRUE(tooltip_after(60));
    click(point_of("pause"));
    EXPECT_FALSE(tooltip_after(90));
    ImGui::GetIO().MousePos = point_of("step");
    EXPECT_TRUE(tooltip_after(60)) << "another control";
    ImGui::GetIO().MousePos = point_of("resume");
    EXPECT_TRUE(tooltip_after(60)) << "the mouse has left it since";

    ImGui::GetIO().MousePos = point_of("algorithm");
    EXPECT_TRUE(tooltip_after(60));
    click(point_of("algorithm"));  // opens its menu
    for (int i = 0; i < 30; ++i) frame();
    press(GLFW_KEY_ESCAPE);
    EXPECT_FALSE(has_control("algorithm: cub_select")) << "the menu is closed";
    EXPECT_FALSE(tooltip_after(90)) << "after a menu";
}

TEST_F(InterfaceTest, ATooltipCoversNeitherItsControlNorWhatIsNearIt) {
    frame();
    ImGuiIO& io = ImGui::GetIO();
    const auto rect_of_tooltip = [&](const std::string& label) {
        io.MousePos = point_of(label);
        for (int i = 0; i < 60; ++i) frame();
        const ImGuiWindow* tooltip = ImGui::FindWindowByName("##Tooltip_00");
        const bool shown = tooltip && tooltip->Active && !tooltip->Hidden;
        EXPECT_TRUE(shown) << label;
        return shown ? tooltip->Rect() : ImRect();
    };
    const ImRect window({0, 0}, io.DisplaySize);
    for (const char* label : {"slots", "engine: CPU", "iterations", "algorithm", "pause"}) {
        const ImRect tooltip = rect_of_tooltip(label);
        EXPECT_GE(tooltip.Min.x, machine_.settings.window.controls_width) << label;
        EXPECT_TRUE(window.Contains(tooltip)) << label;
    }
    const ImVec2 tab = point_of("tab: labs");
    const ImRect below = rect_of_tooltip("tab: labs");
    EXPECT_GT(below.Min.y, tab.y);
    EXPECT_TRUE(window.Contains(below));
    // An open menu is a column too: the entries below the current one stay free.
    click(point_of("source"));
    frame();
    const ImVec2 entry = point_of("source: Galaxy", 1);
    EXPECT_GE(rect_of_tooltip("source: Galaxy").Min.x, entry.x);
}

TEST(Tooltips, GoWhereTheyCoverNothingAndStayInside) {
    const ImVec2 display{1000, 600};
    const ImVec2 size{300, 100};
    const auto placed = [&](ImVec2 low, ImVec2 high, float window_right, ImVec2 mouse) {
        return panels::place_tooltip({low, high, window_right, mouse, display, 6}, size);
    };
    const auto expect = [](ImVec2 at, float x, float y) {
        EXPECT_FLOAT_EQ(at.x, x);
        EXPECT_FLOAT_EQ(at.y, y);
    };
    expect(placed({10, 50}, {330, 70}, 340, {20, 60}), 346, 50);         // beside the panel
    expect(placed({10, 580}, {330, 600}, 340, {20, 590}), 346, 500);     // within the window
    expect(placed({400, 10}, {460, 30}, 1000, {410, 20}), 400, 36);      // below
    expect(placed({900, 10}, {960, 30}, 1000, {910, 20}), 700, 36);      // below, within the window
    expect(placed({350, 10}, {990, 30}, 1000, {600, 20}), 600, 36);      // where along it the mouse is
    expect(placed({400, 580}, {460, 600}, 1000, {410, 590}), 400, 474);  // above
    expect(placed({350, 30}, {650, 590}, 1000, {400, 300}), 656, 30);    // beside the item
    expect(placed({0, 0}, {1000, 600}, 1000, {400, 300}), 400, 318);     // the item is everywhere
    expect(placed({0, 0}, {1000, 600}, 1000, {990, 590}), 700, 484);     // above the mouse
}

TEST_F(InterfaceTest, NoTooltipStandsOverHelpOrPalette) {
    const auto tooltip_after = [&](int frames) {
        for (int i = 0; i < frames; ++i) frame();
        const ImGuiWindow* tooltip = ImGui::FindWindowByName("##Tooltip_00");
        return tooltip && tooltip->Active && !tooltip->Hidden;
    };
    window_ = {1920, 1080};  // wide enough that a control and a plot show beside the help
    frame();
    for (const bool over_plot : {false, true}) {
        ImGui::GetIO().MousePos = over_plot ? point_of("plot: timings", 0.15F) : point_of("algorithm");
        ASSERT_TRUE(tooltip_after(60)) << over_plot;
        press(GLFW_KEY_F1);
        EXPECT_FALSE(tooltip_after(60)) << over_plot;
        press(GLFW_KEY_F1);
        EXPECT_TRUE(tooltip_after(60)) << over_plot << ": it comes back";
        press(GLFW_KEY_P, true);
        EXPECT_FALSE(tooltip_after(60)) << over_plot << ": over the palette";
        press(GLFW_KEY_ESCAPE);
        EXPECT_TRUE(tooltip_after(60)) << over_plot;
    }
}

TEST_F(InterfaceTest, RowsOfTheTimingTableSayWhatTheyMean) {
    compaction::Algorithm algorithm = *machine_.snapshot.runs.a.algorithm;
    ASSERT_GE(algorithm.phases.size(), 2U);
    const auto meaning = [&](TimingRow row) { return panels::meaning_of(algorithm, row); };
    const compaction::Phase& second = algorithm.phases[1];
    TimingRow row;
    row.name = second.name;
    row.role = second.role;
    EXPECT_EQ(meaning(row), second.meaning);
    row.us.median = 2;
    row.hidden_us = 1;
    row.gap_us = 0.5;
    const std::string text = meaning(row);
    EXPECT_NE(text.find("Its grid was resident for 1.00 µs before it could begin: 40"), std::string::npos)
        << text;
    EXPECT_EQ(text.find("of its time is hidden behind " + algorithm.phases[0].name + "."),
              text.find("of its time is hidden behind"))
        << text;
    if (algorithm.phases.size() > 2) {
        EXPECT_NE(text.find(" 0.500 µs pass between its last block and the next phase, measured in at least "
                            "one compaction in eight."),
                  std::string::npos)
            << text;
    }
    for (const TimingRow& each : machine_.figures->a.rows) EXPECT_FALSE(meaning(each).empty()) << each.name;
    const auto speaks_of_cuda = [&] {
        return std::ranges::any_of(machine_.figures->a.rows, [&](const TimingRow& each) {
            return meaning(each).find("CUDA") != std::string::npos;
        });
    };
    algorithm.engine = compaction::EngineId::cuda;
    EXPECT_TRUE(speaks_of_cuda());
    algorithm.engine = compaction::EngineId::cpu;
    EXPECT_FALSE(speaks_of_cuda());
}

}  // namespace
}  // namespace warpsieve
