#include "app/panels/timings_panel.hpp"

#include <algorithm>

#include "app/diagnostics/change_watch.hpp"
#include "app/format/figures.hpp"
#include "app/panels/badges.hpp"
#include "app/panels/frame_figures.hpp"
#include "app/panels/memory.hpp"
#include "app/panels/view_panel.hpp"
#include "app/panels/widgets.hpp"

namespace warpsieve::panels {
namespace {

// Pixels at 100 %.
constexpr float header_height = 26;
constexpr float badge_icon_width = 26;   ///< a badge without its name, and its gap
constexpr float interactive_width = 94;  ///< the boxed word "interactive", and its gap
constexpr float min_plot_width = 262;
/// The minimum width of the plot beside the frame strip.
constexpr float min_plot_beside_strip = 280;
/// The minimum width of the table beside plot and frame strip: it shows the quartiles.
constexpr float min_table_beside_strip = 300;
constexpr std::size_t shown_frames = 600;

/// Draws a word in a box. Returns the right end.
float draw_boxed_word(Ui& ui, float left, float baseline, std::string_view text, std::string_view tooltip) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImFont* font = ui.fonts().small;
    const float padding = ui.px(6);
    const ImVec2 low{left, baseline - std::round(font->Ascent) - ui.px(1)};
    const ImVec2 high{left + plots::text_width(font, text) + 2 * padding, low.y + font->FontSize + ui.px(2)};
    list.AddRectFilled(low, high, ui.palette().raised, ImGui::GetStyle().FrameRounding);
    plots::draw_on_baseline(list, font, {left + padding, baseline}, ui.palette().label, text);
    ui.tooltips.offer(ui.style, low, high, tooltip);
    return high.x;
}

std::string header_tooltip(const TimingHistory& timings, const plots::StackedPhases& plot) {
    std::string text = "Timed with " + timings.method + ".";
    if (const std::string left_out = plot.left_out_text(); !left_out.empty()) {
        const format::Figure highest = format::duration(plot.highest_us());
        text += " The axis fits the typical frames; " + left_out + ", the highest at " + highest.number +
                " " + highest.unit + ", are clipped and marked. Double-click the plot to fit all.";
    }
    return text;
}

void draw_header(Ui& ui, ImVec2 low, float right) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const plots::Fonts& fonts = ui.fonts();
    const float baseline = low.y + std::round(fonts.heading->Ascent);
    // The quality flags take precedence over the word "interactive".
    const float flags_width = static_cast<float>(ui.snapshot.quality.flags.size()) * ui.px(badge_icon_width);
    const bool timed = !ui.snapshot.runs.a.algorithm || has_times(ui.snapshot.runs.a.algorithm->engine);
    const char* title = !timed               ? "Steps of a compaction"
                        : ui.snapshot.runs.b ? "Time of a compaction by A, and by B as a line"
                                             : "Time of a compaction";
    const bool title_fits = low.x + plots::text_width(fonts.heading, title) + ui.px(6) + flags_width <= right;
    if (!title_fits) title = !timed ? "Steps" : ui.snapshot.runs.b ? "Time of A, and B as a line" : "Time";
    float x = plots::draw_on_baseline(list, fonts.heading, {low.x, baseline}, ui.palette().text, title);
    const float title_right = x;
    const bool word_fits = x + ui.px(interactive_width) + flags_width <= right;
    if (timed && ui.snapshot.runs.a.algorithm && word_fits) {
        x = draw_boxed_word(
            ui, x + ui.px(10), baseline, "interactive",
            "Timed in the running frames, while the machine also draws. Use these figures to see the "
            "effect of an option; for publication, measure without drawing.");
    }

    x = draw_badges(ui, ui.snapshot.quality.flags, x + ui.px(6), baseline, right);

    x += ui.px(10);
    const float room = right - x;
    const std::string left_out = ui.memory.timings.plot.left_out_text();
    const std::string& method = ui.snapshot.timings.method;
    const std::string both = left_out.empty() ? method : left_out + "   " + method;
    // A text is shown in full or not at all, because the tooltip of the title repeats both.
    const auto fits = [&](const std::string& text) { return plots::text_width(fonts.small, text) <= room; };
    const std::string shown = fits(both) ? both : fits(left_out) ? left_out : std::string();
    const float width = plots::text_width(fonts.small, shown);
    plots::draw_on_baseline(list, fonts.small, {right - width, baseline}, ui.palette().muted, shown);
    const auto tooltip = [&] { return header_tooltip(ui.snapshot.timings, ui.memory.timings.plot); };
    const float bottom = low.y + fonts.heading->FontSize;
    ui.tooltips.offer(ui.style, {right - width, low.y}, {right, bottom}, tooltip);
    ui.tooltips.offer(ui.style, low, {title_right, bottom}, tooltip);
}

/// Draws the figures of a frame in a tooltip.
void draw_frame_tooltip(Ui& ui, std::uint64_t ordinal) {
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {ui.px(12), ui.px(8)});
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, ui.px(1)});
    ImGui::BeginTooltip();
    heading(ui, frame_name(ui.snapshot.timings.timeline->at(ordinal)));
    draw_frame_figures(ui, *ui.snapshot.timings.timeline, ordinal, ui.px(168));
    ImGui::EndTooltip();
    ImGui::PopStyleVar(2);
}

