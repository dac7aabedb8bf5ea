// Slow motion in the window: it plays, pauses, steps both ways and scrubs.
#include <imgui_internal.h>

#include <array>
#include <cmath>
#include <optional>
#include <string_view>

#include "app/panels/layout.hpp"
#include "app/slow_motion/animation.hpp"
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
    void scrub(float share) { click(point_of("slow motion: time", share)); }
    void play_for(double seconds) {
        for (double passed = 0; passed < seconds; passed += 0.05) {
            machine_.snapshot.display.now_s += 0.05;
            frame();
        }
    }
    bool shows(const std::string& step) const { return has_control("slow motion: " + step); }
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

TEST_F(SlowMotionViewTest, EveryStepHasItsTitleInTheBar) {
    for (const gl::PixelSize size : {gl::PixelSize{1024, 640}, gl::PixelSize{1280, 720}}) {
        window_ = size;
        frame();
        frame();
        const auto [low, high] = corners("slow motion: time");
        EXPECT_EQ(drawn::text_within(low, high), "streampredicatecountprefixmoveresultfullstream");
    }
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
    click(point_of("play"));
    EXPECT_TRUE(shows("stream"));
}

TEST_F(SlowMotionViewTest, PointingAtASlotShowsItsWay) {
    const auto [low, high] = corners("slow motion: stage");
    const float cell = (high.y - low.y) / 8;
    const slow_motion::Stream stream =
        slow_motion::stream_of(machine_.settings.run.seed, machine_.settings.run.live_fraction);
    const auto point_at = [&](ImVec2 at) {
        ImGui::GetIO().MousePos = at;
        for (int i = 0; i < 60; ++i) frame();
    };
    press(GLFW_KEY_SPACE);
    std::uint32_t rank = 0;
    for (std::uint32_t slot = 0; slot < 16; ++slot) {
        point_at({low.x + (static_cast<float>(slot % 8) + 0.5F) * cell,
                  low.y + (static_cast<float>(slot / 8) + 0.5F) * cell});
        ASSERT_TRUE(has_control("pointed slot"));
        ASSERT_EQ(has_control("pointed output"), stream[slot] != 0) << slot;
        const std::string text = drawn::all_text();
        if (stream[slot] == 0) {
            EXPECT_NE(text.find("empty,soithasnooutputindex"), std::string::npos) << text;
            continue;
        }
        EXPECT_NE(text.find("rank" + std::to_string(rank) + ",outputindex" + std::to_string(rank) +
                            ",movedinthephase'move'"),
                  std::string::npos)
            << text;
        ++rank;
    }
    const auto [slot_low, slot_high] = corners("pointed slot");
    point_at(point_of("pointed output"));
    EXPECT_EQ(corners("pointed slot").first.x, slot_low.x) << "and back from its output cell";
    point_at({-1, -1});
    EXPECT_FALSE(has_control("pointed slot"));
}

TEST_F(SlowMotionViewTest, TheCameraPullsBackWithoutACut) {
    // The mean light of each quarter of the slots, from all rectangles that are drawn there.
    using Light = std::array<double, 4>;
    window_ = {1600, 1000};
    frame();
    frame();
    press(GLFW_KEY_SPACE);
    const auto [low, stage_high] = corners("slow motion: stage");
    const float half = (stage_high.y - low.y) / 2;
    const auto light_at = [&, low = low] {
        Light light{};
        for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows) {
            if (std::string_view(window->Name) != "slow motion") continue;
            const ImDrawList& list = *window->DrawList;
            for (int i = 0; i + 6 <= list.IdxBuffer.Size; i += 3) {
                const ImDrawIdx* const index = &list.IdxBuffer[i];
                if (index[1] != index[0] + 1 || index[3] != index[0] || index[5] != index[0] + 3) continue;
                const ImDrawVert& a = list.VtxBuffer[index[0]];
                const ImDrawVert& b = list.VtxBuffer[index[2]];
                i += 3;
                if (a.uv.x != b.uv.x) continue;  // a glyph
                for (int quarter = 0; quarter < 4; ++quarter) {
                    const ImVec2 from{low.x + half * static_cast<float>(quarter % 2),
                                      low.y + half * static_cast<float>(quarter / 2)};
                    const float width = std::min(b.pos.x, from.x + half) - std::max(a.pos.x, from.x);
                    const float height = std::min(b.pos.y, from.y + half) - std::max(a.pos.y, from.y);
                    if (width > 0 && height > 0)
                        light[static_cast<std::size_t>(quarter)] +=
                            static_cast<double>(width * height / (half * half)) *
                            static_cast<double>(a.col >> IM_COL32_G_SHIFT & 0xFF);
                }
            }
        }
        return light;
    };
    const slow_motion::Animation animation = slow_motion::make_animation(
        slow_motion::method_of(*machine_.snapshot.runs.a.algorithm),
        slow_motion::stream_of(machine_.settings.run.seed, machine_.settings.run.live_fraction),
        machine_.snapshot.stream.slots);
    scrub(static_cast<float>(animation.pull_back_s / animation.duration_s()));
    ImGui::GetIO().MousePos = {-1, -1};
    press(GLFW_KEY_SPACE);
    double max_change = 0;
    std::optional<Light> before;
    for (int i = 0; i < 60 * 20 && shows("full stream"); ++i) {
        frame();  // a sixtieth of a second
        const Light now = light_at();
        for (std::size_t k = 0; before && k < now.size(); ++k)
            max_change = std::max(max_change, std::abs(now[k] - (*before)[k]));
        before = now;
    }
    EXPECT_LT(max_change, 10) << "of 255, from one frame to the next";
    EXPECT_GT(max_change, 0);
}

TEST_F(SlowMotionViewTest, StepsBothWaysAndScrubs) {
    scrub(0.995F);
    EXPECT_TRUE(shows("full stream"));
    scrub(0.01F);
    EXPECT_TRUE(shows("stream"));
    play_for(5);
    EXPECT_TRUE(shows("stream")) << "a scrub stops the animation";
    click(point_of("step on"));
    EXPECT_TRUE(shows("predicate"));
    click(point_of("step back"));
    EXPECT_TRUE(shows("stream"));
}

TEST_F(SlowMotionViewTest, TellsTheTimeOfTheFullStreamWhereThereAreTimes) {
    const auto tells = [&] {
        scrub(0.99F);
        return drawn::all_text().find("Thefullstreamtakes") != std::string::npos;
    };
    EXPECT_TRUE(tells());
    fake::simulate(machine_);
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
