#include "app/panels/docked_panel.hpp"

namespace warpsieve::panels {

float docked_row_height(const plots::Style& style) {
    return ImGui::GetFrameHeight() + style.px(docked_row_gap);
}

void begin_docked_panel(const Ui& ui, const char* name, const gl::Rectangle& panel) {
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
    begin_pane(name, panel);
    const auto [low, high] = rect_of(panel);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled(low, high, ui.palette().raised);
    list.AddRectFilled(low, {low.x + ui.px(3), high.y}, ui.palette().accent);
}

void end_docked_panel(const Ui& ui, float bottom) {
    // The last row decides how far the panel scrolls.
    ImGui::SetCursorScreenPos({ImGui::GetWindowPos().x, bottom + ui.px(docked_padding) - 1});
    ImGui::Dummy({1, 1});
    ImGui::End();
    ImGui::PopStyleVar();
}

}  // namespace warpsieve::panels