/// The totals of B's last frames as a line; nullopt without B.
std::optional<plots::TotalsLine> line_of_b(Ui& ui) {
    const experiments::Timeline* const timeline = ui.snapshot.timings.timeline_b.get();
    const experiments::Summary* const total =
        timed_figures_of(rows_of(*ui.snapshot.figures, Side::b), total_row_name);
    if (!timeline || !total) return std::nullopt;
    std::vector<float>& totals_us = ui.memory.timings.totals_of_b_us;
    totals_us.clear();
    const std::size_t size = timeline->size();
    for (std::size_t i = size - std::min(size, shown_frames); i < size; ++i)
        totals_us.push_back((*timeline)[i].total_us);
    return plots::TotalsLine{.name = "total of B", .total_us = totals_us, .us = *total};
}

/// The newest change in words: "slots: 2^20 → 2^21".
std::string newest_change_text(const ChangeCard* card) {
    if (!card) return {};
    const std::vector<std::string>& changes = card->changes.empty() ? card->automatic_changes : card->changes;
    if (changes.empty()) return {};
    return changes.size() == 1 ? changes[0]
                               : changes[0] + " and " + std::to_string(changes.size() - 1) + " more";
}

void draw_plot(Ui& ui, ImVec2 low, ImVec2 high) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    record_plot(ui, "timings", {low.x - ui.px(8), low.y - ui.px(4)}, {high.x + ui.px(8), high.y + ui.px(4)});
    draw_header(ui, low, high.x);
    low.y += ui.px(header_height);
    if (high.y <= low.y || high.x <= low.x) return;
    if (!ui.snapshot.timings.timeline || !ui.snapshot.runs.a.algorithm ||
        ui.snapshot.timings.timeline->size() == 0) {
        plots::draw_text(list, ui.fonts().text, {low.x, low.y + ui.px(8)}, ui.palette().muted,
                         "The first timings appear a few frames after the start.");
        return;
    }
    if (!has_times(ui.snapshot.runs.a.algorithm->engine)) {
        draw_access_steps(ui, {low.x, low.y + ui.px(8)}, high);
        return;
    }
    plots::StackedPhases& plot = ui.memory.timings.plot;
    plot.draw(list, low, high,
              {.timeline = *ui.snapshot.timings.timeline,
               .algorithm = *ui.snapshot.runs.a.algorithm,
               .window = {.end = ui.snapshot.timings.timeline->end(), .frames = shown_frames},
               .logarithmic = false,
               .compared = line_of_b(ui),
               .pinned = {},
               .fits_all = ui.memory.timings.fits_all,
               .hidden = 0,
               .last_change = newest_change_text(ui.snapshot.quality.change)},
              ui.style, static_cast<double>(ImGui::GetIO().DeltaTime));
    if (plot.plot_frame()) {
        ui.controls.record("timings plot", plot.plot_frame()->low, plot.plot_frame()->high);
        const bool inside = ImGui::IsWindowHovered() &&
                            ImGui::IsMouseHoveringRect(plot.plot_frame()->low, plot.plot_frame()->high);
        if (inside && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left))
            ui.memory.timings.fits_all = !ui.memory.timings.fits_all;
    }
    if (plot.hovered() && ui.shows_cards()) draw_frame_tooltip(ui, *plot.hovered());
}

}  // namespace

void draw_timings(Ui& ui) {
    const Rectangle& pane = ui.panes.timings;
    if (pane.width <= 0 || pane.height <= 0) return;
    begin_pane("timings", pane, ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
    const ImVec2 padding{ui.px(14), ui.px(8)};
    const ImVec2 low{static_cast<float>(pane.x) + padding.x, static_cast<float>(pane.y) + padding.y};
    const ImVec2 high{static_cast<float>(pane.x + pane.width) - padding.x,
                      static_cast<float>(pane.y + pane.height) - padding.y};
    const float gap = ui.px(18);
    const float width = high.x - low.x;
    // The timeline view shows the same frames itself, so the plot is left out.
    const bool timeline_is_shown = current_view(ui.settings).id == timeline_tab;
    const float strip_width = frame_strip_width(ui);
    const float table_width_beside_both =
        timeline_is_shown
            ? 0
            : fitting_table_width(ui, width - 2 * gap - strip_width - ui.px(min_plot_beside_strip));
    // The frame strip matters more than the last columns of the table, but not more than the quartiles.
    const bool table_leaves_room_for_strip = table_width_beside_both >= ui.px(min_table_beside_strip);
    // The table drops columns until the plot fits. A window too narrow for both drops the plot.
    const float table_width = table_leaves_room_for_strip
                                  ? table_width_beside_both
                                  : fitting_table_width(ui, width - gap - ui.px(min_plot_width));
    const bool shows_plot = table_width > 0 && !timeline_is_shown;
    const float table_left = table_width > 0 ? high.x - table_width : low.x;
    const float strip_right = table_left - gap;
    const float room_beside_table = (shows_plot || timeline_is_shown) ? strip_right - low.x : 0;
    const float plot_and_gap_width = shows_plot ? gap + ui.px(min_plot_beside_strip) : 0;
    const bool shows_strip = room_beside_table >= strip_width + plot_and_gap_width;
    if (shows_plot) draw_plot(ui, low, {shows_strip ? strip_right - strip_width - gap : strip_right, high.y});
    const float strip_left = shows_plot ? strip_right - strip_width : low.x;
    if (shows_strip) draw_frame_strip(ui, {strip_left, low.y}, {strip_right, high.y});
    draw_timing_table(ui, {table_left, low.y}, high);
    offer_table(ui, "timings", {table_left, low.y}, high,
                [&] { return ui.snapshot.runs.a.accesses ? access_table(ui) : timing_table(ui); });
    ImGui::End();
}

}  // namespace warpsieve::panels
