#include <algorithm>

#include "app/panels/badges.hpp"
#include "app/panels/panel_frame.hpp"
#include "app/plots/figures.hpp"

namespace warpsieve::panels {
namespace {

constexpr float header_height = 26;

/// A word in a frame that says what kind of figures these are; returns its right end.
float draw_badge(PanelFrame& frame, ImVec2 at, float baseline, std::string_view text,
                 std::string_view tooltip) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImFont* font = frame.fonts().small;
    const float air = frame.px(6);
    const ImVec2 low{at.x, baseline - std::round(font->Ascent) - frame.px(1)};
    const ImVec2 high{at.x + plots::text_width(font, text) + 2 * air, low.y + font->FontSize + frame.px(2)};
    list.AddRectFilled(low, high, frame.palette().raised, ImGui::GetStyle().FrameRounding);
    plots::draw_on_baseline(list, font, {at.x + air, baseline}, frame.palette().label, text);
    frame.memory.tooltips.offer(frame.look, low, high, tooltip);
    return high.x;
}

void draw_header(PanelFrame& frame, ImVec2 low, float right) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const plots::Fonts& fonts = frame.fonts();
    const float baseline = low.y + std::round(fonts.heading->Ascent);
    float x = plots::draw_on_baseline(list, fonts.heading, {low.x, baseline}, frame.palette().text,
                                      "Time of a compaction");
    const float title_right = x;
    x = draw_badge(frame, {x + frame.px(10), low.y}, baseline, "interactive",
                   "Taken from the running frames, between drawing and everything else the machine does. "
                   "Good for seeing what an "
                   "option changes; for figures to publish, measure with nothing drawn.");

    x = draw_badges(frame, x + frame.px(6), low.y, baseline, right);

    // What there is room for, the most telling first.
    x += frame.px(10);
    const float room = right - x;
    const std::string left_out = frame.memory.plot.left_out();
    const std::string& method = frame.view.timing_method;
    const std::string both = left_out.empty() ? method : left_out + "   " + method;
    // In full or not at all: the tooltip of the title says the same.
    const auto fits = [&](const std::string& text) { return plots::text_width(fonts.small, text) <= room; };
    const std::string shown = fits(both) ? both : fits(left_out) ? left_out : std::string();
    const float width = plots::text_width(fonts.small, shown);
    plots::draw_on_baseline(list, fonts.small, {right - width, baseline}, frame.palette().muted, shown);
    std::string explained = "Timed with " + method + ".";
    if (!left_out.empty()) {
        const plots::Figure highest = plots::duration(frame.memory.plot.highest_us());
        explained += " The axis follows the frames as they usually are; " + left_out + ", the highest at " +
                     highest.number + " " + highest.unit + ", are cut off and marked.";
    }
    const float bottom = low.y + fonts.heading->FontSize;
    frame.memory.tooltips.offer(frame.look, {right - width, low.y}, {right, bottom}, explained);
    frame.memory.tooltips.offer(frame.look, low, {title_right, bottom}, explained);
}

void line_of(PanelFrame& frame, std::string_view name, const plots::Figure& figure, float column) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const plots::Fonts& fonts = frame.fonts();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float baseline = at.y + std::round(fonts.figures->Ascent);
    plots::draw_on_baseline(list, fonts.text, {at.x, baseline}, frame.palette().label, name);
    const float right = at.x + column;
    plots::draw_on_baseline(list, fonts.figures,
                            {right - plots::text_width(fonts.figures, figure.number), baseline},
                            frame.palette().text, figure.number);
    plots::draw_on_baseline(list, fonts.small, {right + frame.px(5), baseline}, frame.palette().muted,
                            figure.unit);
    ImGui::Dummy({column + frame.px(24), fonts.figures->FontSize});
}

/// The figures of the frame under the mouse.
void draw_frame_tooltip(PanelFrame& frame, const experiments::FrameSample& sample) {
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {frame.px(12), frame.px(8)});
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, frame.px(1)});
    ImGui::BeginTooltip();
    const float column = frame.px(168);
    line_of(frame, "frame", {plots::grouped(sample.frame), ""}, column);
    if (sample.total_us > 0)
        line_of(frame, "total", plots::duration(static_cast<double>(sample.total_us)), column);
    for (std::size_t i = 0; i < std::min(sample.num_phases, sample.algorithm->phases.size()); ++i) {
        line_of(frame, sample.algorithm->phases[i].name,
                plots::duration(static_cast<double>(sample.phase_us[i])), column);
    }
    if (sample.interop_us > 0) {
        line_of(frame, interop_row_name, plots::duration(static_cast<double>(sample.interop_us)), column);
    }
    line_of(frame, "whole frame", plots::duration(static_cast<double>(sample.frame_us)), column);
    line_of(frame, "kept", {plots::grouped(sample.num_kept), ""}, column);
    if (sample.num_phases > 1 && !sample.split) {
        ImGui::PushFont(frame.fonts().small);
        ImGui::PushStyleColor(ImGuiCol_Text, frame.palette().muted);
        ImGui::TextUnformatted("phases of the frame split last");
        ImGui::PopStyleColor();
        ImGui::PopFont();
    }
    ImGui::EndTooltip();
    ImGui::PopStyleVar(2);
}

void draw_plot(PanelFrame& frame, ImVec2 low, ImVec2 high) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    record_plot(frame, "timings", {low.x - frame.px(8), low.y - frame.px(4)},
                {high.x + frame.px(8), high.y + frame.px(4)});
    draw_header(frame, low, high.x);
    low.y += frame.px(header_height);
    if (high.y <= low.y || high.x <= low.x) return;
    const View& view = frame.view;
    if (!view.timeline || !view.algorithm || view.timeline->size() == 0) {
        plots::draw_text(list, frame.fonts().text, {low.x, low.y + frame.px(8)}, frame.palette().muted,
                         "The first timings arrive a few frames after the start.");
        return;
    }
    const auto hovered = frame.memory.plot.draw(list, low, high, *view.timeline, *view.algorithm, frame.look,
                                                static_cast<double>(ImGui::GetIO().DeltaTime));
    if (hovered && (*view.timeline)[*hovered].algorithm)
        draw_frame_tooltip(frame, (*view.timeline)[*hovered]);
}

}  // namespace

void draw_timings(PanelFrame& frame) {
    const Rectangle& zone = frame.zones.timings;
    if (zone.width <= 0 || zone.height <= 0) return;
    begin_zone("timings", zone, ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
    const ImVec2 padding{frame.px(14), frame.px(8)};
    const ImVec2 low{static_cast<float>(zone.x) + padding.x, static_cast<float>(zone.y) + padding.y};
    const ImVec2 high{static_cast<float>(zone.x + zone.width) - padding.x,
                      static_cast<float>(zone.y + zone.height) - padding.y};
    // The table gives up columns until the plot has room to be read; in a window too narrow for both, the
    // plot goes.
    const float gap = frame.px(18);
    const float plot_at_least = frame.px(262);
    const float width = high.x - low.x;
    const float beside_plot = fitting_table_width(frame, width - gap - plot_at_least);
    const bool both = beside_plot > 0;
    const float table_left = both ? high.x - beside_plot : low.x;
    if (both) draw_plot(frame, low, {table_left - gap, high.y});
    draw_timing_table(frame, {table_left, low.y}, high);
    offer_table(frame, "timings", {table_left, low.y}, high, [&] { return timing_table(frame); });
    ImGui::End();
}

}  // namespace warpsieve::panels
