#include <imgui_internal.h>

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "app/panels/choices.hpp"
#include "app/panels/controls.hpp"
#include "app/panels/widgets.hpp"

namespace warpsieve::panels {
namespace {

using compaction::Algorithm;
using compaction::EngineStatus;

constexpr const char* menu_id = "algorithms";
/// Pixels at 100 %: wide enough for most lists of authors.
constexpr float menu_width = 440;

void draw_engine(ControlsFrame& frame) {
    std::vector<Segment> choices;
    std::size_t selected = frame.catalogue.engines.size();
    for (std::size_t i = 0; i < frame.catalogue.engines.size(); ++i) {
        const EngineStatus& status = frame.catalogue.engines[i];
        choices.push_back({.label = status.name, .off_because = status.reason, .in_force = false});
        if (status.id == frame.settings.run.engine) selected = i;
    }
    const auto clicked =
        segments(frame,
                 {.label = "engine",
                  .tooltip = "Selects where the compaction runs. CUDA uses an NVIDIA GPU and shares its "
                             "result with OpenGL without a copy; CPU uses SIMD and all hardware threads.",
                  .key = "E",
                  .off_because = {}},
                 choices, selected);
    if (clicked) choose_engine(frame.catalogue, frame.settings, frame.catalogue.engines[*clicked].id);
    if (!frame.engine_reason.empty()) note(frame, frame.engine_reason);
}

std::string credit(const Algorithm& algorithm) {
    if (algorithm.authors.empty()) return {};
    return algorithm.authors + (algorithm.year > 0 ? ", " + std::to_string(algorithm.year) : std::string());
}

std::string explained(const Algorithm& algorithm) {
    std::string text = algorithm.summary;
    if (!algorithm.source.empty()) text += (text.empty() ? "" : "\n\n") + ("Source: " + algorithm.source);
    return text;
}

/// A line of the menu: an algorithm, or the heading of an engine that cannot run here, with the reason.
struct MenuLine {
    const Algorithm* algorithm = nullptr;  ///< null: the engine's heading
    const EngineStatus* engine = nullptr;
};

/// The algorithms of this engine first, then those that cannot run here, so that people can read about them.
std::vector<MenuLine> menu_lines(const ControlsFrame& frame) {
    std::vector<MenuLine> lines;
    const auto add = [&](const EngineStatus& engine) {
        for (const Algorithm& algorithm : frame.catalogue.algorithms) {
            if (algorithm.engine == engine.id) lines.push_back({&algorithm, &engine});
        }
    };
    for (const EngineStatus& engine : frame.catalogue.engines) {
        if (engine.available && engine.id == frame.settings.run.engine) add(engine);
    }
    for (const EngineStatus& engine : frame.catalogue.engines) {
        if (engine.available) continue;
        lines.push_back({nullptr, &engine});
        add(engine);
    }
    return lines;
}

/// The line below an algorithm's name: its authors, or that the build does not include it.
std::string below_name(const Algorithm& algorithm) {
    return algorithm.is_available() ? credit(algorithm) : "not in this build";
}

float height_of_reason(const ControlsFrame& frame, const EngineStatus& engine, float width) {
    const ImFont* font = frame.fonts().small;
    return font
        ->CalcTextSizeA(font->FontSize, FLT_MAX, width, engine.reason.data(),
                        engine.reason.data() + engine.reason.size())
        .y;
}

float height_of(const ControlsFrame& frame, const MenuLine& line, float width) {
    const float text = frame.fonts().text->FontSize;
    if (!line.algorithm)
        return frame.px(12) + frame.fonts().heading->FontSize + height_of_reason(frame, *line.engine, width);
    return (below_name(*line.algorithm).empty() ? text : 2 * text) + frame.px(4);
}

void draw_engine_heading(const ControlsFrame& frame, const EngineStatus& engine, ImVec2 size) {
    const ImVec2 low = ImGui::GetCursorScreenPos();
    const float inset = frame.px(4);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float line_y = low.y + frame.px(4);
    list.AddLine({low.x, line_y}, {low.x + size.x, line_y}, frame.palette().track,
                 std::max(1.0F, frame.px(1)));
    const float top = low.y + frame.px(10);
    plots::draw_text(list, frame.fonts().heading, {low.x + inset, top}, frame.palette().text, engine.name);
    const ImFont* font = frame.fonts().small;
    list.AddText(font, font->FontSize, {low.x + inset, top + frame.fonts().heading->FontSize},
                 frame.palette().label, engine.reason.data(), engine.reason.data() + engine.reason.size(),
                 size.x - 2 * inset);
    ImGui::Dummy(size);
}

/// Returns true when clicked.
bool menu_entry(ControlsFrame& frame, const MenuLine& line, bool selected, ImVec2 size) {
    const Algorithm& algorithm = *line.algorithm;
    const ImVec2 low = ImGui::GetCursorScreenPos();
    const bool available = line.engine->available && algorithm.is_available();
    ImGui::PushID(algorithm.id.c_str());
    ImGui::BeginDisabled(!available);
    const bool clicked = ImGui::Selectable("##algorithm", selected, ImGuiSelectableFlags_None, size);
    ImGui::EndDisabled();
    ImGui::PopID();
    frame.controls.record_item("algorithm: " + algorithm.id);
    frame.tooltips.offer_item(frame.style,
                              algorithm.is_available() ? explained(algorithm) : algorithm.unavailable_reason);

    // Unavailable algorithms must stay readable, so they are muted and never dimmed.
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const plots::Palette& palette = frame.palette();
    const float inset = frame.px(4);
    const auto write = [&](const ImFont* font, float y, ImU32 colour, const std::string& text) {
        plots::draw_text(list, font, {low.x + inset, y}, colour,
                         plots::elided(font, text, size.x - 2 * inset));
    };
    write(frame.fonts().text, low.y + frame.px(2), available ? palette.text : palette.muted, algorithm.name);
    write(frame.fonts().small, low.y + frame.px(2) + frame.fonts().text->FontSize, palette.muted,
          below_name(algorithm));
    return clicked;
}

/// Draws the open menu beside the panel, so that the controls stay visible. Its top aligns with its field
/// where the window has room. Returns false while it is closed.
bool draw_menu(ControlsFrame& frame, const Algorithm* chosen, float top) {
    if (!ImGui::IsPopupOpen(menu_id)) return false;
    const std::vector<MenuLine> lines = menu_lines(frame);
    const float padding = frame.px(8);
    const ImGuiStyle& style = ImGui::GetStyle();
    const auto window_width = static_cast<float>(frame.window.width);
    const auto window_height = static_cast<float>(frame.window.height);
    const float width = std::min(frame.px(menu_width), window_width);
    const float line_width = width - 2 * padding - style.ScrollbarSize;
    float wanted = 2 * padding - style.ItemSpacing.y;
    for (const MenuLine& line : lines)
        wanted += height_of(frame, line, line_width - frame.px(8)) + style.ItemSpacing.y;
    const float height = std::min(wanted, window_height);
    const auto right = static_cast<float>(frame.zones.controls.x + frame.zones.controls.width);
    ImGui::SetNextWindowPos({std::min(right, window_width - width), std::min(top, window_height - height)});
    ImGui::SetNextWindowSize({width, height});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {padding, padding});
    const bool open = ImGui::BeginPopup(menu_id);
    ImGui::PopStyleVar();
    if (!open) return false;
    for (const MenuLine& line : lines) {
        const ImVec2 size{line_width, height_of(frame, line, line_width - frame.px(8))};
        if (!line.algorithm) {
            draw_engine_heading(frame, *line.engine, size);
        } else if (menu_entry(frame, line, line.algorithm == chosen, size)) {
            choose_algorithm(frame.catalogue, frame.settings, *line.algorithm, frame.edited());
        }
    }
    ImGui::EndPopup();
    return true;
}

/// Draws the closed menu; returns true when clicked.
bool menu_field(const ControlsFrame& frame, std::string_view shown) {
    const ImVec2 low = ImGui::GetCursorScreenPos();
    const ImVec2 size{std::max(ImGui::GetContentRegionAvail().x, 1.0F), ImGui::GetFrameHeight()};
    const bool clicked = invisible_button("##algorithm", size);
    const plots::Palette& palette = frame.palette();
    const ImGuiStyle& style = ImGui::GetStyle();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled(low, {low.x + size.x, low.y + size.y},
                       ImGui::IsItemHovered() ? palette.raised_more : palette.raised, style.FrameRounding);
    const float arrow = low.x + size.x - size.y;
    plots::draw_text(list, frame.fonts().text, {low.x + style.FramePadding.x, low.y + style.FramePadding.y},
                     palette.text,
                     plots::elided(frame.fonts().text, shown, arrow - low.x - style.FramePadding.x));
    const plots::Fonts& fonts = frame.fonts();
    const float text_right =
        low.x + style.FramePadding.x + plots::text_width(fonts.text, shown) + frame.px(6);
    const float key_left = arrow - frame.px(4) - plots::text_width(fonts.small, "A");
    if (key_left > text_right)
        plots::draw_on_baseline(list, fonts.small,
                                {key_left, std::round(low.y + style.FramePadding.y + fonts.text->Ascent)},
                                palette.muted, "A");
    ImGui::RenderArrow(&list, {arrow + style.FramePadding.y, low.y + style.FramePadding.y}, palette.text,
                       ImGuiDir_Down);
    return clicked;
}

void draw_algorithm(ControlsFrame& frame) {
    const Algorithm* chosen = chosen_algorithm(frame.catalogue, frame.settings, frame.edited());
    const float top = ImGui::GetCursorScreenPos().y;
    // The heading above serves as the label: algorithm names need the whole width.
    if (menu_field(frame, chosen ? chosen->name : "none")) ImGui::OpenPopup(menu_id);
    const ImVec2 low = ImGui::GetItemRectMin();
    const ImVec2 high = ImGui::GetItemRectMax();
    if (!draw_menu(frame, chosen, top)) {
        frame.controls.record("algorithm", low, high);
        if (frame.focus->has("algorithm")) {
            const int steps = frame.focus->steps();
            for (int i = 0; i < std::abs(steps); ++i)
                step_algorithm(frame.catalogue, frame.settings, steps > 0 ? 1 : -1, frame.edited());
            frame.focus->show(frame, low, high);
        }
        if (chosen) frame.tooltips.offer(frame.style, low, high, explained(*chosen), "A and Shift+A");
    }
    if (chosen && !credit(*chosen).empty()) note(frame, credit(*chosen));
}

}  // namespace

void draw_algorithm_controls(ControlsFrame& frame) {
    heading(frame, of_edited_side(frame, "Algorithm"));
    draw_engine(frame);
    draw_algorithm(frame);
}

}  // namespace warpsieve::panels
