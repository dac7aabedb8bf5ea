#pragma once

#include <gtest/gtest.h>
#include <imgui.h>

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/panels/choices.hpp"
#include "app/panels/interface.hpp"
#include "tests/app/view_model/fake_snapshot.hpp"

namespace warpsieve {

/// The interface without a window: ImGui gets fake mouse and keys, and the settings must change, and only
/// legally.
class InterfaceTest : public testing::Test {
  protected:
    InterfaceTest() {
        ImGui::CreateContext();
        ImGuiIO& io = ImGui::GetIO();
        io.KeyMap[ImGuiKey_Enter] = GLFW_KEY_ENTER;
        io.KeyMap[ImGuiKey_Escape] = GLFW_KEY_ESCAPE;
        interface_.emplace(1.0F, Theme::dark);
        fake::make_gpu_machine(machine_);
    }
    ~InterfaceTest() override {
        interface_.reset();
        ImGui::DestroyContext();
    }

    Requests frame(const std::vector<gl::KeyEvent>& keys = {}) {
        ImGuiIO& io = ImGui::GetIO();
        io.DisplaySize = {static_cast<float>(window_.width), static_cast<float>(window_.height)};
        io.DeltaTime = 1.0F / 60;
        machine_.snapshot.display.now_s += 1.0 / 60;
        ++machine_.snapshot.display.figures_serial;
        ImGui::NewFrame();
        machine_.snapshot.keys = keys;
        const Requests requests = interface_->build(machine_.snapshot, machine_.settings, window_);
        machine_.snapshot.keys = {};
        ImGui::Render();
        expect_legal();
        expect_finite();
        return requests;
    }

    /// Every vertex of the frame can be drawn, whatever the data were.
    static void expect_finite() {
        const ImDrawData& drawn = *ImGui::GetDrawData();
        std::size_t broken = 0;
        for (int i = 0; i < drawn.CmdListsCount; ++i) {
            for (const ImDrawVert& vertex : drawn.CmdLists[i]->VtxBuffer)
                broken += std::isfinite(vertex.pos.x) && std::isfinite(vertex.pos.y) ? 0 : 1;
        }
        EXPECT_EQ(broken, 0U) << "vertices are not finite";
    }

    /// What must hold after every frame, whatever was done.
    void expect_legal() const {
        const Settings& settings = machine_.settings;
        const compaction::Algorithm* algorithm = chosen_algorithm(machine_.snapshot.catalogue, settings);
        ASSERT_NE(algorithm, nullptr);
        EXPECT_EQ(algorithm->engine, settings.run.engine);
        EXPECT_TRUE(settings.run.a.algorithm.empty() || settings.run.a.algorithm == algorithm->id);
        EXPECT_TRUE(is_available(machine_.snapshot.catalogue, settings.run.engine));
        EXPECT_NO_THROW(compaction::validate(*algorithm, settings.run.a.options));
        const compaction::Algorithm* b = chosen_algorithm(machine_.snapshot.catalogue, settings, Side::b);
        ASSERT_NE(b, nullptr);
        EXPECT_EQ(b->engine, settings.run.engine);
        EXPECT_NO_THROW(compaction::validate(*b, settings.run.b.options));
        EXPECT_GE(settings.run.slots, min_slots);
        EXPECT_LE(settings.run.slots, max_slots(settings.run.engine));
        EXPECT_GE(settings.run.live_fraction, 0);
        EXPECT_LE(settings.run.live_fraction, 1);
        EXPECT_GE(settings.run.iterations, 1U);
        EXPECT_LE(settings.run.iterations, max_iterations);
    }

    Requests press(int key, bool ctrl = false, bool shift = false) {
        ImGuiIO& io = ImGui::GetIO();
        io.KeyCtrl = ctrl;
        io.KeyShift = shift;
        io.KeysDown[key] = true;
        const gl::KeyEvent event{.key = key, .ctrl = ctrl, .shift = shift};
        const Requests requests = frame({event});
        io.KeysDown[key] = false;
        io.KeyCtrl = io.KeyShift = false;
        frame();
        return requests;
    }
    Requests type(const char* characters) {
        ImGui::GetIO().AddInputCharactersUTF8(characters);
        std::vector<gl::KeyEvent> events;
        for (const char* each = characters; *each; ++each)
            events.push_back(
                {.kind = gl::KeyEvent::Kind::character, .character = static_cast<unsigned>(*each)});
        return frame(events);
    }

    bool has_control(const std::string& label) const {
        return nlohmann::json::parse(interface_->control_map()).contains(label);
    }

    /// The middle of a control, `share` of the way from its left to its right end.
    ImVec2 point_of(const std::string& label, float share = 0.5F) const {
        const auto map = nlohmann::json::parse(interface_->control_map());
        if (!map.contains(label)) {
            ADD_FAILURE() << "no control '" << label << "' in " << map.dump();
            return {-1, -1};
        }
        const std::array<float, 4> at = map[label];
        return {at[0] + at[2] * share, at[1] + at[3] / 2};
    }
    /// A control: its corners.
    std::pair<ImVec2, ImVec2> corners(const std::string& label) const {
        const auto map = nlohmann::json::parse(interface_->control_map());
        if (!map.contains(label)) {
            ADD_FAILURE() << "no control '" << label << "' in " << map.dump();
            return {};
        }
        const std::array<float, 4> at = map[label];
        return {{at[0], at[1]}, {at[0] + at[2], at[1] + at[3]}};
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
        return released.capture || released.dismiss_change || released.reset_scene ||
                       released.clear_timings || released.dismiss_message || !released.open.empty()
                   ? released
                   : pressed;
    }
    /// Opens the menu of what lies there.
    void right_click(ImVec2 at) {
        ImGuiIO& io = ImGui::GetIO();
        io.MousePos = at;
        frame();
        io.MouseDown[1] = true;
        frame();
        io.MouseDown[1] = false;
        frame();
        frame();
    }
    void turn_wheel(ImVec2 at, float notches, bool ctrl = false) {
        ImGuiIO& io = ImGui::GetIO();
        io.MousePos = at;
        frame();
        io.KeyCtrl = ctrl;
        io.MouseWheel = notches;
        frame();
        io.MouseWheel = 0;
        io.KeyCtrl = false;
        frame();
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
    fake::Machine machine_;
    gl::PixelSize window_{1280, 720};
};

}  // namespace warpsieve
