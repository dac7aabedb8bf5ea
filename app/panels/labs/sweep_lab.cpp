#include <imgui.h>

#include <algorithm>
#include <array>

#include "app/format/figures.hpp"
#include "app/panels/choices.hpp"
#include "app/panels/labs/lab_widgets.hpp"
#include "app/panels/labs/plot_view.hpp"

namespace warpsieve::panels {
namespace {

bool takes_part(const labs::SweepSettings& sweep, const compaction::Algorithm& algorithm) {
    return std::ranges::count(sweep.algorithms, algorithm.id) > 0;
}

std::vector<const compaction::Algorithm*> of_engine(const LabsFrame& frame) {
    std::vector<const compaction::Algorithm*> algorithms;
    for (const compaction::Algorithm& algorithm : frame.catalogue.algorithms) {
        if (algorithm.engine == frame.settings.run.engine) algorithms.push_back(&algorithm);
    }
    return algorithms;
}

std::string chosen_text(std::uint64_t chosen, std::uint64_t all) {
    return format::grouped(chosen) + " of " + format::grouped(all) + " algorithms";
}

/// Wide enough for any choice.
float algorithms_menu_width(const LabsFrame& frame) {
    const std::size_t all = of_engine(frame).size();
    const std::array entries{MenuEntry{chosen_text(all, all), {}, {}}};
    return menu_width(frame, entries);
}

void draw_algorithms_menu(LabsFrame& frame, float width) {
    labs::SweepSettings& sweep = frame.settings.labs.sweep;
    const auto algorithms = of_engine(frame);
    const auto chosen = std::ranges::count_if(
        algorithms, [&](const compaction::Algorithm* algorithm) { return takes_part(sweep, *algorithm); });
    const std::string shown = chosen_text(static_cast<std::uint64_t>(chosen), algorithms.size());
    ImGui::SetNextItemWidth(width);
    if (!begin_menu(frame, "##algorithms", "algorithms", shown)) {
        frame.tooltips.offer_item(frame.style,
                                  "The algorithms to measure. Each has its own colour and marker.");
        return;
    }
    for (const compaction::Algorithm* algorithm : algorithms) {
        bool wanted = takes_part(sweep, *algorithm);
        bool changed = ImGui::Checkbox(algorithm->id.c_str(), &wanted);
        if (key_presses_entry(frame, "algorithms: " + algorithm->id, true)) {
            wanted = !wanted;
            changed = true;
        }
        if (changed) {
            if (wanted)
                sweep.algorithms.push_back(algorithm->id);
            else
                std::erase(sweep.algorithms, algorithm->id);
        }
        frame.tooltips.offer_item(frame.style, algorithm->summary, {});
    }
    end_menu(frame);
}

}  // namespace

LabPlan plan_sweep(const LabsFrame& frame) {
    LabPlan plan{labs::sweep_job(frame.settings.run, frame.settings.labs,
                                 slots_in_force(frame.stream, frame.settings), frame.catalogue.algorithms),
                 {}};
    if (!plan.job.settings.empty()) return plan;
    plan.off_because =
        plan.job.left_out.empty() ? "Choose an algorithm to sweep." : plan.job.left_out.front().reason;
    return plan;
}

void draw_sweep(LabsFrame& frame, const labs::Report* report, const LabArea& area) {
    labs::SweepSettings& sweep = frame.settings.labs.sweep;
    ImGui::SetCursorScreenPos(area.low);
    ImGui::BeginDisabled(frame.labs.running);
    draw_axis_menu(frame, sweep.axis);
    const float width = algorithms_menu_width(frame);
    continue_line(frame, width);
    draw_algorithms_menu(frame, width);
    ImGui::EndDisabled();
    continue_line(frame, frame.px(140));
    draw_shows_menu(frame, sweep.shows);
    const LabArea room = below_controls(frame, area);
    const auto draw = [&](const labs::Report& shown) {
        KeptPlot& kept = frame.plots.sweep;
        keep_plot(kept, shown, static_cast<int>(sweep.shows),
                  [&](const labs::Report& each) { return labs::plot_sweep(each, sweep.shows); });
        draw_kept_plot(frame, kept, "sweep", room);
    };
    if (report) return draw(*report);
    draw_example(
        frame, room,
        "Measures the algorithms over the quantity chosen above. Lines fill in while the sweep runs, "
        "with the quartiles as a band and a copy of the same stream as a dashed line.",
        draw);
}

}  // namespace warpsieve::panels
