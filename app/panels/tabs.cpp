#include <algorithm>
#include <cmath>
#include <string>

#include "app/panels/chrome.hpp"
#include "app/panels/view_panel.hpp"
#include "app/panels/views/toolbar.hpp"
#include "app/panels/widgets.hpp"

namespace warpsieve::panels {
namespace {

// Pixels at 100 %.
constexpr float key_gap = 6;  ///< between the name of a tab and its key
constexpr float tab_padding = 8;

enum class TabText : std::uint8_t { name_and_key, name, key };

float tab_width(const Ui& ui, const ViewType& tab, TabText shown) {
    const plots::Fonts& fonts = ui.fonts();
    const float key = plots::text_width(fonts.small, std::string_view(&tab.key, 1));
    const float name = plots::text_width(fonts.text, tab.name);
    const float text = shown == TabText::key    ? key
                       : shown == TabText::name ? name
                                                : name + ui.px(key_gap) + key;
    return 2 * ui.px(tab_padding) + text;
}

/// The longest text of the tabs that fits into the strip and leaves `reserved_width` pixels free, if
/// possible.
TabText fitting_text(const Ui& ui, float reserved_width) {
    const auto room = static_cast<float>(ui.panes.tabs.width);
    const auto width_of_all = [&](TabText shown) {
        float width = 0;
        for (const ViewType& tab : tabs()) width += tab_width(ui, tab, shown);
        return width;
    };
    if (width_of_all(TabText::name_and_key) + reserved_width <= room) return TabText::name_and_key;
    if (width_of_all(TabText::name) + reserved_width <= room) return TabText::name;
    return width_of_all(TabText::name_and_key) <= room ? TabText::name_and_key : TabText::key;
}

/// Draws a tab with its left end at `x`. Returns its right end.
float draw_tab(Ui& ui, const ViewType& tab, float x, bool shown, TabText text) {
    const Rectangle& pane = ui.panes.tabs;
    const plots::Fonts& fonts = ui.fonts();
    const std::string key(1, tab.key);
    const float padding = ui.px(tab_padding);
    const float width = tab_width(ui, tab, text);
    const ImVec2 low{x, static_cast<float>(pane.y)};
    const ImVec2 high{x + width, static_cast<float>(pane.y + pane.height)};
    ImGui::SetCursorScreenPos(low);
    ImGui::PushID(tab.name);
    if (invisible_button("##tab", {width, high.y - low.y})) ui.settings.window.tab = tab.id;
    ImGui::PopID();
    const bool hovered = ImGui::IsItemHovered();
    const std::string name = "tab: " + std::string(tab.id);
    ui.controls.record_item(name);
    if (ui.focus->presses_item(ui, name)) ui.settings.window.tab = tab.id;
    ui.tooltips.offer(ui.style, low, high, tab.meaning, key, text == TabText::key ? tab.name : "");

    const plots::Palette& palette = ui.palette();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    if (shown || hovered) list.AddRectFilled(low, high, shown ? palette.background : palette.raised);
    // The mark is at the top, so that tab and view form one surface.
    if (shown) list.AddRectFilled(low, {high.x, low.y + ui.px(2)}, palette.accent);
    const float baseline = low.y + std::round((high.y - low.y + fonts.text->Ascent) / 2) - ui.px(2);
    float key_x = low.x + padding;
    if (text != TabText::key) {
        key_x = plots::draw_on_baseline(list, fonts.text, {key_x, baseline},
                                        shown ? palette.text : palette.label, tab.name) +
                ui.px(key_gap);
    }
    if (text != TabText::name)
        plots::draw_on_baseline(list, fonts.small, {key_x, baseline},
                                text == TabText::key ? palette.label : palette.muted, key);
    return high.x;
}

}  // namespace

float draw_tabs(Ui& ui, float reserved_width) {
    const Rectangle& pane = ui.panes.tabs;
    auto x = static_cast<float>(pane.x);
    if (pane.width <= 0 || pane.height <= 0) return x;
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
    begin_pane("tabs", pane, ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
    const ViewType& shown = current_tab(ui.settings);
    // If the names do not all fit, only the current tab shows its own.
    const char* const label = "controls##show controls";
    const float button_width = ui.settings.window.show_controls ? 0 : panels::button_width(label) + ui.px(6);
    const TabText text = fitting_text(ui, reserved_width + button_width);
    if (button_width > 0) {
        ImGui::SetCursorScreenPos({x + ui.px(3), static_cast<float>(pane.y) + ui.px(3)});
        if (button(ui, label, 0, "Shows the controls again.", "Shift+T"))
            ui.settings.window.show_controls = true;
        x += button_width;
    }
    for (const ViewType& tab : tabs()) {
        const bool is_current = &tab == &shown;
        const bool adds_name = text == TabText::key && is_current;
        x = draw_tab(ui, tab, x, is_current, adds_name ? TabText::name_and_key : text);
    }
    ImGui::End();
    ImGui::PopStyleVar();
    return x;
}

}  // namespace warpsieve::panels
