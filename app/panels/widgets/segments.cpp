// The segmented control: a choice among a few options, all of them visible.
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/panels/widgets.hpp"
#include "app/panels/widgets/parts.hpp"

namespace warpsieve::panels {
namespace {

float width_of_labels(const ImFont* font, std::span<const Segment> choices) {
    float width = 0;
    for (const Segment& choice : choices) width += plots::text_width(font, choice.label);
    return width;
}

}  // namespace

std::optional<std::size_t> segments(Ui& ui, const Row& row, std::span<const Segment> choices,
                                    std::size_t selected) {
    begin_row(ui, row);
    const plots::Palette& palette = ui.palette();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImVec2 low = ImGui::GetCursorScreenPos();
    const ImVec2 size{std::max(ImGui::GetContentRegionAvail().x, 1.0F), ImGui::GetFrameHeight()};
    const ImFont* font = ui.fonts().text;
    // If labels would touch, all of them use the small font.
    if (size.x - width_of_labels(font, choices) < ui.px(9) * static_cast<float>(choices.size()))
        font = ui.fonts().small;
    const float rounding = ImGui::GetStyle().FrameRounding;
    const bool all_disabled = !row.disabled_reason.empty();
    list.AddRectFilled(low, {low.x + size.x, low.y + size.y}, dimmed(ui, palette.raised, all_disabled),
                       rounding);

    // Segments are as wide as their labels plus equal parts of the rest.
    const float padding = (size.x - width_of_labels(font, choices)) / static_cast<float>(choices.size());
    std::optional<std::size_t> clicked;
    std::string segment_reason;
    float left = low.x;
    for (std::size_t i = 0; i < choices.size(); ++i) {
        const Segment& choice = choices[i];
        const float text_width = plots::text_width(font, choice.label);
        const float right =
            i + 1 == choices.size() ? low.x + size.x : std::round(left + text_width + padding);
        const bool disabled = all_disabled || !choice.disabled_reason.empty();
        ImGui::SetCursorScreenPos({left, low.y});
        ImGui::BeginDisabled(disabled);
        ImGui::PushID(static_cast<int>(i));
        if (invisible_button("##segment", {right - left, size.y})) clicked = i;
        ImGui::PopID();
        ImGui::EndDisabled();
        const bool hovered = !disabled && ImGui::IsItemHovered();
        const bool is_selected = i == selected && !all_disabled;
        if (is_selected || hovered) {
            list.AddRectFilled({left, low.y}, {right, low.y + size.y},
                               is_selected ? palette.accent_fill : palette.raised_more, rounding);
        }
        const float underline = std::max(2.0F, ui.px(2));
        if (is_selected || choice.is_effective) {
            list.AddRectFilled({left + ui.px(5), low.y + size.y - underline},
                               {right - ui.px(5), low.y + size.y},
                               is_selected ? palette.accent : dimmed(ui, palette.muted, all_disabled));
        }
        plots::draw_on_baseline(list, font, {(left + right - text_width) / 2, baseline_of(ui, low.y)},
                                dimmed(ui, is_selected ? palette.text : palette.label, disabled),
                                choice.label);
        ui.controls.record(std::string(row.label) + ": " + std::string(choice.label), {left, low.y},
                           {right, low.y + size.y});
        if (!choice.disabled_reason.empty() && ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled)) {
            segment_reason = choice.disabled_reason;
        }
        left = right;
    }
    draw_edge(ui, low, {low.x + size.x, low.y + size.y}, all_disabled);
    if (!all_disabled && ui.focus->add_control(row.label)) {
        std::vector<bool> usable;
        for (const Segment& choice : choices) usable.push_back(choice.disabled_reason.empty());
        if (const auto stepped = stepped_choice(usable, selected, ui.focus->steps())) clicked = stepped;
        ui.focus->show(ui, low, {low.x + size.x, low.y + size.y});
    }
    Row explained = row;
    if (!segment_reason.empty()) explained.disabled_reason = segment_reason;
    end_row(ui, explained);
    return clicked;
}

}  // namespace warpsieve::panels
