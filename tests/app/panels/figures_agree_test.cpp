// Figures of one screen that name the same quantity are equal, wherever they are drawn.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "app/format/figures.hpp"
#include "app/scene/camera.hpp"
#include "app/scene/memory_scene.hpp"
#include "app/scene/sparse_dense.hpp"
#include "tests/app/panels/drawn_text.hpp"
#include "tests/app/panels/gallery_states.hpp"
#include "tests/app/panels/interface_fixture.hpp"

namespace warpsieve {
namespace {

/// Two figures of three digits, and what is computed from them, are this exact.
constexpr double rounding = 0.012;

class FiguresAgreeTest : public InterfaceTest {
  protected:
    FiguresAgreeTest() { ImGui::GetIO().MousePos = {-1, -1}; }

    void show() {
        frame();
        frame();
        frame();
    }
    std::string text_in(const std::string& control) const {
        const auto [low, high] = corners(control);
        return drawn::text_within(low, high);
    }
    /// What the first group of the expression finds in a text, each once.
    static std::set<std::string> found_in(const std::string& text, const char* expression) {
        std::set<std::string> found;
        const std::regex pattern(expression);
        for (std::sregex_iterator at(text.begin(), text.end(), pattern), end; at != end; ++at)
            found.insert((*at)[1]);
        return found;
    }
    /// The only number that the expression finds.
    static double number_in(const std::string& text, const char* expression) {
        const std::set<std::string> found = found_in(text, expression);
        EXPECT_EQ(found.size(), 1U) << expression << " in " << text;
        return found.empty() ? 0 : std::stod(*found.begin());
    }
    using Texts = std::set<std::string>;
};

constexpr const char* time_of = "([0-9.]+)(?:ns|µs|ms)";

TEST_F(FiguresAgreeTest, BothTotalsOfTheLensMakeItsRatio) {
    for (const auto make : {fake::make_gpu_machine, fake::make_cpu_machine}) {
        make(machine_);
        fake::compare(machine_);
        machine_.settings.window.lens_mode = LensMode::particles;
        show();
        const double a = number_in(text_in("caption A"), time_of);
        const double b = number_in(text_in("caption B"), time_of);
        EXPECT_EQ(number_in(text_in("median: total A"), "([0-9.]+)"), a);
        EXPECT_EQ(number_in(text_in("median: total B"), "([0-9.]+)"), b);
        const std::string verdict = text_in("ratio");
        const double faster = number_in(verdict, "[AB]([0-9.]+)×faster");
        const double of_totals = verdict.front() == 'B' ? a / b : b / a;
        EXPECT_NEAR(of_totals / faster, 1, rounding) << verdict << a << " " << b;
        const double low = number_in(verdict, "\\[([0-9.]+),"), high = number_in(verdict, ",([0-9.]+)\\]");
        EXPECT_LE(low, faster);
        EXPECT_GE(high, faster);
    }
}

TEST_F(FiguresAgreeTest, TheTimesOfTheRaceMakeItsRatios) {
    fake::race(machine_);
    machine_.figures->race.lanes.pop_back();  // it fails
    show();
    machine_.snapshot.display.now_s += 9;
    show();
    std::vector<double> times, ratios;
    for (const RaceLane& lane : machine_.figures->race.lanes) {
        if (!lane.runs()) continue;
        const std::string text = text_in("lane: " + lane.algorithm->id);
        if (found_in(text, "×([0-9]\\.[0-9]{2}|[0-9]{2}\\.[0-9])").empty()) continue;
        times.push_back(number_in(text, time_of));
        ratios.push_back(number_in(text, "×([0-9]\\.[0-9]{2}|[0-9]{2}\\.[0-9])"));
    }
    ASSERT_GE(times.size(), 2U);
    for (std::size_t i = 0; i < times.size(); ++i)
        EXPECT_NEAR(times[i] / times[0] / ratios[i], 1, rounding) << times[i] << " " << ratios[i];
    const std::string photo = text_in("race: photo finish");
    EXPECT_EQ(number_in(photo, "at([0-9.]+)µs"), times[0]) << photo;
    EXPECT_EQ(number_in(photo, "takes([0-9.]+)times"), ratios[1]) << photo;
}

/// A simulated compaction that kept other items than the current frame. In a window, the current frame also
/// differs from that of the figures, which are refreshed more seldom.
class FiguresOfParticlesTest : public FiguresAgreeTest {
  protected:
    FiguresOfParticlesTest() {
        fake::simulate(machine_);
        Snapshot& snapshot = machine_.snapshot;
        snapshot.memory.replay = fake::simulated_replay("simulated_sequence_wise", 1U << 12);
        if (!snapshot.memory.replay) return;
        static const scene::MemoryColours colours{};
        snapshot.memory.colours = &colours;
        snapshot.memory.view_projection = scene::Camera(scene::sparse_dense_viewpoint()).view_projection(2);
        snapshot.runs.a.algorithm = &snapshot.memory.replay->algorithm();
        snapshot.stream.slots = snapshot.memory.replay->num_items();
        machine_.figures->a.num_kept = 2'222;
        snapshot.runs.a.num_kept = 2'345;
    }
    void SetUp() override {
        if (!machine_.snapshot.memory.replay) GTEST_SKIP() << "this build has no simulated GPU";
    }
};

constexpr const char* kept = "([1-9][0-9]{0,2}(?:,[0-9]{3})*)kept";

TEST_F(FiguresOfParticlesTest, OneNumberOfKeptItemsAndOneLengthAreShown) {
    show();
    const std::string text = drawn::all_text();
    EXPECT_EQ(found_in(text, kept), Texts{"2,222"}) << text;
    EXPECT_EQ(found_in(text, "([1-9][0-9]{0,2}(?:,[0-9]{3})*)items"), Texts{"2,222"}) << text;
    EXPECT_EQ(found_in(text, "([1-9][0-9]{0,2}(?:,[0-9]{3})*)slots"), Texts{"4,096"}) << text;
    const format::Figure bytes = format::bytes(machine_.snapshot.stream.memory_bytes);
    EXPECT_EQ(found_in(text, "slots([0-9.]+[kMG]?B)"), Texts{bytes.number + bytes.unit}) << "of the slots";
}

TEST_F(FiguresOfParticlesTest, InSlowMotionEachNumberOfKeptItemsSaysOfWhat) {
    machine_.settings.window.slow_motion = 60;
    show();
    const std::string text = drawn::all_text();
    const std::string of_replay = format::grouped(machine_.snapshot.memory.replay->num_kept());
    EXPECT_EQ(found_in(text, kept), (Texts{"2,222", of_replay})) << text;
    EXPECT_EQ(found_in(text, "([1-9][0-9]{0,2}(?:,[0-9]{3})*)keptnow"), Texts{"2,222"});
    EXPECT_EQ(found_in(text, "([1-9][0-9]{0,2}(?:,[0-9]{3})*)keptinthiscompaction"), Texts{of_replay});
}

TEST_F(FiguresOfParticlesTest, InSlowMotionTheCardOfAnItemTellsNothingOfTheRunningFrame) {
    machine_.settings.window.slow_motion = 60;
    show();
    const auto [low, high] = corners("view");
    std::string text;
    constexpr int places = 20;
    for (int i = 0; i < places * places && text.find("goesto") == std::string::npos; ++i) {
        const auto column = static_cast<float>(i % places), row = static_cast<float>(i / places);
        ImGui::GetIO().MousePos = {low.x + (high.x - low.x) * column / places,
                                   low.y + (high.y - low.y) * row / places};
        show();
        text = drawn::all_text();
    }
    ASSERT_NE(text.find("goesto"), std::string::npos) << "the card of the replay: " << text;
    for (const char* fact : {"outputindex", "movedby"}) EXPECT_EQ(text.find(fact), std::string::npos) << text;
}

TEST_F(FiguresOfParticlesTest, TheCardOfAnItemStaysInTheWindowAndBesideTheMouse) {
    // So near that items reach the edges of the view.
    scene::Viewpoint near = scene::sparse_dense_viewpoint();
    near.distance *= 0.6F;
    machine_.snapshot.memory.view_projection = scene::Camera(near).view_projection(2);
    machine_.settings.window.slow_motion = 60;
    show();
    const auto [low, high] = corners("view");
    constexpr int places = 16;
    int cards = 0;
    for (int i = 0; i < places * places; ++i) {
        const auto column = static_cast<float>(i % places), row = static_cast<float>(i / places);
        const ImVec2 mouse{low.x + (high.x - low.x) * column / places,
                           low.y + (high.y - low.y) * row / places};
        ImGui::GetIO().MousePos = mouse;
        show();
        for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows) {
            const bool is_card = window->Active && !window->Hidden &&
                                 (window->Flags & ImGuiWindowFlags_Tooltip) != 0 &&
                                 drawn::all_text().find("goesto") != std::string::npos;
            if (!is_card) continue;
            ++cards;
            const ImRect box = window->Rect();
            EXPECT_GE(box.Min.y, 0);
            EXPECT_LE(box.Max.x, static_cast<float>(window_.width)) << "at " << mouse.x << ", " << mouse.y;
            EXPECT_LE(box.Max.y, static_cast<float>(window_.height));
            EXPECT_FALSE(box.Contains(mouse)) << "at " << mouse.x << ", " << mouse.y;
        }
    }
    EXPECT_GT(cards, 5);
}

TEST_F(FiguresAgreeTest, ATimeOfTheFrameSaysThatItIsAMean) {
    for (const auto make : {fake::make_gpu_machine, fake::make_cpu_machine}) {
        make(machine_);
        show();
        const std::string text = drawn::all_text();
        EXPECT_NE(text.find("Framemean"), std::string::npos) << text;
        const std::set<std::string> in_strip = found_in(text, "Framemean([0-9.]+)ms");
        if (!in_strip.empty()) {
            EXPECT_EQ(found_in(text, "frame([0-9.]+)ms"), in_strip) << text;
        }
    }
}

}  // namespace
}  // namespace warpsieve
