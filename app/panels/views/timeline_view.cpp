#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/format/figures.hpp"
#include "app/nvml/reading.hpp"
#include "app/panels/badges.hpp"
#include "app/panels/frame_figures.hpp"
#include "app/panels/path_field.hpp"
#include "app/panels/view_panel.hpp"
#include "app/panels/views/toolbar.hpp"
#include "app/panels/widgets.hpp"
#include "app/plots/clock_strip.hpp"
#include "app/plots/histogram.hpp"
#include "app/plots/stacked_phases.hpp"
#include "experiments/format/numbers.hpp"
#include "experiments/stopping.hpp"
#include "experiments/table.hpp"

// Included for the key codes.
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

namespace warpsieve::panels {
namespace {

/// A range of frames by their ordinals; `end` is excluded.
struct FrameRange {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;

    bool operator==(const FrameRange&) const = default;
};

/// The strip with the whole history, refreshed together with the figures.
struct TimelineOverview {
    plots::Columns columns;
    plots::RangeHysteresis range;
    std::vector<float> totals_us;                 ///< scratch memory
    std::optional<std::uint64_t> figures_serial;  ///< DisplayInfo::figures_serial
    float width = 0;
    std::int64_t grip = 0;  ///< frames from the mouse to the end of the viewport while it is dragged
};

std::optional<plots::TotalsLine> ghost_line(const experiments::SavedRun* ghost) {
    if (!ghost) return std::nullopt;
    return plots::TotalsLine{
        .name = "ghost", .total_us = ghost->total_us, .us = ghost->us, .with_quartiles = true};
}

/// "a.csv, single_pass, median 9.45 µs of 450 frames. "
std::string ghost_text(const experiments::SavedRun* ghost) {
    if (!ghost) return {};
    const format::Figure median = format::duration(ghost->us.median);
    return ghost->name + ", " + ghost->algorithm + ", median " + median.number + " " + median.unit + " of " +
           format::grouped(ghost->us.n) + " frames. ";
}

using experiments::Timeline;
constexpr float overview_column_width = 2;  // pixels

/// Maps recorded frames to x in the strip. The newest frame is at the right end.
struct OverviewAxis {
    ImVec2 low;
    ImVec2 high;
    std::uint64_t end;  ///< one past the newest frame
    double num_frames;  ///< frames across the full width

