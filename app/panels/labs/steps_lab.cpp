#include <imgui.h>

#include <vector>

#include "app/labs/steps.hpp"
#include "app/panels/choices.hpp"
#include "app/panels/labs/lab_widgets.hpp"
#include "app/panels/labs/plot_view.hpp"

namespace warpsieve::panels {
namespace {

void draw_operation_menu(Ui& ui) {
    compaction::Operation& operation = ui.settings.labs.steps.operation;
    std::vector<MenuEntry> entries;
    std::size_t selected = 0;
    for (const compaction::Operation each : labs::step_operations()) {
        if (each == operation) selected = entries.size();
        entries.push_back({std::string(name_of(each)), {}, {}});
    }
    const auto clicked = menu(ui, "kind of step", ui.px(84), entries, selected,
                              "The step of a compaction to measure: copying items, counting the kept ones, "
                              "or scanning counts into offsets.");
    if (clicked) operation = labs::step_operations()[*clicked];
}

/// Measures the steps of compactions by themselves.
class StepsLab : public LabPanel {
  public:
    LabPlan plan(const Ui& ui) override;
    void draw(Ui& ui, const labs::Report* report, const LabArea& area) override;

  private:
    CachedPlot plot_;
};

LabPlan StepsLab::plan(const Ui& ui) {
    LabPlan plan{
        labs::steps_job(ui.settings.run, ui.settings.labs, current_slots(ui.snapshot.stream, ui.settings)),
        {}};
    if (!plan.job.settings.empty()) return plan;
    plan.disabled_reason =
        plan.job.left_out.empty() ? "This engine has no such step." : plan.job.left_out.front().reason;
    return plan;
}

void StepsLab::draw(Ui& ui, const labs::Report* report, const LabArea& area) {
    labs::StepsSettings& steps = ui.settings.labs.steps;
    ImGui::SetCursorScreenPos(area.low);
    ImGui::BeginDisabled(ui.snapshot.labs.running);
    draw_operation_menu(ui);
    continue_line(ui, ui.px(axis_menu_width));
    draw_axis_menu(ui, steps.axis);
    ImGui::EndDisabled();
    continue_line(ui, ui.px(metric_menu_width));
    draw_metric_menu(ui, steps.metric);
    const LabArea room =
        draw_sentence(ui, labs::what_to_look_for(steps.operation, steps.axis), below_controls(ui, area));
    const auto draw = [&](const labs::Report& shown) {
        update_plot(plot_, shown, steps.metric,
                    [&](const labs::Report& each) { return labs::plot_sweep(each, steps.metric); });
        draw_cached_plot(ui, plot_, "steps", room);
    };
    if (report) return draw(*report);
    draw_example(ui, room, "Measures every step of that kind, in every vector width.", draw);
}

}  // namespace

LabType steps_lab() {
    return {.name = "Steps",
            .meaning =
                "The steps of compactions by themselves: copies, counts and scans in every vector width. "
                "They show which part of an algorithm a configuration speeds up.",
            .make = make_lab<StepsLab>};
}

}  // namespace warpsieve::panels
