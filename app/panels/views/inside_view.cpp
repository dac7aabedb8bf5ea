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

/// Seconds from one trace to the next while the view follows: readable, and cheap.
constexpr double trace_period_s = 0.2;
constexpr float max_rows_zoom = 64;
constexpr float highest_row = 56;  // pixels at 100 %

Runs newest_runs(const Ui& ui) {
    return {ui.snapshot.runs.a.traced, ui.snapshot.runs.b ? ui.snapshot.runs.b->traced : nullptr};
}

void save(Ui& ui, const Runs& runs) {
    std::vector<trace::NamedRun> named;
    for (std::size_t side = 0; side < runs.size(); ++side)
        if (runs[side]) named.push_back({runs[side].get(), side == 0 ? "A" : "B"});
    ui.requests.save_file = SaveFile{"trace", ".json", trace::trace_json(named)};
}

/// The text instead of the chart. run: null before the first trace.
std::string reason_for_no_chart(const TracedRun* run) {
    if (!run)
        return "Each block of one compaction appears here, a row for each processor, a few frames after the "
               "start.";
    if (run->spans_left_out > 0)
        return "This compaction has " + format::grouped(run->spans_left_out) +
               " blocks, more than can be recorded. Choose fewer slots or more threads per block.";
    return "The kernels of this algorithm belong to a library and note no times.";
}

/// The parts of a chart for which there is room.
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
    void hold(Ui& ui) override;
    void step(Ui& ui, int direction) override {
        if (plays(ui)) return ui.memory.slow_motion.step(direction);
        if (direction > 0) trace_next(ui);
    }
    bool pause(Ui& ui) override {
        if (!plays(ui)) return false;
        ui.memory.slow_motion.play_or_pause();
        return true;
    }

  private:
    Runs shown_runs(const Ui& ui) const;
    void request(Ui& ui);
    float draw_toolbar(Ui& ui, const Runs& runs, ImVec2 low, float right, float lowest);
    void steer(Ui& ui, std::span<const InsideChart> charts, TimeWindow all, TimeWindow window, Rect area);
    InsideChart place_chart(Ui& ui, const TracedRun& run, const InsideBars& drawn, Rect box,
                            TimeWindow window, InsideParts parts);
    void draw_charts(Ui& ui, const Runs& runs, Rect box);
    void trace_next(Ui& ui);
    /// Slow motion plays one compaction. The lens shows two.
    static bool plays(const Ui& ui) {
        return ui.memory.slow_motion.replay && !ui.settings.compares() && ui.settings.window.slow_motion > 0;
    }

    std::optional<Runs> held_;
    bool stepping_ = false;  ///< held, and waiting for a trace newer than `stepped_from`
    Runs stepped_from_;
    std::optional<trace::TimeWindow> window_;   ///< empty: the whole run
    float rows_zoom_ = 1;                       ///< 1: all rows fit
    float first_row_ = 0;                       ///< share of the rows above the picture
    std::optional<std::uint32_t> roles_block_;  ///< block whose warps' roles are traced; empty: the first
    double next_request_s_ = 0;
    std::array<InsideBars, 2> drawn_;
    bool dragged_ = false;
};

Runs InsidePanel::shown_runs(const Ui& ui) const {
    if (plays(ui) && ui.memory.slow_motion.replay->run())
        return {ui.memory.slow_motion.replay->run(), nullptr};
    Runs runs = held_ ? *held_ : newest_runs(ui);
    // The lens alone shows B.
    if (!ui.settings.compares()) runs[1] = nullptr;
    if (!runs[0]) std::swap(runs[0], runs[1]);
    return runs;
}

/// Requests a trace while the view follows or steps.
void InsidePanel::request(Ui& ui) {
    if (!ui.settings.compares()) {
        ui.memory.slow_motion.follow(ui);
        if (ui.settings.window.slow_motion > 0) ui.requests.memory = MemoryRequest{.in_motion = true};
        // The replay asks for its traces itself.
        if (plays(ui) && ui.memory.slow_motion.replay->run()) return;
    }
    if (stepping_ && held_ && newest_runs(ui)[0] != stepped_from_[0]) {
        held_ = newest_runs(ui);
        stepping_ = false;
    }
    if (held_ && !stepping_) return;
    if (ui.snapshot.display.now_s < next_request_s_ && !stepping_) return;
    next_request_s_ = ui.snapshot.display.now_s + trace_period_s;
    ui.requests.trace = TraceRequest{roles_block_.value_or(0)};
}

