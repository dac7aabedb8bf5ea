#include <array>
#include <string>

#include "app/panels/tabs.hpp"
#include "app/panels/widgets.hpp"
#include "app/panels/window_frame.hpp"
#include "app/scene/sources.hpp"

namespace warpsieve::panels {
namespace {

/// Why the view shows nothing, or next to nothing; empty where it shows particles.
std::string why_empty(const Settings& settings) {
    const RunConfig& run = settings.run;
    if (scene::source_in_force(run.source).has_patterns) {
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
    return run.density > 0 ? "" : "The live fraction is 0 %, so no slot holds a particle.";
}

/// A box in the middle of the view, its upper end at `top`; close with end_box().
void begin_box(const WindowFrame& frame, const char* name, ImVec2 size, float top, int flags) {
    const Rectangle& zone = frame.zones.view;
    ImGui::SetNextWindowPos(
        {static_cast<float>(zone.x) + std::round((static_cast<float>(zone.width) - size.x) / 2),
         std::round(top)});
    ImGui::SetNextWindowSize(size);
    ImGui::PushStyleColor(ImGuiCol_WindowBg, frame.palette().raised);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, std::max(1.0F, frame.px(1)));
    ImGui::Begin(name, nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                     ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoNav | flags);
}

void end_box() {
    ImGui::End();
    ImGui::PopStyleVar(2);
    ImGui::PopStyleColor();
}

/// Says that a lab holds the scene, with a button that cancels it.
void draw_held(WindowFrame& frame) {
    const ImFont* font = frame.fonts().text;
    const Rectangle& zone = frame.zones.view;
    const float air = frame.px(12);
    const float height = ImGui::GetFrameHeight() + 2 * frame.px(8);
    const float button_width = plots::text_width(font, "cancel") + frame.px(50);
    const float room = static_cast<float>(zone.width) - 2 * frame.px(12) - button_width - 3 * air;
    if (room < frame.px(60) || static_cast<float>(zone.height) < height + frame.px(24)) return;
    const std::string text = plots::elided(
        font, "The scene is held while a lab measures. Key 5 shows the lab; Esc cancels it.", room);
    const float text_width = plots::text_width(font, text);
    begin_box(frame, "held", {text_width + button_width + 3 * air, height},
              static_cast<float>(zone.y) + (static_cast<float>(zone.height) - height) / 2, 0);
    const ImVec2 low = ImGui::GetWindowPos();
    plots::draw_text(*ImGui::GetWindowDrawList(), font,
                     {low.x + air, low.y + std::round((height - font->FontSize) / 2)}, frame.palette().text,
                     text);
    ImGui::SetCursorScreenPos({low.x + text_width + 2 * air, low.y + frame.px(8)});
    if (button(frame, "cancel", button_width, "Stops after the current sample. Results so far stay.", "Esc"))
        frame.requests.cancel_lab = true;
    frame.controls.record("scene held", low, {low.x + ImGui::GetWindowWidth(), low.y + height});
    end_box();
}

void draw_empty(WindowFrame& frame, const std::string& text) {
    const ImFont* font = frame.fonts().text;
    const Rectangle& zone = frame.zones.view;
    const float air = frame.px(12);
    const float height = font->FontSize + 2 * frame.px(8);
    const float width = std::min(plots::text_width(font, text), static_cast<float>(zone.width) - 4 * air);
    if (width < frame.px(60) || static_cast<float>(zone.height) < height + frame.px(24)) return;
    begin_box(frame, "nothing to see", {width + 2 * air, height},
              static_cast<float>(zone.y) + (static_cast<float>(zone.height) - height) / 3,
              ImGuiWindowFlags_NoInputs);
    const ImVec2 low = ImGui::GetWindowPos();
    plots::draw_text(*ImGui::GetWindowDrawList(), font, {low.x + air, low.y + frame.px(8)},
                     frame.palette().label, plots::elided(font, text, width));
    frame.controls.record("nothing to see", low, {low.x + width + 2 * air, low.y + height});
    end_box();
}

}  // namespace

void draw_view_notes(WindowFrame& frame) {
    const std::string_view tab = tab_in_force(frame.settings).id;
    if (tab == labs_tab || frame.zones.view.width <= 0) return;
    if (frame.view.labs.running && frame.settings.labs.hold_scene) return draw_held(frame);
    const bool particles = tab_in_force(frame.settings).over_scene && !frame.settings.shows_inside();
    const std::string text = particles || tab == "slot_map" ? why_empty(frame.settings) : std::string();
    if (!text.empty()) draw_empty(frame, text);
}

}  // namespace warpsieve::panels
