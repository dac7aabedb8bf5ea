#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "app/format/figures.hpp"
#include "app/labs/reports.hpp"
#include "app/panels/labs/lab_panel.hpp"
#include "app/panels/labs/lab_widgets.hpp"
#include "app/panels/view_panel.hpp"
#include "experiments/format/text.hpp"
#include "experiments/table.hpp"

// Included for the key codes.
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

namespace warpsieve::panels {
namespace {

using labs::LabSettings;
using labs::State;

/// The minimum height of a lab, in pixels at 100 %.
constexpr float min_lab_height = 170;

/// Draws the button that starts or cancels. Returns whether the user starts the lab.
bool draw_start_or_cancel(Ui& ui, const LabPlan& plan) {
    const float width = ui.px(86);
    if (ui.snapshot.labs.running) {
        if (action(ui, "cancel", width,
                   "Stops after the current sample. Results so far stay, marked as not settled.", "Esc"))
            ui.requests.cancel_lab = true;
        return false;
    }
    std::string tooltip = "Measures in the background with a separate engine.";
    if (plan.disabled_reason.empty()) {
        tooltip += " It takes at most about " +
                   experiments::format::rough_duration(labs::max_seconds(plan.job)) +
                   " plus the time to prepare the streams; results appear while it runs.";
    }
    ImGui::PushStyleColor(ImGuiCol_Button, ui.palette().accent_fill);
    const bool started = action(ui, "start", width, tooltip, "Enter", plan.disabled_reason);
    ImGui::PopStyleColor();
    return started;
}

void draw_quality(Ui& ui) {
    LabSettings& settings = ui.settings.labs;
    std::vector<MenuEntry> entries;
    for (const labs::MeasurementQualityInfo& info : labs::measurement_qualities())
        entries.push_back({std::string(info.name), std::string(info.meaning), {}});
    const float width = menu_width(ui, entries);
    continue_line(ui, width);
    const auto clicked =
        menu(ui, "quality", width, entries, static_cast<std::size_t>(settings.quality),
             "How long each setting is measured. " + std::string(labs::info_of(settings.quality).meaning));
    if (clicked) settings.quality = labs::measurement_qualities()[*clicked].quality;
}

void draw_pattern(Ui& ui) {
    LabSettings& settings = ui.settings.labs;
    std::vector<MenuEntry> entries;
    for (const workloads::PatternInfo& info : workloads::patterns())
        entries.push_back({std::string(info.name), std::string(info.meaning), {}});
    const float width = menu_width(ui, entries);
    continue_line(ui, width);
    const auto clicked = menu(ui, "lab pattern", width, entries, static_cast<std::size_t>(settings.pattern),
                              "The positions of the kept items in the stream. " +
                                  std::string(workloads::info_of(settings.pattern).meaning) +
                                  " The controls on the left set length, live fraction and seed.");
    if (clicked) settings.pattern = workloads::patterns()[*clicked].pattern;
}

void draw_item_size(Ui& ui) {
    LabSettings& settings = ui.settings.labs;
    std::vector<MenuEntry> entries;
    std::size_t selected = 0;
    for (const compaction::ItemSize size : compaction::all_item_sizes) {
        if (size == settings.item_size) selected = entries.size();
        entries.push_back({std::to_string(bytes_of(size)) + " bytes", {}, {}});
    }
    const float width = menu_width(ui, entries);
    continue_line(ui, width);
    const auto clicked = menu(ui, "item size", width, entries, selected,
                              "The size of an item. The last word of a wide item decides whether it is kept; "
                              "algorithms without that size are left out and listed.");
    if (clicked) settings.item_size = compaction::all_item_sizes[*clicked];
}

void draw_cache(Ui& ui) {
    LabSettings& settings = ui.settings.labs;
    const std::vector<MenuEntry> entries{
        {"cold",
         "Every call reads its stream from memory: calls rotate through copies that together exceed the "
         "cache.",
         {}},
        {"hot", "Every call uses the same buffers, so that the cache holds what fits.", {}}};
    const float width = menu_width(ui, entries);
    continue_line(ui, width);
    const auto clicked =
        menu(ui, "cache", width, entries, static_cast<std::size_t>(settings.cache),
             "Whether a call reads its stream from memory or from the cache. In the running frames, the "
             "first compaction leaves a stream in the cache if it fits, so short streams are hot.");
    if (clicked) settings.cache = *clicked == 0 ? experiments::Cache::cold : experiments::Cache::hot;
}

constexpr const char* hold_label = "hold the scene";

/// Draws the controls that the labs share. Returns whether the user starts the lab.
bool draw_controls_line(Ui& ui, const LabType& lab, const LabPlan& plan) {
    const bool started = draw_start_or_cancel(ui, plan);
    ImGui::BeginDisabled(ui.snapshot.labs.running);
    draw_quality(ui);
    if (!lab.brings_its_streams) {
        draw_pattern(ui);
        draw_item_size(ui);
        draw_cache(ui);
    }
    ImGui::EndDisabled();
    continue_line(ui, toggle_width(ui, hold_label));
    toggle(ui, hold_label, ui.settings.labs.hold_scene,
           "Holds the scene while a lab measures; the window is drawn only five times a second or on input. "
           "Otherwise the scene runs at full rate and disturbs the measurement, and the figures are marked "
           "interactive.");
    return started;
}

/// Draws a line of text, elided to fit.
void draw_text_line(Ui& ui, const ImFont* font, ImU32 colour, const std::string& text,
                    const std::string& tooltip) {
    const std::string shown = format::with_powers(text);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x;
    plots::draw_text(*ImGui::GetWindowDrawList(), font, at, colour, plots::elided(font, shown, width));
    ImGui::Dummy({width, font->FontSize});
    ui.tooltips.offer(ui.style, at, {at.x + width, at.y + font->FontSize}, format::with_powers(tooltip));
}

void draw_progress(Ui& ui, const labs::Report& report) {
    const experiments::Progress& progress = report.progress;
    const double elapsed_s = std::max(ui.snapshot.display.now_s - report.started_s, 0.0);
    const double total_s = elapsed_s + progress.seconds_left;
    const double share_done = total_s > 0 ? std::clamp(elapsed_s / total_s, 0.0, 1.0) : 0;
    const ImVec2 low = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x;
    const float thickness = std::max(2.0F, ui.px(3));
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled(low, {low.x + width, low.y + thickness}, ui.palette().track);
    list.AddRectFilled(low, {low.x + std::round(width * static_cast<float>(share_done)), low.y + thickness},
                       ui.palette().accent);
    ui.controls.record("lab progress", low, {low.x + width, low.y + thickness});
    ImGui::Dummy({width, thickness});
    std::string text = "about " + experiments::format::rough_duration(progress.seconds_left) + " left, " +
                       std::to_string(progress.settings_done) + " of " +
                       std::to_string(progress.settings_total) + " settings done, now: " + progress.activity;
    if (ui.settings.labs.hold_scene) text += ". The scene is held";
    if (report.any_interactive()) text += ". The scene runs and disturbs the figures";
    draw_text_line(ui, ui.fonts().small, ui.palette().label, text, text);
}

/// Draws how old the results are, and what reduces their value.
void draw_age(Ui& ui, const labs::Report& report, const LabPlan& plan) {
    const plots::Palette& palette = ui.palette();
    const std::string age =
        experiments::format::rough_duration(ui.snapshot.display.now_s - report.changed_s) + " ago";
    const std::string job_and_device = report.job->title + ", " + report.machine.device;
    const bool is_outdated = !labs::same_work(*report.job, plan.job);
    std::string text;
    std::string tooltip = job_and_device + ".";
    ImU32 colour = palette.muted;
    if (report.state == State::failed) {
        text = report.failure;
        tooltip = report.failure + "\n\n" + job_and_device + ".";
        colour = palette.error;
    } else if (report.state == State::cancelled) {
        text = "Cancelled " + age + ", so some settings lack samples.";
        tooltip += " It was stopped before every setting had all its samples.";
        colour = palette.warning_text;
    } else {
        text = "Measured " + age + " on " + report.machine.device + ".";
    }
    if (report.any_interactive()) {
        text += " The scene ran and disturbed the figures.";
        tooltip +=
            " The window's scene ran on the same machine at the same time, so the figures are not fit for "
            "publication. Hold the scene and start again.";
        colour = palette.warning_text;
    }
    if (is_outdated) {
        text = "The settings have changed. " + text + " That run: " + report.job->title + ".";
        tooltip += " The settings have changed since. Start again to measure the current ones.";
        if (report.state != State::failed) colour = palette.warning_text;
    }
    draw_text_line(ui, ui.fonts().small, colour, text, tooltip);
}

/// The last report of a lab; null if it has not run.
const labs::Report* report_of(const LabReports& labs, std::string_view lab) {
    for (const auto& report : labs.reports) {
        if (report->job->lab == lab) return report.get();
    }
    return nullptr;
}

/// Draws the name of a lab in the strip, which wraps in a narrow window. A click shows the lab.
void draw_name(Ui& ui, const LabType& lab, bool is_shown, bool is_running) {
    const plots::Palette& palette = ui.palette();
    const ImFont* font = is_shown ? ui.fonts().heading : ui.fonts().text;
    const std::string name = is_running ? std::string(lab.name) + " …" : lab.name;
    const ImVec2 size{plots::text_width(font, name) + ui.px(16), ImGui::GetFrameHeight()};
    ImGui::PushID(lab.name);
    if (invisible_button("##lab", size)) ui.settings.labs.lab = lab.id;
    ImGui::PopID();
    const ImVec2 low = ImGui::GetItemRectMin();
    const ImVec2 high = ImGui::GetItemRectMax();
    const bool hovered = ImGui::IsItemHovered();
    const std::string label = "lab: " + std::string(lab.id);
    ui.controls.record_item(label);
    if (ui.focus->presses_item(ui, label)) ui.settings.labs.lab = lab.id;
    ui.tooltips.offer_item(ui.style, lab.meaning);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    if (is_shown || hovered)
        list.AddRectFilled(low, high, is_shown ? palette.raised : palette.raised_more,
                           ImGui::GetStyle().FrameRounding);
    if (is_shown)
        list.AddRectFilled({low.x + ui.px(6), high.y - ui.px(2)}, {high.x - ui.px(6), high.y},
                           palette.accent);
    const float baseline = std::round((low.y + high.y + font->Ascent) / 2) - ui.px(2);
    plots::draw_on_baseline(list, font, {low.x + ui.px(8), baseline}, is_shown ? palette.text : palette.label,
                            name);
}

void draw_strip(Ui& ui) {
    const LabType& shown = all_labs()[current_lab(ui.settings)];
    bool first = true;
    for (const LabType& lab : all_labs()) {
        const labs::Report* report = report_of(ui.snapshot.labs, lab.id);
        const bool is_shown = &lab == &shown;
        const bool is_running = report && report->state == labs::State::running;
        if (!first) continue_line(ui, plots::text_width(ui.fonts().heading, lab.name) + ui.px(30));
        first = false;
        draw_name(ui, lab, is_shown, is_running);
    }
}

/// Offers the lab's plot as a picture and its results as text.
void offer_results(Ui& ui, const LabType& lab, const labs::Report& report, const LabArea& area) {
    if (report.measurement->results.empty()) return;
    const ImVec2 margin{ui.px(8), ui.px(6)};
    record_plot(ui, lab.id, {area.low.x - margin.x, area.low.y - margin.y},
                {area.high.x + margin.x, area.high.y + margin.y}, labs::provenance_of(report));
    offer_table(ui, lab.name, area.low, area.high, [&] {
        return experiments::results_table({.machine = report.machine, .measurement = *report.measurement});
    });
}

/// Measurements without drawing: a strip with the names of the labs, the header that they share, and the
/// current lab.
class LabsPanel : public ViewPanel {
  public:
    void draw(Ui& ui) override;
    bool close(Ui& ui) override {
        if (current_tab(ui.settings).id != labs_tab || !ui.snapshot.labs.running) return false;
        ui.requests.cancel_lab = true;
        return true;
    }
    /// Starts the current lab unless one runs or something prevents it.
    void start(Ui& ui);

