#include "app/panels/views/particles_view.hpp"

#include <cmath>
#include <numbers>

#include "app/panels/views/toolbar.hpp"
#include "app/panels/widgets.hpp"

namespace warpsieve::panels {

void move_camera(Ui& ui, ImVec2 size) {
    const ImGuiIO& io = ImGui::GetIO();
    if (ImGui::IsItemActive()) {
        // A drag across the view turns the camera by half a turn.
        ui.requests.camera.held = true;
        ui.requests.camera.around = -io.MouseDelta.x / size.x * std::numbers::pi_v<float>;
        ui.requests.camera.up = io.MouseDelta.y / size.y * std::numbers::pi_v<float>;
    }
    if (ImGui::IsItemHovered()) {
        // Scrolling up moves nearer: a factor below 1.
        constexpr float zoom_per_notch = 1 / 1.12F;
        if (io.MouseWheel != 0) ui.requests.camera.zoom = std::pow(zoom_per_notch, io.MouseWheel);
        ui.requests.camera.reset = ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left);
    }
}

void draw_particles(Ui& ui, bool offers_tour) {
    const Rectangle& zone = ui.zones.view;
    if (zone.width <= 0 || zone.height <= 0) return;
    // An empty window over the particles lets ImGui decide whether the mouse is over a panel or message.
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
    begin_zone(
        "view", zone,
        ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
    const ImVec2 size{static_cast<float>(zone.width), static_cast<float>(zone.height)};
    const ImVec2 low{static_cast<float>(zone.x), static_cast<float>(zone.y)};
    invisible_button("##particles", size);
    ImGui::SetItemAllowOverlap();
    ui.controls.record_item("view");
    move_camera(ui, size);
    point_at_particles(ui);
    draw_follow_marker(ui, low, {low.x + size.x, low.y + size.y});
    const float edge = ui.px(12);
    ToolbarFlow flow(ui, {low.x + edge, low.y + edge}, low.x + size.x - edge, low.y + size.y);
    draw_particles_modes(ui, flow);
    constexpr const char* label = "guided tour";
    const float width = button_width(ui.style, label, "F2");
    if (offers_tour && flow.place(width, ui.px(8)) &&
        key_button(ui, label, "Ten short steps: what a compaction does, and what makes one fast.", "F2"))
        ui.requests.tour_step = 0;
    ImGui::End();
    ImGui::PopStyleVar();
}

}  // namespace warpsieve::panels
