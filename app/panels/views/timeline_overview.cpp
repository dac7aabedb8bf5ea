// The strip above the plot: the whole history, with the visible part of it as a viewport.
#include <algorithm>
#include <cmath>
#include <string>

#include "app/panels/memory.hpp"

#include "app/panels/views/timeline_view.hpp"

namespace warpsieve::panels {
namespace {

using experiments::Timeline;

constexpr float column_width = 2;  // pixels

void refresh(Ui& ui, const Timeline& timeline, float width) {
    TimelineOverview& overview = ui.memory.timeline.overview;
    if (overview.serial == ui.view.display.figures_serial && overview.width == width) return;
    overview.serial = ui.view.display.figures_serial;
    overview.width = width;
    const auto most = static_cast<std::size_t>(std::max(width / column_width, 1.0F));
    plots::reduce(timeline, {.end = timeline.end(), .frames = timeline.capacity()}, most, overview.columns);
    overview.totals_us.clear();
    for (const plots::Column& column : overview.columns.columns)
        overview.totals_us.push_back(column.total_us);
    overview.range.restart();
    overview.range.follow(overview.totals_us, 0);
}

/// The x of frames in the strip. Only what exists has a place; the newest frame is at the right end.
struct Places {
    ImVec2 low;
    ImVec2 high;
    std::uint64_t end;
    double frames;

    float x_of(std::uint64_t ordinal) const {
        const double back = static_cast<double>(end - std::min(ordinal, end)) / frames;
        return high.x - static_cast<float>(std::min(back, 1.0)) * (high.x - low.x);
    }
    std::int64_t ordinal_at(float x) const {
        return static_cast<std::int64_t>(end) -
               std::llround(static_cast<double>((high.x - x) / (high.x - low.x)) * frames);
    }
};

void draw_totals(const Ui& ui, const Places& places) {
    const TimelineOverview& overview = ui.memory.timeline.overview;
    const plots::Palette& palette = ui.palette();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const double top_us = overview.range.top();
    if (top_us <= 0) return;
    const auto across = static_cast<float>(overview.columns.across);
    const float width = (places.high.x - places.low.x) / std::max(across, 1.0F);
    for (const plots::Column& column : overview.columns.columns) {
        const float right = places.high.x - static_cast<float>(column.age) * width;
        const float left = std::max(right - std::max(width, 1.0F), places.low.x);
        const double share = std::min(static_cast<double>(column.total_us) / top_us, 1.0);
        const float y =
            std::round(places.high.y - static_cast<float>(share) * (places.high.y - places.low.y));
        list.AddRectFilled({std::round(left), y}, {std::round(right), places.high.y},
                           plots::mix(palette.panel, palette.muted, 0.55F));
        if (column.settings_changed)
            list.AddRectFilled({std::round(left), places.low.y}, {std::round(left) + 1, places.high.y},
                               palette.text);
    }
}

/// Press in the viewport to drag it, elsewhere to bring it there.
void steer(Ui& ui, const Timeline& timeline, const Places& places, const plots::Window& window) {
    TimelineMemory& memory = ui.memory.timeline;
    ImGui::SetCursorScreenPos(places.low);
    invisible_button("##overview", {places.high.x - places.low.x, places.high.y - places.low.y});
    ui.controls.record_item("overview");
    const float mouse = ImGui::GetIO().MousePos.x;
    if (ImGui::IsItemActivated()) {
        const std::int64_t at = places.ordinal_at(mouse);
        const auto end = static_cast<std::int64_t>(window.end);
        const auto frames = static_cast<std::int64_t>(window.frames);
        const bool inside = at < end && at >= end - frames;
        memory.overview.grip = inside ? end - at : frames / 2;
    }
    if (ImGui::IsItemActive()) scroll_to(ui, timeline, places.ordinal_at(mouse) + memory.overview.grip);
    ui.tooltips.offer(
        ui.style, places.low, places.high,
        "The whole history, up to 6,000 frames. Drag the lit part to scroll, or click a place to "
        "go there.");
}

}  // namespace

void draw_timeline_overview(Ui& ui, const Timeline& timeline, ImVec2 low, ImVec2 high) {
    refresh(ui, timeline, high.x - low.x);
    const plots::Palette& palette = ui.palette();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled(low, high, palette.ground);
    const plots::Window window = shown_window(ui, timeline);
    const Places places{low, high, timeline.end(), static_cast<double>(timeline.capacity())};
    draw_totals(ui, places);
    const std::uint64_t first = window.end - std::min<std::uint64_t>(window.end, window.frames);
    const float left = std::round(places.x_of(first));
    const float right = std::max(std::round(places.x_of(window.end)), left + ui.px(3));
    const ImU32 veil = (palette.ground & ~IM_COL32_A_MASK) | (ImU32{0xA0} << IM_COL32_A_SHIFT);
    list.AddRectFilled(low, {left, high.y}, veil);
    list.AddRectFilled({right, low.y}, high, veil);
    list.AddRect({left, low.y}, {right, high.y}, palette.accent);
    steer(ui, timeline, places, window);
}

}  // namespace warpsieve::panels
