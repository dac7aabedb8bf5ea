#include "app/panels/views/timeline_view.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "app/panels/frame_figures.hpp"
#include "app/panels/memory.hpp"
#include "app/panels/tabs.hpp"
#include "app/panels/widgets.hpp"

namespace warpsieve::panels {
namespace {

using experiments::Timeline;

// Pixels at 100 %.
constexpr float side_width = 236;
constexpr float plot_at_least = 240;
constexpr float click_reach = 4;
// Least height of the plot; below it the toolbar drops controls. Holds the axis with a name at either end,
// and a band.
constexpr float lowest_plot = 64;
constexpr float overview_height = 26;
/// Near the newest frame, a view that follows keeps following while it zooms: a share of the plot's width.
constexpr float follows_within = 0.1F;

const compaction::Algorithm& algorithm_of(const Ui& ui, const Timeline& timeline,
                                          const plots::Window& window) {
    const std::uint64_t newest = std::min(window.end, timeline.end()) - 1;
    const compaction::Algorithm* found = timeline.at(newest).algorithm;
    return found ? *found : *ui.view.runs.a.algorithm;
}

/// Drag to scroll, Shift+drag to select, wheel to zoom, click to pin, double-click to fit.
void steer(Ui& ui, const Timeline& timeline, const plots::PlotFrame& place) {
    TimelineMemory& memory = ui.memory.timeline;
    const plots::Window window = shown_window(ui, timeline);
    const ImVec2 size{place.high.x - place.low.x, place.high.y - place.low.y};
    ImGui::SetCursorScreenPos(place.low);
    invisible_button("##history", size);
    ui.controls.record_item("history");
    const ImGuiIO& io = ImGui::GetIO();
    const float moved = io.MousePos.x - io.MouseClickedPos[0].x;
    if (ImGui::IsItemActivated()) {
        memory.pressed_on = memory.plot.hovered();
        memory.drag_end = window.end;
        memory.dragged = false;
        memory.range_from = io.KeyShift ? memory.pressed_on : std::nullopt;
    }
    if (memory.range_from && ImGui::IsItemActive()) {
        // While the mouse is held, no frame is hovered.
        const auto frames = static_cast<std::int64_t>(
            std::floor((place.high.x - io.MousePos.x) / size.x * static_cast<float>(window.frames)));
        const auto to = static_cast<std::int64_t>(window.end) - 1 - frames;
        memory.dragged = memory.dragged || std::abs(moved) > ui.px(click_reach);
        if (memory.dragged)
            select_range(ui, timeline, *memory.range_from,
                         static_cast<std::uint64_t>(std::max<std::int64_t>(to, 0)));
    } else if (ImGui::IsItemActive()) {
        memory.dragged = memory.dragged || std::abs(moved) > ui.px(click_reach);
        const double frames = static_cast<double>(moved / size.x) * static_cast<double>(window.frames);
        if (memory.dragged)
            scroll_to(ui, timeline, static_cast<std::int64_t>(memory.drag_end) - std::llround(frames));
    }
    if (ImGui::IsItemDeactivated() && !memory.dragged && memory.pressed_on)
        memory.pinned = memory.pinned == memory.pressed_on ? std::nullopt : memory.pressed_on;
    if (ImGui::IsItemHovered() && ImGui::IsMouseDoubleClicked(0)) memory.fits_all = !memory.fits_all;
    if (ImGui::IsItemHovered() && io.MouseWheel != 0) {
        constexpr double zoom_per_notch = 1 / 1.25;
        const bool at_newest = place.high.x - io.MousePos.x < follows_within * size.x;
        const bool follows = !memory.held && at_newest;
        zoom_to(
            ui, timeline,
            static_cast<double>(window.frames) * std::pow(zoom_per_notch, static_cast<double>(io.MouseWheel)),
            follows ? std::nullopt : memory.plot.hovered());
    }
}

void draw_history(Ui& ui, const Timeline& timeline, ImVec2 low, ImVec2 high, bool has_side) {
    TimelineMemory& memory = ui.memory.timeline;
    const plots::Window window = shown_window(ui, timeline);
    record_plot(ui, "timeline", low, high);
    const compaction::Algorithm& algorithm = algorithm_of(ui, timeline, window);
    if (std::exchange(memory.legend_of, &algorithm) != &algorithm) memory.hidden = 0;
    const float clock_height = timeline_clock_height(ui, high.y - low.y);
    if (high.y - low.y > ui.px(4 * overview_height)) {
        const float strip_bottom = low.y + ui.px(overview_height);
        draw_timeline_overview(ui, timeline, low, {high.x, strip_bottom});
        low.y = strip_bottom + ui.px(8);
    }
    const float plot_bottom = clock_height > 0 ? high.y - clock_height - ui.px(9) : high.y;
    memory.plot.draw(*ImGui::GetWindowDrawList(), low, {high.x, plot_bottom},
                     {.timeline = timeline,
                      .algorithm = algorithm,
                      .window = window,
                      .logarithmic = ui.settings.window.timeline_log,
                      .ghost = ui.view.timings.ghost,
                      .pinned = memory.pinned,
                      .held = memory.held.has_value(),
                      .fits_all = memory.fits_all,
                      .hidden = memory.hidden},
                     ui.style, static_cast<double>(ImGui::GetIO().DeltaTime));
    if (!memory.plot.place()) return;
    const plots::PlotFrame place = *memory.plot.place();
    ui.controls.record("history under settings " + std::to_string(timeline.at(window.end - 1).config_epoch),
                       low, high);
    if (clock_height > 0) draw_timeline_clock(ui, place, high.y - clock_height, high);
    if (!has_side && memory.plot.hovered() && ui.shows_cards()) {
        ImGui::BeginTooltip();
        heading(ui, frame_name(timeline.at(*memory.plot.hovered())));
        draw_frame_figures(ui, timeline, *memory.plot.hovered(), ui.px(168));
        ImGui::EndTooltip();
    }
    draw_range(ui, place);
    draw_timeline_legend(ui);
    steer(ui, timeline, place);
    draw_timeline_menu(ui, timeline, place);
}

/// Forgets frames that the history no longer holds: of another engine, or overwritten in its ring.
void forget_what_is_gone(TimelineMemory& memory, const Timeline& timeline) {
    if (memory.pinned && !timeline.holds(*memory.pinned)) memory.pinned.reset();
    if (memory.end && *memory.end >= timeline.end()) memory.end.reset();
    if (memory.range && (memory.range->begin < timeline.begin() || memory.range->end > timeline.end()))
        memory.range.reset();
}

}  // namespace

void draw_timeline(Ui& ui) {
    const Rectangle& zone = ui.zones.view;
    if (zone.width <= 0 || zone.height <= 0) return;
    if (ui.memory.timeline.let_go) follow_newest(ui);
    begin_zone("timeline", zone, ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
    const ImVec2 low{static_cast<float>(zone.x) + ui.px(14), static_cast<float>(zone.y) + ui.px(8)};
    const ImVec2 high{static_cast<float>(zone.x + zone.width) - ui.px(14),
                      static_cast<float>(zone.y + zone.height) - ui.px(8)};
    const float gap_below_toolbar = ui.px(10);
    const float top =
        draw_timeline_toolbar(ui, low, high.x, high.y - ui.px(lowest_plot) - gap_below_toolbar) +
        gap_below_toolbar;
    const Timeline* const timeline = shown_timeline(ui);
    if (!timeline || !ui.view.runs.a.algorithm) {
        plots::draw_text(*ImGui::GetWindowDrawList(), ui.fonts().text, {low.x, top}, ui.palette().muted,
                         "The first timings appear a few frames after the start.");
    } else {
        forget_what_is_gone(ui.memory.timeline, *timeline);
        const float side = ui.px(side_width);
        const float gap = ui.px(16);
        const bool has_side = high.x - low.x - side - gap >= ui.px(plot_at_least);
        draw_history(ui, *timeline, {low.x, top}, {has_side ? high.x - side - gap : high.x, high.y},
                     has_side);
        if (has_side) draw_timeline_side(ui, *timeline, {high.x - side, top}, high);
    }
    ImGui::End();
}

const Timeline* shown_timeline(const Ui& ui) {
    const auto& held = ui.memory.timeline.held;
    const Timeline* const timeline = held ? &*held : ui.view.timings.timeline.get();
    return timeline && timeline->size() > 0 ? timeline : nullptr;
}

plots::Window shown_window(const Ui& ui, const Timeline& timeline) {
    const std::uint64_t end = ui.memory.timeline.end.value_or(timeline.end());
    // At least one frame stays visible.
    return {
        .end = std::clamp(end, timeline.begin() + 1, timeline.end()),
        .frames = std::clamp(ui.settings.window.timeline_frames, min_timeline_frames, max_timeline_frames)};
}

void scroll_to(Ui& ui, const Timeline& timeline, std::int64_t end) {
    const plots::Window window = shown_window(ui, timeline);
    const std::uint64_t oldest = timeline.begin() + std::min<std::uint64_t>(window.frames, timeline.size());
    const auto wanted = static_cast<std::uint64_t>(std::max<std::int64_t>(end, 0));
    TimelineMemory& memory = ui.memory.timeline;
    memory.end = wanted >= timeline.end() ? std::nullopt : std::optional{std::max(wanted, oldest)};
    if (memory.end == timeline.end()) memory.end.reset();
    memory.let_go = !memory.end && memory.held_by_scrolling;
    if (memory.end && !memory.held) {
        memory.held = timeline;
        memory.held_by_scrolling = true;
    }
}

void zoom_to(Ui& ui, const Timeline& timeline, double frames, std::optional<std::uint64_t> fixed) {
    const plots::Window before = shown_window(ui, timeline);
    ui.settings.window.timeline_frames = static_cast<std::uint32_t>(std::clamp(
        frames, static_cast<double>(min_timeline_frames), static_cast<double>(max_timeline_frames)));
    if (!fixed) return;
    const double ratio =
        static_cast<double>(ui.settings.window.timeline_frames) / static_cast<double>(before.frames);
    const double after = static_cast<double>(before.end - std::min(*fixed, before.end)) * ratio;
    scroll_to(ui, timeline, static_cast<std::int64_t>(*fixed) + std::llround(after));
}

namespace {

bool is_shown(const Ui& ui) {
    return tab_in_force(ui.settings).id == timeline_tab;
}

}  // namespace

void toggle_hold(Ui& ui) {
    if (!is_shown(ui) || !ui.view.timings.timeline) return;
    if (ui.memory.timeline.held) return follow_newest(ui);
    ui.memory.timeline.held = *ui.view.timings.timeline;
}

void follow_newest(Ui& ui) {
    if (!is_shown(ui)) return;
    TimelineMemory& memory = ui.memory.timeline;
    memory.end.reset();
    memory.held.reset();
    memory.held_by_scrolling = memory.let_go = false;
}

void keep_as_ghost(Ui& ui) {
    // What the controls show, wherever the view is scrolled to.
    const Timeline* const timeline = ui.view.timings.timeline.get();
    if (!is_shown(ui) || !timeline || timeline->size() == 0) return;
    const std::uint32_t config_epoch = (*timeline)[timeline->size() - 1].config_epoch;
    for (std::size_t i = 0; i < timeline->size(); ++i) {
        const experiments::FrameSample& sample = (*timeline)[i];
        if (sample.config_epoch == config_epoch && sample.algorithm)
            ui.requests.keep_as_ghost.push_back(sample);
    }
}

void toggle_log_times(Ui& ui) {
    if (is_shown(ui)) ui.settings.window.timeline_log = !ui.settings.window.timeline_log;
}

void step_pin(Ui& ui, int frames) {
    TimelineMemory& memory = ui.memory.timeline;
    const Timeline* const timeline = shown_timeline(ui);
    if (!is_shown(ui) || !timeline || !memory.pinned) return;
    const auto first = static_cast<std::int64_t>(timeline->begin());
    const auto last = static_cast<std::int64_t>(timeline->end()) - 1;
    const auto wanted = static_cast<std::int64_t>(*memory.pinned) + frames;
    memory.pinned = static_cast<std::uint64_t>(std::clamp(wanted, first, last));
    const plots::Window window = shown_window(ui, *timeline);
    const auto pinned = static_cast<std::int64_t>(*memory.pinned);
    const auto end = static_cast<std::int64_t>(window.end);
    const auto across = static_cast<std::int64_t>(window.frames);
    if (pinned >= end) scroll_to(ui, *timeline, pinned + 1);
    if (pinned < end - across) scroll_to(ui, *timeline, pinned + across);
}

}  // namespace warpsieve::panels