    float x_of(std::uint64_t ordinal) const {
        const double share_after = static_cast<double>(end - std::min(ordinal, end)) / num_frames;
        return high.x - static_cast<float>(std::min(share_after, 1.0)) * (high.x - low.x);
    }
    std::int64_t ordinal_at(float x) const {
        return static_cast<std::int64_t>(end) -
               std::llround(static_cast<double>((high.x - x) / (high.x - low.x)) * num_frames);
    }
};

using experiments::FrameSample;

std::string cell_text(float us) {
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
        const bool has_phases = sample.algorithm == newest.algorithm && sample.num_phases > 0;
        for (std::size_t i = 0; i < phases; ++i)
            cells.push_back(has_phases ? cell_text(sample.phase_us[i]) : std::string());
        cells.push_back(sample.num_phases > 0 ? cell_text(sample.between_us) : std::string());
        for (const float us : {sample.total_us, sample.interop_us, sample.simulate_us, sample.frame_us})
            cells.push_back(cell_text(us));
        cells.push_back(std::to_string(sample.num_kept));
        table.rows.push_back({std::move(cells), {}});
    }
    return table;
}

experiments::Summary summary_of(const Timeline& timeline, const FrameRange& range) {
    std::vector<float> totals_us;
    for (std::uint64_t ordinal = range.begin; ordinal < range.end; ++ordinal)
        totals_us.push_back(timeline.at(ordinal).total_us);
    return experiments::summarise(totals_us);
}

// Pixels at 100 %.
constexpr float clock_strip_height = 30;
constexpr float note_line_gap = 5;
constexpr float part_gap = 16;
constexpr float icon_width = 13;

bool has_gpu_line(const Ui& ui) {
    const nvml::Reading* const reading = ui.snapshot.machine.gpu_reading.get();
    return reading && reading->has_values();
}

float gpu_line_height(const Ui& ui) {
    return ui.px(note_line_gap) + std::ceil(ui.fonts().small->FontSize);
}

/// A paragraph on why the driver's figures are missing; empty if they are shown.
std::string reason_for_no_gpu_line(const Ui& ui) {
    const nvml::Reading* const reading = ui.snapshot.machine.gpu_reading.get();
    return reading && !reading->has_values() ? "\n\n" + reading->unknown : "";
}

/// The limit of the clock in words: throttling, else a setting or idling; empty if there is no limit.
struct ClockLimit {
    std::string words;
    bool throttles;
};

ClockLimit limit_of(const nvml::Reading& reading) {
    if (reading.clock_reasons.value_or(0) == 0) return {"", false};
    std::string names;
    for (const nvml::ClockReason& reason : nvml::throttling_reasons(*reading.clock_reasons))
        names += (names.empty() ? "" : ", ") + std::string(reason.name);
    if (!names.empty()) return {names, true};
    return {nvml::clock_reasons_text(reading), false};
}

std::string gpu_line_tooltip(const nvml::Reading& reading) {
    std::string text =
        "The driver's report on the GPU twice a second (NVML): its clock and highest clock, temperature, "
        "power and power limit, and what limits the clock. A GPU that is hot or at its power limit lowers "
        "its clock, which lengthens every time.";
    if (reading.clock_reasons) text += "\n\nClock limits now: " + nvml::clock_reasons_text(reading) + ".";
    if (!reading.unknown.empty()) text += "\n\n" + reading.unknown;
    return text;
}

/// The width of `text` with the widest digits, so that changing digits move nothing.
float steady_width(const ImFont* font, std::string text) {
    std::ranges::replace_if(
        text, [](char each) { return each >= '0' && each <= '9'; }, '0');
    return plots::text_width(font, text);
}

/// Draws the driver's figures that fit in a line, which ends at its lower right corner `high`. The limit of
/// the clock takes precedence.
void draw_gpu_line(Ui& ui, float left, ImVec2 high) {
    const nvml::Reading& reading = *ui.snapshot.machine.gpu_reading;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const plots::Palette& palette = ui.palette();
    const ImFont* const font = ui.fonts().small;
    const ImVec2 low{left, high.y - std::ceil(font->FontSize)};
    const ClockLimit limit = limit_of(reading);
    const float icon_space = limit.throttles ? ui.px(icon_width) : 0;
    const float limit_width = limit.words.empty() ? 0 : icon_space + plots::text_width(font, limit.words);
    float x = left;
    const std::string parts[] = {"now", nvml::clock_text(reading), nvml::temperature_text(reading),
                                 nvml::power_text(reading)};
    for (const std::string& part : parts) {
        if (part.empty()) continue;
        const float width = steady_width(font, part);
        if (x + width + ui.px(part_gap) + limit_width > high.x) break;
        plots::draw_text(list, font, {x, low.y}, part == "now" ? palette.muted : palette.label, part);
        x += width + ui.px(part_gap);
    }
    if (limit.throttles) draw_quality_icon(ui, {x + ui.px(4), low.y + font->FontSize / 2}, Quality::caution);
    plots::draw_text(list, font, {x + icon_space, low.y},
                     limit.throttles ? palette.warning_text : palette.muted,
                     plots::elided(font, limit.words, high.x - x - icon_space));
    ui.controls.record("gpu now", low, high);
    ui.tooltips.offer(ui.style, low, high, gpu_line_tooltip(reading));
}

/// The height of the clock strip and the line below it.
float clock_height(const Ui& ui) {
    return ui.px(clock_strip_height) + (has_gpu_line(ui) ? gpu_line_height(ui) : 0);
}

// Pixels at 100 %.
constexpr float side_rows_height = 304;  ///< rows above and below the histogram
constexpr float min_histogram_height = 52;
constexpr float max_histogram_height = 190;
constexpr float quartile_rows_height = 62;

/// Writes median, quartiles and number of frames.
void draw_quartiles(Ui& ui, const experiments::Summary& us) {
    const format::TimeUnit unit = format::time_unit(us.q3);
    const auto in_unit = [&](double value) { return format::significant(value * unit.per_us); };
    note(ui, "25 % " + in_unit(us.q1) + "   median " + in_unit(us.median) + "   75 % " + in_unit(us.q3) +
                 " " + unit.name);
    const experiments::SavedRun* const ghost = ui.snapshot.timings.ghost;
    const std::string ghost_figures =
        ghost ? "   ghost " + in_unit(ghost->us.median) + ", n " + format::grouped(ghost->us.n) : "";
    note(ui, "n " + format::grouped(us.n) + ghost_figures);
}

// Pixels at 100 %.
constexpr float side_width = 236;
constexpr float min_plot_width = 240;
constexpr float click_reach = 4;

// Minimum height of the plot; the toolbar drops controls to keep it. It has room for the axis with a name at
// either end, and a band.
constexpr float min_plot_height = 64;
/// Minimum height of the plot beside the strips, which are dropped to keep it.
constexpr float min_plot_height_with_strips = 84;
constexpr float overview_height = 26;

/// The first frame of a window; 0 if the window is longer than all frames before its end.
std::uint64_t first_frame_of(const plots::Window& window) {
    return window.end - std::min<std::uint64_t>(window.end, window.frames);
}

/// A zoom with the mouse in this share of the plot, at its right end, keeps following the newest frame.
constexpr float following_share = 0.1F;

const compaction::Algorithm& algorithm_of(const Ui& ui, const Timeline& timeline,
                                          const plots::Window& window) {
    const std::uint64_t newest = std::min(window.end, timeline.end()) - 1;
    const compaction::Algorithm* found = timeline.at(newest).algorithm;
    return found ? *found : *ui.snapshot.runs.a.algorithm;
}

/// The history of the last frames, to hold, scroll and inspect. Frames are identified by their ordinals in
/// the timeline.
class TimelinePanel : public ViewPanel {
  public:
    void draw(Ui& ui) override;
    void toggle_hold(Ui& ui) override;
    void follow_newest(Ui& ui);
    void keep_as_ghost(Ui& ui);
    void toggle_log_times(Ui& ui);
    void step(Ui& ui, int direction) override;
    bool unpin() override { return std::exchange(pinned_, std::nullopt).has_value(); }
    bool close(Ui& /*ui*/) override { return std::exchange(range_, std::nullopt).has_value(); }

