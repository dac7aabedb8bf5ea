#include <imgui.h>

#include <algorithm>
#include <array>
#include <string>

#include "app/format/figures.hpp"
#include "app/panels/memory.hpp"
#include "app/panels/path_field.hpp"
#include "app/panels/views/timeline_view.hpp"
#include "app/panels/views/toolbar.hpp"
#include "app/panels/widgets.hpp"

namespace warpsieve::panels {
namespace {

void draw_playback(Ui& ui, ToolbarFlow& flow) {
    const TimelineMemory& memory = ui.memory.timeline;
    if (toggle(ui, flow, "hold", memory.held.has_value(),
               "Freezes the history for inspection while the scene runs and is timed; scrolling back does so "
               "too. Space pauses the scene instead, and its timings continue.",
               "H", ui.px(10)))
        toggle_hold(ui);
    if (toggle(ui, flow, "live", !memory.held,
               "Follows the newest frame. Dragging the plot holds the history and shows earlier frames.",
               "End"))
        follow_newest(ui);
}

void draw_zoom(Ui& ui, ToolbarFlow& flow) {
    struct Zoom {
        const char* label;
        std::uint32_t frames;
    };
    constexpr std::array zooms{Zoom{"600", 600}, Zoom{"2,000", 2'000}, Zoom{"6,000", max_timeline_frames}};
    float gap = ui.px(10);
    for (const Zoom& zoom : zooms) {
        if (toggle(ui, flow, zoom.label, ui.settings.window.timeline_frames == zoom.frames,
                   "Number of frames that the plot shows; the wheel over it selects any number from 60 to "
                   "6,000. If frames share a column, the slowest represents them, so that no late frame is "
                   "hidden.",
                   "wheel", gap)) {
            const experiments::Timeline* const timeline = shown_timeline(ui);
            if (timeline) zoom_to(ui, *timeline, zoom.frames, ui.memory.timeline.pinned);
        }
        gap = 0;
    }
    if (std::ranges::count(zooms, ui.settings.window.timeline_frames, &Zoom::frames) > 0) return;
    // The wheel has chosen another number.
    const std::string shown = format::grouped(ui.settings.window.timeline_frames) + " frames";
    if (!flow.place(ImGui::CalcTextSize(shown.c_str()).x)) return;
    ImGui::AlignTextToFramePadding();
    ImGui::PushStyleColor(ImGuiCol_Text, ui.palette().muted);
    ImGui::TextUnformatted(shown.c_str());
    ImGui::PopStyleColor();
    ui.controls.record_item("frames shown");
}

/// "a.csv, single_pass, median 9.45 µs of 450 frames. "
std::string described(const experiments::SavedRun* ghost) {
    if (!ghost) return {};
    const format::Figure median = format::duration(ghost->us.median);
    return ghost->name + ", " + ghost->algorithm + ", median " + median.number + " " + median.unit + " of " +
           format::grouped(ghost->us.n) + " frames. ";
}

/// The saved run to show behind the live one; applied when the field loses focus.
void draw_ghost_file(Ui& ui, ToolbarFlow& flow) {
    TimelineMemory& memory = ui.memory.timeline;
    const bool has_ghost = !ui.settings.window.ghost.empty();
    const float drop = has_ghost ? button_width("drop") + ui.px(6) : 0;
    const float at_least = ui.px(90);
    const float room = flow.room() - drop;
    const float width = room >= at_least ? std::min(room, ui.px(230)) : at_least;
    if (!flow.place(width + drop)) return;
    if (!memory.typing_ghost) memory.ghost_path = ui.settings.window.ghost.string();
    ImGui::SetNextItemWidth(width);
    path_field(ui, "ghost file", "a saved run", memory.ghost_path);
    memory.typing_ghost = ImGui::IsItemActive();
    if (ImGui::IsItemDeactivatedAfterEdit()) take_path(ui, memory.ghost_path, ui.settings.window.ghost);
    ui.tooltips.offer_item(
        ui.style, described(ui.view.timings.ghost) +
                      "A saved run to compare with: a CSV from --csv or \"keep as ghost\", or the JSON of "
                      "a capture. Type its name, or drop a CSV on the window; a dropped JSON loads its "
                      "settings instead. Its total is drawn over the live one, with a dashed line at its "
                      "median and the quartiles as a band.");
    if (!has_ghost) return;
    ImGui::SameLine(0, ui.px(6));
    if (button(ui, "drop", 0, "Removes the ghost. Its file stays.", {})) ui.settings.window.ghost.clear();
}

}  // namespace

float draw_timeline_toolbar(Ui& ui, ImVec2 low, float right, float lowest) {
    ToolbarFlow flow(ui, low, right, lowest);
    const bool modes_first = modes_come_first(flow);
    if (modes_first) draw_timeline_modes(ui, flow);
    draw_playback(ui, flow);
    if (!modes_first) draw_timeline_modes(ui, flow);
    draw_zoom(ui, flow);
    if (toggle(ui, flow, "log", ui.settings.window.timeline_log,
               "A logarithmic time axis, which shows late frames and short phases in one plot. Read the "
               "edges, not the heights: bands do not add up on it.",
               "Shift+L", ui.px(10)))
        toggle_log_times(ui);
    if (flow.place(button_width("keep as ghost"), ui.px(10)) &&
        button(ui, "keep as ghost", 0,
               "Saves the frames since the last change of the settings as a CSV in the capture folder, and "
               "shows them behind the live run. The ghost is shown again at the next start.",
               "K"))
        keep_as_ghost(ui);
    draw_ghost_file(ui, flow);
    return flow.bottom();
}

}  // namespace warpsieve::panels