float InsidePanel::draw_toolbar(Ui& ui, const Runs& runs, ImVec2 low, float right, float lowest) {
    ToolbarFlow flow(ui, low, right, lowest);
    const bool modes_first = modes_fit_first(flow);
    const auto draw_modes = ui.settings.compares() ? draw_lens_modes : draw_timeline_modes;
    if (modes_first) draw_modes(ui, flow);
    if (toggle(ui, flow, "hold", held_.has_value(), "Keeps the compaction that is shown; the scene goes on.",
               "H", ui.px(10)))
        hold(ui);
    if (toggle(ui, flow, "next", false, "Shows one compaction of the next frame, and holds it.", "Right"))
        trace_next(ui);
    if (!modes_first) draw_modes(ui, flow);
    const bool whole = !window_ && rows_zoom_ == 1;
    if (toggle(
            ui, flow, "fit", whole,
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
        save(ui, runs);
    draw_ratio(ui, flow);
    return flow.bottom();
}

/// Drag to move, wheel to zoom, double click to fit, click to choose the block whose roles are traced.
void InsidePanel::steer(Ui& ui, std::span<const InsideChart> charts, TimeWindow all, TimeWindow window,
                        Rect area) {
    ImGui::SetCursorScreenPos(area.low);
    invisible_button("##inside", {area.width(), area.height()});
    ui.controls.record_item("inside");
    const ImGuiIO& io = ImGui::GetIO();
    const plots::Scale& time = charts.front().time;
    const auto set_window = [&](TimeWindow next) {
        window_ = next == all ? std::nullopt : std::optional{next};
    };
    const float rows_height = charts.front().rows.height();
    if (ImGui::IsItemActivated()) dragged_ = false;
    if (ImGui::IsItemActive() && ImGui::IsMouseDragging(ImGuiMouseButton_Left)) {
        dragged_ = true;
        set_window(moved(all, window, -io.MouseDelta.x / (time.end - time.start) * window.length_us()));
        first_row_ -= io.MouseDelta.y / (rows_height * rows_zoom_);
    }
    if (ImGui::IsItemDeactivated() && !dragged_) {
        for (const InsideChart& chart : charts) {
            const trace::WorkBar* const bar = bar_at(chart, io.MousePos);
            if (bar && bar->spans == 1) roles_block_ = chart.run.spans[bar->span].block;
            if (bar && ui.follow.hovered && clicked_without_drag()) ui.follow.pinned = ui.follow.hovered;
        }
    }
    if (!ImGui::IsItemHovered()) return;
    if (ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) {
        window_.reset();
        rows_zoom_ = 1;
    }
    if (io.MouseWheel == 0) return;
    const float factor = std::pow(1 / 1.25F, io.MouseWheel);
    if (io.KeyCtrl) {
        const float share = (io.MousePos.y - charts.front().rows.low.y) / rows_height;
        const float fixed = first_row_ + share / rows_zoom_;
        rows_zoom_ = std::clamp(rows_zoom_ / factor, 1.0F, max_rows_zoom);
        first_row_ = fixed - share / rows_zoom_;
    } else {
        set_window(zoomed(all, window, static_cast<float>(time.value_at(io.MousePos.x)), factor));
    }
}

/// The rectangle of one side's chart between `top` and `bottom`.
InsideChart InsidePanel::place_chart(Ui& ui, const TracedRun& run, const InsideBars& drawn, Rect box,
                                     TimeWindow window, InsideParts parts) {
    const InsideHeights heights = inside_heights(ui);
    InsideChart chart{.run = run,
                      .drawn = drawn,
                      .side = nullptr,
                      .phases = box,
                      .rows = box,
                      .legend = box,
                      .lanes = box,
                      .busy = box,
                      .time = {static_cast<double>(window.begin_us), static_cast<double>(window.end_us),
                               false, box.low.x, box.high.x}};
    const float gap = ui.px(4);
    chart.phases.low.y = box.low.y + heights.header;
    chart.phases.high.y = chart.phases.low.y + heights.phases;
    // From the bottom up.
    float bottom = box.high.y;
    const auto place = [&](Rect& part, float height) {
        part.high.y = bottom;
        part.low.y = bottom - height;
        if (height > 0) bottom = part.low.y - gap;
    };
    place(chart.busy, parts.busy ? heights.busy : 0);
    place(chart.lanes, heights.lane * static_cast<float>(run.lanes.size()));
    place(chart.legend, parts.legend && !drawn.waits.empty() ? heights.legend : 0);
    chart.rows.low.y = chart.phases.high.y + 1;
    chart.rows.high.y = std::max(chart.rows.low.y + 1, bottom);
    first_row_ = std::clamp(first_row_, 0.0F, 1 - 1 / rows_zoom_);
    const auto rows = static_cast<float>(std::max(1U, run.processors));
    chart.row_height = chart.rows.height() * rows_zoom_ / rows;
    // A few workers get rows of a size to read, not the whole height.
    if (rows_zoom_ == 1 && chart.row_height > ui.px(highest_row)) {
        chart.row_height = ui.px(highest_row);
        chart.rows.high.y = chart.rows.low.y + chart.row_height * rows;
        const float spare = bottom - chart.rows.high.y;
        for (Rect* part : {&chart.legend, &chart.lanes, &chart.busy}) {
            part->low.y -= spare;
            part->high.y -= spare;
        }
        // The busy processors take the room that the rows leave, up to twice their usual height.
        if (parts.busy) chart.busy.high.y += std::min(spare, heights.busy);
    }
    chart.first_y = chart.rows.low.y - first_row_ * chart.row_height * rows;
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

/// The times of the run at which the playhead is. On a simulated GPU the replay has steps and the run has the
/// time of the schedule, so only the phase is common to both.
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
        if (low.x < high.x) {
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
    const bool both = runs[1] != nullptr;
    const TimeWindow all = both ? whole(first, *runs[1]) : whole(first);
    const TimeWindow window = window_ ? moved(all, *window_, 0) : all;
    const float axis = ui.px(20);
    const float figures = ui.px(both ? 58 : 40);
    const auto sides = both ? 2.0F : 1.0F;
    // The rows have a minimum height; sides that then do not fit are left out.
    const float min_rows_height = ui.px(70);
    const InsideHeights heights = inside_heights(ui);
    float room = box.height() - axis - sides * (heights.header + heights.phases + min_rows_height);
    const bool has_figures = room > figures;
    if (has_figures) room -= figures;
    const float left = box.low.x + inside_label_width(ui);
    bool has_waits = false;
    for (std::size_t side = 0; side < runs.size() && runs[side]; ++side) {
        follow(drawn_[side], runs[side], window, box.high.x - left);
        has_waits = has_waits || !drawn_[side].waits.empty();
    }
    InsideParts parts{};
    parts.legend = has_waits && room > sides * heights.legend;
    if (parts.legend) room -= sides * heights.legend;
    parts.busy = room > sides * heights.busy;
    const float bottom = box.high.y - axis - (has_figures ? figures : 0);
    const float gap = both ? ui.px(8) : 0;
    const float height = (bottom - box.low.y - gap * (sides - 1)) / sides;
    if (height < heights.header + heights.phases + 8) {
        say_too_small(ui, box.low, box.high, "the compaction");
        return;
    }

    record_plot(ui, "inside", box.low, box.high);
    std::vector<InsideChart> charts;
    float top = box.low.y;
    for (std::size_t side = 0; side < runs.size() && runs[side]; ++side) {
        charts.push_back(place_chart(ui, *runs[side], drawn_[side], {{left, top}, {box.high.x, top + height}},
                                     window, parts));
        if (both) charts.back().side = side == 0 ? "A" : "B";
        top += height + gap;
    }
    const InsideChart& last = charts.back();
    const float axis_y =
        std::max({last.busy.high.y, last.lanes.high.y, last.legend.high.y, last.rows.high.y});
    draw_inside_axis(ui, last.time, {left, axis_y}, charts.front().phases.high.y);
    for (const InsideChart& chart : charts) draw_inside_chart(ui, chart);
    if (plays(ui)) draw_playhead(ui, last, {{left, axis_y}, {box.high.x, axis_y + axis}});
    steer(ui, charts, all, window,
          {{left, charts.front().rows.low.y}, {box.high.x, std::max(axis_y, charts.front().rows.low.y + 1)}});
    if (ImGui::IsItemHovered() && ui.shows_cards() && !ImGui::IsMouseDown(ImGuiMouseButton_Left))
        draw_card_at_mouse(ui, charts);
    if (has_figures)
        draw_inside_figures(
            ui, charts,
            {{left, axis_y + axis + ui.px(2)}, {box.high.x, std::min(box.high.y, axis_y + axis + figures)}});
}

void InsidePanel::draw(Ui& ui) {
    request(ui);
    const Rectangle& pane = ui.panes.view;
    if (pane.width <= 0 || pane.height <= 0) return;
    begin_pane("inside", pane, ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
    const ImVec2 low{static_cast<float>(pane.x) + ui.px(14), static_cast<float>(pane.y) + ui.px(8)};
    ImVec2 high{static_cast<float>(pane.x + pane.width) - ui.px(14),
                static_cast<float>(pane.y + pane.height) - ui.px(8)};
    const Runs runs = shown_runs(ui);
    const float top = draw_toolbar(ui, runs, low, high.x, high.y) + ui.px(8);
    const float dial = slow_motion_dial_height(ui);
    if (!ui.settings.compares() && high.y - top > 4 * dial) {
        high.y -= dial;
        slow_motion_dial(ui, {{low.x, high.y}, {high.x, high.y + dial}});
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

void InsidePanel::hold(Ui& ui) {
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
