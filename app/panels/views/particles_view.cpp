#include "app/panels/memory.hpp"
#include "app/panels/view_panel.hpp"
#include "app/panels/views/toolbar.hpp"
#include "app/panels/widgets.hpp"

namespace warpsieve::panels {
namespace {

/// The controls of the particles view. The scene draws the particles beneath this panel.
class ParticlesPanel : public ViewPanel {
  public:
    void draw(Ui& ui) override;
};

void ParticlesPanel::draw(Ui& ui) {
    const Rectangle& pane = ui.panes.view;
    if (pane.width <= 0 || pane.height <= 0) return;
    // An empty window over the particles lets ImGui decide whether the mouse is over a panel or message.
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
    begin_pane(
        "view", pane,
        ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
    const ImVec2 size{static_cast<float>(pane.width), static_cast<float>(pane.height)};
    const ImVec2 low{static_cast<float>(pane.x), static_cast<float>(pane.y)};
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
    if (!ui.memory.tour.tour.runs() && flow.place(width, ui.px(8)) &&
        key_button(ui, label, "Ten short steps: what a compaction does, and what makes one fast.", "F2"))
        ui.requests.tour_step = 0;
    ImGui::End();
    ImGui::PopStyleVar();
}

}  // namespace

ViewType particles_view() {
    return {
        .name = "Particles",
        .meaning =
            "The kept particles, drawn directly from the compacted output. A missing or doubled particle is "
            "an error of the algorithm.",
        .over_scene = true,
        .says_why_empty = true,
        .make = make_panel<ParticlesPanel>};
}

}  // namespace warpsieve::panels
