// The slider, and what is typed into it.
#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "app/format/figures.hpp"
#include "app/panels/widgets.hpp"
#include "app/panels/widgets/parts.hpp"

// Included for the key codes.
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

namespace warpsieve::panels {
namespace {

/// The range of a slider's thumb, in pixels.
struct Track {
    float low;
    float high;

    float position(float share) const { return low + (high - low) * std::clamp(share, 0.0F, 1.0F); }
    float share(float x) const { return std::clamp((x - low) / std::max(high - low, 1.0F), 0.0F, 1.0F); }
};

Track track_of(const Ui& ui, ImVec2 low, ImVec2 high) {
    const float inset = ui.px(7);
    return {low.x + inset, high.x - inset};
}

/// Draws the text field that replaces a slider while a value is typed. Returns the text when it is entered.
std::optional<std::string> draw_value_field(Ui& ui, const Slider& slider, float width) {
    TypedValue& typed = ui.typed;
    if (typed.just_opened) ImGui::SetKeyboardFocusHere();
    ImGui::PushFont(ui.fonts().figures);
    ImGui::SetNextItemWidth(std::max(width, 1.0F));
    const bool entered = ImGui::InputText(
        "##typed", &typed.text, ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
    ImGui::PopFont();
    const bool lost_focus = !typed.just_opened && ImGui::IsItemDeactivated();
    typed.just_opened = false;
    ui.controls.record_item(slider.row.label);
    if (!entered && !lost_focus) return {};
    typed.slider.clear();
    // Escape restores the old text and changes nothing.
    if (typed.text == slider.number) return {};
    return typed.text;
}

/// The message that the typed text, cut to fit below the control, is not a number.
std::string not_a_number(const std::string& typed) {
    constexpr std::size_t max_bytes = 16;
    std::string shown = typed.substr(0, max_bytes);
    if (typed.size() > max_bytes) shown += "…";
    return "'" + shown + "' is not a number.";
}

/// Clamps a typed value. A note below the control says if the value was clamped, or if the text is no number.
template <typename T, typename TextOf>
std::optional<T> clamped(Ui& ui, std::string_view label, const std::string& typed, std::optional<T> wanted,
                         T min, T max, TextOf text_of) {
    if (!wanted) {
        note_below(ui, label, not_a_number(typed));
        return {};
    }
    if (*wanted > max) note_below(ui, label, text_of(max) + " is the maximum here.");
    if (*wanted < min) note_below(ui, label, text_of(min) + " is the minimum here.");
    return std::clamp(*wanted, min, max);
}

void draw_slider(const Ui& ui, const Slider& slider, ImVec2 low, ImVec2 high, bool hot) {
    const plots::Palette& palette = ui.palette();
    const bool off = !slider.row.disabled_reason.empty();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled(low, high, dimmed(ui, hot ? palette.raised_more : palette.raised, off),
                       ImGui::GetStyle().FrameRounding);
    draw_edge(ui, low, high, off);

    if (!off) {
        // The track lies below the value, so that the thumb never covers a digit.
        const Track track = track_of(ui, low, high);
        const float share =
            static_cast<float>(slider.step) / static_cast<float>(std::max(slider.last_step, 1));
        const float thumb = std::round(track.position(share));
        const float thickness = std::max(3.0F, ui.px(3));
        const float half_width = ui.px(5);
        list.AddRectFilled({track.low, high.y - thickness}, {track.high, high.y}, palette.control_edge);
        list.AddRectFilled({track.low, high.y - thickness}, {thumb, high.y}, palette.accent);
        list.AddRectFilled({thumb - half_width, high.y - ui.px(8)}, {thumb + half_width, high.y + ui.px(1)},
                           palette.accent, std::min(ImGui::GetStyle().FrameRounding, half_width));
    }

    const float baseline = baseline_of(ui, low.y) - (off ? 0 : ui.px(2));
    const ImFont* small = ui.fonts().small;
    const ImFont* figures = ui.fonts().figures;
    float x = high.x - ImGui::GetStyle().FramePadding.x;
    // Draws from right to left.
    const auto draw_leftwards = [&](const ImFont* font, ImU32 colour, const std::string& text, float gap) {
        if (text.empty()) return;
        x -= plots::text_width(font, text);
        plots::draw_on_baseline(list, font, {x, baseline}, dimmed(ui, colour, off), text);
        x -= gap;
    };
    draw_leftwards(small, palette.label, slider.unit, ui.px(5));
    draw_leftwards(figures, palette.text, slider.number, ui.px(8));
    draw_leftwards(small, palette.label, slider.before, 0);
}

}  // namespace

std::optional<std::uint64_t> typed_count(Ui& ui, std::string_view label, const std::string& typed,
                                         const AllowedValues& allowed) {
    return clamped(ui, label, typed, format::parse_count(typed), static_cast<std::uint64_t>(allowed.min),
                   static_cast<std::uint64_t>(allowed.max), format::grouped);
}

std::optional<float> typed_number(Ui& ui, std::string_view label, const std::string& typed,
                                  const AllowedValues& allowed, const std::string& unit, double scale) {
    const auto text_of = [&](double bound) { return std::to_string(static_cast<int>(bound)) + " " + unit; };
    const auto number = clamped<double>(ui, label, typed, format::parse_number(typed), allowed.min * scale,
                                        allowed.max * scale, text_of);
    return number ? std::optional(static_cast<float>(*number / scale)) : std::nullopt;
}

void note_below(Ui& ui, std::string_view label, std::string text) {
    ui.typed.note_below = label;
    ui.typed.note = std::move(text);
    ui.typed.note_is_new = true;
}

void draw_note_below(Ui& ui, std::string_view label) {
    const TypedValue& typed = ui.typed;
    if (typed.note_below != label) return;
    note_under_control(ui, typed.note);
    ui.controls.record_item("note below " + typed.note_below);
}

SliderResult bare_slider(Ui& ui, const Slider& slider, float width) {
    SliderResult answer;
    TypedValue& typed = ui.typed;
    if (typed.slider == slider.row.label) {
        answer.typed = draw_value_field(ui, slider, width);
        return answer;
    }
    const bool off = !slider.row.disabled_reason.empty();
    ImGui::BeginDisabled(off);
    invisible_button("##slider", {std::max(width, 1.0F), ImGui::GetFrameHeight()});
    ImGui::EndDisabled();
    const ImVec2 low = ImGui::GetItemRectMin();
    const ImVec2 high = ImGui::GetItemRectMax();
    const ImGuiIO& io = ImGui::GetIO();
    if (ImGui::IsItemActivated() && io.KeyCtrl) {
        typed.slider = slider.row.label;
        typed.text = slider.number;
        typed.just_opened = true;
        typed.note_below.clear();
    } else if (ImGui::IsItemActive()) {
        const float share = track_of(ui, low, high).share(io.MousePos.x);
        const int step = static_cast<int>(std::lround(share * static_cast<float>(slider.last_step)));
        if (step != slider.step) answer.step = step;
    } else if (ImGui::IsItemHovered()) {
        const int moved = ui.presses(GLFW_KEY_RIGHT) - ui.presses(GLFW_KEY_LEFT);
        if (moved != 0) answer.step = std::clamp(slider.step + moved, 0, slider.last_step);
    }
    const bool focused = !off && ui.focus->add_control(slider.row.label);
    if (focused && ui.focus->steps() != 0)
        answer.step = std::clamp(slider.step + ui.focus->steps(), 0, slider.last_step);
    if (focused) ui.focus->show(ui, low, high);
    draw_slider(ui, slider, low, high, !off && (ImGui::IsItemHovered() || ImGui::IsItemActive()));
    ui.controls.record(slider.row.label, low, high);
    return answer;
}

SliderResult slider(Ui& ui, const Slider& slider) {
    begin_row(ui, slider.row);
    const bool is_typed = ui.typed.slider == slider.row.label;
    SliderResult answer = bare_slider(ui, slider, ImGui::GetContentRegionAvail().x);
    end_row(ui, slider.row);
    if (!is_typed) draw_note_below(ui, slider.row.label);
    return answer;
}

}  // namespace warpsieve::panels
