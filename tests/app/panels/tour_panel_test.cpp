// The guided tour in the window: buttons and keys, what leaving restores, and the card of a first start.
#include "app/panels/layout.hpp"
#include "app/panels/welcome_panel.hpp"
#include "app/scene/memory_scene.hpp"
#include "app/tour/tour.hpp"
#include "tests/app/panels/drawn_text.hpp"
#include "tests/app/panels/interface_fixture.hpp"
#include "tests/app/plots/fake_replay.hpp"

namespace warpsieve {
namespace {

class TourPanelTest : public InterfaceTest {
  protected:
    TourPanelTest() {
        defaults_ = machine_.settings;
        machine_.snapshot.defaults = &defaults_;
        frame();
    }
    int step() const {
        for (std::size_t i = 1; i <= tour::num_steps; ++i)
            if (has_control("tour: " + std::to_string(i))) return static_cast<int>(i);
        return 0;
    }
    Settings defaults_;
};

TEST_F(TourPanelTest, GoesForthAndBackByKeysAndButtons) {
    const Settings before = machine_.settings;
    EXPECT_EQ(step(), 0);
    press(GLFW_KEY_F2);
    EXPECT_EQ(step(), 1);
    for (int i = 2; i <= 10; ++i) {
        if (i % 2 == 0) {
            press(GLFW_KEY_PAGE_DOWN);
        } else {
            click(point_of("next"));
        }
        frame();
        EXPECT_EQ(step(), i);
    }
    press(GLFW_KEY_PAGE_DOWN);
    EXPECT_EQ(step(), 10) << "it ends there";
    press(GLFW_KEY_PAGE_UP);
    EXPECT_EQ(step(), 9);
    click(point_of("back"));
    frame();
    EXPECT_EQ(step(), 8);
    press(GLFW_KEY_ESCAPE);
    EXPECT_EQ(step(), 0);
    EXPECT_EQ(machine_.settings, before);
}

TEST_F(TourPanelTest, TheComparisonsStateTheRatioWithItsInterval) {
    using experiments::Comparison;
    window_ = {1600, 1000};
    press(GLFW_KEY_F2);
    for (int i = 1; i < 7; ++i) press(GLFW_KEY_PAGE_DOWN);
    ASSERT_EQ(step(), 7);
    const auto says = [this](const char* text) {
        frame();
        frame();
        return drawn::all_text().find(text) != std::string::npos;
    };
    machine_.snapshot.runs.b.emplace();
    experiments::PairedRatio& ratio = machine_.figures->ratio;
    EXPECT_TRUE(says("Measuring:0of"));
    ratio = {Comparison::b_faster, 300, 1.34, {1.32, 1.36, 0.96}};
    EXPECT_TRUE(says("Bis1.34timesasfastasA(95%confidenceinterval:1.32to1.36)")) << drawn::all_text();
    ratio = {Comparison::a_faster, 300, 0.5, {0.4, 0.625, 0.96}};
    EXPECT_TRUE(says("Ais2.00timesasfastasB(95%confidenceinterval:1.60to2.50)")) << drawn::all_text();
    ratio = {Comparison::ambiguous, 300, 1.004, {0.983, 1.03, 0.96}};
    EXPECT_TRUE(says("nosignificantdifference(95%confidenceintervaloftheirratio:0.983to1.03)"))
        << drawn::all_text();
}

TEST_F(TourPanelTest, JumpsToAStep) {
    press(GLFW_KEY_F2);
    window_ = {1600, 1000};
    frame();
    click(point_of("tour: step 4"));
    frame();
    EXPECT_EQ(step(), 4);
    EXPECT_EQ(machine_.settings.window.tab, particles_tab);
    EXPECT_GT(machine_.settings.window.slow_motion, 0);
    click(point_of("leave"));
    frame();
    EXPECT_EQ(step(), 0);
}

TEST_F(TourPanelTest, PointsTheCameraWhereTheStepSpeaksOfTheScene) {
    std::optional<scene::Viewpoint> last;
    for (std::size_t i = 0; i < tour::num_steps; ++i) {
        interface_->show_tour_step(i, machine_.settings, *machine_.snapshot.defaults);
        const Requests requests = frame();
        EXPECT_EQ(requests.point_camera.has_value(), tour::steps()[i].part != tour::ScenePart::none) << i;
        if (i > 0 && tour::steps()[i].part != tour::steps()[i - 1].part) {
            EXPECT_NE(requests.point_camera, last) << i;
        }
        last = requests.point_camera;
    }
    press(GLFW_KEY_ESCAPE);
    EXPECT_FALSE(frame().point_camera);
}

/// Where the playhead is, as the plot says.
TEST_F(TourPanelTest, SlowMotionPausesInThePhaseOfTheStepUntilItIsPlayed) {
    fake::simulate(machine_);
    auto& replay = machine_.snapshot.memory.replay;
    replay = fake::simulated_replay("simulated_sequence_wise", 1U << 12);
    if (!replay) GTEST_SKIP() << "this build has no simulated GPU";
    static const scene::MemoryColours colours{};
    machine_.snapshot.memory.colours = &colours;
    machine_.snapshot.runs.a.algorithm = &replay->algorithm();
    machine_.snapshot.stream.slots = replay->num_items();
    for (const std::size_t index : {4U, 2U, 3U}) {
        interface_->show_tour_step(index, machine_.settings, *machine_.snapshot.defaults);
        for (int i = 0; i < 100; ++i) frame();
        const tour::PhaseStop stop = *tour::steps()[index].stop;
        const auto phase = std::ranges::find(replay->phases(), stop.role, &trace::ReplayPhase::role);
        ASSERT_NE(phase, replay->phases().end());
        EXPECT_DOUBLE_EQ(replay->state().time, std::lerp(phase->begin, phase->end, stop.share));
    }
    const double before = replay->state().time;
    press(GLFW_KEY_SPACE);
    frame();
    frame();
    EXPECT_GT(replay->state().time, before);
}

TEST_F(TourPanelTest, KeepsTheUsersSettings) {
    const Settings before = machine_.settings;
    EXPECT_FALSE(interface_->overrides_settings());
    press(GLFW_KEY_F2);
    press(GLFW_KEY_PAGE_DOWN);
    press(GLFW_KEY_F11);  // the presentation within the tour
    EXPECT_TRUE(interface_->overrides_settings());
    EXPECT_EQ(interface_->user_settings(machine_.settings), before);
    interface_->end_overrides(machine_.settings);
    EXPECT_EQ(machine_.settings, before);
    EXPECT_FALSE(interface_->overrides_settings());
}

TEST_F(TourPanelTest, IsNotAStepOfUndo) {
    press(GLFW_KEY_C);
    const bool check = machine_.settings.run.check;
    press(GLFW_KEY_F2);
    press(GLFW_KEY_PAGE_DOWN);
    press(GLFW_KEY_Z, true);
    EXPECT_EQ(step(), 2);
    press(GLFW_KEY_F2);
    EXPECT_EQ(machine_.settings.run.check, check);
    press(GLFW_KEY_Z, true);
    EXPECT_NE(machine_.settings.run.check, check);
}

TEST_F(TourPanelTest, WaitsForALab) {
    machine_.snapshot.labs.running = true;
    EXPECT_FALSE(press(GLFW_KEY_F2).notice.empty());
    EXPECT_EQ(step(), 0);
}

TEST_F(TourPanelTest, TakesPartOfTheViewAtAnySize) {
    for (const gl::PixelSize size : {gl::PixelSize{1024, 640}, {1600, 1000}, {640, 400}}) {
        for (const float scale : {1.0F, 2.0F}) {
            window_ = size;
            interface_->set_style(scale, Theme::dark);
            for (std::size_t i = 0; i < tour::num_steps; ++i) {
                interface_->show_tour_step(i, machine_.settings, *machine_.snapshot.defaults);
                frame();
                frame();
                ASSERT_EQ(step(), static_cast<int>(i) + 1);
                const auto map = nlohmann::json::parse(interface_->control_map());
                const std::array<float, 4> at = map["tour: " + std::to_string(i + 1)];
                const gl::Rectangle view = panels::lay_out(window_, machine_.settings, scale).view;
                EXPECT_EQ(at[1], static_cast<float>(view.y));
                EXPECT_LE(at[3], 0.5F * static_cast<float>(view.height));
                const gl::Rectangle scene = interface_->scene_rectangle(window_, machine_.settings);
                if (scene.height > 0) {
                    EXPECT_EQ(static_cast<float>(scene.y), at[1] + at[3]);
                }
            }
        }
    }
}

TEST_F(TourPanelTest, IsDrawnInEveryWindow) {
    machine_.snapshot.display.first_start = true;
    for (const gl::PixelSize size : {gl::PixelSize{1, 1},
                                     {1, 8192},
                                     {8192, 1},
                                     {25, 25},
                                     {640, 33},
                                     {120, 90},
                                     {320, 200},
                                     {8192, 8192}}) {
        for (const float scale : {0.75F, 1.0F, 3.0F}) {
            window_ = size;
            interface_->set_style(scale, Theme::light);
            frame();
            for (const std::size_t index : {0U, 3U, 5U, 6U}) {
                interface_->show_tour_step(index, machine_.settings, defaults_);
                frame();
                frame();
            }
            interface_->end_overrides(machine_.settings);
        }
    }
}

class WelcomeTest : public TourPanelTest {
  protected:
    WelcomeTest() {
        machine_.snapshot.display.first_start = true;
        frame();
        frame();
    }
};

TEST_F(WelcomeTest, OffersSlowMotionAndTheTour) {
    ASSERT_TRUE(has_control("welcome"));
    EXPECT_NE(drawn::all_text().find("compactioncopies"), std::string::npos) << "what compaction is";
    click(point_of("start the tour"));
    frame();
    EXPECT_EQ(step(), 1);
    press(GLFW_KEY_ESCAPE);
    frame();
    EXPECT_FALSE(has_control("welcome"));
}

TEST_F(WelcomeTest, ItsSlowMotionTurnsTheDial) {
    click(point_of("slow motion"));
    frame();
    EXPECT_GT(machine_.settings.window.slow_motion, 0);
    EXPECT_FALSE(has_control("welcome"));
}

/// Dear ImGui gives up the held button if another window takes the focus.
TEST_F(WelcomeTest, AClickCountsIfAPaneAppearsMeanwhile) {
    machine_.settings.window.show_timings = false;
    frame();
    ImGuiIO& io = ImGui::GetIO();
    io.MousePos = point_of("start the tour");
    frame();
    io.MouseDown[0] = true;
    frame();
    machine_.settings.window.show_timings = true;
    frame();
    io.MouseDown[0] = false;
    frame();
    frame();
    EXPECT_EQ(step(), 1);
}

TEST_F(WelcomeTest, IsDockedAtAnySizeInAtMost50Words) {
    for (const gl::PixelSize size : {gl::PixelSize{1024, 640}, {1280, 720}, {1600, 1000}, {1920, 1080}}) {
        for (const float scale : {1.0F, 2.0F}) {
            window_ = size;
            interface_->set_style(scale, Theme::dark);
            frame();
            frame();
            ASSERT_TRUE(has_control("welcome")) << size.width << " at " << scale;
            const auto [low, high] = corners("welcome");
            const gl::Rectangle view = panels::lay_out(window_, machine_.settings, scale).view;
            EXPECT_EQ(low.x, static_cast<float>(view.x));
            EXPECT_EQ(low.y, static_cast<float>(view.y));
            EXPECT_LE(high.y - low.y, 0.5F * static_cast<float>(view.height));
            const gl::Rectangle scene = interface_->scene_rectangle(window_, machine_.settings);
            EXPECT_EQ(static_cast<float>(scene.y), high.y) << "it covers nothing of the scene";
            for (const char* label : {"slow motion", "start the tour", "close"}) {
                EXPECT_GE(corners(label).first.x, low.x) << label;
                EXPECT_LE(corners(label).second.x, high.x) << label;
            }
        }
    }
    EXPECT_LE(panels::words_of_welcome(), 50U);
}

TEST_F(WelcomeTest, FollowsAKeptItemUntilItIsClosed) {
    constexpr const char* followed = "followed item in scene";
    machine_.snapshot.memory.replay = fake::simulated_replay("simulated_sequence_wise", 1U << 12);
    if (!machine_.snapshot.memory.replay) GTEST_SKIP() << "this build has no simulated GPU";
    static const scene::MemoryColours colours{};
    machine_.snapshot.memory.colours = &colours;
    machine_.snapshot.memory.view_projection =
        scene::Camera(scene::sparse_dense_viewpoint()).view_projection(2);
    ImGui::GetIO().MousePos = {-1, -1};
    frame();
    frame();
    ASSERT_TRUE(has_control(followed));
    const auto [low, high] = corners(followed);
    const gl::Rectangle scene = interface_->scene_rectangle(window_, machine_.settings);
    EXPECT_GE(low.y, static_cast<float>(scene.y));
    EXPECT_LE(high.y, static_cast<float>(scene.y + scene.height));
    const std::string text = drawn::all_text();
    EXPECT_NE(text.find(",kept"), std::string::npos) << text;
    EXPECT_NE(text.find("goesto"), std::string::npos) << text;
    click(point_of("slow motion"));
    ImGui::GetIO().MousePos = {-1, -1};
    frame();
    EXPECT_TRUE(has_control(followed)) << "slow motion shows its way";
    press(GLFW_KEY_ESCAPE);
    EXPECT_FALSE(has_control(followed));
}

TEST_F(WelcomeTest, GoesWithAnotherView) {
    type("2");
    frame();
    type("1");
    frame();
    EXPECT_FALSE(has_control("welcome"));
}

TEST_F(WelcomeTest, AButtonWithAKeyHasTheSameRoomOnBothSides) {
    drawn::GlyphFinder finder;
    for (const char* label : {"guided tour", "slow motion", "start the tour"}) {
        const ImVec2 low = point_of(label, 0);
        const ImVec2 high = point_of(label, 1);
        float first = high.x;
        float last = low.x;
        for (const drawn::WindowText& window : drawn::texts(finder)) {
            for (const drawn::Glyph& glyph : window.glyphs) {
                if (glyph.low.x < low.x || glyph.high.x > high.x || glyph.low.y > low.y ||
                    glyph.high.y < low.y)
                    continue;
                first = std::min(first, glyph.low.x);
                last = std::max(last, glyph.high.x);
            }
        }
        EXPECT_NEAR(first - low.x, high.x - last, 3) << label;
    }
}

TEST_F(WelcomeTest, CanBeClosed) {
    click(point_of("close"));
    frame();
    EXPECT_FALSE(has_control("welcome"));
}

}  // namespace
}  // namespace warpsieve
