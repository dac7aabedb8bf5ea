#include <imgui.h>

#include <algorithm>
#include <array>

#include "app/format/figures.hpp"
#include "app/panels/choices.hpp"
#include "app/panels/labs/lab_widgets.hpp"
#include "app/panels/labs/plot_view.hpp"

namespace warpsieve::panels {
namespace {

bool is_chosen(const labs::SweepSettings& sweep, const compaction::Algorithm& algorithm) {
    return std::ranges::count(sweep.algorithms, algorithm.id) > 0;
}

std::vector<const compaction::Algorithm*> algorithms_of_engine(const Ui& ui) {
    std::vector<const compaction::Algorithm*> algorithms;
    for (const compaction::Algorithm& algorithm : ui.snapshot.catalogue.algorithms) {
        if (algorithm.engine == ui.settings.run.engine) algorithms.push_back(&algorithm);
    }
    return algorithms;
}

/// "3 of 24 algorithms".
std::string chosen_text(std::uint64_t num_chosen, std::uint64_t num_all) {
    return format::grouped(num_chosen) + " of " + format::grouped(num_all) + " algorithms";
}

/// The width that the longest text of the menu needs.
float algorithms_menu_width(const Ui& ui) {
    const std::size_t num_all = algorithms_of_engine(ui).size();
    const std::array entries{MenuEntry{chosen_text(num_all, num_all), {}, {}}};
    return menu_width(ui, entries);
}

void draw_algorithms_menu(Ui& ui, float width) {
    labs::SweepSettings& sweep = ui.settings.labs.sweep;
    const auto algorithms = algorithms_of_engine(ui);
    const auto num_chosen = std::ranges::count_if(
        algorithms, [&](const compaction::Algorithm* algorithm) { return is_chosen(sweep, *algorithm); });
    const std::string shown = chosen_text(static_cast<std::uint64_t>(num_chosen), algorithms.size());
    ImGui::SetNextItemWidth(width);
    if (!begin_menu(ui, "##algorithms", "algorithms", shown)) {
        ui.tooltips.offer_item(ui.style, "The algorithms to measure. Each has its own colour and marker.");
        return;
    }
    for (const compaction::Algorithm* algorithm : algorithms) {
        bool chosen = is_chosen(sweep, *algorithm);
        bool changed = ImGui::Checkbox(algorithm->id.c_str(), &chosen);
        if (key_presses_entry(ui, "algorithms: " + algorithm->id, AfterPress::keep_menu_open)) {
            chosen = !chosen;
            changed = true;
        }
        if (changed) {
            if (chosen)
                sweep.algorithms.push_back(algorithm->id);
            else
                std::erase(sweep.algorithms, algorithm->id);
        }
        ui.tooltips.offer_item(ui.style, algorithm->summary, {});
    }
    end_menu(ui);
}

/// The lab that varies one quantity.
class SweepLab : public LabPanel {
  public:
    LabPlan plan(const Ui& ui) override;
    void draw(Ui& ui, const labs::Report* report, const LabArea& area) override;

  private:
    CachedPlot plot_;
};

LabPlan SweepLab::plan(const Ui& ui) {
    LabPlan plan{
        labs::sweep_job(ui.settings.run, ui.settings.labs, current_slots(ui.snapshot.stream, ui.settings),
                        ui.snapshot.catalogue.algorithms),
        {}};
    if (!plan.job.settings.empty()) return plan;
    plan.disabled_reason =
        plan.job.left_out.empty() ? "Choose an algorithm to sweep." : plan.job.left_out.front().reason;
    return plan;
}

void SweepLab::draw(Ui& ui, const labs::Report* report, const LabArea& area) {
    labs::SweepSettings& sweep = ui.settings.labs.sweep;
    ImGui::SetCursorScreenPos(area.low);
    ImGui::BeginDisabled(ui.snapshot.labs.running);
    draw_axis_menu(ui, sweep.axis);
    const float width = algorithms_menu_width(ui);
    continue_line(ui, width);
    draw_algorithms_menu(ui, width);
    ImGui::EndDisabled();
    continue_line(ui, ui.px(metric_menu_width));
    draw_metric_menu(ui, sweep.metric);
    const LabArea room = below_controls(ui, area);
    const auto draw = [&](const labs::Report& shown) {
        update_plot(plot_, shown, sweep.metric,
                    [&](const labs::Report& each) { return labs::plot_sweep(each, sweep.metric); });
        draw_cached_plot(ui, plot_, "sweep", room);
    };
    if (report) return draw(*report);
    draw_example(
        ui, room,
        "Measures the algorithms over the quantity chosen above. Lines fill in while the sweep runs, "
        "with the quartiles as a band and a copy of the same stream as a dashed line.",
        draw);
}

}  // namespace

LabType sweep_lab() {
    return {
        .name = "Sweep",
        .meaning =
            "Varies one quantity: length, keep fraction, item size, threads or blocks. Lines show the median "
            "with the quartiles as a band; the dashed line is a copy of the same stream.",
        .make = make_lab<SweepLab>};
}

}  // namespace warpsieve::panels
