// A choice among many, one visible until it is opened.
#include <imgui.h>
#include <imgui_internal.h>

#include <cfloat>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/panels/widgets.hpp"
#include "app/panels/widgets/parts.hpp"

namespace warpsieve::panels {
namespace {

/// Whether ImGui disables the items that are drawn now.
bool is_disabled() {
    return ImGui::GetCurrentContext()->CurrentItemFlags & ImGuiItemFlags_Disabled;
}

}  // namespace

MenuState bare_menu(Ui& ui, std::string_view name, const std::string& shown,
                    std::span<const MenuEntry> entries, std::size_t selected) {
    MenuState state;
    const auto name_of = [&](const MenuEntry& entry) { return std::string(name) + ": " + entry.label; };
    const std::string chosen = selected < entries.size() ? name_of(entries[selected]) : std::string();
    state.open = begin_menu(ui, "##menu", name, shown, chosen);
    if (!state.open) {
        if (!is_disabled() && ui.focus->label() == name) {
            std::vector<bool> usable;
            for (const MenuEntry& entry : entries) usable.push_back(entry.disabled_reason.empty());
            state.clicked = stepped_choice(usable, selected, ui.focus->steps());
        }
        return state;
    }
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const MenuEntry& entry = entries[i];
        ImGui::PushID(static_cast<int>(i));
        ImGui::BeginDisabled(!entry.disabled_reason.empty());
        if (ImGui::Selectable(entry.label.c_str(), i == selected)) state.clicked = i;
        if (key_presses_entry(ui, name_of(entry))) state.clicked = i;
        ImGui::EndDisabled();
        ImGui::PopID();
        ui.tooltips.offer_item(ui.style,
                               entry.disabled_reason.empty() ? entry.tooltip : entry.disabled_reason);
    }
    end_menu(ui);
    return state;
}

bool begin_menu(Ui& ui, const char* id, std::string_view name, const std::string& shown,
                std::string_view chosen) {
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {ui.px(8), ui.px(8)});
    const bool open = ImGui::BeginCombo(id, shown.c_str(), ImGuiComboFlags_HeightLargest);
    ImGui::PopStyleVar();
    if (open) {
        ui.focus->begin_menu(name, chosen);
        return true;
    }
    ui.controls.record_item(name);
    // Opens the popup that BeginCombo shows, by the ID that Dear ImGui gives it.
    if (ui.focus->presses_item(ui, name))
        ImGui::OpenPopupEx(ImHashStr("##ComboPopup", 0, ImGui::GetItemID()));
    return false;
}

void end_menu(Ui& ui) {
    ui.focus->end_menu();
    ImGui::EndCombo();
}

bool key_presses_entry(Ui& ui, std::string_view name, AfterPress after) {
    ui.controls.record_item(name);
    const bool pressed = ui.focus->presses_item(ui, name);
    if (pressed && after == AfterPress::close_menu) ImGui::CloseCurrentPopup();
    return pressed;
}

std::optional<std::size_t> menu(Ui& ui, const Row& row, std::span<const MenuEntry> entries,
                                std::size_t selected) {
    begin_row(ui, row);
    ImGui::SetNextItemWidth(-FLT_MIN);
    const MenuState state = bare_menu(ui, row.label, entries[selected].label, entries, selected);
    if (state.open) {
        ImGui::PopID();
        return state.clicked;
    }
    const ImVec2 low = ImGui::GetItemRectMin();
    const ImVec2 high = ImGui::GetItemRectMax();
    const float padding = ImGui::GetStyle().FramePadding.x;
    draw_key(ui, row.key, low, {high.x - ImGui::GetFrameHeight() - padding, high.y},
             low.x + padding + plots::text_width(ui.fonts().text, entries[selected].label));
    end_row(ui, row);
    return state.clicked;
}

}  // namespace warpsieve::panels
