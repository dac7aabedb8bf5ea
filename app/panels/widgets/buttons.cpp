// Buttons, single and in rows.
#include <imgui.h>

#include <algorithm>
#include <cmath>
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

/// Widths of buttons that share the rest of a row: their text plus equal parts of the remaining room.
std::vector<float> shared_widths(const Ui& ui, std::span<const std::string_view> labels) {
    const auto count = static_cast<float>(labels.size());
    float rest = ImGui::GetContentRegionAvail().x - (count - 1) * ImGui::GetStyle().ItemInnerSpacing.x;
    std::vector<float> widths;
    for (const std::string_view label : labels) {
        widths.push_back(plots::text_width(ui.fonts().text, label));
        rest -= widths.back();
    }
    for (float& width : widths) width = std::max(std::floor(width + rest / count), 1.0F);
    return widths;
}

}  // namespace

bool button(Ui& ui, const char* label, float width, std::string_view tooltip, std::string_view key) {
    const std::string_view whole = label;
    const std::size_t mark = whole.find("##");
    const std::string_view shown = whole.substr(0, mark);
    const std::string name(mark == std::string_view::npos ? whole : whole.substr(mark + 2));
    // A narrow button gives up its padding before it cuts the label.
    ImVec2 padding = ImGui::GetStyle().FramePadding;
    if (width > 0)
        padding.x = std::clamp((width - plots::text_width(ui.fonts().text, shown)) / 2, 0.0F, padding.x);
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, padding);
    bool pressed = ImGui::Button(label, {width, 0});
    ImGui::PopStyleVar();
    ui.controls.record_item(name);
    ui.tooltips.offer_item(ui.style, tooltip, key);
    const ImVec2 low = ImGui::GetItemRectMin();
    const ImVec2 high = ImGui::GetItemRectMax();
    const float text = plots::text_width(ui.fonts().text, shown);
    const float text_left =
        low.x + padding.x + ImGui::GetStyle().ButtonTextAlign.x * (high.x - low.x - 2 * padding.x - text);
    draw_key(ui, key, low, {high.x - padding.x, high.y}, text_left + text);
    // The last item is still the button: keys and tooltips add no item.
    return ui.focus->presses_item(ui, name) || pressed;
}

bool action(Ui& ui, const char* label, float width, std::string_view tooltip, std::string_view key,
            const std::string& disabled_reason) {
    // The tooltip is offered after EndDisabled(), so that it is not dimmed.
    ImGui::BeginDisabled(!disabled_reason.empty());
    const bool pressed = button(ui, label, width, {}, key) && disabled_reason.empty();
    ImGui::EndDisabled();
    const std::string text =
        disabled_reason.empty() ? std::string(tooltip) : std::string(tooltip) + "\n\n" + disabled_reason;
    ui.tooltips.offer_item(ui.style, text, key);
    return pressed;
}

std::optional<std::size_t> button_row(Ui& ui, std::string_view label, std::span<const RowButton> buttons) {
    const Row row{.label = label};
    begin_row(ui, row);
    std::vector<std::string_view> labels;
    for (const RowButton& each : buttons) labels.push_back(each.widest_label);
    const std::vector<float> widths = shared_widths(ui, labels);
    std::optional<std::size_t> pressed;
    for (std::size_t i = 0; i < buttons.size(); ++i) {
        const RowButton& each = buttons[i];
        if (i > 0) ImGui::SameLine(0, ImGui::GetStyle().ItemInnerSpacing.x);
        if (action(ui, each.label, widths[i], each.tooltip, each.key, each.disabled_reason)) pressed = i;
    }
    end_row(ui, row);
    return pressed;
}

}  // namespace warpsieve::panels
