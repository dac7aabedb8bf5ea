#include <algorithm>
#include <vector>

#include "app/panels/choices.hpp"
#include "app/panels/controls.hpp"
#include "app/panels/widgets.hpp"

namespace warpsieve::panels {
namespace {

using compaction::Algorithm;
using compaction::EngineStatus;

void draw_engine(PanelFrame& frame) {
    std::vector<Segment> choices;
    std::size_t selected = frame.view.engines.size();
    for (std::size_t i = 0; i < frame.view.engines.size(); ++i) {
        const EngineStatus& status = frame.view.engines[i];
        choices.push_back({.label = status.name, .off_because = status.reason, .in_force = false});
        if (status.id == frame.settings.engine) selected = i;
    }
    const auto clicked = segments(
        frame,
        {.label = "engine",
         .tooltip = "Where the compaction runs. CUDA uses an NVIDIA GPU and hands its result to OpenGL "
                    "without a copy; CPU uses SIMD and all hardware threads.",
         .key = "E",
         .off_because = {}},
        choices, selected);
    if (clicked) choose_engine(frame.view, frame.settings, frame.view.engines[*clicked].id);
    if (!frame.view.engine_reason.empty()) note(frame, frame.view.engine_reason);
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

/// One entry of the menu: its name, and below it who published it, or that the build does not have it.
bool menu_entry(PanelFrame& frame, const Algorithm& algorithm, const EngineStatus& engine, bool selected) {
    const float line = ImGui::GetTextLineHeight();
    const std::string published = algorithm.is_available() ? credit(algorithm) : "not in this build";
    const ImVec2 low = ImGui::GetCursorScreenPos();
    const std::string& off_because = engine.available ? algorithm.unavailable_reason : engine.reason;
    const bool available = off_because.empty();
    const float height = published.empty() ? line + frame.px(4) : 2 * line + frame.px(4);
    ImGui::PushID(algorithm.id.c_str());
    ImGui::BeginDisabled(!available);
    const bool clicked = ImGui::Selectable("##algorithm", selected, ImGuiSelectableFlags_None, {0, height});
    ImGui::EndDisabled();
    ImGui::PopID();
    frame.memory.controls.record_item("algorithm: " + algorithm.id);
    frame.memory.tooltips.offer_item(frame.look, available ? explained(algorithm) : off_because);

    ImDrawList& list = *ImGui::GetWindowDrawList();
    const plots::Palette& palette = frame.palette();
    const ImU32 colour = available ? palette.text : plots::mix(palette.raised, palette.text, 0.42F);
    const ImU32 muted = available ? palette.muted : plots::mix(palette.raised, palette.muted, 0.55F);
    plots::draw_text(list, frame.fonts().text, {low.x + frame.px(4), low.y + frame.px(2)}, colour,
                     engine.available ? algorithm.name : algorithm.name + " (" + engine.name + ")");
    plots::draw_text(list, frame.fonts().small, {low.x + frame.px(4), low.y + line + frame.px(2)}, muted,
                     published);
    return clicked;
}

void draw_menu(PanelFrame& frame, const Algorithm* chosen) {
    // This engine's algorithms first, then those that cannot run here: they can be read about all the same.
    for (const bool runnable : {true, false}) {
        for (const Algorithm& algorithm : frame.view.catalogue) {
            const auto engine = std::ranges::find(frame.view.engines, algorithm.engine, &EngineStatus::id);
            if (engine == frame.view.engines.end() || engine->available != runnable) continue;
            if (runnable && algorithm.engine != frame.settings.engine) continue;
            if (menu_entry(frame, algorithm, *engine, &algorithm == chosen)) {
                choose_algorithm(frame.view, frame.settings, algorithm, frame.edited());
            }
        }
    }
}

void draw_algorithm(PanelFrame& frame) {
    const Algorithm* chosen = chosen_algorithm(frame.view, frame.settings, frame.edited());
    // The heading above is its label: names of algorithms need the whole width.
    ImGui::SetNextItemWidth(-FLT_MIN);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {frame.px(8), frame.px(8)});
    const bool open = ImGui::BeginCombo("##algorithm", chosen ? chosen->name.c_str() : "none",
                                        ImGuiComboFlags_HeightLargest);
    ImGui::PopStyleVar();
    if (open) {
        draw_menu(frame, chosen);
        ImGui::EndCombo();
    } else {
        frame.memory.controls.record_item("algorithm");
        if (chosen) frame.memory.tooltips.offer_item(frame.look, explained(*chosen), "A and Shift+A");
    }
    if (chosen && !credit(*chosen).empty()) note(frame, credit(*chosen));
}

}  // namespace

void draw_algorithm_controls(PanelFrame& frame) {
    heading(frame, of_edited_side(frame, "By which algorithm"));
    draw_engine(frame);
    draw_algorithm(frame);
}

}  // namespace warpsieve::panels
