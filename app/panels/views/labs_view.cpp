#include "app/panels/labs/labs_view.hpp"

#include <imgui.h>

#include <algorithm>
#include <array>

#include "app/labs/report_provenance.hpp"
#include "app/panels/labs/lab_widgets.hpp"
#include "app/panels/view_panel.hpp"
#include "experiments/table.hpp"

// For the key codes alone.
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

namespace warpsieve::panels {
namespace {

/// The least height of a lab, in pixels at 100 %.
constexpr float lowest_lab = 170;

constexpr std::array labs_table{
    Lab{"compare", "Compare",
        "Every algorithm of the engine on the same stream, with interleaved samples. Bars show the median "
        "and its confidence interval; overlapping intervals mean no significant difference.",
        plan_compare, draw_compare},
    Lab{"tune", "Tune",
        "One algorithm over two of its options, usually threads and blocks. The map shows each time as a "
        "multiple of the best, and marks the best, the automatic and the published configurations.",
        plan_tune, draw_tune},
    Lab{"sweep", "Sweep",
        "Varies one quantity: length, keep fraction, item size, threads or blocks. Lines show the median "
        "with the quartiles as a band; the dashed line is a copy of the same stream.",
        plan_sweep, draw_sweep},
    Lab{"steps", "Steps",
        "The steps of compactions by themselves: copies, counts and scans in every vector width. They show "
        "which part of an algorithm a configuration speeds up.",
        plan_steps, draw_steps},
    Lab{"roofline", "Roofline",
        "Every algorithm by the bytes it must move and the bytes it moves, below the measured bandwidths of "
        "copying and reading. It shows whether to save passes or to use memory better.",
        plan_roofline, draw_roofline},
    Lab{"reproduce", "Reproduce",
        "Published tables of ten years, measured on this machine beside the printed figures. They show "
        "whether the ranking holds, and how much faster this machine is.",
        plan_reproduce, draw_reproduce, true},
};

/// The name of a lab in the strip, which wraps in a narrow window.
void draw_name(Ui& ui, const Lab& lab, bool shown, bool running) {
    const plots::Palette& palette = ui.palette();
    const ImFont* font = shown ? ui.fonts().heading : ui.fonts().text;
    const std::string name = running ? std::string(lab.name) + " …" : lab.name;
    const ImVec2 size{plots::text_width(font, name) + ui.px(16), ImGui::GetFrameHeight()};
    ImGui::PushID(lab.name);
    if (invisible_button("##lab", size)) ui.settings.labs.lab = lab.id;
    ImGui::PopID();
    const ImVec2 low = ImGui::GetItemRectMin();
    const ImVec2 high = ImGui::GetItemRectMax();
    const bool hot = ImGui::IsItemHovered();
    const std::string label = "lab: " + std::string(lab.id);
    ui.controls.record_item(label);
    if (ui.focus->presses_item(ui, label)) ui.settings.labs.lab = lab.id;
    ui.tooltips.offer_item(ui.style, lab.meaning);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    if (shown || hot)
        list.AddRectFilled(low, high, shown ? palette.raised : palette.raised_more,
                           ImGui::GetStyle().FrameRounding);
    if (shown)
        list.AddRectFilled({low.x + ui.px(6), high.y - ui.px(2)}, {high.x - ui.px(6), high.y},
                           palette.accent);
    const float baseline = std::round((low.y + high.y + font->Ascent) / 2) - ui.px(2);
    plots::draw_on_baseline(list, font, {low.x + ui.px(8), baseline}, shown ? palette.text : palette.label,
                            name);
}

void draw_strip(Ui& ui) {
    const Lab& shown = lab_in_force(ui.settings);
    bool first = true;
    for (const Lab& lab : labs_table) {
        const labs::Report* report = report_of(ui.view.labs, lab.id);
        const bool running = report && report->state == labs::State::running;
        if (!first) continue_line(ui, plots::text_width(ui.fonts().heading, lab.name) + ui.px(30));
        first = false;
        draw_name(ui, lab, &lab == &shown, running);
    }
}

/// Offers the lab's plot as a picture and its results as text.
void offer_results(Ui& ui, const Lab& lab, const labs::Report& report, const LabArea& area) {
    if (report.measurement->results.empty()) return;
    const ImVec2 margin{ui.px(8), ui.px(6)};
    record_plot(ui, lab.id, {area.low.x - margin.x, area.low.y - margin.y},
                {area.high.x + margin.x, area.high.y + margin.y}, labs::provenance_of(report));
    offer_table(ui, lab.name, area.low, area.high, [&] {
        return experiments::results_table({.machine = report.machine, .measurement = *report.measurement});
    });
}

}  // namespace

std::span<const Lab> all_labs() {
    return labs_table;
}

const Lab& lab_in_force(const Settings& settings) {
    const auto found = std::ranges::find(labs_table, settings.labs.lab, &Lab::id);
    return found == labs_table.end() ? labs_table.front() : *found;
}

LabPlan plan_in_force(const Ui& ui) {
    LabPlan plan = lab_in_force(ui.settings).plan(ui);
    if (ui.settings.run.engine == compaction::EngineId::simulated)
        plan.off_because = "A simulated GPU has no times to measure. Select CUDA or CPU.";
    return plan;
}

const labs::Report* report_of(const LabsView& labs, std::string_view lab) {
    for (const auto& report : labs.reports) {
        if (report->job->lab == lab) return report.get();
    }
    return nullptr;
}

void start_lab(Ui& ui) {
    if (ui.view.labs.running) return;
    LabPlan plan = plan_in_force(ui);
    if (plan.off_because.empty()) ui.requests.start_lab = std::move(plan.job);
}

namespace {

/// Measurements without drawing.
class LabsPanel : public ViewPanel {
  public:
    void draw(Ui& ui) override;
    bool close(Ui& ui) override {
        if (current_tab(ui.settings).id != labs_tab || !ui.view.labs.running) return false;
        return ui.requests.cancel_lab = true;
    }
    void start(Ui& ui) { start_lab(ui); }
};

void LabsPanel::draw(Ui& ui) {
    const Rectangle& zone = ui.zones.view;
    if (zone.width <= 0 || zone.height <= 0) return;
    begin_zone("labs", zone);
    draw_strip(ui);
    const Lab& lab = lab_in_force(ui.settings);
    const labs::Report* report = report_of(ui.view.labs, lab.id);
    draw_lab_header(ui, lab, report);
    // A low window scrolls the lab.
    const ImVec2 low{ImGui::GetCursorScreenPos().x, ImGui::GetCursorScreenPos().y + ui.px(4)};
    const float bottom =
        static_cast<float>(zone.y + zone.height) - ImGui::GetStyle().WindowPadding.y - ImGui::GetScrollY();
    const LabArea area{low,
                       {ImGui::GetWindowPos().x + ImGui::GetWindowContentRegionMax().x,
                        std::max(bottom, low.y + ui.px(lowest_lab))}};
    lab.draw(ui, report, area);
    if (report) offer_results(ui, lab, *report, area);
    ImGui::SetCursorScreenPos({low.x, area.high.y});
    ImGui::Dummy({1, 0});
    ImGui::End();
}

}  // namespace

ViewType labs_view() {
    return {
        .name = "Labs",
        .meaning =
            "Measurements without drawing, with algorithms interleaved: which algorithm is fastest here, and "
            "its "
            "best launch configuration. Use these figures for publication; those of the running frames are "
            "interactive.",
        .keys = {view_key("Enter", "start the lab", {.keys = {GLFW_KEY_ENTER, GLFW_KEY_KP_ENTER}},
                          &LabsPanel::start)},
        .make = make_panel<LabsPanel>};
}

}  // namespace warpsieve::panels
