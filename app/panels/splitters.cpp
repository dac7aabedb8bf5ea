#include <algorithm>

#include "app/panels/chrome.hpp"

namespace warpsieve::panels {
namespace {

struct Splitter {
    const char* name;
    Rectangle pane;  ///< of the splitter itself
    bool upright;    ///< a drag changes the width of a pane, else its height
    float& size;     ///< the setting that it changes, in pixels at 100 %
    float default_size;
    float (*clamped)(float wanted, gl::PixelSize window, float scale);
};

void draw_splitter(Ui& ui, const Splitter& splitter, float& drag_start_size) {
    const Rectangle& pane = splitter.pane;
    if (pane.width <= 0 || pane.height <= 0) return;
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
    begin_pane(splitter.name, pane, ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
    invisible_button("##splitter", {static_cast<float>(pane.width), static_cast<float>(pane.height)});
    ui.controls.record_item(splitter.name);
    const bool held = ImGui::IsItemActive();
    const bool highlighted = held || ImGui::IsItemHovered();
    if (highlighted)
        ImGui::SetMouseCursor(splitter.upright ? ImGuiMouseCursor_ResizeEW : ImGuiMouseCursor_ResizeNS);
    if (ImGui::IsItemActivated())
        drag_start_size = splitter.clamped(splitter.size, ui.window, ui.style.scale);
    if (held && ImGui::IsMouseDragging(ImGuiMouseButton_Left)) {
        // Measured from the start of the drag, so that the splitter stays under the mouse after it hits a
        // limit.
        const ImVec2 drag = ImGui::GetMouseDragDelta(ImGuiMouseButton_Left);
        const float change = (splitter.upright ? drag.x : -drag.y) / ui.style.scale;
        splitter.size = splitter.clamped(drag_start_size + change, ui.window, ui.style.scale);
    }
    if (ImGui::IsItemHovered() && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left))
        splitter.size = splitter.default_size;
    ui.tooltips.offer_item(ui.style, "Drag to resize the panels. A double click restores the default.");

    const ImVec2 low = ImGui::GetItemRectMin();
    const ImVec2 high = ImGui::GetItemRectMax();
    const float line = highlighted ? ui.px(2) : 1.0F;
    const ImU32 colour = highlighted ? ui.palette().accent : ui.palette().outline;
    // The hairline is at the edge towards the view, so that the strip looks like a margin of the other panel.
    const ImVec2 line_low = splitter.upright ? ImVec2{high.x - line, low.y} : low;
    const ImVec2 line_high = splitter.upright ? high : ImVec2{high.x, low.y + line};
    ImGui::GetWindowDrawList()->AddRectFilled(line_low, line_high, colour);
    ImGui::End();
    ImGui::PopStyleVar();
}

}  // namespace

void draw_splitters(Ui& ui, float& drag_start_size) {
    const Settings defaults;
    draw_splitter(ui,
                  {.name = "controls splitter",
                   .pane = ui.panes.controls_splitter,
                   .upright = true,
                   .size = ui.settings.window.controls_width,
                   .default_size = defaults.window.controls_width,
                   .clamped = clamped_controls_width},
                  drag_start_size);
    draw_splitter(ui,
                  {.name = "timings splitter",
                   .pane = ui.panes.timings_splitter,
                   .upright = false,
                   .size = ui.settings.window.timings_height,
                   .default_size = defaults.window.timings_height,
                   .clamped = clamped_timings_height},
                  drag_start_size);
}

}  // namespace warpsieve::panels