  private:
    /// Draws the planned measurement, its choices, and its progress or the age of its results.
    void draw_header(Ui& ui, const LabType& lab, LabPanel& panel, const labs::Report* report);

    std::vector<std::unique_ptr<LabPanel>> labs_ = [] {
        std::vector<std::unique_ptr<LabPanel>> labs;
        for (const LabType& lab : all_labs()) labs.push_back(lab.make());
        return labs;
    }();
};

void LabsPanel::start(Ui& ui) {
    if (ui.snapshot.labs.running) return;
    LabPlan plan = plan_of(*labs_[current_lab(ui.settings)], ui);
    if (plan.disabled_reason.empty()) ui.requests.start_lab = std::move(plan.job);
}

void LabsPanel::draw_header(Ui& ui, const LabType& lab, LabPanel& panel, const labs::Report* report) {
    const LabPlan plan = plan_of(panel, ui);
    ImGui::Dummy({0, ui.px(2)});
    const bool can_start = plan.disabled_reason.empty();
    const std::string title = can_start ? plan.job.title : plan.disabled_reason;
    draw_text_line(ui, ui.fonts().text, can_start ? ui.palette().text : ui.palette().muted, title,
                   title + (can_start ? "." : ""));
    if (draw_controls_line(ui, lab, plan)) start(ui);
    if (!report) return;
    if (report->state == State::running) {
        draw_progress(ui, *report);
    } else {
        draw_age(ui, *report, plan);
    }
}

void LabsPanel::draw(Ui& ui) {
    const Rectangle& pane = ui.panes.view;
    if (pane.width <= 0 || pane.height <= 0) return;
    begin_pane("labs", pane);
    draw_strip(ui);
    const std::size_t index = current_lab(ui.settings);
    const LabType& lab = all_labs()[index];
    LabPanel& panel = *labs_[index];
    const labs::Report* report = report_of(ui.snapshot.labs, lab.id);
    draw_header(ui, lab, panel, report);
    // In a low window, the lab keeps its minimum height and scrolls.
    const ImVec2 low{ImGui::GetCursorScreenPos().x, ImGui::GetCursorScreenPos().y + ui.px(4)};
    const float bottom =
        static_cast<float>(pane.y + pane.height) - ImGui::GetStyle().WindowPadding.y - ImGui::GetScrollY();
    const LabArea area{low,
                       {ImGui::GetWindowPos().x + ImGui::GetWindowContentRegionMax().x,
                        std::max(bottom, low.y + ui.px(min_lab_height))}};
    panel.draw(ui, report, area);
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
            "its best launch configuration. Use these figures for publication; those of the running frames "
            "are interactive.",
        .keys = {view_key("Enter", "start the lab", {.keys = {GLFW_KEY_ENTER, GLFW_KEY_KP_ENTER}},
                          &LabsPanel::start)},
        .make = make_panel<LabsPanel>};
}

}  // namespace warpsieve::panels
