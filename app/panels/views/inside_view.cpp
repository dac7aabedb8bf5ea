#include <algorithm>
#include <cmath>
#include <string>

#include "app/format/figures.hpp"
#include "app/panels/memory.hpp"
#include "app/panels/view_panel.hpp"
#include "app/panels/views/inside_chart.hpp"
#include "app/panels/views/toolbar.hpp"
#include "app/panels/widgets.hpp"
#include "app/trace/trace_json.hpp"

namespace warpsieve::panels {
namespace {

using trace::TimeWindow;
using trace::TracedRun;
/// The traced compactions of A and of B.
using Runs = std::array<std::shared_ptr<const TracedRun>, 2>;

/// Seconds between two traces while the view follows the live run.
constexpr double trace_period_s = 0.2;
constexpr float max_rows_zoom = 64;
constexpr float max_row_height = 56;  // pixels at 100 %

Runs newest_runs(const Ui& ui) {
    return {ui.snapshot.runs.a.traced, ui.snapshot.runs.b ? ui.snapshot.runs.b->traced : nullptr};
}

void save_trace(Ui& ui, const Runs& runs) {
    std::vector<trace::NamedRun> named;
    for (std::size_t side = 0; side < runs.size(); ++side)
        if (runs[side]) named.push_back({runs[side].get(), side == 0 ? "A" : "B"});
    ui.requests.save_file = SaveFile{"trace", ".json", trace::trace_json(named)};
}

/// The text in place of the chart. `run`: null before the first trace.
std::string reason_for_no_chart(const TracedRun* run) {
    if (!run)
        return "Each block of one compaction appears here, a row for each processor, a few frames after the "
               "start.";
    if (run->spans_left_out > 0)
        return "This compaction has " + format::grouped(run->spans_left_out) +
               " blocks, more than can be recorded. Choose fewer slots or more threads per block.";
    return "The kernels of this algorithm belong to a library and note no times.";
}

/// Which optional parts of a chart have room.
struct InsideParts {
    bool legend;
    bool busy;
};

/// Draws which side of the lens is faster, with its interval.
void draw_ratio(Ui& ui, ToolbarFlow& flow) {
    if (!ui.settings.compares() || !ui.snapshot.runs.b || !has_times(ui.settings.run.engine)) return;
    const experiments::PairedRatio& ratio = ui.snapshot.figures->ratio;
    const plots::Fonts& fonts = ui.fonts();
    const std::string verdict = experiments::verdict_of(ratio);
    const std::string interval = experiments::interval_of(ratio);
    const float verdict_width = plots::text_width(fonts.heading, verdict) + ui.px(8);
    const float width = verdict_width + plots::text_width(fonts.figures, interval);
    if (!flow.place(width, ui.px(10))) return;
    const ImVec2 low = ImGui::GetCursorScreenPos();
    const ImVec2 high{low.x + width, low.y + ImGui::GetFrameHeight()};
    const float baseline = low.y + ImGui::GetStyle().FramePadding.y + std::round(fonts.heading->Ascent);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    plots::draw_on_baseline(list, fonts.heading, {low.x, baseline}, ui.palette().text, verdict);
    plots::draw_on_baseline(list, fonts.figures, {low.x + verdict_width, baseline}, ui.palette().label,
                            interval);
    ui.controls.record("ratio", low, high);
    ui.tooltips.offer(ui.style, low, high,
                      "The median of " + format::grouped(ratio.pairs) +
                          " ratios of A's time to B's in the running frames, with the 95 % confidence "
                          "interval. An interval that contains 1 shows no significant difference.");
}

/// One compaction, block by block: what each multiprocessor or worker thread did when.
class InsidePanel : public ViewPanel {
  public:
    void draw(Ui& ui) override;
    void toggle_hold(Ui& ui) override;
    void step(Ui& ui, int direction) override {
        if (plays(ui)) return ui.memory.slow_motion.step(direction);
        if (direction > 0) trace_next(ui);
    }
    bool pause_or_resume(Ui& ui) override {
        if (!plays(ui)) return false;
        ui.memory.slow_motion.play_or_pause();
        return true;
    }

