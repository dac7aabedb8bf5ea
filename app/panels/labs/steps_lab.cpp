#include <imgui.h>

#include <vector>

#include "app/labs/steps.hpp"
#include "app/panels/choices.hpp"
#include "app/panels/labs/lab_widgets.hpp"
#include "app/panels/labs/plot_view.hpp"

namespace warpsieve::panels {
namespace {

void draw_problem_menu(LabsFrame& frame) {
    compaction::Operation& operation = frame.settings.labs.steps.operation;
    std::vector<MenuEntry> entries;
    std::size_t selected = 0;
    for (const compaction::Operation each : labs::step_operations()) {
        if (each == operation) selected = entries.size();
        entries.push_back({std::string(name_of(each)), {}, {}});
    }
    const auto clicked = menu(frame, "kind of step", frame.px(84), entries, selected,
                              "The step of a compaction to measure: copying items, counting the kept ones, "
                              "or scanning counts into offsets.");
    if (clicked) operation = labs::step_operations()[*clicked];
}

}  // namespace

LabPlan plan_steps(const LabsFrame& frame) {
    LabPlan plan{labs::steps_job(frame.settings.run, frame.settings.labs,
                                 slots_in_force(frame.stream, frame.settings)),
                 {}};
    if (!plan.job.settings.empty()) return plan;
    plan.off_because =
        plan.job.left_out.empty() ? "This engine has no such step." : plan.job.left_out.front().reason;
    return plan;
}

void draw_steps(LabsFrame& frame, const labs::Report* report, const LabArea& area) {
    labs::StepsSettings& steps = frame.settings.labs.steps;
    ImGui::SetCursorScreenPos(area.low);
    ImGui::BeginDisabled(frame.labs.running);
    draw_problem_menu(frame);
    continue_line(frame, frame.px(168));
    draw_axis_menu(frame, steps.axis);
    ImGui::EndDisabled();
    continue_line(frame, frame.px(140));
    draw_shows_menu(frame, steps.shows);
    const LabArea room = draw_sentence(frame, labs::what_to_look_for(steps.operation, steps.axis),
                                       below_controls(frame, area));
    const auto draw = [&](const labs::Report& shown) {
        KeptPlot& kept = frame.plots.steps;
        keep_plot(kept, shown, static_cast<int>(steps.shows),
                  [&](const labs::Report& each) { return labs::plot_sweep(each, steps.shows); });
        draw_kept_plot(frame, kept, "steps", room);
    };
    if (report) return draw(*report);
    draw_example(frame, room, "Measures every step of that kind, in every vector width.", draw);
}

}  // namespace warpsieve::panels
