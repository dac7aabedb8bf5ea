#include <algorithm>
#include <array>
#include <string>

#include "app/format/figures.hpp"
#include "app/panels/frame_figures.hpp"
#include "app/panels/memory.hpp"
#include "app/panels/views/timeline_view.hpp"
#include "app/panels/widgets.hpp"

namespace warpsieve::panels {
namespace {

using experiments::Timeline;

/// Height of the rows above and below the histogram, in pixels at 100 %.
constexpr float numbers_height = 304;

/// Collects the totals of the visible frames, or of all frames with the newest visible one's settings.
void collect_totals(Ui& ui, const Timeline& timeline) {
    TimelineMemory& memory = ui.memory.timeline;
    const plots::Window window = shown_window(ui, timeline);
    const std::uint64_t oldest_shown = window.end - std::min<std::uint64_t>(window.end, window.frames);
    const std::uint64_t begin =
        memory.all_shown ? std::max(timeline.begin(), oldest_shown) : timeline.begin();
    const std::uint64_t end = memory.all_shown ? window.end : timeline.end();
    const std::uint32_t config_epoch = timeline.at(window.end - 1).config_epoch;
    memory.totals_us.clear();
    for (std::uint64_t ordinal = begin; ordinal < end; ++ordinal) {
        const experiments::FrameSample& sample = timeline.at(ordinal);
        if (memory.all_shown || sample.config_epoch == config_epoch)
            memory.totals_us.push_back(sample.total_us);
    }
}

void refresh_histogram(Ui& ui, const Timeline& timeline) {
    TimelineMemory& memory = ui.memory.timeline;
    if (memory.histogram_serial == ui.view.display.figures_serial) return;
    memory.histogram_serial = ui.view.display.figures_serial;
    collect_totals(ui, timeline);
    memory.histogram = plots::make_histogram(memory.totals_us, ui.settings.window.timeline_log);
}

void draw_scope(Ui& ui) {
    TimelineMemory& memory = ui.memory.timeline;
    const std::array choices{Segment{.label = "settings", .off_because = {}, .in_force = false},
                             Segment{.label = "shown", .off_because = {}, .in_force = false}};
    const auto clicked = segments(
        ui,
        {.label = "totals of",
         .tooltip =
             "Selects the frames to count: all frames in the history with the settings of the newest visible "
             "one, or all visible frames.",
         .key = {},
         .off_because = {}},
        choices, memory.all_shown ? 1 : 0);
    if (!clicked) return;
    memory.all_shown = *clicked == 1;
    memory.histogram_serial.reset();
}

/// Writes median, quartiles and number of frames.
void draw_quartiles(Ui& ui, const experiments::Summary& us) {
    const format::TimeUnit unit = format::time_unit(us.q3);
    const auto in_unit = [&](double value) { return format::significant(value * unit.per_us); };
    note(ui, "25 % " + in_unit(us.q1) + "   median " + in_unit(us.median) + "   75 % " + in_unit(us.q3) +
                 " " + unit.name);
    const experiments::SavedRun* const ghost = ui.view.timings.ghost;
    const std::string beside =
        ghost ? "   ghost " + in_unit(ghost->us.median) + ", n " + format::grouped(ghost->us.n) : "";
    note(ui, "n " + format::grouped(us.n) + beside);
}

void draw_distribution(Ui& ui, const Timeline& timeline, float height, bool in_words) {
    refresh_histogram(ui, timeline);
    const plots::Histogram& histogram = ui.memory.timeline.histogram;
    const ImVec2 low = ImGui::GetCursorScreenPos();
    const ImVec2 high{low.x + ImGui::GetContentRegionAvail().x, low.y + height};
    if (histogram.counts.empty()) {
        note(ui, ui.view.runs.a.algorithm && !has_times(ui.view.runs.a.algorithm->engine)
                     ? no_times
                     : "No total has been timed with these settings yet.");
        return;
    }
    const experiments::SavedRun* const ghost = ui.view.timings.ghost;
    const auto bin = plots::draw_histogram(*ImGui::GetWindowDrawList(), ui.style, low, high, histogram,
                                           ghost ? std::optional{ghost->us.median} : std::nullopt);
    ui.controls.record("histogram", low, high);
    record_plot(ui, "distribution", low, {high.x, high.y + ui.px(in_words ? 62 : 4)});
    std::string explained =
        "Distribution of the totals. The dashed lines are the quartiles; the middle half lies between them. ";
    if (bin) {
        const format::Figure from = format::duration(histogram.edge(*bin));
        const format::Figure to = format::duration(histogram.edge(*bin + 1));
        explained = format::grouped(histogram.counts[*bin]) + " of " + format::grouped(histogram.us.n) +
                    " frames from " + from.number + " " + from.unit + " to " + to.number + " " + to.unit +
                    ". " + explained;
    }
    if (histogram.above + histogram.below > 0) {
        const format::Figure highest = format::duration(histogram.us.max);
        explained += format::grouped(histogram.above + histogram.below) +
                     " frames lie off the axis, more than three interquartile ranges from the quartiles; the "
                     "slowest took " +
                     highest.number + " " + highest.unit + ".";
    }
    ui.tooltips.offer(ui.style, low, high, explained);
    ImGui::Dummy({high.x - low.x, height});
    if (in_words) draw_quartiles(ui, histogram.us);
}

/// Shows the pinned frame, else the one under the mouse, else a hint.
void draw_card(Ui& ui, const Timeline& timeline) {
    TimelineMemory& memory = ui.memory.timeline;
    const std::optional<std::uint64_t> subject = memory.pinned ? memory.pinned : memory.plot.hovered();
    const bool known = subject && timeline.holds(*subject);
    heading(ui, known ? frame_name(timeline.at(*subject)) : "One frame");
    if (memory.pinned) {
        ImGui::SameLine(ImGui::GetContentRegionAvail().x - ui.px(49));
        if (button(ui, "unpin", 0, "Unpins the frame. A click on it in the plot does the same.", "Esc"))
            memory.pinned.reset();
    }
    if (!known) {
        note(
            ui,
            "Point at a frame to see its figures. Click to pin it; the arrow keys then step frame by frame. "
            "Drag to scroll back, Shift+drag to select frames, use the wheel to zoom. Right-click for more.");
        return;
    }
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, ui.px(1)});
    draw_frame_figures(ui, timeline, *subject, ImGui::GetContentRegionAvail().x - ui.px(30));
    ImGui::PopStyleVar();
}

}  // namespace

void draw_timeline_side(Ui& ui, const Timeline& timeline, ImVec2 low, ImVec2 high) {
    ImGui::SetCursorScreenPos(low);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
    ImGui::BeginChild("##side", {high.x - low.x, high.y - low.y});
    ImGui::PopStyleVar();
    draw_scope(ui);
    // The room that the frame's figures leave; in a low window only the marks show the quartiles.
    const float height = high.y - low.y - ui.px(numbers_height);
    draw_distribution(ui, timeline, std::clamp(height, ui.px(52), ui.px(190)), height > ui.px(52));
    draw_card(ui, timeline);
    ImGui::EndChild();
}

}  // namespace warpsieve::panels
