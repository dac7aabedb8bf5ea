// The timeline's plot under the mouse: ranges, its menu, its axes and legend, and pinned frames.
#include <algorithm>
#include <string>

#include "tests/app/panels/drawn_text.hpp"
#include "tests/app/panels/timeline_fixture.hpp"

namespace warpsieve {
namespace {

TEST_F(TimelineViewTest, ShiftDragSelectsARange) {
    ImGui::GetIO().KeyShift = true;
    drag(point_of("history", 0.25F), point_of("history", 0.75F));
    ImGui::GetIO().KeyShift = false;
    frame();
    ASSERT_TRUE(has_control("range"));
    const auto exported = [this] {
        right_click(point_of("history"));
        ImGui::GetIO().MousePos = point_of("Export CSV");
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
    EXPECT_FALSE(has_control("range"));
    EXPECT_EQ(exported(), 601) << "the visible frames";
}

TEST_F(TimelineViewTest, TheMenuOfTheRightButtonFitsAndCopies) {
    const auto choose = [this](const char* entry) {
        right_click(point_of("history"));
        return click(point_of(entry));
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
    EXPECT_FALSE(has_control("Fit usual frames")) << "the menu closes";
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
            ImGui::GetIO().MousePos = point_of(plot);
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
    click(point_of("series: prefix"));
    frame();
    EXPECT_TRUE(has_control("hidden: prefix"));
    EXPECT_FALSE(has_control("hidden: count"));
    click(point_of("series: prefix"));
    frame();
    EXPECT_FALSE(has_control("hidden: prefix"));
    const auto shift_click = [this] {
        ImGui::GetIO().KeyShift = true;
        click(point_of("series: count"));
        ImGui::GetIO().KeyShift = false;
        frame();
    };
    shift_click();
    EXPECT_FALSE(has_control("hidden: count"));
    for (const char* other : {"hidden: prefix", "hidden: move", "hidden: total"})
        EXPECT_TRUE(has_control(other)) << other;
    shift_click();
    EXPECT_FALSE(has_control("hidden: prefix"));
}

TEST_F(TimelineViewTest, AClickPinsAFrameAndArrowsGoFromThere) {
    EXPECT_FALSE(has_control("unpin"));
    click(point_of("history", 0.5F));
    frame();
    EXPECT_TRUE(has_control("unpin"));
    click(point_of("history", 0.5F));
    frame();
    EXPECT_FALSE(has_control("unpin")) << "a second click lets go";
    drag(point_of("history", 0.6F), point_of("history", 0.5F));
    frame();
    EXPECT_FALSE(has_control("unpin")) << "a drag is no click";
    click(point_of("history", 0.004F));
    frame();
    ASSERT_TRUE(has_control("unpin"));
    // The oldest shown lies 600 back; stepping past the edge takes the window along.
    run(300);
    for (int i = 0; i < 700; ++i) press(GLFW_KEY_LEFT);
    EXPECT_EQ(epoch_shown(), 0U);
    for (int i = 0; i < 900; ++i) press(GLFW_KEY_RIGHT);
    EXPECT_EQ(epoch_shown(), 1U);
    press(GLFW_KEY_ESCAPE);
    EXPECT_FALSE(has_control("unpin"));
}

TEST_F(TimelineViewTest, EscGivesUpThePinnedFrameThenTheTourThenTheRange) {
    ImGui::GetIO().KeyShift = true;
    drag(point_of("history", 0.25F), point_of("history", 0.75F));
    ImGui::GetIO().KeyShift = false;
    click(point_of("history", 0.9F));
    frame();
    ASSERT_TRUE(has_control("range"));
    ASSERT_TRUE(has_control("unpin"));
    const Settings before = machine_.settings;
    press(GLFW_KEY_F2);
    frame();
    ASSERT_TRUE(has_control("tour: 1"));

    EXPECT_FALSE(press(GLFW_KEY_ESCAPE).leave_tour);
    frame();
    EXPECT_TRUE(has_control("tour: 1")) << "the pinned frame goes first";
    EXPECT_TRUE(press(GLFW_KEY_ESCAPE).leave_tour);
    frame();
    frame();
    EXPECT_FALSE(has_control("tour: 1"));
    EXPECT_EQ(machine_.settings, before);
    EXPECT_FALSE(has_control("unpin"));
    ASSERT_TRUE(has_control("range")) << "the tour covers the selection";
    press(GLFW_KEY_ESCAPE);
    frame();
    EXPECT_FALSE(has_control("range"));
}

}  // namespace
}  // namespace warpsieve
