#include "app/panels/labs/lab_widgets.hpp"

#include <imgui.h>

#include <algorithm>

namespace warpsieve::panels {

void continue_line(const Ui& ui, float width) {
    const float gap = ui.px(8);
    const float right = ImGui::GetWindowPos().x + ImGui::GetWindowContentRegionMax().x;
    if (ImGui::GetItemRectMax().x + gap + width <= right) ImGui::SameLine(0, gap);
}

float menu_width(const Ui& ui, std::span<const MenuEntry> entries) {
    float label_width = 0;
    for (const MenuEntry& entry : entries)
        label_width = std::max(label_width, plots::text_width(ui.fonts().text, entry.label));
    return std::ceil(label_width) + 2 * ImGui::GetStyle().FramePadding.x + ImGui::GetFrameHeight();
}

std::optional<std::size_t> menu(Ui& ui, std::string_view name, float width,
                                std::span<const MenuEntry> entries, std::size_t selected,
                                std::string_view tooltip, std::string_view prefix) {
    ImGui::PushID(name.data(), name.data() + name.size());
    ImGui::SetNextItemWidth(width);
    const std::string shown =
        std::string(prefix) + (selected < entries.size() ? entries[selected].label : std::string());
    const MenuState state = bare_menu(ui, name, shown, entries, selected);
    if (!state.open) ui.tooltips.offer_item(ui.style, tooltip);
    ImGui::PopID();
    return state.clicked;
}

float toggle_width(const Ui& ui, const char* label) {
    return ImGui::GetFrameHeight() + ImGui::GetStyle().ItemInnerSpacing.x +
           plots::text_width(ui.fonts().text, label);
}

void toggle(Ui& ui, const char* label, bool& value, std::string_view tooltip) {
    ImGui::Checkbox(label, &value);
    ui.controls.record_item(label);
    if (ui.focus->presses_item(ui, label)) value = !value;
    ui.tooltips.offer_item(ui.style, tooltip);
}

void draw_hint(const Ui& ui, ImVec2 low, ImVec2 high, std::string_view text) {
    const float width = std::min(high.x - low.x, ui.px(420));
    const ImVec2 size = ImGui::CalcTextSize(text.data(), text.data() + text.size(), false, width);
    ImGui::SetCursorScreenPos({std::round((low.x + high.x - size.x) / 2),
                               std::round(std::max(low.y, (low.y + high.y - size.y) / 2))});
    ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + width);
    ImGui::PushStyleColor(ImGuiCol_Text, ui.palette().muted);
    ImGui::TextUnformatted(text.data(), text.data() + text.size());
    ImGui::PopStyleColor();
    ImGui::PopTextWrapPos();
}

}  // namespace warpsieve::panels
