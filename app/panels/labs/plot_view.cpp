#include "app/panels/labs/plot_view.hpp"

#include <imgui.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "app/format/figures.hpp"
#include "app/panels/labs/lab_widgets.hpp"
#include "app/plots/xy_plot.hpp"

namespace warpsieve::panels {
namespace {

std::string joined(const std::vector<std::string>& sentences) {
    // The tooltip shows only the first sentences; the files of `warpsieve bench` have all.
    constexpr std::size_t max_sentences = 12;
    std::string text;
    for (std::size_t i = 0; i < sentences.size() && i < max_sentences; ++i)
        text += (i ? "\n" : "") + sentences[i];
    if (sentences.size() > max_sentences)
        text += "\nand " + format::grouped(sentences.size() - max_sentences) + " more.";
    return text;
}

/// Draws small text with a tooltip, elided at `right`; returns the x of the next remark.
float draw_remark(Ui& ui, ImVec2 at, float right, ImU32 colour, const std::string& text,
                  const std::string& tooltip, std::string_view name) {
    const ImFont* font = ui.fonts().small;
    if (right - at.x < ui.px(40)) return at.x;
    const std::string shown = plots::elided(font, text, right - at.x);
    plots::draw_text(*ImGui::GetWindowDrawList(), font, at, colour, shown);
    const ImVec2 end{at.x + plots::text_width(font, shown), at.y + font->FontSize};
    ui.controls.record(name, at, end);
    ui.tooltips.offer(ui.style, at, end, tooltip.empty() ? text : tooltip);
    return end.x + ui.px(16);
}

/// The hint on clicking a point; empty if there are no points.
std::string click_hint(const CachedPlot& cached) {
    bool has_step = false;
    for (const std::vector<experiments::Setting>& line : cached.sweep.settings) {
        for (const experiments::Setting& setting : line) {
            if (setting.algorithm->operation == compaction::Operation::compaction)
                return "Click a point to load its setting into the live view.";
            has_step = true;
        }
    }
    return has_step ? "A step is not a compaction, so the live view cannot load its points." : "";
}

void draw_remarks(Ui& ui, const CachedPlot& cached, ImVec2 at, float right) {
    const plots::Palette& palette = ui.palette();
    const auto& [wrong, skipped] = cached.remarks;
    if (!wrong.empty()) {
        at.x = draw_remark(ui, at, right, palette.error,
                           format::grouped(wrong.size()) + " wrong and not drawn: " + wrong.front(),
                           joined(wrong), "lab: wrong");
    }
    if (!skipped.empty()) {
        const std::string text = skipped.size() == 1
                                     ? "left out: " + format::with_powers(skipped.front())
                                     : "left out for " + format::grouped(skipped.size()) + " reasons";
        at.x = draw_remark(ui, at, right, palette.warning_text, text, joined(skipped), "lab: left out");
    }
    const std::string hint = cached.click_result.empty() ? click_hint(cached) : cached.click_result;
    draw_remark(ui, at, right, cached.click_result.empty() ? palette.muted : palette.label, hint, {},
                "lab: hint");
}

/// Loads the setting of a point into the live view.
void load_point(Ui& ui, CachedPlot& cached, plots::XyHit hit) {
    const experiments::Setting& setting = cached.sweep.settings[hit.series][hit.point];
    const std::string why_not = labs::load_into_window(ui.settings.run, setting);
    cached.click_result = why_not.empty() ? "Loaded " + experiments::describe(setting) + "." : why_not;
}

}  // namespace

void update_plot(CachedPlot& cached, const labs::Report& report, std::optional<labs::SweepMetric> metric,
                 const std::function<labs::SweepPlot(const labs::Report&)>& make) {
    if (cached.measurement == report.measurement && cached.metric == metric && cached.state == report.state)
        return;
    if (cached.measurement != report.measurement) cached.click_result.clear();
    cached.measurement = report.measurement;
    cached.state = report.state;
    cached.metric = metric;
    cached.sweep = make(report);
    cached.remarks = labs::remarks_on(report);
}

void draw_cached_plot(Ui& ui, CachedPlot& cached, std::string_view name, const LabArea& area) {
    const float remarks_height = ui.fonts().small->FontSize + ui.px(6);
    const ImVec2 high{area.high.x, area.high.y - remarks_height};
    const ImVec2 size{high.x - area.low.x, high.y - area.low.y};
    if (size.x < 1 || size.y < 1) return;
    ImGui::SetCursorScreenPos(area.low);
    const bool clicked = invisible_button("##plot", size);
    const bool hovered = ImGui::IsItemHovered();
    ui.controls.record_item(std::string(name) + " plot");
    const auto mouse = hovered ? std::optional{ImGui::GetIO().MousePos} : std::nullopt;
    const auto hit =
        plots::draw(*ImGui::GetWindowDrawList(), area.low, high, cached.sweep.plot, ui.style, mouse);
    if (hit) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    if (clicked && hit) load_point(ui, cached, *hit);
    draw_remarks(ui, cached, {area.low.x, high.y + ui.px(4)}, area.high.x);
}

LabArea draw_sentence(Ui& ui, std::string_view sentence, const LabArea& area) {
    const ImFont* font = ui.fonts().small;
    const float width = area.high.x - area.low.x;
    const float paragraph_height = plots::paragraph_height(font, sentence, width);
    const bool fits = paragraph_height <= (area.high.y - area.low.y) / 5;
    const float height = fits ? paragraph_height : font->FontSize;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    if (fits) {
        plots::draw_paragraph(list, font, area.low, width, ui.palette().label, sentence);
    } else {
        plots::draw_text(list, font, area.low, ui.palette().label, plots::elided(font, sentence, width));
        ui.tooltips.offer(ui.style, area.low, {area.high.x, area.low.y + height}, sentence);
    }
    return {{area.low.x, area.low.y + height + ui.px(6)}, area.high};
}

LabArea below_controls(const Ui& ui, const LabArea& area) {
    return {{area.low.x, ImGui::GetItemRectMax().y + ui.px(8)}, area.high};
}

void draw_axis_menu(Ui& ui, labs::SweepAxis& axis) {
    std::vector<MenuEntry> entries;
    for (const labs::SweepAxisInfo& info : labs::sweep_axes())
        entries.push_back(
            {std::string(name_of(info.axis, ui.settings.run.engine)), std::string(info.meaning), {}});
    const auto clicked = menu(ui, "over", ui.px(axis_menu_width), entries, static_cast<std::size_t>(axis),
                              "The quantity on the x axis. " + std::string(labs::info_of(axis).meaning));
    if (clicked) axis = labs::sweep_axes()[*clicked].axis;
}

void draw_metric_menu(Ui& ui, labs::SweepMetric& metric) {
    std::vector<MenuEntry> entries;
    for (const labs::SweepMetricInfo& info : labs::sweep_metrics())
        entries.push_back({std::string(info.name), std::string(info.meaning), {}});
    const auto clicked = menu(ui, "show", ui.px(metric_menu_width), entries, static_cast<std::size_t>(metric),
                              "The quantity on the y axis. " + std::string(labs::info_of(metric).meaning));
    if (clicked) metric = labs::sweep_metrics()[*clicked].metric;
}

}  // namespace warpsieve::panels