  private:
    void draw_playback(Ui& ui, ToolbarFlow& flow);
    void draw_zoom(Ui& ui, ToolbarFlow& flow);
    void draw_ghost_file(Ui& ui, ToolbarFlow& flow);
    float draw_toolbar(Ui& ui, ImVec2 low, float right, float max_bottom);
    void refresh_overview(Ui& ui, const Timeline& timeline, float width);
    void draw_overview_totals(const Ui& ui, const OverviewAxis& axis) const;
    void steer_overview(Ui& ui, const Timeline& timeline, const OverviewAxis& axis,
                        const plots::Window& window);
    void draw_overview(Ui& ui, const Timeline& timeline, ImVec2 low, ImVec2 high);
    FrameRange frames_of_menu(const Ui& ui, const Timeline& timeline) const;
    void select_range(const Timeline& timeline, std::uint64_t from, std::uint64_t to);
    void draw_range(Ui& ui, const plots::PlotFrame& area);
    void draw_legend(Ui& ui);
    void draw_menu(Ui& ui, const Timeline& timeline, const plots::PlotFrame& area);
    void draw_clock_strip(Ui& ui, const plots::PlotFrame& area, float top, float bottom);
    void draw_clock(Ui& ui, const plots::PlotFrame& area, float top, ImVec2 high);
    void collect_totals(Ui& ui, const Timeline& timeline);
    void refresh_histogram(Ui& ui, const Timeline& timeline);
    void draw_histogram_choice(Ui& ui);
    void draw_distribution(Ui& ui, const Timeline& timeline, float height, bool with_quartiles);
    void draw_card(Ui& ui, const Timeline& timeline);
    void draw_side(Ui& ui, const Timeline& timeline, ImVec2 low, ImVec2 high);
    void steer_plot(Ui& ui, const Timeline& timeline, const plots::PlotFrame& area);
    void draw_history(Ui& ui, const Timeline& timeline, ImVec2 low, ImVec2 high, bool has_side);
    void forget_missing_frames(const Timeline& timeline);
    const Timeline* shown_timeline(const Ui& ui) const;
    plots::Window shown_window(const Ui& ui, const Timeline& timeline) const;
    void scroll_to(Ui& ui, const Timeline& timeline, std::int64_t end);
    void zoom_to(Ui& ui, const Timeline& timeline, double frames, std::optional<std::uint64_t> fixed);