  private:
    Runs shown_runs(const Ui& ui) const;
    void request_trace(Ui& ui);
    float draw_toolbar(Ui& ui, const Runs& runs, ImVec2 low, float right, float max_bottom);
    void steer(Ui& ui, std::span<const InsideChart> charts, TimeWindow whole, TimeWindow window, Rect area);
    InsideChart place_chart(Ui& ui, const TracedRun& run, const InsideContent& content, Rect box,
                            TimeWindow window, InsideParts parts);
    void draw_charts(Ui& ui, const Runs& runs, Rect box);
    void trace_next(Ui& ui);
    /// Slow motion plays one compaction. The lens shows two.
    static bool plays(const Ui& ui) {
        return ui.memory.slow_motion.replay && !ui.settings.compares() && ui.settings.window.slow_motion > 0;
    }

    std::optional<Runs> held_;
    bool stepping_ = false;  ///< held, and waiting for a trace newer than `stepped_from_`
    Runs stepped_from_;
    std::optional<trace::TimeWindow> window_;   ///< empty: the whole run
    float rows_zoom_ = 1;                       ///< 1: all rows fit
    float share_above_ = 0;                     ///< share of all rows that are above the visible ones
    std::optional<std::uint32_t> roles_block_;  ///< block whose warps' roles are traced; empty: the first
    double next_request_s_ = 0;
    std::array<InsideContent, 2> contents_;  ///< of the shown runs
    bool dragged_ = false;                   ///< the mouse has moved since it was pressed
};

Runs InsidePanel::shown_runs(const Ui& ui) const {
    if (plays(ui) && ui.memory.slow_motion.replay->run())
        return {ui.memory.slow_motion.replay->run(), nullptr};
    Runs runs = held_ ? *held_ : newest_runs(ui);
    // Only the lens shows B.
    if (!ui.settings.compares()) runs[1] = nullptr;
    // B alone takes the place of A: runs[0] is null only if there is no run.
    if (!runs[0]) std::swap(runs[0], runs[1]);
    return runs;
}

/// Requests a trace while the view follows or steps.
void InsidePanel::request_trace(Ui& ui) {
    if (!ui.settings.compares()) {
        ui.memory.slow_motion.update(ui);
        if (ui.settings.window.slow_motion > 0) ui.requests.memory = MemoryRequest{.in_slow_motion = true};
        // The replay requests its own traces.
        if (plays(ui) && ui.memory.slow_motion.replay->run()) return;
    }
    const bool has_next_run = newest_runs(ui)[0] != stepped_from_[0];
    if (stepping_ && held_ && has_next_run) {
        held_ = newest_runs(ui);
        stepping_ = false;
    }
    if (held_ && !stepping_) return;
    if (ui.snapshot.display.now_s < next_request_s_ && !stepping_) return;
    next_request_s_ = ui.snapshot.display.now_s + trace_period_s;
    ui.requests.trace = TraceRequest{roles_block_.value_or(0)};
}

float InsidePanel::draw_toolbar(Ui& ui, const Runs& runs, ImVec2 low, float right, float max_bottom) {
    ToolbarFlow flow(ui, low, right, max_bottom);
    const bool modes_first = modes_fit_before_hold(flow);
    const auto draw_modes = ui.settings.compares() ? draw_lens_modes : draw_timeline_modes;
    if (modes_first) draw_modes(ui, flow);
    if (toggle(ui, flow, "hold", held_.has_value(), "Keeps the compaction that is shown; the scene goes on.",
               "H", ui.px(10)))
        toggle_hold(ui);
    if (toggle(ui, flow, "next", false, "Shows one compaction of the next frame, and holds it.", "Right"))
        trace_next(ui);
    if (!modes_first) draw_modes(ui, flow);
    const bool fits = !window_ && rows_zoom_ == 1;
    if (toggle(
            ui, flow, "fit", fits,
            "Shows the whole compaction. The wheel over the rows zooms in time, Ctrl+wheel zooms the rows, "
            "and a drag moves both.",
            "double click")) {
        window_.reset();
        rows_zoom_ = 1;
    }
    if (runs[0] && toggle(ui, flow, "save trace", false,
                          "Writes what is shown to the capture folder, as a trace that ui.perfetto.dev and "
                          "chrome://tracing open.",
                          {}, ui.px(10)))
        save_trace(ui, runs);
    draw_ratio(ui, flow);
    return flow.bottom();
}

/// A drag moves, the wheel zooms, a double-click fits, a click chooses the block whose roles are traced.
void InsidePanel::steer(Ui& ui, std::span<const InsideChart> charts, TimeWindow whole, TimeWindow window,
                        Rect area) {
    ImGui::SetCursorScreenPos(area.low);
    invisible_button("##inside", {area.width(), area.height()});
    ui.controls.record_item("inside");
    const ImGuiIO& io = ImGui::GetIO();
    const plots::Scale& time = charts.front().time;
    const auto set_window = [&](TimeWindow next) {
        window_ = next == whole ? std::nullopt : std::optional{next};
    };
    const float rows_height = charts.front().rows.height();
    if (ImGui::IsItemActivated()) dragged_ = false;
    if (ImGui::IsItemActive() && ImGui::IsMouseDragging(ImGuiMouseButton_Left)) {
        dragged_ = true;
        set_window(moved(whole, window, -io.MouseDelta.x / (time.end - time.start) * window.length_us()));
        share_above_ -= io.MouseDelta.y / (rows_height * rows_zoom_);
    }
    if (ImGui::IsItemDeactivated() && !dragged_) {
        for (const InsideChart& chart : charts) {
            const trace::WorkBar* const bar = bar_at(chart, io.MousePos);
            if (bar && bar->num_spans == 1) roles_block_ = chart.run.spans[bar->first_span].block;
            if (bar && ui.follow.hovered && clicked_without_drag()) ui.follow.pinned = ui.follow.hovered;
        }
    }
    if (!ImGui::IsItemHovered()) return;
    if (ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) {
        window_.reset();
        rows_zoom_ = 1;
    }
    if (io.MouseWheel == 0) return;
    const float window_factor = std::pow(1 / 1.25F, io.MouseWheel);  // below 1: zooms in
    if (io.KeyCtrl) {
        // The row under the mouse stays there.
        const float mouse_share = (io.MousePos.y - charts.front().rows.low.y) / rows_height;
        const float fixed_row_share = share_above_ + mouse_share / rows_zoom_;
        rows_zoom_ = std::clamp(rows_zoom_ / window_factor, 1.0F, max_rows_zoom);
        share_above_ = fixed_row_share - mouse_share / rows_zoom_;
    } else {
        set_window(zoomed(whole, window, static_cast<float>(time.value_at(io.MousePos.x)), window_factor));
    }
}

/// Lays out the chart of one side within `box`. Clamps `share_above_` to the rows.
InsideChart InsidePanel::place_chart(Ui& ui, const TracedRun& run, const InsideContent& content, Rect box,
                                     TimeWindow window, InsideParts parts) {
    const InsideHeights heights = inside_heights(ui);
    InsideChart chart{.run = run,
                      .content = content,
                      .side = nullptr,
                      .phases = box,
                      .rows = box,
                      .legend = box,
                      .lanes = box,
                      .busy = box,
                      .time = {static_cast<double>(window.begin_us), static_cast<double>(window.end_us),
                               /*logarithmic=*/false, box.low.x, box.high.x}};
    const float gap = ui.px(4);
    chart.phases.low.y = box.low.y + heights.header;
    chart.phases.high.y = chart.phases.low.y + heights.phases;
    float bottom = box.high.y;
    const auto place_at_bottom = [&](Rect& part, float height) {
        part.high.y = bottom;
        part.low.y = bottom - height;
        if (height > 0) bottom = part.low.y - gap;
    };
    place_at_bottom(chart.busy, parts.busy ? heights.busy : 0);
    place_at_bottom(chart.lanes, heights.lane * static_cast<float>(run.lanes.size()));
    place_at_bottom(chart.legend, parts.legend && !content.waits.empty() ? heights.legend : 0);
    chart.rows.low.y = chart.phases.high.y + 1;
    chart.rows.high.y = std::max(chart.rows.low.y + 1, bottom);
    share_above_ = std::clamp(share_above_, 0.0F, 1 - 1 / rows_zoom_);
    const auto num_rows = static_cast<float>(std::max(1U, run.processors));
    chart.row_height = chart.rows.height() * rows_zoom_ / num_rows;
    // Rows of a few workers do not take the whole height.
    if (rows_zoom_ == 1 && chart.row_height > ui.px(max_row_height)) {
        chart.row_height = ui.px(max_row_height);
        chart.rows.high.y = chart.rows.low.y + chart.row_height * num_rows;
        const float spare = bottom - chart.rows.high.y;
        for (Rect* part : {&chart.legend, &chart.lanes, &chart.busy}) {
            part->low.y -= spare;
            part->high.y -= spare;
        }
        // The chart of busy processors takes the room that the rows leave, up to twice its usual height.
        if (parts.busy) chart.busy.high.y += std::min(spare, heights.busy);
    }
    chart.first_y = chart.rows.low.y - share_above_ * chart.row_height * num_rows;
    return chart;
}

/// Draws the card of the role or the bar under the mouse.
void draw_card_at_mouse(Ui& ui, std::span<const InsideChart> charts) {
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    for (const InsideChart& chart : charts) {
        if (draw_role_card(ui, chart, mouse)) return;
        if (const trace::WorkBar* const bar = bar_at(chart, mouse)) {
            point_at_bar(ui, chart, *bar);
            return draw_inside_card(ui, chart, *bar);
        }
    }
}

/// The time or times of the run that the playhead marks. On a simulated GPU, the replay counts steps and the
/// run has times of the schedule, so the playhead marks the whole phase.
std::optional<TimeWindow> times_of_playhead(const SlowMotion& slow_motion, const TracedRun& run) {
    const trace::MemoryReplay& replay = *slow_motion.replay;
    if (replay.run()) {
        const auto us = static_cast<float>(replay.run_begin_us() + slow_motion.playhead.time);
        return TimeWindow{us, us};
    }
    const auto& phases = replay.phases();
    const auto phase =
        std::ranges::find_if(phases, [time = slow_motion.playhead.time](const auto& candidate) {
            return candidate.begin <= time && time <= candidate.end;
        });
    if (phase == phases.end() || &replay.algorithm() != run.algorithm) return std::nullopt;
    const auto index = static_cast<std::size_t>(phase - phases.begin());
    return TimeWindow{run.phase_begin_us(index), run.phase_begin_us(index + 1)};
}

/// Draws the playhead of slow motion over the chart. A drag along the axis moves it.
void draw_playhead(Ui& ui, const InsideChart& chart, const Rect& axis) {
    SlowMotion& slow_motion = ui.memory.slow_motion;
    const auto times = times_of_playhead(slow_motion, chart.run);
    if (times) {
        const ImVec2 low{std::round(chart.time.at(times->begin_us)), chart.phases.low.y};
        const ImVec2 high{std::round(chart.time.at(times->end_us)), axis.low.y};
        ImDrawList& list = *ImGui::GetWindowDrawList();
        list.PushClipRect({axis.low.x - ui.px(6), low.y}, {axis.high.x + ui.px(6), axis.high.y}, true);
        const bool marks_phase = low.x < high.x;
        if (marks_phase) {
            list.AddRectFilled(low, high, plots::with_alpha(ui.palette().text, 0x18));
            list.AddRect(low, high, ui.palette().text);
        } else {
            plots::draw_playhead(list, ui.style, low.x, low.y, high.y);
        }
        list.PopClipRect();
        ui.controls.record("playhead", {low.x - 1, low.y}, {high.x + 1, high.y});
    }
    if (!slow_motion.replay->run()) return;
    ImGui::SetCursorScreenPos(axis.low);
    invisible_button("##playhead", {axis.width(), axis.height()});
    ui.controls.record("playhead axis", axis.low, axis.high);
    if (ImGui::IsItemActive())
        slow_motion.playhead.scrub(
            std::clamp(chart.time.value_at(ImGui::GetIO().MousePos.x) - slow_motion.replay->run_begin_us(),
                       0.0, slow_motion.replay->duration()));
    ui.tooltips.offer(ui.style, axis.low, axis.high, "Drag to move through the compaction.");
}

void InsidePanel::draw_charts(Ui& ui, const Runs& runs, Rect box) {
    const TracedRun& first = *runs[0];
    const bool has_both = runs[1] != nullptr;
    const TimeWindow whole = has_both ? whole_window(first, *runs[1]) : whole_window(first);
    // A move by 0 clamps the window to the run.
    const TimeWindow window = window_ ? moved(whole, *window_, 0) : whole;
    const float axis_height = ui.px(20);
    const float figures_height = ui.px(has_both ? 58 : 40);
    const auto num_sides = has_both ? 2.0F : 1.0F;
    // Figures, legend and busy processors are left out if rows of this height leave no room for them.
    const float usual_rows_height = ui.px(70);
    const InsideHeights heights = inside_heights(ui);
    float room =
        box.height() - axis_height - num_sides * (heights.header + heights.phases + usual_rows_height);
    const bool has_figures = room > figures_height;
    if (has_figures) room -= figures_height;
    const float left = box.low.x + inside_label_width(ui);
    bool has_waits = false;
    for (std::size_t side = 0; side < runs.size() && runs[side]; ++side) {
        refresh(contents_[side], runs[side], window, box.high.x - left);
        has_waits = has_waits || !contents_[side].waits.empty();
    }
    InsideParts parts{};
    parts.legend = has_waits && room > num_sides * heights.legend;
    if (parts.legend) room -= num_sides * heights.legend;
    parts.busy = room > num_sides * heights.busy;
    const float bottom = box.high.y - axis_height - (has_figures ? figures_height : 0);
    const float gap = has_both ? ui.px(8) : 0;
    const float height = (bottom - box.low.y - gap * (num_sides - 1)) / num_sides;
    constexpr float min_rows_pixels = 8;
    if (height < heights.header + heights.phases + min_rows_pixels) {
        say_too_small(ui, box.low, box.high, "the compaction");
        return;
    }

    record_plot(ui, "inside", box.low, box.high);
    std::vector<InsideChart> charts;
    float top = box.low.y;
    for (std::size_t side = 0; side < runs.size() && runs[side]; ++side) {
        charts.push_back(place_chart(ui, *runs[side], contents_[side],
                                     {{left, top}, {box.high.x, top + height}}, window, parts));
        if (has_both) charts.back().side = side == 0 ? "A" : "B";
        top += height + gap;
    }
    const InsideChart& last = charts.back();
    const float axis_y =
        std::max({last.busy.high.y, last.lanes.high.y, last.legend.high.y, last.rows.high.y});
    draw_inside_axis(ui, last, charts.front().phases.high.y, axis_y);
    for (const InsideChart& chart : charts) draw_inside_chart(ui, chart);
    if (plays(ui)) draw_playhead(ui, last, {{left, axis_y}, {box.high.x, axis_y + axis_height}});
    steer(ui, charts, whole, window,
          {{left, charts.front().rows.low.y}, {box.high.x, std::max(axis_y, charts.front().rows.low.y + 1)}});
    if (ImGui::IsItemHovered() && ui.shows_cards() && !ImGui::IsMouseDown(ImGuiMouseButton_Left))
        draw_card_at_mouse(ui, charts);
    if (has_figures)
        draw_inside_figures(ui, charts,
                            {{left, axis_y + axis_height + ui.px(2)},
                             {box.high.x, std::min(box.high.y, axis_y + axis_height + figures_height)}});
}

void InsidePanel::draw(Ui& ui) {
    request_trace(ui);
    const Rectangle& pane = ui.panes.view;
    if (pane.width <= 0 || pane.height <= 0) return;
    begin_pane("inside", pane, ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
    const ImVec2 low{static_cast<float>(pane.x) + ui.px(14), static_cast<float>(pane.y) + ui.px(8)};
    ImVec2 high{static_cast<float>(pane.x + pane.width) - ui.px(14),
                static_cast<float>(pane.y + pane.height) - ui.px(8)};
    const Runs runs = shown_runs(ui);
    const float top = draw_toolbar(ui, runs, low, high.x, high.y) + ui.px(8);
    const float dial_height = slow_motion_dial_height(ui);
    if (!ui.settings.compares() && high.y - top > 4 * dial_height) {
        high.y -= dial_height;
        slow_motion_dial(ui, {{low.x, high.y}, {high.x, high.y + dial_height}});
        high.y -= ui.px(4);
    }
    if (runs[0] && !runs[0]->spans.empty()) {
        draw_charts(ui, runs, {{low.x, top}, high});
    } else {
        plots::draw_wrapped(*ImGui::GetWindowDrawList(), ui.fonts().text, {low.x, top}, high,
                            ui.palette().muted, reason_for_no_chart(runs[0].get()));
    }
    ImGui::End();
}

void InsidePanel::toggle_hold(Ui& ui) {
    stepping_ = false;
    if (held_)
        held_.reset();
    else if (newest_runs(ui)[0])
        held_ = newest_runs(ui);
}

void InsidePanel::trace_next(Ui& ui) {
    if (!newest_runs(ui)[0]) return;
    if (!held_) held_ = newest_runs(ui);
    stepping_ = true;
    stepped_from_ = newest_runs(ui);
}

}  // namespace

ViewType inside_view() {
    return {.make = make_panel<InsidePanel>};
}

}  // namespace warpsieve::panels
