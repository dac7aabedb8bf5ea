// What the mouse selects in the timeline's plot: a range of frames, series in the legend, and the menu.
#include <algorithm>
#include <string>
#include <vector>

#include "app/format/figures.hpp"
#include "app/panels/memory.hpp"
#include "app/panels/views/timeline_view.hpp"
#include "app/panels/widgets.hpp"
#include "experiments/format/numbers.hpp"
#include "experiments/table.hpp"

namespace warpsieve::panels {
namespace {

using experiments::FrameSample;
using experiments::Timeline;

std::string figure(float us) {
    return experiments::format::significant(us, 4);
}

/// The frames as a table: times in microseconds, phases by the names of the newest frame's algorithm.
experiments::Table table_of(const Timeline& timeline, const FrameRange& range) {
    const FrameSample& newest = timeline.at(range.end - 1);
    const std::size_t phases = newest.algorithm ? newest.algorithm->phases.size() : 0;
    experiments::Table table{.caption = {}, .columns = {{"frame", true}, {"algorithm", false}}, .rows = {}};
    for (std::size_t i = 0; i < phases; ++i)
        table.columns.push_back({newest.algorithm->phases[i].name + "_us", true});
    for (const char* name : {"between_us", "total_us", "interop_us", "simulate_us", "frame_us", "kept"})
        table.columns.push_back({name, true});
    for (std::uint64_t ordinal = range.begin; ordinal < range.end; ++ordinal) {
        const FrameSample& sample = timeline.at(ordinal);
        std::vector<std::string> cells{std::to_string(sample.frame),
                                       sample.algorithm ? sample.algorithm->id : std::string()};
        const bool same = sample.algorithm == newest.algorithm && sample.num_phases > 0;
        for (std::size_t i = 0; i < phases; ++i)
            cells.push_back(same ? figure(sample.phase_us[i]) : std::string());
        cells.push_back(sample.num_phases > 0 ? figure(sample.between_us) : std::string());
        for (const float us : {sample.total_us, sample.interop_us, sample.simulate_us, sample.frame_us})
            cells.push_back(figure(us));
        cells.push_back(std::to_string(sample.num_kept));
        table.rows.push_back({std::move(cells), {}});
    }
    return table;
}

/// The selected frames, else the visible ones.
FrameRange frames_of_menu(const Ui& ui, const Timeline& timeline) {
    if (ui.memory.timeline.range) return *ui.memory.timeline.range;
    const plots::Window window = shown_window(ui, timeline);
    const std::uint64_t first = window.end - std::min<std::uint64_t>(window.end, window.frames);
    return {std::max(first, timeline.begin()), window.end};
}

experiments::Summary summary_of(const Timeline& timeline, const FrameRange& range) {
    std::vector<float> totals_us;
    for (std::uint64_t ordinal = range.begin; ordinal < range.end; ++ordinal)
        totals_us.push_back(timeline.at(ordinal).total_us);
    return experiments::summarise(totals_us);
}

}  // namespace

void select_range(Ui& ui, const Timeline& timeline, std::uint64_t from, std::uint64_t to) {
    const FrameRange range{std::max(std::min(from, to), timeline.begin()),
                           std::min(std::max(from, to) + 1, timeline.end())};
    if (range.begin >= range.end || ui.memory.timeline.range == range) return;
    ui.memory.timeline.range = range;
    ui.memory.timeline.range_us = summary_of(timeline, range);
}

void draw_range(Ui& ui, const plots::PlotFrame& place) {
    TimelineMemory& memory = ui.memory.timeline;
    if (!memory.range) return;
    const plots::Palette& palette = ui.palette();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float left = std::round(memory.plot.x_of(memory.range->begin));
    const float right = std::max(std::round(memory.plot.x_of(memory.range->end)), left + 1);
    const ImU32 veil = (palette.accent & ~IM_COL32_A_MASK) | (ImU32{0x30} << IM_COL32_A_SHIFT);
    list.AddRectFilled({left, place.low.y}, {right, place.high.y}, veil);
    for (const float x : {left, right})
        list.AddRectFilled({x, place.low.y}, {x + 1, place.high.y}, palette.accent);

    const experiments::Summary& us = memory.range_us;
    const format::TimeUnit unit = format::time_unit(us.q3);
    const auto in_unit = [&](double value) { return format::significant(value * unit.per_us); };
    const std::uint64_t frames = memory.range->end - memory.range->begin;
    std::string text = format::grouped(frames) + (frames == 1 ? " frame" : " frames");
    if (us.n > 0)
        text += "   25 % " + in_unit(us.q1) + "   median " + in_unit(us.median) + "   75 % " +
                in_unit(us.q3) + " " + unit.name;
    const ImFont* font = ui.fonts().small;
    const float air = ui.px(6);
    const float width = plots::text_width(font, text) + 2 * air;
    const ImVec2 low{std::round(std::clamp((left + right - width) / 2, place.low.x,
                                           std::max(place.high.x - width, place.low.x))),
                     place.low.y + ui.px(10)};
    const ImVec2 high{low.x + width, low.y + font->FontSize + ui.px(6)};
    list.AddRectFilled(low, high, palette.raised, ui.px(3));
    list.AddRect(low, high, palette.accent, ui.px(3));
    plots::draw_text(list, font, {low.x + air, low.y + ui.px(3)}, palette.text,
                     plots::elided(font, text, place.high.x - low.x - 2 * air));
    ui.controls.record("range", low, high);
}

void draw_timeline_legend(Ui& ui) {
    TimelineMemory& memory = ui.memory.timeline;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    for (const plots::NamePlace& name : memory.plot.names()) {
        const std::string text(name.text);
        ImGui::PushID(static_cast<int>(name.series));
        ImGui::SetCursorScreenPos(name.low);
        bool clicked = invisible_button("##series", {name.high.x - name.low.x, name.high.y - name.low.y});
        ImGui::PopID();
        ui.controls.record_item("series: " + text);
        if (ui.focus->presses_item(ui, "series: " + text)) clicked = true;
        if (memory.hidden & name.series) ui.controls.record_item("hidden: " + text);
        if (ImGui::IsItemHovered()) {
            const float y = std::round(name.high.y);
            list.AddRectFilled({name.low.x, y}, {name.high.x, y + 1}, ui.palette().text);
        }
        ui.tooltips.offer_item(
            ui.style,
            "Click to hide it or to show it again. Shift+click shows it alone, and a second "
            "Shift+click shows everything.");
        if (!clicked) continue;
        const plots::SeriesSet others = plots::every_series & ~name.series;
        if (ImGui::GetIO().KeyShift) {
            memory.hidden = memory.hidden == others ? 0 : others;
        } else {
            memory.hidden ^= name.series;
        }
    }
}

void draw_timeline_menu(Ui& ui, const Timeline& timeline, const plots::PlotFrame& place) {
    TimelineMemory& memory = ui.memory.timeline;
    constexpr const char* name = "history menu";
    if (ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(place.low, place.high) &&
        ImGui::IsMouseReleased(ImGuiMouseButton_Right))
        ImGui::OpenPopup(name);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {ui.px(8), ui.px(8)});
    if (ImGui::BeginPopup(name)) {
        ui.focus->begin_menu(name);
        const auto entry = [&](const char* label) {
            const bool chosen = ImGui::Selectable(label);
            return key_presses_entry(ui, label) || chosen;
        };
        const FrameRange range = frames_of_menu(ui, timeline);
        const std::string frames = format::grouped(range.end - range.begin) + " frames";
        if (entry(memory.fits_all ? "Fit usual frames" : "Fit all frames"))
            memory.fits_all = !memory.fits_all;
        if (memory.hidden && entry("Show every series")) memory.hidden = 0;
        if (memory.range && entry("Clear range")) memory.range.reset();
        if (entry("Copy data")) {
            ImGui::SetClipboardText(to_csv(table_of(timeline, range)).c_str());
            ui.requests.notice = "Copied " + frames + " as CSV.";
        }
        if (entry("Export CSV"))
            ui.requests.save_file = SaveFile{"frames", ".csv", to_csv(table_of(timeline, range))};
        ui.focus->end_menu();
        ImGui::EndPopup();
    }
    ImGui::PopStyleVar();
}

}  // namespace warpsieve::panels
