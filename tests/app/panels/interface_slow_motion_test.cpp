// Slow motion in the window: it plays, pauses, steps both ways and scrubs.
#include "app/panels/layout.hpp"
#include "tests/app/panels/drawn_text.hpp"
#include "tests/app/panels/interface_fixture.hpp"

namespace warpsieve {
namespace {

class SlowMotionViewTest : public InterfaceTest {
  protected:
    SlowMotionViewTest() {
        machine_.settings.window.tab = slow_motion_tab;
        frame();
    }
    void scrub(float share) { click(place("slow motion: time", share)); }
    void play_for(double seconds) {
        for (double passed = 0; passed < seconds; passed += 0.05) {
            machine_.view.display.now_s += 0.05;
            frame();
        }
    }
    bool shows(const std::string& chapter) const { return has_control("slow motion: " + chapter); }
};

TEST_F(SlowMotionViewTest, HasItsControlsAndTheScale) {
    for (const char* label : {"pause slow motion", "step back", "step on"})
        EXPECT_TRUE(has_control(label)) << label;
    EXPECT_TRUE(shows("scaled down"));
    EXPECT_TRUE(shows("stream"));
}

TEST_F(SlowMotionViewTest, ButtonsShowTheirKeysWhereThereIsRoom) {
    const auto shows_keys = [&](int width) {
        window_.width = width;
        frame();
        frame();
        return drawn::all_text().find("pauseSpacestepbackLeftsteponRight") != std::string::npos;
    };
    EXPECT_TRUE(shows_keys(1'600));
    EXPECT_FALSE(shows_keys(1'024)) << "the scale needs the room";
}

TEST_F(SlowMotionViewTest, TheScaleIsNeverCutOff) {
    for (const int width : {1'024, 1'280, 1'600}) {
        window_ = {width, 640};
        frame();
        frame();
        const auto [low, high] = corners("slow motion: scaled down");
        const std::string text = drawn::text_within(low, high);
        EXPECT_EQ(text.find("…"), std::string::npos) << text;
        EXPECT_NE(text.find("scaleddown:64of"), std::string::npos) << text;
    }
}

TEST_F(SlowMotionViewTest, PlaysToTheEndAndAgain) {
    play_for(3);
    EXPECT_TRUE(shows("predicate"));
    play_for(60);
    EXPECT_TRUE(shows("full stream"));
    EXPECT_TRUE(has_control("play"));
    click(place("play"));
    EXPECT_TRUE(shows("stream"));
}

TEST_F(SlowMotionViewTest, StepsBothWaysAndScrubs) {
    scrub(0.995F);
    EXPECT_TRUE(shows("full stream"));
    scrub(0.01F);
    EXPECT_TRUE(shows("stream"));
    play_for(5);
    EXPECT_TRUE(shows("stream")) << "a scrub stops the story";
    click(place("step on"));
    EXPECT_TRUE(shows("predicate"));
    click(place("step back"));
    EXPECT_TRUE(shows("stream"));
}

TEST_F(SlowMotionViewTest, TellsTheTimeOfTheFullStreamWhereThereAreTimes) {
    const auto tells = [&] {
        scrub(0.99F);
        return drawn::all_text().find("Thefullstreamtakes") != std::string::npos;
    };
    EXPECT_TRUE(tells());
    made_up::simulate(machine_);
    EXPECT_FALSE(tells());
    EXPECT_TRUE(shows("full stream"));
}

TEST_F(SlowMotionViewTest, StaysWithinTheViewAtTheLeastSize) {
    window_ = {1024, 640};
    frame();
    for (const float share : {0.05F, 0.5F, 0.9F}) {
        scrub(share);
        const auto map = nlohmann::json::parse(interface_->control_map());
        const std::array<float, 4> at = map["slow motion: stage"];
        const gl::Rectangle view = panels::lay_out(window_, machine_.settings, 1).view;
        EXPECT_GE(at[0], static_cast<float>(view.x));
        EXPECT_LE(at[0] + at[2], static_cast<float>(view.x + view.width));
        EXPECT_LE(at[1] + at[3], static_cast<float>(view.y + view.height));
    }
}

}  // namespace
}  // namespace warpsieve