    plots::StackedPhases plot_;
    std::optional<experiments::Timeline> held_;  ///< a copy, while the history is held
    bool held_by_scrolling_ = false;  ///< scrolling to the newest frame of the copy resumes the live history
    bool resumes_ = false;            ///< the next draw() resumes the live history
    bool fits_all_ = false;           ///< the time axis fits every visible frame; a double-click toggles it
    std::optional<std::uint64_t> end_;  ///< one past the newest frame shown; empty: follows the newest
    std::optional<std::uint64_t> pinned_;
    plots::SeriesSet hidden_ = 0;                       ///< series hidden by clicks on the legend
    const compaction::Algorithm* hidden_of_ = nullptr;  ///< algorithm whose phases `hidden_` refers to
    std::optional<FrameRange> range_;                   ///< selected with Shift+drag
    experiments::Summary range_us_;                     ///< summary of the totals in the range
    std::optional<std::uint64_t> range_anchor_;         ///< frame at which the selecting drag began
    TimelineOverview overview_;
    std::optional<std::uint64_t> pressed_frame_;  ///< frame under the mouse when it was pressed
    std::uint64_t pressed_end_ = 0;               ///< end of the visible frames at that time
    bool dragged_ = false;                        ///< the mouse has moved since
    /// The histogram counts all visible frames; else all frames with the settings of the newest visible one.
    bool counts_visible_ = false;
    plots::Histogram histogram_;  ///< refreshed together with the figures
    /// DisplayInfo::figures_serial; empty if the histogram must be refreshed.
    std::optional<std::uint64_t> histogram_serial_;
    std::vector<float> totals_us_;  ///< scratch memory
    std::string ghost_path_;
    bool typing_ghost_ = false;
};

void TimelinePanel::draw_playback(Ui& ui, ToolbarFlow& flow) {
    if (toggle(ui, flow, "hold", held_.has_value(),
               "Freezes the history for inspection while the scene runs and is timed; scrolling back freezes "
               "it too. Space pauses the scene instead, and its timings continue.",
               "H", ui.px(10)))
        toggle_hold(ui);
    if (toggle(ui, flow, "live", !held_,
               "Follows the newest frame. Dragging the plot holds the history and shows earlier frames.",
               "End"))
        follow_newest(ui);
}

void TimelinePanel::draw_zoom(Ui& ui, ToolbarFlow& flow) {
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
            if (timeline) zoom_to(ui, *timeline, zoom.frames, pinned_);
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

/// Draws the field for the saved run behind the live one. A path is applied when the field loses focus.
void TimelinePanel::draw_ghost_file(Ui& ui, ToolbarFlow& flow) {
    const bool has_ghost = !ui.settings.window.ghost.empty();
    const float drop_width = has_ghost ? button_width("drop") + ui.px(6) : 0;
    const float min_width = ui.px(90);
    const float room = flow.room() - drop_width;
    const float width = room >= min_width ? std::min(room, ui.px(230)) : min_width;
    if (!flow.place(width + drop_width)) return;
    if (!typing_ghost_) ghost_path_ = ui.settings.window.ghost.string();
    ImGui::SetNextItemWidth(width);
    path_field(ui, "ghost file", "a saved run", ghost_path_);
    typing_ghost_ = ImGui::IsItemActive();
    if (ImGui::IsItemDeactivatedAfterEdit()) store_path(ui, ghost_path_, ui.settings.window.ghost);
    ui.tooltips.offer_item(
        ui.style, ghost_text(ui.snapshot.timings.ghost) +
                      "A saved run to compare with: a CSV from --csv or \"keep as ghost\", or the JSON of "
                      "a capture. Type its name, or drop a CSV on the window; a dropped JSON loads its "
                      "settings instead. Its total is drawn over the live one, with a dashed line at its "
                      "median and the quartiles as a band.");
    if (!has_ghost) return;
    ImGui::SameLine(0, ui.px(6));
    if (button(ui, "drop", 0, "Removes the ghost. Its file stays.", {})) ui.settings.window.ghost.clear();
}

float TimelinePanel::draw_toolbar(Ui& ui, ImVec2 low, float right, float max_bottom) {
    ToolbarFlow flow(ui, low, right, max_bottom);
    const bool modes_first = modes_fit_before_hold(flow);
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

void TimelinePanel::refresh_overview(Ui& ui, const Timeline& timeline, float width) {
    if (overview_.figures_serial == ui.snapshot.display.figures_serial && overview_.width == width) return;
    overview_.figures_serial = ui.snapshot.display.figures_serial;
    overview_.width = width;
    const auto max_columns = static_cast<std::size_t>(std::max(width / overview_column_width, 1.0F));
    plots::reduce(timeline, {.end = timeline.end(), .frames = timeline.capacity()}, max_columns,
                  overview_.columns);
    overview_.totals_us.clear();
    for (const plots::Column& column : overview_.columns.columns)
        overview_.totals_us.push_back(column.total_us);
    overview_.range.restart();
    overview_.range.update(overview_.totals_us, 0);
}

void TimelinePanel::draw_overview_totals(const Ui& ui, const OverviewAxis& axis) const {
    const plots::Palette& palette = ui.palette();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const double top_us = overview_.range.current_end();
    if (top_us <= 0) return;
    const auto num_across = static_cast<float>(overview_.columns.num_across);
    const float width = (axis.high.x - axis.low.x) / std::max(num_across, 1.0F);
    for (const plots::Column& column : overview_.columns.columns) {
        const float right = axis.high.x - static_cast<float>(column.num_newer) * width;
        const float left = std::max(right - std::max(width, 1.0F), axis.low.x);
        const double share = std::min(static_cast<double>(column.total_us) / top_us, 1.0);
        const float y = std::round(axis.high.y - static_cast<float>(share) * (axis.high.y - axis.low.y));
        list.AddRectFilled({std::round(left), y}, {std::round(right), axis.high.y},
                           plots::mix(palette.panel, palette.muted, 0.55F));
        if (column.settings_changed)
            list.AddRectFilled({std::round(left), axis.low.y}, {std::round(left) + 1, axis.high.y},
                               palette.text);
    }
}

/// A press inside the viewport drags it; a press elsewhere centres it at the mouse.
void TimelinePanel::steer_overview(Ui& ui, const Timeline& timeline, const OverviewAxis& axis,
                                   const plots::Window& window) {
    ImGui::SetCursorScreenPos(axis.low);
    invisible_button("##overview", {axis.high.x - axis.low.x, axis.high.y - axis.low.y});
    ui.controls.record_item("overview");
    const float mouse_x = ImGui::GetIO().MousePos.x;
    if (ImGui::IsItemActivated()) {
        const std::int64_t pressed = axis.ordinal_at(mouse_x);
        const auto end = static_cast<std::int64_t>(window.end);
        const auto frames = static_cast<std::int64_t>(window.frames);
        const bool is_in_viewport = pressed < end && pressed >= end - frames;
        overview_.grip = is_in_viewport ? end - pressed : frames / 2;
    }
    if (ImGui::IsItemActive()) scroll_to(ui, timeline, axis.ordinal_at(mouse_x) + overview_.grip);
    ui.tooltips.offer(ui.style, axis.low, axis.high,
                      "The whole history, up to 6,000 frames. Drag the lit part to scroll, or click to "
                      "go there.");
}

void TimelinePanel::draw_overview(Ui& ui, const Timeline& timeline, ImVec2 low, ImVec2 high) {
    refresh_overview(ui, timeline, high.x - low.x);
    const plots::Palette& palette = ui.palette();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled(low, high, palette.background);
    const plots::Window window = shown_window(ui, timeline);
    const OverviewAxis axis{low, high, timeline.end(), static_cast<double>(timeline.capacity())};
    draw_overview_totals(ui, axis);
    const float left = std::round(axis.x_of(first_frame_of(window)));
    const float right = std::max(std::round(axis.x_of(window.end)), left + ui.px(3));
    const ImU32 veil = plots::with_alpha(palette.background, 0xA0);
    list.AddRectFilled(low, {left, high.y}, veil);
    list.AddRectFilled({right, low.y}, high, veil);
    list.AddRect({left, low.y}, {right, high.y}, palette.accent);
    steer_overview(ui, timeline, axis, window);
}

/// The selected frames, else the visible ones.
FrameRange TimelinePanel::frames_of_menu(const Ui& ui, const Timeline& timeline) const {
    if (range_) return *range_;
    const plots::Window window = shown_window(ui, timeline);
    return {std::max(first_frame_of(window), timeline.begin()), window.end};
}

/// Selects the frames from one to another, both included, in either order.
void TimelinePanel::select_range(const Timeline& timeline, std::uint64_t from, std::uint64_t to) {
    const FrameRange range{std::max(std::min(from, to), timeline.begin()),
                           std::min(std::max(from, to) + 1, timeline.end())};
    if (range.begin >= range.end || range_ == range) return;
    range_ = range;
    range_us_ = summary_of(timeline, range);
}

/// Draws the selected range over the plot, with its median and quartiles.
void TimelinePanel::draw_range(Ui& ui, const plots::PlotFrame& area) {
    if (!range_) return;
    const plots::Palette& palette = ui.palette();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float left = std::round(plot_.x_of(range_->begin));
    const float right = std::max(std::round(plot_.x_of(range_->end)), left + 1);
    const ImU32 veil = plots::with_alpha(palette.accent, 0x30);
    list.AddRectFilled({left, area.low.y}, {right, area.high.y}, veil);
    for (const float x : {left, right})
        list.AddRectFilled({x, area.low.y}, {x + 1, area.high.y}, palette.accent);

    const experiments::Summary& us = range_us_;
    const format::TimeUnit unit = format::time_unit(us.q3);
    const auto in_unit = [&](double value) { return format::significant(value * unit.per_us); };
    const std::uint64_t frames = range_->end - range_->begin;
    std::string text = format::grouped(frames) + (frames == 1 ? " frame" : " frames");
    if (us.n > 0)
        text += "   25 % " + in_unit(us.q1) + "   median " + in_unit(us.median) + "   75 % " +
                in_unit(us.q3) + " " + unit.name;
    const ImFont* font = ui.fonts().small;
    const float padding = ui.px(6);
    const float width = plots::text_width(font, text) + 2 * padding;
    const ImVec2 low{std::round(std::clamp((left + right - width) / 2, area.low.x,
                                           std::max(area.high.x - width, area.low.x))),
                     area.low.y + ui.px(10)};
    const ImVec2 high{low.x + width, low.y + font->FontSize + ui.px(6)};
    list.AddRectFilled(low, high, palette.raised, ui.px(3));
    list.AddRect(low, high, palette.accent, ui.px(3));
    plots::draw_text(list, font, {low.x + padding, low.y + ui.px(3)}, palette.text,
                     plots::elided(font, text, area.high.x - low.x - 2 * padding));
    ui.controls.record("range", low, high);
}

void TimelinePanel::draw_legend(Ui& ui) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    for (const plots::DrawnName& name : plot_.names()) {
        const std::string text(name.text);
        ImGui::PushID(static_cast<int>(name.series));
        ImGui::SetCursorScreenPos(name.low);
        bool clicked = invisible_button("##series", {name.high.x - name.low.x, name.high.y - name.low.y});
        ImGui::PopID();
        ui.controls.record_item("series: " + text);
        if (ui.focus->presses_item(ui, "series: " + text)) clicked = true;
        if (hidden_ & name.series) ui.controls.record_item("hidden: " + text);
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
            hidden_ = hidden_ == others ? 0 : others;
        } else {
            hidden_ ^= name.series;
        }
    }
}

void TimelinePanel::draw_menu(Ui& ui, const Timeline& timeline, const plots::PlotFrame& area) {
    constexpr const char* name = "history menu";
    if (ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(area.low, area.high) &&
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
        if (entry(fits_all_ ? "Fit usual frames" : "Fit all frames")) fits_all_ = !fits_all_;
        if (hidden_ && entry("Show every series")) hidden_ = 0;
        if (range_ && entry("Clear range")) range_.reset();
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

void TimelinePanel::draw_clock_strip(Ui& ui, const plots::PlotFrame& area, float top, float bottom) {
    const plots::Columns& columns = plot_.columns();
    const bool has_clock =
        std::ranges::any_of(columns.columns, [](const plots::Column& column) { return column.clock_hz > 0; });
    const ImVec2 low{area.low.x, top};
    const ImVec2 high{area.high.x, bottom};
    if (!has_clock) {
        const std::string why = ui.snapshot.machine.clock_reason.empty()
                                    ? "The clock has not been measured yet."
                                    : ui.snapshot.machine.clock_reason;
        const ImFont* font = ui.fonts().small;
        plots::draw_text(*ImGui::GetWindowDrawList(), font, {low.x, (top + bottom - font->FontSize) / 2},
                         ui.palette().muted, plots::elided(font, why, high.x - low.x));
        ui.tooltips.offer(ui.style, low, high, why + reason_for_no_gpu_line(ui));
        return;
    }
    const plots::ClockScale scale{plots::max_clock_hz(columns, ui.snapshot.machine.device.max_clock_hz),
                                  experiments::Policy{}.throttled_below};
    plots::draw_clock_strip(*ImGui::GetWindowDrawList(), ui.style, area, columns, scale, top, bottom);
    const std::string share = format::percent(scale.low_share).number;
    ui.tooltips.offer(ui.style, low, high,
                      "The processor clock, measured ten times a second between the frames' work. The "
                      "dashed line is the maximum clock. A clock below " +
                          share +
                          " % of it is marked as low: times then depend on power, heat or idling more "
                          "than on the algorithm." +
                          reason_for_no_gpu_line(ui));
}

void TimelinePanel::draw_clock(Ui& ui, const plots::PlotFrame& area, float top, ImVec2 high) {
    draw_clock_strip(ui, area, top, top + ui.px(clock_strip_height));
    if (has_gpu_line(ui)) draw_gpu_line(ui, area.low.x, high);
}

/// Collects the totals of the visible frames, or of all frames with the newest visible one's settings.
void TimelinePanel::collect_totals(Ui& ui, const Timeline& timeline) {
    const plots::Window window = shown_window(ui, timeline);
    const std::uint64_t begin =
        counts_visible_ ? std::max(timeline.begin(), first_frame_of(window)) : timeline.begin();
    const std::uint64_t end = counts_visible_ ? window.end : timeline.end();
    const std::uint32_t config_epoch = timeline.at(window.end - 1).config_epoch;
    totals_us_.clear();
    for (std::uint64_t ordinal = begin; ordinal < end; ++ordinal) {
        const experiments::FrameSample& sample = timeline.at(ordinal);
        if (counts_visible_ || sample.config_epoch == config_epoch) totals_us_.push_back(sample.total_us);
    }
}

void TimelinePanel::refresh_histogram(Ui& ui, const Timeline& timeline) {
    if (histogram_serial_ == ui.snapshot.display.figures_serial) return;
    histogram_serial_ = ui.snapshot.display.figures_serial;
    collect_totals(ui, timeline);
    histogram_ = plots::make_histogram(totals_us_, ui.settings.window.timeline_log);
}

/// Draws the choice of the frames that the histogram counts.
void TimelinePanel::draw_histogram_choice(Ui& ui) {
    const std::array choices{Segment{.label = "settings", .disabled_reason = {}, .is_effective = false},
                             Segment{.label = "shown", .disabled_reason = {}, .is_effective = false}};
    const auto clicked = segments(
        ui,
        {.label = "totals of",
         .tooltip =
             "Selects the frames to count: all frames in the history with the settings of the newest visible "
             "one, or all visible frames.",
         .key = {},
         .disabled_reason = {}},
        choices, counts_visible_ ? 1 : 0);
    if (!clicked) return;
    counts_visible_ = *clicked == 1;
    histogram_serial_.reset();
}

void TimelinePanel::draw_distribution(Ui& ui, const Timeline& timeline, float height, bool with_quartiles) {
    refresh_histogram(ui, timeline);
    const plots::Histogram& histogram = histogram_;
    const ImVec2 low = ImGui::GetCursorScreenPos();
    const ImVec2 high{low.x + ImGui::GetContentRegionAvail().x, low.y + height};
    if (histogram.counts.empty()) {
        note(ui, ui.snapshot.runs.a.algorithm && !has_times(ui.snapshot.runs.a.algorithm->engine)
                     ? no_times
                     : "No total has been timed with these settings yet.");
        return;
    }
    const experiments::SavedRun* const ghost = ui.snapshot.timings.ghost;
    const auto bin = plots::draw_histogram(*ImGui::GetWindowDrawList(), ui.style, low, high, histogram,
                                           ghost ? std::optional{ghost->us.median} : std::nullopt);
    ui.controls.record("histogram", low, high);
    record_plot(ui, "distribution", low, {high.x, high.y + ui.px(with_quartiles ? quartile_rows_height : 4)});
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
    if (with_quartiles) draw_quartiles(ui, histogram.us);
}

/// Draws the figures of the pinned frame, else of the one under the mouse, else a hint.
void TimelinePanel::draw_card(Ui& ui, const Timeline& timeline) {
    const std::optional<std::uint64_t> subject = pinned_ ? pinned_ : plot_.hovered();
    const bool known = subject && timeline.holds(*subject);
    heading(ui, known ? frame_name(timeline.at(*subject)) : "One frame");
    if (pinned_) {
        ImGui::SameLine(ImGui::GetContentRegionAvail().x - ui.px(49));
        if (button(ui, "unpin", 0, "Unpins the frame. A click on it in the plot does the same.", "Esc"))
            pinned_.reset();
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

void TimelinePanel::draw_side(Ui& ui, const Timeline& timeline, ImVec2 low, ImVec2 high) {
    ImGui::SetCursorScreenPos(low);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
    ImGui::BeginChild("##side", {high.x - low.x, high.y - low.y});
    ImGui::PopStyleVar();
    draw_histogram_choice(ui);
    // The histogram gets the height that the frame's figures leave. In a low window, only its marks show the
    // quartiles.
    const float left_over = high.y - low.y - ui.px(side_rows_height);
    const float min_height = ui.px(min_histogram_height);
    const bool with_quartiles = left_over > min_height;
    draw_distribution(ui, timeline, std::clamp(left_over, min_height, ui.px(max_histogram_height)),
                      with_quartiles);
    draw_card(ui, timeline);
    ImGui::EndChild();
}

/// A drag scrolls, Shift+drag selects, the wheel zooms, a click pins, a double-click fits.
void TimelinePanel::steer_plot(Ui& ui, const Timeline& timeline, const plots::PlotFrame& area) {
    const plots::Window window = shown_window(ui, timeline);
    const ImVec2 size{area.high.x - area.low.x, area.high.y - area.low.y};
    ImGui::SetCursorScreenPos(area.low);
    invisible_button("##history", size);
    ui.controls.record_item("history");
    const ImGuiIO& io = ImGui::GetIO();
    const float moved_pixels = io.MousePos.x - io.MouseClickedPos[0].x;
    if (ImGui::IsItemActivated()) {
        pressed_frame_ = plot_.hovered();
        pressed_end_ = window.end;
        dragged_ = false;
        range_anchor_ = io.KeyShift ? pressed_frame_ : std::nullopt;
    }
    if (range_anchor_ && ImGui::IsItemActive()) {
        // plot_ reports no hovered frame while the button is held, so the position of the mouse tells it.
        const auto frames_after_mouse = static_cast<std::int64_t>(
            std::floor((area.high.x - io.MousePos.x) / size.x * static_cast<float>(window.frames)));
        const auto to = static_cast<std::int64_t>(window.end) - 1 - frames_after_mouse;
        dragged_ = dragged_ || std::abs(moved_pixels) > ui.px(click_reach);
        if (dragged_)
            select_range(timeline, *range_anchor_, static_cast<std::uint64_t>(std::max<std::int64_t>(to, 0)));
    } else if (ImGui::IsItemActive()) {
        dragged_ = dragged_ || std::abs(moved_pixels) > ui.px(click_reach);
        const double frames_moved =
            static_cast<double>(moved_pixels / size.x) * static_cast<double>(window.frames);
        if (dragged_)
            scroll_to(ui, timeline, static_cast<std::int64_t>(pressed_end_) - std::llround(frames_moved));
    }
    if (ImGui::IsItemDeactivated() && !dragged_ && pressed_frame_)
        pinned_ = pinned_ == pressed_frame_ ? std::nullopt : pressed_frame_;
    if (ImGui::IsItemHovered() && ImGui::IsMouseDoubleClicked(0)) fits_all_ = !fits_all_;
    if (ImGui::IsItemHovered() && io.MouseWheel != 0) {
        constexpr double zoom_per_notch = 1 / 1.25;
        const bool is_near_newest = area.high.x - io.MousePos.x < following_share * size.x;
        const bool keeps_following = !held_ && is_near_newest;
        zoom_to(
            ui, timeline,
            static_cast<double>(window.frames) * std::pow(zoom_per_notch, static_cast<double>(io.MouseWheel)),
            keeps_following ? std::nullopt : plot_.hovered());
    }
}

void TimelinePanel::draw_history(Ui& ui, const Timeline& timeline, ImVec2 low, ImVec2 high, bool has_side) {
    const plots::Window window = shown_window(ui, timeline);
    record_plot(ui, "timeline", low, high);
    const compaction::Algorithm& algorithm = algorithm_of(ui, timeline, window);
    if (std::exchange(hidden_of_, &algorithm) != &algorithm) hidden_ = 0;
    const float gap = ui.px(9);
    const auto has_room_for = [&](float strip) {
        return high.y - low.y - strip - gap >= ui.px(min_plot_height_with_strips);
    };
    if (has_room_for(ui.px(overview_height))) {
        const float strip_bottom = low.y + ui.px(overview_height);
        draw_overview(ui, timeline, low, {high.x, strip_bottom});
        low.y = strip_bottom + gap;
    }
    const float height_for_clock = clock_height(ui);
    const bool with_clock = has_room_for(height_for_clock);
    plot_.draw(*ImGui::GetWindowDrawList(), low,
               {high.x, with_clock ? high.y - height_for_clock - gap : high.y},
               {.timeline = timeline,
                .algorithm = algorithm,
                .window = window,
                .logarithmic = ui.settings.window.timeline_log,
                .compared = ghost_line(ui.snapshot.timings.ghost),
                .pinned = pinned_,
                .held = held_.has_value(),
                .fits_all = fits_all_,
                .hidden = hidden_},
               ui.style, static_cast<double>(ImGui::GetIO().DeltaTime));
    if (!plot_.plot_frame()) return;
    const plots::PlotFrame area = *plot_.plot_frame();
    ui.controls.record("history under settings " + std::to_string(timeline.at(window.end - 1).config_epoch),
                       low, high);
    if (with_clock) draw_clock(ui, area, high.y - height_for_clock, high);
    if (!has_side && plot_.hovered() && ui.shows_cards()) {
        ImGui::BeginTooltip();
        heading(ui, frame_name(timeline.at(*plot_.hovered())));
        draw_frame_figures(ui, timeline, *plot_.hovered(), ui.px(168));
        ImGui::EndTooltip();
    }
    draw_range(ui, area);
    draw_legend(ui);
    steer_plot(ui, timeline, area);
    draw_menu(ui, timeline, area);
}

/// Forgets frames that the history no longer holds: those of another engine, and those overwritten. Follows
/// the newest frame if the visible ones end there.
void TimelinePanel::forget_missing_frames(const Timeline& timeline) {
    if (pinned_ && !timeline.holds(*pinned_)) pinned_.reset();
    const bool ends_at_newest = end_ && *end_ >= timeline.end();
    if (ends_at_newest) end_.reset();
    if (range_ && (range_->begin < timeline.begin() || range_->end > timeline.end())) range_.reset();
}

void TimelinePanel::draw(Ui& ui) {
    const Rectangle& pane = ui.panes.view;
    if (pane.width <= 0 || pane.height <= 0) return;
    if (resumes_) follow_newest(ui);
    begin_pane("timeline", pane, ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
    const ImVec2 low{static_cast<float>(pane.x) + ui.px(14), static_cast<float>(pane.y) + ui.px(8)};
    const ImVec2 high{static_cast<float>(pane.x + pane.width) - ui.px(14),
                      static_cast<float>(pane.y + pane.height) - ui.px(8)};
    const float gap_below_toolbar = ui.px(10);
    const float top = draw_toolbar(ui, low, high.x, high.y - ui.px(min_plot_height) - gap_below_toolbar) +
                      gap_below_toolbar;
    const Timeline* const timeline = shown_timeline(ui);
    if (!timeline || !ui.snapshot.runs.a.algorithm) {
        plots::draw_text(*ImGui::GetWindowDrawList(), ui.fonts().text, {low.x, top}, ui.palette().muted,
                         "The first timings appear a few frames after the start.");
    } else {
        forget_missing_frames(*timeline);
        const float side = ui.px(side_width);
        const float gap = ui.px(16);
        const bool has_side = high.x - low.x - side - gap >= ui.px(min_plot_width);
        draw_history(ui, *timeline, {low.x, top}, {has_side ? high.x - side - gap : high.x, high.y},
                     has_side);
        if (has_side) draw_side(ui, *timeline, {high.x - side, top}, high);
    }
    ImGui::End();
}

/// The shown history: the held one, else the live one; nullptr before the first frame.
const Timeline* TimelinePanel::shown_timeline(const Ui& ui) const {
    const Timeline* const timeline = held_ ? &*held_ : ui.snapshot.timings.timeline.get();
    return timeline && timeline->size() > 0 ? timeline : nullptr;
}

/// The visible frames, clamped to the history.
plots::Window TimelinePanel::shown_window(const Ui& ui, const Timeline& timeline) const {
    const std::uint64_t end = end_.value_or(timeline.end());
    // At least one frame stays visible.
    return {
        .end = std::clamp(end, timeline.begin() + 1, timeline.end()),
        .frames = std::clamp(ui.settings.window.timeline_frames, min_timeline_frames, max_timeline_frames)};
}

/// Sets `end_` to `end`, at least to the end of a window that starts at the oldest frame. Scrolling back
/// holds the history, so that the visible frames stay; scrolling to the newest frame resumes the live
/// history.
void TimelinePanel::scroll_to(Ui& ui, const Timeline& timeline, std::int64_t end) {
    const plots::Window window = shown_window(ui, timeline);
    const std::uint64_t min_end = timeline.begin() + std::min<std::uint64_t>(window.frames, timeline.size());
    const auto wanted = std::max(static_cast<std::uint64_t>(std::max<std::int64_t>(end, 0)), min_end);
    end_ = wanted >= timeline.end() ? std::nullopt : std::optional{wanted};
    resumes_ = !end_ && held_by_scrolling_;
    if (end_ && !held_) {
        held_ = timeline;
        held_by_scrolling_ = true;
    }
}

/// Shows `frames` frames. The frame `fixed` keeps its x in the plot; without it, the newest visible frame
/// does.
void TimelinePanel::zoom_to(Ui& ui, const Timeline& timeline, double frames,
                            std::optional<std::uint64_t> fixed) {
    const plots::Window before = shown_window(ui, timeline);
    ui.settings.window.timeline_frames = static_cast<std::uint32_t>(std::clamp(
        frames, static_cast<double>(min_timeline_frames), static_cast<double>(max_timeline_frames)));
    if (!fixed) return;
    const double ratio =
        static_cast<double>(ui.settings.window.timeline_frames) / static_cast<double>(before.frames);
    const auto frames_from_fixed = static_cast<double>(before.end - std::min(*fixed, before.end));
    scroll_to(ui, timeline, static_cast<std::int64_t>(*fixed) + std::llround(frames_from_fixed * ratio));
}

void TimelinePanel::toggle_hold(Ui& ui) {
    if (!ui.snapshot.timings.timeline) return;
    if (held_) return follow_newest(ui);
    held_ = *ui.snapshot.timings.timeline;
}

void TimelinePanel::follow_newest(Ui& /*ui*/) {
    end_.reset();
    held_.reset();
    held_by_scrolling_ = resumes_ = false;
}

void TimelinePanel::keep_as_ghost(Ui& ui) {
    // The ghost has the current settings, even if the view shows earlier frames.
    const auto current_frames = [](const std::shared_ptr<const Timeline>& timeline) {
        std::vector<experiments::FrameSample> frames;
        if (!timeline || timeline->size() == 0) return frames;
        const std::uint32_t current_epoch = (*timeline)[timeline->size() - 1].config_epoch;
        for (std::size_t i = 0; i < timeline->size(); ++i) {
            const experiments::FrameSample& sample = (*timeline)[i];
            if (sample.config_epoch == current_epoch && sample.algorithm) frames.push_back(sample);
        }
        return frames;
    };
    const auto& timings = ui.snapshot.timings;
    ui.requests.keep_as_ghost = {current_frames(timings.timeline), current_frames(timings.timeline_b)};
}

void TimelinePanel::toggle_log_times(Ui& ui) {
    ui.settings.window.timeline_log = !ui.settings.window.timeline_log;
}

void TimelinePanel::step(Ui& ui, int direction) {
    // Over the controls, the arrow keys move the slider below the mouse instead.
    const Rectangle& controls = ui.panes.controls;
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    if (mouse.x < static_cast<float>(controls.x + controls.width) && mouse.x >= 0) return;
    const Timeline* const timeline = shown_timeline(ui);
    if (!timeline || !pinned_) return;
    const auto first = static_cast<std::int64_t>(timeline->begin());
    const auto last = static_cast<std::int64_t>(timeline->end()) - 1;
    const std::int64_t neighbour = static_cast<std::int64_t>(*pinned_) + direction;
    pinned_ = static_cast<std::uint64_t>(std::clamp(neighbour, first, last));
    const plots::Window window = shown_window(ui, *timeline);
    const auto pinned = static_cast<std::int64_t>(*pinned_);
    const auto end = static_cast<std::int64_t>(window.end);
    const auto frames = static_cast<std::int64_t>(window.frames);
    // Scrolls until the pinned frame is visible.
    if (pinned >= end) scroll_to(ui, *timeline, pinned + 1);
    if (pinned < end - frames) scroll_to(ui, *timeline, pinned + frames);
}

}  // namespace

ViewType timeline_view() {
    return {
        .name = "Timeline",
        .meaning =
            "The phases of the last 6,000 frames: hold, scroll and inspect them frame by frame. Beside "
            "the plot is the distribution of totals, behind it a saved run, below it the processor clock.",
        .keys = {view_key("End", "timeline: the newest frame", {.keys = {GLFW_KEY_END}},
                          &TimelinePanel::follow_newest),
                 view_key("Shift+L", "timeline: logarithmic", {.keys = {GLFW_KEY_L}, .shift = true},
                          &TimelinePanel::toggle_log_times),
                 view_key("K", "timeline: keep as ghost", {.keys = {GLFW_KEY_K}},
                          &TimelinePanel::keep_as_ghost)},
        .make = make_panel<TimelinePanel>};
}

}  // namespace warpsieve::panels
