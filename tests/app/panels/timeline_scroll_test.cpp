// The timeline's history is held, scrolled and zoomed.
#include "tests/app/panels/timeline_fixture.hpp"

namespace warpsieve {
namespace {

TEST_F(TimelineViewTest, HoldsTheHistoryWhileTheSceneGoesOn) {
    press(GLFW_KEY_H);
    run(50);
    EXPECT_EQ(epoch_shown(), 0U);
    EXPECT_FALSE(machine_.settings.run.paused) << "the scene is not what is held";
    press(GLFW_KEY_H);
    EXPECT_EQ(epoch_shown(), 1U);
    click(point_of("hold"));
    run(50);
    EXPECT_EQ(epoch_shown(), 1U);
    click(point_of("live"));
    EXPECT_EQ(epoch_shown(), 2U);
}

TEST_F(TimelineViewTest, IsDraggedBackAndReturnsToTheNewest) {
    run(700);
    EXPECT_EQ(epoch_shown(), 1U);
    drag(point_of("history", 0.05F), point_of("history", 0.95F));
    EXPECT_EQ(epoch_shown(), 1U) << "540 of 600 frames back, still within the 700";
    drag(point_of("history", 0.05F), point_of("history", 0.95F));
    EXPECT_EQ(epoch_shown(), 0U);
    run(10);
    EXPECT_EQ(epoch_shown(), 0U) << "what is looked at stays";
    press(GLFW_KEY_END);
    EXPECT_EQ(epoch_shown(), 2U);
    // Not past the newest, nor past the oldest.
    drag(point_of("history", 0.95F), point_of("history", 0.05F));
    EXPECT_EQ(epoch_shown(), 2U);
    for (int i = 0; i < 6; ++i) drag(point_of("history", 0.05F), point_of("history", 0.95F));
    EXPECT_EQ(epoch_shown(), 0U);
    for (int i = 0; i < 6; ++i) drag(point_of("history", 0.95F), point_of("history", 0.05F));
    EXPECT_EQ(epoch_shown(), 2U) << "dragged back to the newest, it follows again";
    run(5);
    EXPECT_EQ(epoch_shown(), 3U);
}

TEST_F(TimelineViewTest, ScrollingBackHoldsTheHistory) {
    run(700);
    drag(point_of("history", 0.05F), point_of("history", 0.95F));
    for (int i = 0; i < 8; ++i) run(1'000);
    EXPECT_EQ(epoch_shown(), 1U) << "although the live history has overwritten these frames";
    press(GLFW_KEY_H);
    EXPECT_EQ(epoch_shown(), 9U) << "the hold is lit, so its key lets go";
}

TEST_F(TimelineViewTest, TheWheelZoomsWithinTheHistory) {
    ASSERT_EQ(machine_.settings.window.timeline_frames, 600U);
    turn_wheel(point_of("history"), 1);
    EXPECT_EQ(machine_.settings.window.timeline_frames, 480U);
    turn_wheel(point_of("history"), -40);
    EXPECT_EQ(machine_.settings.window.timeline_frames, 6'000U);
    turn_wheel(point_of("history"), 80);
    EXPECT_EQ(machine_.settings.window.timeline_frames, 60U);
    click(point_of("2,000"));
    EXPECT_EQ(machine_.settings.window.timeline_frames, 2'000U);
    press(GLFW_KEY_L, false, true);
    EXPECT_TRUE(machine_.settings.window.timeline_log);
    EXPECT_EQ(machine_.settings.window.theme, Theme::dark) << "L alone is the theme";
    click(point_of("log"));
    EXPECT_FALSE(machine_.settings.window.timeline_log);
}

TEST_F(TimelineViewTest, TheWheelZoomsAboutTheMouseWhereTheHistoryIsHeld) {
    run(300);
    run(50);
    ASSERT_EQ(epoch_shown(), 2U);
    turn_wheel(point_of("history", 0.97F), 8);
    EXPECT_EQ(epoch_shown(), 2U) << "near the newest frame, it keeps following";
    turn_wheel(point_of("history", 0.97F), -40);
    click(point_of("600"));
    press(GLFW_KEY_H);
    turn_wheel(point_of("history", 0.1F), 8);
    EXPECT_EQ(epoch_shown(), 0U) << "540 frames back";
    turn_wheel(point_of("history", 0.1F), -40);
    EXPECT_EQ(epoch_shown(), 2U);
}

TEST_F(TimelineViewTest, TheWheelZoomsAboutTheMouseWhileItFollows) {
    run(300);
    run(50);
    turn_wheel(point_of("history", 0.1F), 8);
    EXPECT_EQ(epoch_shown(), 0U) << "540 frames back stay where they were";
    turn_wheel(point_of("history", 0.5F), -40);
    run(10);
    EXPECT_EQ(epoch_shown(), 3U) << "out again as far as the newest frame, it follows";
}

TEST_F(TimelineViewTest, TheOverviewScrollsTheHistory) {
    run(3'000);
    EXPECT_EQ(epoch_shown(), 1U);
    click(point_of("overview", 0.45F));
    EXPECT_EQ(epoch_shown(), 0U) << "3,300 frames back";
    drag(point_of("overview", 0.45F), point_of("overview", 0.55F));
    EXPECT_EQ(epoch_shown(), 1U) << "2,400 back to 3,000";
    drag(point_of("overview", 0.55F), point_of("overview", 0.99F));
    run(10);
    EXPECT_EQ(epoch_shown(), 2U) << "at the newest frame it follows again";
}

TEST_F(TimelineViewTest, SaysHowManyFramesTheWheelShows) {
    frame();
    EXPECT_FALSE(has_control("frames shown")) << "a button says it";
    turn_wheel(point_of("history"), 1);
    EXPECT_TRUE(has_control("frames shown"));
    click(point_of("2,000"));
    frame();
    EXPECT_FALSE(has_control("frames shown"));
}

}  // namespace
}  // namespace warpsieve
