#include <algorithm>
#include <cmath>
#include <string>

#include "app/panels/memory.hpp"
#include "app/panels/views/toolbar.hpp"
#include "app/panels/widgets.hpp"
#include "app/scene/sources.hpp"

namespace warpsieve::panels {
namespace {

/// Why the view shows no particle, or a single one; empty if it shows more.
std::string reason_for_empty(const Settings& settings) {
    const RunConfig& run = settings.run;
    if (scene::effective_source(run.source).has_patterns) {
        const std::string pattern =
            "The pattern '" + std::string(workloads::info_of(run.pattern).name) + "' keeps ";
        if (run.pattern == workloads::Pattern::empty)
            return pattern + "no item, so there is nothing to draw.";
        if (run.pattern == workloads::Pattern::first_only)
            return pattern + "only the first item: one particle.";
        if (run.pattern == workloads::Pattern::last_only)
            return pattern + "only the last item: one particle.";
        if (!workloads::info_of(run.pattern).uses_keep_fraction) return {};
    }
    return run.live_fraction > 0 ? "" : "The live fraction is 0 %, so no slot holds a particle.";
}

/// Opens a box over the view. Close with end_box().
void begin_box(const Ui& ui, const char* name, ImVec2 low, ImVec2 size, int flags) {
    ImGui::SetNextWindowPos({std::round(low.x), std::round(low.y)});
    ImGui::SetNextWindowSize(size);
    ImGui::PushStyleColor(ImGuiCol_WindowBg, ui.palette().raised);
    ImGui::PushStyleColor(ImGuiCol_Button, ui.palette().raised_more);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, std::max(1.0F, ui.px(1)));
    ImGui::Begin(name, nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                     ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoNav | flags);
}

/// The left end of a box of that width in the middle of the view.
float centred_left(const Ui& ui, float width) {
    const Rectangle& pane = ui.panes.view;
    return static_cast<float>(pane.x) + (static_cast<float>(pane.width) - width) / 2;
}

void end_box() {
    ImGui::End();
    ImGui::PopStyleVar(2);
    ImGui::PopStyleColor(2);
}

/// Says that a lab holds the scene, with a button that cancels it.
void draw_scene_held(Ui& ui) {
    const ImFont* font = ui.fonts().text;
    const Rectangle& pane = ui.panes.view;
    const float padding = ui.px(12);
    const float height = ImGui::GetFrameHeight() + 2 * ui.px(8);
    const float cancel_width = button_width(ui.style, "cancel", "Esc");
    const float room = static_cast<float>(pane.width) - 2 * ui.px(12) - cancel_width - 3 * padding;
    if (room < ui.px(60) || static_cast<float>(pane.height) < height + ui.px(24)) return;
    const std::string text = plots::elided(
        font, "The scene is held while a lab measures. Key 5 shows the lab; Esc cancels it.", room);
    const float text_width = plots::text_width(font, text);
    const float width = text_width + cancel_width + 3 * padding;
    begin_box(ui, "held",
              {centred_left(ui, width),
               static_cast<float>(pane.y) + (static_cast<float>(pane.height) - height) / 2},
              {width, height}, ImGuiWindowFlags_None);
    const ImVec2 low = ImGui::GetWindowPos();
    plots::draw_text(*ImGui::GetWindowDrawList(), font,
                     {low.x + padding, low.y + std::round((height - font->FontSize) / 2)}, ui.palette().text,
                     text);
    ImGui::SetCursorScreenPos({low.x + text_width + 2 * padding, low.y + ui.px(8)});
    if (key_button(ui, "cancel", "Stops after the current sample. Results so far stay.", "Esc"))
        ui.requests.cancel_lab = true;
    ui.controls.record("scene held", low, {low.x + ImGui::GetWindowWidth(), low.y + height});
    end_box();
}

/// Says why the view is empty.
void draw_empty_view(Ui& ui, const std::string& text) {
    const ImFont* font = ui.fonts().text;
    const Rectangle& pane = ui.panes.view;
    const float padding = ui.px(12);
    const float height = font->FontSize + 2 * ui.px(8);
    const float width = std::min(plots::text_width(font, text), static_cast<float>(pane.width) - 4 * padding);
    if (width < ui.px(60) || static_cast<float>(pane.height) < height + ui.px(24)) return;
    begin_box(ui, "nothing to see",
              {centred_left(ui, width + 2 * padding),
               static_cast<float>(pane.y) + (static_cast<float>(pane.height) - height) / 3},
              {width + 2 * padding, height}, ImGuiWindowFlags_NoInputs);
    const ImVec2 low = ImGui::GetWindowPos();
    plots::draw_text(*ImGui::GetWindowDrawList(), font, {low.x + padding, low.y + ui.px(8)},
                     ui.palette().label, plots::elided(font, text, width));
    ui.controls.record("nothing to see", low, {low.x + width + 2 * padding, low.y + height});
    end_box();
}

}  // namespace

void draw_view_notes(Ui& ui) {
    if (current_tab(ui.settings).id == labs_tab || ui.panes.view.width <= 0) return;
    if (ui.snapshot.labs.running && ui.settings.labs.hold_scene) return draw_scene_held(ui);
    const std::string text =
        current_view(ui.settings).says_why_empty ? reason_for_empty(ui.settings) : std::string();
    if (!text.empty()) draw_empty_view(ui, text);
}

}  // namespace warpsieve::panels
