// The interface without a window: ImGui gets made-up mouse and keys, and the settings must change, and only
// legally.
#include <gtest/gtest.h>
#include <imgui.h>

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <array>
#include <cstdlib>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "app/panels/choices.hpp"
#include "app/panels/interface.hpp"
#include "app/panels/shortcuts.hpp"
#include "made_up_view.hpp"

namespace {

using namespace warpsieve;
using compaction::EngineId;
using compaction::Option;

class InterfaceTest : public testing::Test {
  protected:
    InterfaceTest() {
        ImGui::CreateContext();
        ImGuiIO& io = ImGui::GetIO();
        io.KeyMap[ImGuiKey_Enter] = GLFW_KEY_ENTER;
        io.KeyMap[ImGuiKey_Escape] = GLFW_KEY_ESCAPE;
        io.KeyMap[ImGuiKey_RightArrow] = GLFW_KEY_RIGHT;
        interface_.emplace(1.0F, Theme::dark);
        made_up::make_gpu_machine(machine_);
    }
    ~InterfaceTest() override {
        interface_.reset();
        ImGui::DestroyContext();
    }

    Requests frame() {
        ImGuiIO& io = ImGui::GetIO();
        io.DisplaySize = {static_cast<float>(window_.width), static_cast<float>(window_.height)};
        io.DeltaTime = 1.0F / 60;
        machine_.view.now_s += 1.0 / 60;
        ImGui::NewFrame();
        const Requests requests = interface_->build(machine_.view, machine_.settings, window_);
        ImGui::Render();
        expect_legal();
        return requests;
    }

    /// What must hold after every frame, whatever was done.
    void expect_legal() const {
        const Settings& settings = machine_.settings;
        const compaction::Algorithm* algorithm = panels::chosen_algorithm(machine_.view, settings);
        ASSERT_NE(algorithm, nullptr);
        EXPECT_EQ(algorithm->engine, settings.engine);
        EXPECT_TRUE(settings.algorithm.empty() || settings.algorithm == algorithm->id);
        EXPECT_TRUE(panels::is_available(machine_.view, settings.engine));
        EXPECT_NO_THROW(compaction::validate(*algorithm, settings.options));
        EXPECT_GE(settings.slots, min_slots);
        EXPECT_LE(settings.slots, max_slots(settings.engine));
        EXPECT_GE(settings.density, 0);
        EXPECT_LE(settings.density, 1);
        EXPECT_GE(settings.iterations, 1U);
        EXPECT_LE(settings.iterations, max_iterations);
    }

    Requests press(int key, bool ctrl = false, bool shift = false) {
        ImGuiIO& io = ImGui::GetIO();
        io.KeyCtrl = ctrl;
        io.KeyShift = shift;
        io.KeysDown[key] = true;
        const Requests requests = frame();
        io.KeysDown[key] = false;
        io.KeyCtrl = io.KeyShift = false;
        frame();
        return requests;
    }
    Requests type(const char* characters) {
        ImGui::GetIO().AddInputCharactersUTF8(characters);
        return frame();
    }

    /// The middle of a control, `share` of the way from its left to its right end.
    ImVec2 place(const std::string& label, float share = 0.5F) const {
        const auto map = nlohmann::json::parse(interface_->control_map());
        if (!map.contains(label)) {
            ADD_FAILURE() << "no control '" << label << "' in " << map.dump();
            return {-1, -1};
        }
        const std::array<float, 4> at = map[label];
        return {at[0] + at[2] * share, at[1] + at[3] / 2};
    }
    Requests click(ImVec2 at, bool ctrl = false) {
        ImGuiIO& io = ImGui::GetIO();
        io.MousePos = at;
        frame();
        io.KeyCtrl = ctrl;
        io.MouseDown[0] = true;
        const Requests pressed = frame();
        io.MouseDown[0] = false;
        const Requests released = frame();
        io.KeyCtrl = false;
        return released.capture || released.reset_scene || released.clear_timings || released.dismiss_message
                   ? released
                   : pressed;
    }
    void drag(ImVec2 from, ImVec2 to) {
        ImGuiIO& io = ImGui::GetIO();
        io.MousePos = from;
        frame();
        io.MouseDown[0] = true;
        frame();
        io.MousePos = to;
        frame();
        io.MouseDown[0] = false;
        frame();
    }

