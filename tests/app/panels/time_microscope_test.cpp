// The dial of slow motion and the scrubber in the window.
#include "app/trace/playhead.hpp"
#include "tests/app/panels/drawn_text.hpp"
#include "tests/app/panels/gallery_states.hpp"
#include "tests/app/panels/interface_fixture.hpp"
#include "tests/app/plots/fake_replay.hpp"

namespace warpsieve {
namespace {

constexpr const char* dial = "slow motion dial";
constexpr const char* plot = "plot of time by address";

class TimeMicroscopeTest : public InterfaceTest {
  protected:
    TimeMicroscopeTest() { machine_.settings.window.tab = "particles"; }
    int& position() { return machine_.settings.window.slow_motion; }
    void play(int at) {
        position() = at;
        // At rest, the dial appears while the mouse is over the scene.
        ImGui::GetIO().MousePos = {800, 200};
        frame();
        frame();
    }
    std::string notice_;
};

TEST_F(TimeMicroscopeTest, TheDialMovesByMouseKeysAndTypedFactors) {
    play(50);
    EXPECT_NE(drawn::all_text().find("×slower"), std::string::npos) << drawn::all_text();
    click(point_of(dial, 0.9F));
    EXPECT_GT(position(), 80);
    const int before = position();
    press(GLFW_KEY_LEFT);
    EXPECT_EQ(position(), before - 1);
    click(point_of(dial), true);
    frame();
    type("2000");
    press(GLFW_KEY_ENTER);
    frame();
    EXPECT_EQ(position(), trace::dial_position_of_slowdown(2'000));
}

TEST_F(TimeMicroscopeTest, ADragFromRealTimeMovesTheDialAllTheWay) {
    machine_.snapshot.memory.replay = states::traced_replay(*machine_.snapshot.runs.a.algorithm, 1.1F);
    play(0);
    ImGuiIO& io = ImGui::GetIO();
    const ImVec2 from = point_of(dial, 0.01F);
    const ImVec2 to = point_of(dial, 0.9F);
    io.MousePos = from;
    frame();
    io.MouseDown[0] = true;
    for (const float share : {0.1F, 0.3F, 0.6F, 1.0F}) {
        io.MousePos = {from.x + share * (to.x - from.x), from.y};
        frame();
    }
    EXPECT_GT(position(), 80);
    EXPECT_FLOAT_EQ(point_of(dial, 0.9F).y, to.y) << "the dial stays under the mouse";
    io.MousePos = {5, 5};
    frame();
    EXPECT_EQ(position(), 0) << "the mouse may leave the dial";
    io.MousePos = to;
    frame();
    io.MouseDown[0] = false;
    frame();
    EXPECT_GT(position(), 80);
    io.MousePos = {800, 200};
    frame();
    frame();
    EXPECT_GT(point_of(dial).y, to.y) << "in the pane of the timings";
    EXPECT_TRUE(has_control(plot));
    drag(point_of(dial, 0.9F), point_of(dial, 0));
    EXPECT_EQ(position(), 0);
}

TEST_F(TimeMicroscopeTest, SeveralRowsOfButtonsDoNotCoverTheScene) {
    interface_.reset();
    interface_.emplace(2.0F, Theme::dark);
    machine_.settings.window.show_timings = false;
    for (int i = 0; i < 3; ++i) frame();
    const gl::Rectangle scene = interface_->scene_rectangle(window_, machine_.settings);
    const auto [low, high] = corners("guided tour");
    ASSERT_GT(low.y, corners("sparse and dense").first.y) << "the buttons take two rows";
    EXPECT_LE(high.y, static_cast<float>(scene.y));
}

TEST_F(TimeMicroscopeTest, ADoubleClickResetsTheDial) {
    machine_.snapshot.memory.replay = states::traced_replay(*machine_.snapshot.runs.a.algorithm, 1.1F);
    for (const int start : {0, 50}) {
        play(start);
        const ImVec2 at = point_of(dial, 0.7F);
        click(at);
        EXPECT_GT(position(), 50);
        click(at);
        EXPECT_EQ(position(), 0) << "from " << start;
        ImGui::GetIO().MousePos = {800, 200};
        for (int i = 0; i < 60; ++i) frame();
    }
}

TEST_F(TimeMicroscopeTest, ACommaGroupsDigitsOrIsADecimalPoint) {
    const auto typed = [this](const char* text) {
        play(50);
        click(point_of(dial), true);
        frame();
        type(text);
        notice_ = press(GLFW_KEY_ENTER).notice;
        return position();
    };
    EXPECT_EQ(typed("20,000"), trace::dial_position_of_slowdown(20'000));
    EXPECT_EQ(typed("2,5"), trace::dial_position_of_slowdown(2.5));
    ASSERT_NE(trace::dial_position_of_slowdown(2.5), trace::dial_position_of_slowdown(25));
    EXPECT_EQ(typed("-3"), 50);
    EXPECT_EQ(notice_, "'-3' is less than 0.");
    EXPECT_EQ(typed("slow"), 50);
    EXPECT_EQ(notice_, "'slow' is not a number.");
}

TEST_F(TimeMicroscopeTest, ASimulatedScheduleIsScrubbedByStepsOfASecond) {
    fake::simulate(machine_);
    machine_.snapshot.memory.replay = fake::simulated_replay("simulated_sequence_wise", 1U << 12);
    if (!machine_.snapshot.memory.replay) GTEST_SKIP() << "this build has no simulated GPU";
    const std::string duration =
        format::grouped(static_cast<std::uint64_t>(machine_.snapshot.memory.replay->duration()));
    play(75);
    EXPECT_NE(drawn::all_text().find("stepsasecond22"), std::string::npos) << drawn::all_text();
    EXPECT_EQ(drawn::all_text().find("×slower"), std::string::npos);
    drag(point_of(plot, 0.4F), point_of(plot, 0.999F));
    EXPECT_NE(drawn::all_text().find("step" + duration + "of" + duration), std::string::npos)
        << drawn::all_text();
    drag(point_of(plot, 0.6F), point_of(plot, 0.01F));
    EXPECT_NE(drawn::all_text().find("step0of" + duration), std::string::npos) << drawn::all_text();
}

TEST_F(TimeMicroscopeTest, TheInsideOfACompactionSharesThePlayhead) {
    machine_.snapshot.memory.replay = states::traced_replay(*machine_.snapshot.runs.a.algorithm, 1.1F);
    play(50);
    drag(point_of(plot, 0.3F), point_of(plot, 0.999F));
    machine_.settings.window.tab = timeline_tab;
    machine_.settings.window.timeline_mode = TimelineMode::inside;
    frame();
    const Requests requests = frame();
    EXPECT_FALSE(requests.trace) << "the run of the replay is shown";
    ASSERT_TRUE(requests.memory && requests.memory->in_slow_motion) << "keeps the replay";
    const float left = point_of("inside", 0).x, width = point_of("inside", 0.999F).x - left;
    EXPECT_GT(point_of("playhead").x, left + 0.9F * width);
    drag(point_of("playhead axis", 0.9F), point_of("playhead axis", 0.5F));
    const float middle = point_of("playhead axis", 0.5F).x;
    EXPECT_NEAR(point_of("playhead").x, middle, 3);
    press(GLFW_KEY_RIGHT);
    EXPECT_GT(point_of("playhead").x, middle) << "a hundredth";
    machine_.settings.window.tab = "particles";
    frame();
    frame();
    machine_.settings.window.tab = timeline_tab;
    frame();
    EXPECT_NEAR(point_of("playhead").x, middle, 0.02F * width) << "paused where it was";
    position() = 0;
    frame();
    frame();
    EXPECT_FALSE(has_control("playhead"));
    EXPECT_TRUE(has_control(dial));
}

TEST_F(TimeMicroscopeTest, AtRestTheWordsShowWhenTheAlgorithmChangesAndNearTheMouse) {
    const auto replay_of = [&](const char* id) {
        return states::traced_replay(compaction::find_algorithm(id), 1.1F);
    };
    const auto shows_words = [&] { return frame().memory->scene != nullptr; };
    const auto wait = [&] {
        for (int i = 0; i < 450; ++i) frame();
    };
    const scene::MemoryColours colours;
    machine_.snapshot.memory.colours = &colours;
    machine_.snapshot.memory.replay = replay_of("sequence_wise");
    ImGui::GetIO().MousePos = {5, 5};
    frame();
    EXPECT_TRUE(shows_words());
    wait();
    EXPECT_FALSE(shows_words());
    ImGui::GetIO().MousePos = {800, 200};
    EXPECT_TRUE(shows_words());
    ImGui::GetIO().MousePos = {5, 5};
    EXPECT_FALSE(shows_words());
    machine_.snapshot.memory.replay = replay_of("sequence_wise");
    EXPECT_FALSE(shows_words()) << "another compaction of the same kind";
    machine_.snapshot.memory.replay = replay_of("naive_scan");
    EXPECT_TRUE(shows_words());
}

}  // namespace
}  // namespace warpsieve
