// The dial of slow motion and the scrubber in the window.
#include "app/trace/playhead.hpp"
#include "tests/app/panels/drawn_text.hpp"
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

}  // namespace
}  // namespace warpsieve