    std::optional<panels::Interface> interface_;
    made_up::Machine machine_;
    gl::PixelSize window_{1280, 720};
};

TEST_F(InterfaceTest, ChangesNothingByItself) {
    const Settings before = machine_.settings;
    for (int i = 0; i < 10; ++i) frame();
    EXPECT_TRUE(machine_.settings == before);
}

TEST_F(InterfaceTest, AnotherEngineGetsItsDefaultAndNoIllegalOption) {
    machine_.settings.options[Option::vector_width] = 2;
    machine_.settings.options[Option::threads_per_block] = 512;
    machine_.settings.options[Option::blocks] = 1056;
    machine_.settings.slots = max_slots(EngineId::cuda);
    frame();
    click(place("engine: CPU"));
    EXPECT_EQ(machine_.settings.engine, EngineId::cpu);
    EXPECT_EQ(machine_.settings.algorithm, "cpu_sequence_wise");
    EXPECT_EQ(machine_.settings.options[Option::vector_width], 2U);
    EXPECT_EQ(machine_.settings.options[Option::threads_per_block], compaction::automatic);
    EXPECT_EQ(machine_.settings.options[Option::blocks], compaction::automatic);
    EXPECT_EQ(machine_.settings.slots, max_slots(EngineId::cpu));
    press(GLFW_KEY_E);
    EXPECT_EQ(machine_.settings.algorithm, "sequence_wise");
}

TEST_F(InterfaceTest, AnEngineThatCannotRunCannotBeChosen) {
    made_up::make_cpu_machine(machine_);
    frame();
    click(place("engine: CUDA"));
    EXPECT_EQ(machine_.settings.engine, EngineId::cpu);
    press(GLFW_KEY_E);
    EXPECT_EQ(machine_.settings.engine, EngineId::cpu);
    // Nor may a settings file ask for it.
    machine_.settings.engine = EngineId::cuda;
    machine_.settings.algorithm = "sequence_wise";
    frame();
    EXPECT_EQ(machine_.settings.engine, EngineId::cpu);
}

TEST_F(InterfaceTest, VCyclesThroughTheLegalWidths) {
    for (const std::uint32_t expected : {1U, 2U, 4U, compaction::automatic, 1U}) {
        press(GLFW_KEY_V);
        EXPECT_EQ(machine_.settings.options[Option::vector_width], expected);
    }
    machine_.settings.algorithm = "cub_select";
    frame();
    EXPECT_EQ(machine_.settings.options[Option::vector_width], compaction::automatic);
    press(GLFW_KEY_V);
    EXPECT_EQ(machine_.settings.options[Option::vector_width], compaction::automatic);
}

TEST_F(InterfaceTest, AStepsThroughTheAlgorithmsOfTheEngine) {
    press(GLFW_KEY_A);
    EXPECT_EQ(machine_.settings.algorithm, "cub_select");
    press(GLFW_KEY_A);
    EXPECT_EQ(machine_.settings.algorithm, "sequence_wise");
    press(GLFW_KEY_A, false, true);
    EXPECT_EQ(machine_.settings.algorithm, "cub_select");
}

TEST_F(InterfaceTest, TheMenuChoosesAnAlgorithm) {
    frame();
    click(place("algorithm"));
    frame();
    click(place("algorithm: cub_select"));
    frame();
    EXPECT_EQ(machine_.settings.algorithm, "cub_select");
}

TEST_F(InterfaceTest, SlidersOfferNothingIllegal) {
    for (const char* label : {"slots", "live fraction", "speed", "threads per block", "blocks", "sequences",
                              "iterations", "check every"}) {
        SCOPED_TRACE(label);
        frame();
        // Every frame checks that what was set is legal.
        for (float share = -0.2F; share < 1.25F; share += 0.05F) {
            const ImVec2 from = place(label);
            drag(from, {place(label, share).x, from.y});
        }
    }
    for (const char* label :
         {"vector width: scalar", "vector width: pair", "vector width: quad", "vector width: automatic"}) {
        click(place(label));
    }
    EXPECT_EQ(machine_.settings.options[Option::vector_width], compaction::automatic);
}

TEST_F(InterfaceTest, ASliderGoesWhereItIsDragged) {
    frame();
    drag(place("slots"), place("slots", 0.999F));
    EXPECT_EQ(machine_.settings.slots, max_slots(EngineId::cuda));
    drag(place("slots"), place("slots", 0.001F));
    EXPECT_EQ(machine_.settings.slots, min_slots);
    drag(place("threads per block"), place("threads per block", 0.999F));
    EXPECT_EQ(machine_.settings.options[Option::threads_per_block], 1024U);
    drag(place("threads per block"), place("threads per block", 0.001F));
    EXPECT_EQ(machine_.settings.options[Option::threads_per_block], compaction::automatic);
}

TEST_F(InterfaceTest, ControlClickTypesAValue) {
    const auto type_into = [&](const char* label, const char* text) {
        frame();
        click(place(label), true);
        for (int i = 0; i < 4; ++i) frame();
        EXPECT_TRUE(ImGui::GetIO().WantTextInput) << label;
        type(text);
        press(GLFW_KEY_ENTER);
        frame();
    };
    type_into("slots", "1000003");
    EXPECT_EQ(machine_.settings.slots, 1'000'003U);
    type_into("slots", "2^14");
    EXPECT_EQ(machine_.settings.slots, 1U << 14);
    type_into("slots", "7");
    EXPECT_EQ(machine_.settings.slots, min_slots);
    type_into("slots", "nonsense");
    EXPECT_EQ(machine_.settings.slots, min_slots);
    type_into("live fraction", "12.5");
    EXPECT_FLOAT_EQ(machine_.settings.density, 0.125F);
    type_into("threads per block", "200");
    EXPECT_EQ(machine_.settings.options[Option::threads_per_block], 192U);
    type_into("threads per block", "auto");
    EXPECT_EQ(machine_.settings.options[Option::threads_per_block], compaction::automatic);
}

TEST_F(InterfaceTest, KeysDoNothingWhileTextIsTyped) {
    frame();
    click(place("folder"));
    frame();
    frame();
    ASSERT_TRUE(ImGui::GetIO().WantTextInput);
    const Settings before = machine_.settings;
    press(GLFW_KEY_E);
    EXPECT_FALSE(press(GLFW_KEY_Q).quit);
    EXPECT_EQ(machine_.settings.engine, before.engine);
    type("pictures");
    // Leaving the field takes the folder over, even by a click on a control that comes before it.
    click(place("live fraction"));
    EXPECT_EQ(machine_.settings.capture_folder, "pictures");
}

TEST_F(InterfaceTest, EveryKeyDoesWhatTheListSays) {
    Settings& settings = machine_.settings;
    EXPECT_TRUE(press(GLFW_KEY_F12).capture);
    EXPECT_TRUE(press(GLFW_KEY_R).reset_scene);
    EXPECT_TRUE(press(GLFW_KEY_Q).quit);
    EXPECT_TRUE(press(GLFW_KEY_Q, true).quit);
    press(GLFW_KEY_SPACE);
    EXPECT_TRUE(settings.paused);
    press(GLFW_KEY_SPACE);
    EXPECT_TRUE(type(".").single_step);
    EXPECT_TRUE(settings.paused);
    const std::uint64_t slots = settings.slots;
    type("]");
    EXPECT_EQ(settings.slots, slots * 2);
    type("[");
    EXPECT_EQ(settings.slots, slots);
    type("-");
    EXPECT_NEAR(settings.density, 0.45F, 1e-5F);
    type("=");
    EXPECT_NEAR(settings.density, 0.5F, 1e-5F);
    for (const std::uint32_t expected : {2U, 4U, 8U, 16U, 32U, 64U, 1U}) {
        press(GLFW_KEY_I);
        EXPECT_EQ(settings.iterations, expected);
    }
    press(GLFW_KEY_C);
    EXPECT_FALSE(settings.check);
    press(GLFW_KEY_L);
    EXPECT_EQ(settings.theme, Theme::light);
    press(GLFW_KEY_EQUAL, true);
    EXPECT_FLOAT_EQ(settings.scale, 1.25F);
    press(GLFW_KEY_KP_SUBTRACT, true);
    EXPECT_FLOAT_EQ(settings.scale, 1.0F);
    press(GLFW_KEY_MINUS, true);
    EXPECT_FLOAT_EQ(settings.scale, 1.0F);
    // The list names each key once.
    std::map<std::string, int> listed;
    for (const panels::Shortcut& shortcut : panels::shortcuts())
        EXPECT_EQ(++listed[shortcut.keys], 1) << shortcut.keys;
}

TEST_F(InterfaceTest, ButtonsAskForWhatTheySay) {
    frame();
    EXPECT_TRUE(click(place("capture")).capture);
    EXPECT_TRUE(click(place("reset")).reset_scene);
    EXPECT_TRUE(click(place("clear timings")).clear_timings);
    click(place("pause"));
    EXPECT_TRUE(machine_.settings.paused);
    click(place("theme: light"));
    EXPECT_EQ(machine_.settings.theme, Theme::light);
    click(place("scale, %: 150"));
    EXPECT_FLOAT_EQ(machine_.settings.scale, 1.5F);
}

TEST_F(InterfaceTest, MessagesAreDismissedAndAFailureStays) {
    machine_.view.messages.push_back(
        {Severity::warning, "Something was not as it should be. Do this next.", 0});
    machine_.view.messages.push_back({Severity::info, "A picture was saved.", 0});
    machine_.view.check.wrong = 1;
    machine_.view.check.first_failure = "sequence_wise, frame 7: kept 3 items, the reference keeps 4";
    frame();
    frame();
    EXPECT_EQ(click(place("dismiss message 2")).dismiss_message, std::optional<std::size_t>{1});
}

TEST_F(InterfaceTest, TheMouseTurnsAndZoomsTheView) {
    frame();
    ImGuiIO& io = ImGui::GetIO();
    const ImVec2 middle = place("view");
    io.MousePos = middle;
    frame();
    io.MouseWheel = 1;
    EXPECT_LT(frame().zoom, 1);
    io.MouseDown[0] = true;
    frame();
    io.MousePos = {middle.x + 40, middle.y + 10};
    const Requests dragged = frame();
    EXPECT_NE(dragged.orbit_around, 0);
    EXPECT_NE(dragged.orbit_up, 0);
    io.MouseDown[0] = false;
    frame();
    // Over a panel the mouse belongs to the panel.
    io.MousePos = place("slots");
    frame();
    io.MouseWheel = 1;
    EXPECT_EQ(frame().zoom, 1);
}

TEST_F(InterfaceTest, SplittersAreDraggedWithinLimitsAndPutBack) {
    frame();
    const ImVec2 at = place("controls splitter");
    drag(at, {at.x + 60, at.y});
    EXPECT_NEAR(machine_.settings.controls_width, 400, 1);
    frame();
    drag(place("controls splitter"), {1270, at.y});
    EXPECT_LE(machine_.settings.controls_width, 0.5F * 1280);
    const ImVec2 timings = place("timings splitter");
    drag(timings, {timings.x, timings.y - 50});
    EXPECT_NEAR(machine_.settings.timings_height, 270, 1);
    frame();
    const ImVec2 moved = place("controls splitter");
    click(moved);
    click(moved);
    EXPECT_EQ(machine_.settings.controls_width, Settings{}.controls_width);
}

TEST_F(InterfaceTest, EverySizeAndStateIsBuilt) {
    View& view = machine_.view;
    for (const gl::PixelSize size : {gl::PixelSize{1, 1}, gl::PixelSize{320, 200}, gl::PixelSize{1024, 640},
                                     gl::PixelSize{2560, 1440}}) {
        for (const float scale : {1.0F, 1.5F, 2.0F}) {
            window_ = size;
            interface_->set_look(scale, Theme::light);
            for (const bool plain : {false, true}) {
                view.plain_plots = plain;
                frame();
                frame();
            }
        }
    }
    window_ = {1280, 720};
    machine_.timeline.clear();
    view.rows.clear();
    frame();
    // Data that is not data.
    experiments::FrameSample broken;
    broken.algorithm = view.algorithm;
    broken.num_phases = 3;
    broken.phase_us.fill(std::numeric_limits<float>::quiet_NaN());
    broken.total_us = std::numeric_limits<float>::infinity();
    machine_.timeline.push(broken);
    frame();
    machine_.timeline.push({});
    frame();
    view.timeline = nullptr;
    view.algorithm = nullptr;
    frame();
}

TEST_F(InterfaceTest, TheHelpOpensAndCloses) {
    frame();
    const int before = ImGui::GetDrawData()->TotalVtxCount;
    press(GLFW_KEY_F1);
    EXPECT_GT(ImGui::GetDrawData()->TotalVtxCount, before + 400);
    press(GLFW_KEY_ESCAPE);
    frame();
    EXPECT_LT(ImGui::GetDrawData()->TotalVtxCount, before + 400);
}

TEST(Choices, FindTheNearestLegalValue) {
    using Spacing = compaction::LegalRange::Spacing;
    const compaction::LegalRange threads{Option::threads_per_block, 32, 1024, Spacing::multiples, 32};
    EXPECT_EQ(panels::nearest_legal(threads, 0), 32U);
    EXPECT_EQ(panels::nearest_legal(threads, 100), 96U);
    EXPECT_EQ(panels::nearest_legal(threads, 5000), 1024U);
    const compaction::LegalRange blocks{Option::blocks, 1, 65535, Spacing::multiples, 1};
    EXPECT_EQ(panels::nearest_legal(blocks, 12345), 12345U);
    const compaction::LegalRange sequences{Option::sequences, 1, 4096, Spacing::powers_of_two};
    EXPECT_EQ(panels::nearest_legal(sequences, 1000), 1024U);
}

}  // namespace
