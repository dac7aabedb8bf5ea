#include "app/panels/labs/lab_panel.hpp"

#include <imgui.h>

#include <algorithm>
#include <string>

#include "app/labs/reports.hpp"
#include "app/panels/labs/lab_widgets.hpp"

namespace warpsieve::panels {
namespace {

constexpr const char* example_badge = "Example: figures are made up";

void draw_card(Ui& ui, const LabArea& area, std::string_view text, const LabPlan& plan) {
    const plots::Palette& palette = ui.palette();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float padding = ui.px(14);
    const float width = std::min(area.high.x - area.low.x, ui.px(420));
    const float text_width = width - 2 * padding;
    const std::string shown(plan.disabled_reason.empty() ? text : plan.disabled_reason);
    const ImVec2 size = ImGui::CalcTextSize(shown.data(), shown.data() + shown.size(), false, text_width);
    const ImFont* small = ui.fonts().small;
    const float badge_height = plan.disabled_reason.empty() ? small->FontSize + ui.px(4) + padding / 2 : 0;
    const float height = badge_height + size.y + 2 * padding;
    const ImVec2 low{std::round((area.low.x + area.high.x - width) / 2),
                     std::round(std::max(area.low.y, (area.low.y + area.high.y - height) / 2))};
    list.AddRectFilled(low, {low.x + width, low.y + height}, palette.panel, ui.px(6));
    list.AddRect(low, {low.x + width, low.y + height}, palette.track, ui.px(6));
    ui.controls.record("lab card", low, {low.x + width, low.y + height});
    if (badge_height > 0) {
        const ImVec2 badge_low{low.x + padding, low.y + padding};
        const ImVec2 badge_high{badge_low.x + plots::text_width(small, example_badge) + ui.px(14),
                                badge_low.y + small->FontSize + ui.px(4)};
        list.AddRectFilled(badge_low, badge_high, palette.raised_more, ui.px(3));
        plots::draw_text(list, small, {badge_low.x + ui.px(7), badge_low.y + ui.px(2)}, palette.text,
                         example_badge);
        ui.controls.record("lab example", badge_low, badge_high);
    }
    ImGui::SetCursorScreenPos({low.x + padding, low.y + padding + badge_height});
    ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + text_width);
    ImGui::TextUnformatted(shown.data(), shown.data() + shown.size());
    ImGui::PopTextWrapPos();
}

}  // namespace

LabPlan plan_of(LabPanel& lab, const Ui& ui) {
    LabPlan plan = lab.plan(ui);
    if (ui.settings.run.engine == compaction::EngineId::simulated)
        plan.disabled_reason = "A simulated GPU has no times to measure. Select CUDA or CPU.";
    return plan;
}

std::span<const LabType> all_labs() {
    static const std::vector<LabType> types = [] {
        std::vector<LabType> all;
#define LAB(name)                \
    all.push_back(name##_lab()); \
    all.back().id = #name;
#include "app/panels/labs/labs.def"
#undef LAB
        return all;
    }();
    return types;
}

std::size_t current_lab(const Settings& settings) {
    const std::span<const LabType> labs = all_labs();
    const auto found = std::ranges::find(labs, settings.labs.lab, &LabType::id);
    return found == labs.end() ? 0 : static_cast<std::size_t>(found - labs.begin());
}

void LabPanel::draw_example(Ui& ui, const LabArea& area, std::string_view text,
                            const std::function<void(const labs::Report&)>& draw) {
    const LabPlan plan = plan_of(*this, ui);
    const bool has_example = plan.disabled_reason.empty();
    if (has_example) {
        // The example is cached until the plan changes.
        if (!example_ || !labs::same_work(*example_->job, plan.job))
            example_ = labs::example_report(plan.job);
        ui.focus->begin_left_out();
        draw(*example_);
        ui.focus->end_left_out();
    }
    // A window above the example takes the mouse and makes the example pale.
    ImGui::SetCursorScreenPos(area.low);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
    ImGui::BeginChild("##example",
                      {std::max(area.high.x - area.low.x, 1.0F), std::max(area.high.y - area.low.y, 1.0F)},
                      false, ImGuiWindowFlags_NoBackground);
    ImGui::PopStyleVar();
    const plots::Palette& palette = ui.palette();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    if (has_example) {
        const ImU32 veil = plots::with_alpha(palette.panel, 0xA8);
        list.AddRectFilled(area.low, area.high, veil);
    }
    draw_card(ui, area, text, plan);
    ImGui::EndChild();
}

}  // namespace warpsieve::panels
