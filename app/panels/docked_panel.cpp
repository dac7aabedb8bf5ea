#include "app/panels/docked_panel.hpp"

#include <cfloat>
#include <cmath>

namespace warpsieve::panels {

float docked_row_height(const plots::Style& style) {
    return ImGui::GetFrameHeight() + style.px(docked_row_gap);
}

float height_of_wrapped(const ImFont* font, std::string_view text, float width) {
    return std::round(
        font->CalcTextSizeA(font->FontSize, FLT_MAX, width, text.data(), text.data() + text.size()).y);
}

void draw_wrapped(const ImFont* font, ImVec2 at, ImU32 colour, std::string_view text, float width) {
    ImGui::GetWindowDrawList()->AddText(font, font->FontSize, at, colour, text.data(),
                                        text.data() + text.size(), width);
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
