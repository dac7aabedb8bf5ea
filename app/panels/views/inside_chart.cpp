#include "app/panels/views/inside_chart.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/format/figures.hpp"
#include "app/panels/widgets.hpp"

namespace warpsieve::panels {
namespace {

/// The clock of the simulated GPU's cost model counts nanoseconds that mean nothing, shown as ticks.
constexpr double ticks_per_us = 1000;

using plots::SeriesStyle;
using plots::Style;
using trace::RoleLane;
using trace::TracedRun;
using trace::WorkBar;
using trace::WorkFigures;

}  // namespace

void draw_followed_bars(Ui& ui, const InsideChart& chart) {
    const std::optional<std::uint64_t> slot = ui.follow.slot();
    if (!slot) return;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.PushClipRect(chart.rows.low, chart.rows.high, true);
    for (const trace::ItemBlock& item : trace::blocks_of_item(chart.run, *slot)) {
        if (!item.span) continue;
        const compaction::WorkSpan& span = *item.span;
        const float left = chart.time.at(static_cast<double>(span.begin_us));
        const float right = std::max(chart.time.at(static_cast<double>(span.end_us)), left + ui.px(4));
        const float top = chart.first_y + chart.row_height * static_cast<float>(span.processor);
        const ImVec2 low{left - 1, top - 1};
        const ImVec2 high{right + 1, top + std::max(chart.row_height, ui.px(4)) + 1};
        list.AddRect(low, high, ui.palette().text, 0, ImDrawFlags_None, std::max(2.0F, ui.px(2)));
        ui.controls.record("followed in inside", low, high);
    }
    list.PopClipRect();
}

void point_at_bar(Ui& ui, const InsideChart& chart, const WorkBar& bar) {
    if (bar.num_spans != 1) return;
    const compaction::WorkSpan& span = chart.run.spans[bar.first_span];
    const compaction::BlockParts* const parts = chart.run.parts_of(span);
    const auto part = parts ? parts->first_part(span.block) : std::nullopt;
    if (part && parts->begin(*part) < parts->end(*part)) ui.follow.under_mouse = parts->begin(*part);
}

namespace {

SeriesStyle phase_style(const TracedRun& run, std::size_t phase) {
    const auto& phases = run.algorithm->phases;
    return plots::style_of(phases[std::min(phase, phases.size() - 1)].role);
}

SeriesStyle role_style(compaction::WarpRole role) {
    switch (role) {
        case compaction::WarpRole::count:
            return plots::style_of(compaction::PhaseRole::count);
        case compaction::WarpRole::look_back:
            return plots::style_of(compaction::PhaseRole::prefix);
        default:
            return plots::style_of(compaction::PhaseRole::scatter);
    }
}

/// "block" on a GPU, "task" on the CPU, where counting and moving a sequence are two tasks.
const char* work_word(const TracedRun& run) {
    return run.algorithm->engine != compaction::EngineId::cpu ? "block" : "task";
}

void draw_right_aligned(const Ui& ui, float right, float middle, std::string_view text) {
    const ImFont* font = ui.fonts().small;
    plots::draw_text(*ImGui::GetWindowDrawList(), font,
                     {right - plots::text_width(font, text), std::round(middle - font->FontSize / 2)},
                     ui.palette().muted, text);
}

void draw_header(Ui& ui, const InsideChart& chart) {
    const TracedRun& run = chart.run;
    std::string title = run.algorithm->name;
    if (chart.side) title = std::string(chart.side) + "  " + title;
    const std::string work = work_word(run);
    std::string facts = "frame " + format::grouped(run.frame) + ", " + format::grouped(run.spans.size()) +
                        " " + work + (run.spans.size() == 1 ? "" : "s") + " on " +
                        format::grouped(run.processors) + " " + run.processor_word() +
                        (run.processors == 1 ? "" : "s") + ", " +
                        inside_duration(run, static_cast<double>(run.end_us - run.begin_us));
    if (run.schedule_seed) facts += " of a simulated schedule, seed " + std::to_string(*run.schedule_seed);
    if (run.spans_left_out > 0) facts += ", " + format::grouped(run.spans_left_out) + " more are not shown";
    if (run.blocks_merged > 0) facts += ", some for several blocks";
    if (chart.content.merged) facts += "; bars merged by time";
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const plots::Fonts& fonts = ui.fonts();
    const float top = chart.phases.low.y - inside_heights(ui).header;
    const float baseline = top + std::round(fonts.heading->Ascent);
    const float left = chart.phases.low.x - inside_label_width(ui);
    const float right = chart.phases.high.x;
    const float end = plots::draw_on_baseline(list, fonts.heading, {left, baseline}, ui.palette().text,
                                              plots::elided(fonts.heading, title, right - left));
    const float facts_left = end + ui.px(10);
    if (facts_left < right) {
        plots::draw_on_baseline(list, fonts.small, {facts_left, baseline}, ui.palette().muted,
                                plots::elided(fonts.small, facts, right - facts_left));
    }
    ui.tooltips.offer(ui.style, {left, top}, {right, chart.phases.low.y}, facts + ".");
}

void draw_phases(Ui& ui, const InsideChart& chart) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const Rect& box = chart.phases;
    draw_right_aligned(ui, box.low.x - ui.px(6), (box.low.y + box.high.y) / 2, "phase");
    list.PushClipRect(box.low, box.high, true);
    const ImFont* font = ui.fonts().small;
    for (std::size_t phase = 0; phase < chart.run.timing.num_phases; ++phase) {
        const double begin = static_cast<double>(chart.run.phase_begin_us(phase));
        const float left = std::max(chart.time.at(begin), box.low.x);
        const float right = std::min(
            chart.time.at(begin + static_cast<double>(chart.run.timing.phase_us[phase])), box.high.x);
        if (right <= left) continue;
        const SeriesStyle style = phase_style(chart.run, phase);
        const ImVec2 low{std::round(left), box.low.y};
        const ImVec2 high{std::max(std::round(right) - 1, low.x + 1), box.high.y};
        list.AddRectFilled(low, high, plots::mix(ui.palette().panel, style.colour, 0.3F));
        list.AddRectFilled(low, {high.x, low.y + std::max(2.0F, ui.px(2))}, style.colour);
        const std::string name = plots::elided(font, chart.run.phase_name(phase), high.x - low.x - ui.px(8));
        if (high.x - low.x > ui.px(24))
            plots::draw_text(list, font, {low.x + ui.px(4), box.low.y + ui.px(2)}, ui.palette().text, name);
        const auto us = static_cast<double>(chart.run.timing.phase_us[phase]);
        ui.tooltips.offer(ui.style, low, high,
                          chart.run.phase_name(phase) + ": " + inside_duration(chart.run, us) +
                              ". A phase begins with its first block and ends where the next begins.");
    }
    list.PopClipRect();
}

/// How the tracks of a row share its height: one below the other if there is room, else overlaid.
struct RowRoom {
    float track_height;  ///< 0 if the tracks are overlaid
    float bar_height;
    bool separate;  ///< one below the other
};
RowRoom room_in(const InsideChart& chart) {
    const float gap = chart.row_height >= 3 ? 1.0F : 0.0F;
    const float track_height = (chart.row_height - gap) / static_cast<float>(chart.run.num_tracks);
    constexpr float min_track_height = 2;
    constexpr float min_height_with_gap = 4;
    if (chart.content.merged || track_height < min_track_height)
        return {.track_height = 0, .bar_height = std::max(1.0F, chart.row_height - gap), .separate = false};
    const float bar_height = track_height >= min_height_with_gap ? track_height - 1 : track_height;
    return {.track_height = track_height, .bar_height = std::max(1.0F, bar_height), .separate = true};
}

std::span<const WorkBar> bars_of(const InsideChart& chart, std::uint32_t processor) {
    const auto& bars = chart.content.bars;
    return {std::ranges::lower_bound(bars, processor, {}, &WorkBar::processor),
            std::ranges::upper_bound(bars, processor, {}, &WorkBar::processor)};
}

/// Whether the rows mark when blocks wait: only if bars are high enough.
bool shows_waits(const InsideChart& chart) {
    constexpr float min_height = 4;
    return !chart.content.waits.empty() && !chart.content.merged && room_in(chart).bar_height >= min_height;
}

/// Draws the marks of a wait on a bar: a line where the count is posted, a gap in the lower half of the bar
/// until all counts are summed, and a line in the lower half at that time.
struct WaitMarks {
    ImDrawList& list;
    ImU32 ground;
    ImU32 line;
    float top;
    float bottom;

    float middle() const { return std::round((top + bottom) / 2); }
    void posted(float x) const { list.AddRectFilled({x, top}, {x + 1, bottom}, line); }
    void waiting(float left, float right) const {
        list.AddRectFilled({left, middle()}, {right, bottom}, ground);
    }
    void summed(float x) const { list.AddRectFilled({x, middle()}, {x + 1, bottom}, line); }
};

void draw_waits(const WaitMarks& marks, const InsideChart& chart, const compaction::WorkSpan& span) {
    const auto key = [](const trace::BlockWait& each) { return std::pair(each.launch, each.block); };
    const auto& waits = chart.content.waits;
    const auto wanted = std::pair(span.launch, std::uint64_t{span.block});
    const auto first = std::ranges::lower_bound(waits, wanted, {}, key);
    const auto end = std::ranges::upper_bound(waits, wanted, {}, key);
    constexpr float min_gap = 3;  // in pixels; marks that are closer to the one before are left out
    float next_free_x = chart.time.start;
    for (const trace::BlockWait& each : std::span(first, end)) {
        const float posted_x = std::round(chart.time.at(static_cast<double>(*each.wait.posted_us)));
        const float summed_x = each.wait.summed_us
                                   ? std::round(chart.time.at(static_cast<double>(*each.wait.summed_us)))
                                   : posted_x;
        if (summed_x > posted_x) marks.waiting(posted_x, summed_x);
        if (posted_x < next_free_x) continue;
        marks.posted(posted_x);
        if (summed_x >= posted_x + min_gap) marks.summed(summed_x);
        next_free_x = std::max(posted_x, summed_x) + min_gap;
    }
}

void draw_bars(Ui& ui, const InsideChart& chart) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const Rect& box = chart.rows;
    const RowRoom room = room_in(chart);
    const bool with_waits = shows_waits(chart);
    // Two shades distinguish neighbouring blocks in rows of few pixels.
    struct Shades {
        ImU32 even;
        ImU32 odd;
    };
    std::array<Shades, compaction::max_phases> colours{};
    for (std::size_t phase = 0; phase < colours.size(); ++phase) {
        colours[phase].even = phase_style(chart.run, phase).colour;
        colours[phase].odd = plots::mix(ui.palette().panel, colours[phase].even, 0.72F);
    }
    const auto first_visible_row = static_cast<std::uint32_t>(
        std::max(0.0F, std::floor((box.low.y - chart.first_y) / chart.row_height)));
    list.PushClipRect(box.low, box.high, true);
    for (std::uint32_t row = first_visible_row; row < chart.run.processors; ++row) {
        const float row_y = chart.first_y + chart.row_height * static_cast<float>(row);
        if (row_y >= box.high.y) break;
        // A bar is skipped if the previous bar of its track and phase hides it.
        constexpr std::size_t max_tracks = 64;  // at most so many in a TracedRun
        std::array<float, max_tracks> drawn_to_x{};
        std::array<std::uint8_t, max_tracks> drawn_phase{};
        drawn_to_x.fill(-1);
        for (const WorkBar& bar : bars_of(chart, row)) {
            const std::size_t track = room.separate ? bar.track : 0;
            const float left = std::floor(chart.time.at(static_cast<double>(bar.begin_us)));
            float right = std::floor(chart.time.at(static_cast<double>(bar.end_us)));
            if (right < drawn_to_x[track] + 1 && drawn_phase[track] == bar.phase) continue;
            drawn_to_x[track] = std::max(right, left + 1);
            drawn_phase[track] = bar.phase;
            // Bars that are wide enough leave a pixel between them.
            if (bar.num_spans == 1 && right - left >= 4) right -= 1;
            const float y = std::round(row_y + room.track_height * static_cast<float>(track));
            const Shades& shades = colours[bar.phase];
            const bool is_merged = bar.num_spans > 1;
            const ImU32 colour =
                is_merged ? plots::mix(ui.palette().panel, shades.even, 0.2F + 0.8F * bar.busy_share)
                : bar.first_span % 2 == 0 ? shades.even
                                          : shades.odd;
            const float bottom = y + std::max(1.0F, std::round(room.bar_height));
            list.AddRectFilled({left, y}, {std::max(right, left + 1), bottom}, colour);
            constexpr float min_width_with_waits = 6;
            if (with_waits && !is_merged && right - left >= min_width_with_waits)
                draw_waits({list, ui.palette().panel, ui.palette().text, y, bottom}, chart,
                           chart.run.spans[bar.first_span]);
        }
    }
    list.PopClipRect();
}

void draw_row_labels(Ui& ui, const InsideChart& chart) {
    const Rect& box = chart.rows;
    const ImFont* const font = ui.fonts().small;
    const float text_height = font->FontSize;
    std::uint32_t rows_per_label = 1;
    while (static_cast<float>(rows_per_label) * chart.row_height < text_height * 1.4F &&
           rows_per_label < chart.run.processors)
        rows_per_label *= 2;
    for (std::uint32_t row = 0; row < chart.run.processors; row += rows_per_label) {
        const float middle = chart.first_y + chart.row_height * (static_cast<float>(row) + 0.5F);
        if (middle < box.low.y + text_height / 2 - 1 || middle > box.high.y - text_height / 2 + 1) continue;
        const std::string number = std::to_string(row);
        const std::string name = std::string(chart.run.processor_word()) + " " + number;
        const float right = box.low.x - ui.px(6);
        const bool name_fits =
            chart.run.processors <= 8 && plots::text_width(font, name) <= inside_label_width(ui) - ui.px(6);
        draw_right_aligned(ui, right, middle, name_fits ? name : number);
    }
}

/// Explains the marks in the rows, as far as there is room.
void draw_legend(Ui& ui, const InsideChart& chart) {
    if (chart.legend.height() <= 0) return;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImFont* font = ui.fonts().small;
    const float swatch_width = ui.px(20);
    const float swatch_height = ui.px(10);
    const float top = std::round((chart.legend.low.y + chart.legend.high.y - swatch_height) / 2);
    float x = chart.legend.low.x;
    const auto add_entry = [&](const char* meaning, ImU32 colour, auto draw_mark) {
        const float right = x + swatch_width + ui.px(5) + plots::text_width(font, meaning);
        if (right > chart.legend.high.x) return;
        list.AddRectFilled({x, top}, {x + swatch_width, top + swatch_height}, colour);
        draw_mark(WaitMarks{list, ui.palette().panel, ui.palette().text, top, top + swatch_height});
        plots::draw_text(
            list, font, {x + swatch_width + ui.px(5), std::round(top + (swatch_height - font->FontSize) / 2)},
            ui.palette().label, meaning);
        x = right + ui.px(16);
    };
    if (shows_waits(chart)) {
        const ImU32 colour =
            phase_style(chart.run, chart.run.launches[chart.content.waits[0].launch].phase).colour;
        const float middle = std::round(x + swatch_width / 2) - x;
        add_entry("own count posted", colour, [&](const WaitMarks& marks) { marks.posted(x + middle); });
        add_entry("waits for the counts of others", colour,
                  [&](const WaitMarks& marks) { marks.waiting(x, x + swatch_width); });
        add_entry("all counts summed", colour, [&](const WaitMarks& marks) {
            marks.waiting(x, x + middle);
            marks.summed(x + middle);
        });
    }
}

void draw_lanes(Ui& ui, const InsideChart& chart) {
    if (chart.run.lanes.empty() || chart.lanes.height() <= 0) return;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float height = chart.lanes.height() / static_cast<float>(chart.run.lanes.size());
    float y = chart.lanes.low.y;
    for (const RoleLane& lane : chart.run.lanes) {
        const SeriesStyle style = role_style(lane.role);
        draw_right_aligned(ui, chart.lanes.low.x - ui.px(6), y + height / 2, trace::name_of(lane.role));
        list.PushClipRect({chart.lanes.low.x, y}, {chart.lanes.high.x, y + height}, true);
        float drawn_to_x = -1;
        for (const compaction::WorkSpan& span : lane.spans) {
            const float left = std::floor(chart.time.at(static_cast<double>(span.begin_us)));
            const float right = std::floor(chart.time.at(static_cast<double>(span.end_us)));
            if (right < drawn_to_x + 1 || left > chart.lanes.high.x) continue;
            drawn_to_x = std::max(right, left + 1);
            list.AddRectFilled({left, y + 1}, {std::max(right - 1, left + 1), y + height - 1}, style.colour);
        }
        list.PopClipRect();
        const std::string text = format::percent_text(lane.waiting_share) + " waiting";
        const ImFont* font = ui.fonts().small;
        const float left = chart.lanes.high.x - plots::text_width(font, text) - ui.px(4);
        list.AddRectFilled({left - ui.px(4), y}, {chart.lanes.high.x, y + height}, ui.palette().panel);
        plots::draw_text(list, font, {left, std::round(y + (height - font->FontSize) / 2)},
                         ui.palette().muted, text);
        y += height;
    }
}

void draw_busy(Ui& ui, const InsideChart& chart) {
    const Rect& box = chart.busy;
    if (box.height() <= 0 || chart.run.processors == 0) return;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddLine({box.low.x, box.high.y}, box.high, ui.palette().outline);
    const auto columns = static_cast<float>(chart.content.busy.size());
    const float processors = static_cast<float>(chart.run.processors);
    const float height = box.height();
    // Columns of equal height are one rectangle.
    for (std::size_t i = 0; i < chart.content.busy.size();) {
        const auto height_of = [&](std::size_t column) {
            return std::round(height * std::min(1.0F, chart.content.busy[column] / processors));
        };
        std::size_t end = i + 1;
        while (end < chart.content.busy.size() && height_of(end) == height_of(i)) ++end;
        const float left = box.low.x + box.width() * static_cast<float>(i) / columns;
        const float right = box.low.x + box.width() * static_cast<float>(end) / columns;
        if (height_of(i) > 0)
            list.AddRectFilled({left, box.high.y - height_of(i)}, {right, box.high.y},
                               plots::mix(ui.palette().panel, ui.palette().accent, 0.45F));
        i = end;
    }
    const float half_busy_y = std::round(box.high.y - height / 2);
    for (float x = box.low.x; x < box.high.x; x += ui.px(8))
        list.AddLine({x, half_busy_y}, {std::min(x + ui.px(4), box.high.x), half_busy_y}, ui.palette().muted);
    const float labels_right = box.low.x - ui.px(6);
    const float text_height = ui.fonts().small->FontSize;
    draw_right_aligned(ui, labels_right, box.low.y + text_height / 2,
                       "busy " + std::to_string(chart.run.processors));
    draw_right_aligned(ui, labels_right, box.high.y - text_height / 2, "0");
}

void draw_card_line(Ui& ui, const char* name, const std::string& value) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const plots::Fonts& fonts = ui.fonts();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float baseline = at.y + std::round(fonts.text->Ascent);
    plots::draw_on_baseline(list, fonts.text, {at.x, baseline}, ui.palette().label, name);
    const float left = at.x + ui.px(112);
    const float right = plots::draw_on_baseline(list, fonts.text, {left, baseline}, ui.palette().text, value);
    ImGui::Dummy({right - at.x, fonts.text->FontSize});
}

void begin_card(Ui& ui) {
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {ui.px(12), ui.px(8)});
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, ui.px(2)});
    ImGui::BeginTooltip();
}
void end_card() {
    ImGui::EndTooltip();
    ImGui::PopStyleVar(2);
}

void draw_times(Ui& ui, const TracedRun& run, float begin_us, float end_us) {
    draw_card_line(ui, "start", inside_duration(run, static_cast<double>(begin_us)));
    draw_card_line(ui, "duration", inside_duration(run, static_cast<double>(end_us - begin_us)));
}

/// Draws where the warps of a block appended items, if the trace recorded all appends of the block.
void draw_appends(Ui& ui, const TracedRun& run, const compaction::WorkSpan& span) {
    const compaction::BlockParts* const parts = run.parts_of(span);
    if (!parts || !parts->appends || span.blocks > 1) return;
    const compaction::LaunchTrace& launch = run.launches[span.launch];
    const std::uint64_t num_recorded_parts = parts->partition.num_parts - launch.appends_left_out;
    const std::uint64_t block_end_part = (span.block + std::uint64_t{1}) * parts->parts_per_block;
    const bool is_recorded = std::min(block_end_part, parts->partition.num_parts) <= num_recorded_parts;
    if (!is_recorded) return draw_card_line(ui, "output", "unknown: the trace has no room for it");
    constexpr std::size_t max_lines = 8;
    std::size_t lines = 0;
    for (const compaction::Append& append : launch.appends) {
        if (append.block != span.block) continue;
        if (++lines > max_lines) return draw_card_line(ui, "", "and more");
        draw_card_line(ui, ("warp " + std::to_string(append.warp)).c_str(),
                       "output " + format::grouped(append.index) + " to " +
                           format::grouped(append.index + append.count - 1));
    }
}

}  // namespace

InsideHeights inside_heights(const Ui& ui) {
    return {
        .header = ui.px(20), .phases = ui.px(18), .legend = ui.px(18), .lane = ui.px(14), .busy = ui.px(36)};
}

float inside_label_width(const Ui& ui) {
    return ui.px(66);
}

void draw_inside_chart(Ui& ui, const InsideChart& chart) {
    draw_header(ui, chart);
    draw_phases(ui, chart);
    ImGui::GetWindowDrawList()->AddRectFilled(chart.rows.low, chart.rows.high, ui.palette().panel);
    draw_bars(ui, chart);
    draw_followed_bars(ui, chart);
    draw_row_labels(ui, chart);
    draw_legend(ui, chart);
    draw_lanes(ui, chart);
    draw_busy(ui, chart);
}

void draw_inside_axis(Ui& ui, const InsideChart& chart, float top, float bottom) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImFont* font = ui.fonts().small;
    const bool timed = !chart.run.schedule_seed;
    plots::Scale time = chart.time;
    if (!timed) {
        time.low *= ticks_per_us;
        time.high *= ticks_per_us;
    }
    const auto max_ticks = static_cast<std::size_t>(std::max(2.0F, (time.end - time.start) / ui.px(90)));
    const auto quantity = timed ? plots::AxisQuantity::time_us : plots::AxisQuantity::number;
    std::vector<plots::Tick> labels = plots::ticks_of(time, quantity, max_ticks);
    if (!timed && !labels.empty()) labels.back().label += " ticks";
    for (const plots::Tick& tick : labels) {
        const float x = std::round(time.at(tick.value));
        list.AddLine({x, top}, {x, bottom + ui.px(3)}, ui.palette().grid);
        const float width = plots::text_width(font, tick.label);
        plots::draw_text(list, font,
                         {std::clamp(x - width / 2, time.start, std::max(time.start, time.end - width)),
                          bottom + ui.px(4)},
                         ui.palette().muted, tick.label);
    }
}

const WorkBar* bar_at(const InsideChart& chart, ImVec2 mouse) {
    if (!chart.rows.contains(mouse)) return nullptr;
    const float row = (mouse.y - chart.first_y) / chart.row_height;
    if (row < 0 || row >= static_cast<float>(chart.run.processors)) return nullptr;
    const auto processor = static_cast<std::uint32_t>(row);
    const RowRoom room = room_in(chart);
    const float y_in_row = mouse.y - chart.first_y - chart.row_height * static_cast<float>(processor);
    const auto track = room.separate ? static_cast<std::uint32_t>(y_in_row / room.track_height) : 0;
    const double us = chart.time.value_at(mouse.x);
    constexpr float reach_pixels = 2;
    const double reach_us = std::abs(chart.time.value_at(mouse.x + reach_pixels) - us);
    const WorkBar* found = nullptr;
    double nearest_us = reach_us;
    for (const WorkBar& bar : bars_of(chart, processor)) {
        if (room.separate && bar.track != track) continue;
        const double distance_us =
            std::max({static_cast<double>(bar.begin_us) - us, us - static_cast<double>(bar.end_us), 0.0});
        if (distance_us > nearest_us) continue;
        nearest_us = distance_us;
        found = &bar;
    }
    return found;
}

void draw_inside_card(Ui& ui, const InsideChart& chart, const WorkBar& bar) {
    const TracedRun& run = chart.run;
    const compaction::WorkSpan& span = run.spans[bar.first_span];
    const std::string work = work_word(run);
    begin_card(ui);
    if (bar.num_spans > 1) {
        heading(ui, format::grouped(bar.num_spans) + " " + work + "s");
        draw_card_line(ui, run.processor_word(), std::to_string(bar.processor));
        draw_times(ui, run, bar.begin_us, bar.end_us);
        draw_card_line(ui, "busy", format::percent_text(static_cast<double>(bar.busy_share)));
        draw_card_line(ui, "phase", "mostly " + run.phase_name(bar.phase));
        draw_card_line(ui, "", "Zoom in to see each one.");
    } else {
        heading(ui, work + " " + format::grouped(span.block) +
                        (span.blocks > 1 ? " and " + format::grouped(span.blocks - 1) + " more" : ""));
        draw_card_line(ui, run.processor_word(), std::to_string(span.processor));
        draw_times(ui, run, span.begin_us, span.end_us);
        if (span.wait.posted_us)
            draw_card_line(ui, "count posted",
                           inside_duration(run, static_cast<double>(*span.wait.posted_us)));
        if (span.wait.posted_us && span.wait.summed_us)
            draw_card_line(
                ui, "waited for counts",
                inside_duration(run, static_cast<double>(*span.wait.summed_us - *span.wait.posted_us)));
        if (span.num_selected > 0) draw_card_line(ui, "items kept", format::grouped(span.num_selected));
        draw_card_line(ui, "phase", run.phase_name(span.phase));
        draw_appends(ui, run, span);
    }
    end_card();
}

bool draw_role_card(Ui& ui, const InsideChart& chart, ImVec2 mouse) {
    if (chart.run.lanes.empty() || !chart.lanes.contains(mouse)) return false;
    const float height = chart.lanes.height() / static_cast<float>(chart.run.lanes.size());
    const auto lane_index = static_cast<std::size_t>((mouse.y - chart.lanes.low.y) / height);
    const RoleLane& lane = chart.run.lanes[std::min(lane_index, chart.run.lanes.size() - 1)];
    const auto us = static_cast<float>(chart.time.value_at(mouse.x));
    begin_card(ui);
    heading(ui, std::string(trace::name_of(lane.role)) + " warps of block " +
                    format::grouped(*chart.run.roles_block));
    draw_card_line(ui, chart.run.processor_word(), std::to_string(*chart.run.roles_processor));
    draw_card_line(ui, "waiting", format::percent_text(lane.waiting_share) + " of the lane");
    const auto span = std::ranges::find_if(lane.spans, [us](const compaction::WorkSpan& each) {
        return each.begin_us <= us && us <= each.end_us;
    });
    if (span != lane.spans.end()) {
        draw_card_line(ui, "tile", std::to_string(span->round + 1) + " of the block");
        draw_times(ui, chart.run, span->begin_us, span->end_us);
        if (span->num_selected > 0) draw_card_line(ui, "items kept", format::grouped(span->num_selected));
    }
    end_card();
    return true;
}

void refresh(InsideContent& content, const std::shared_ptr<const TracedRun>& run, trace::TimeWindow window,
             float width) {
    if (content.run == run && content.window == window && content.width == width) return;
    if (content.run != run) content.waits = trace::block_waits(*run);
    content.run = run;
    content.window = window;
    content.width = width;
    content.merged = trace::collect_bars(*run, window, trace::max_drawn_bars, content.bars);
    content.busy = trace::busy_columns(*run, window, static_cast<std::size_t>(std::max(1.0F, width)));
}

namespace {

const ImVec2 picture_size{300, 74};

/// A bar of a picture.
struct Piece {
    int row;
    float begin;  ///< share of the width
    float end;    ///< share of the width
};

/// A sketch of three processors at work, for a tooltip.
struct Sketch {
    ImDrawList& list;
    const Style& style;
    ImVec2 low;
    ImVec2 high;

    float x(float share) const { return std::round(low.x + (high.x - low.x) * share); }
    float y(int row) const { return low.y + style.px(static_cast<float>(row) * 16 + 2); }
    float height() const { return style.px(12); }

    void bars(std::span<const Piece> pieces) const {
        const ImU32 colour = plots::style_of(compaction::PhaseRole::count).colour;
        for (const Piece& piece : pieces)
            list.AddRectFilled({x(piece.begin), y(piece.row)}, {x(piece.end) - 1, y(piece.row) + height()},
                               colour);
    }
    /// A horizontal bracket at the height `middle_y`, with a word below it.
    void bracket(float begin, float end, float middle_y, const char* word) const {
        const ImU32 colour = style.palette.accent;
        list.AddLine({x(begin), middle_y}, {x(end), middle_y}, colour);
        list.AddLine({x(begin), middle_y - style.px(3)}, {x(begin), middle_y + style.px(3)}, colour);
        list.AddLine({x(end), middle_y - style.px(3)}, {x(end), middle_y + style.px(3)}, colour);
        const float width = plots::text_width(style.fonts.small, word);
        plots::draw_text(
            list, style.fonts.small,
            {std::clamp((x(begin) + x(end) - width) / 2, low.x, high.x - width), middle_y + style.px(3)},
            style.palette.text, word);
    }
    void vertical_line(float share) const {
        for (float from = low.y; from < y(2) + height(); from += style.px(6))
            list.AddLine({x(share), from}, {x(share), from + style.px(3)}, style.palette.accent);
    }
};

void draw_busy_picture(ImDrawList& list, const Style& style, ImVec2 low, ImVec2 high) {
    const Sketch sketch{list, style, low, high};
    sketch.bars(std::array{Piece{0, 0, 1}, Piece{1, 0, 0.7F}, Piece{2, 0, 0.4F}});
    sketch.bracket(0, 0.4F, sketch.y(3) + style.px(4), "3 busy");
    sketch.bracket(0.4F, 0.7F, sketch.y(3) + style.px(4), "2");
    sketch.bracket(0.7F, 0.995F, sketch.y(3) + style.px(4), "1");
}

void draw_tail_picture(ImDrawList& list, const Style& style, ImVec2 low, ImVec2 high) {
    const Sketch sketch{list, style, low, high};
    sketch.bars(std::array{Piece{0, 0, 0.3F}, Piece{0, 0.3F, 0.6F}, Piece{1, 0, 0.3F}, Piece{1, 0.3F, 0.62F},
                           Piece{2, 0, 0.3F}, Piece{2, 0.3F, 0.98F}});
    sketch.vertical_line(0.62F);
    sketch.bracket(0.62F, 0.98F, sketch.y(3) + style.px(4), "tail");
}

void draw_imbalance_picture(ImDrawList& list, const Style& style, ImVec2 low, ImVec2 high) {
    const Sketch sketch{list, style, low, high};
    sketch.bars(std::array{Piece{0, 0, 0.95F}, Piece{1, 0, 0.5F}, Piece{2, 0, 0.35F}});
    sketch.vertical_line(0.6F);
    sketch.bracket(0, 0.6F, sketch.y(3) + style.px(4), "mean");
    sketch.bracket(0.6F, 0.95F, sketch.y(3) + style.px(4), "busiest");
}

void draw_waiting_picture(ImDrawList& list, const Style& style, ImVec2 low, ImVec2 high) {
    const Sketch sketch{list, style, low, high};
    sketch.bars(std::array{Piece{0, 0, 0.3F}, Piece{0, 0.55F, 0.95F}, Piece{1, 0, 0.25F},
                           Piece{1, 0.55F, 0.9F}, Piece{2, 0, 0.45F}, Piece{2, 0.55F, 0.98F}});
    sketch.bracket(0.3F, 0.55F, sketch.y(0) + sketch.height() / 2, "");
    sketch.bracket(0.25F, 0.55F, sketch.y(1) + sketch.height() / 2, "");
    sketch.bracket(0.25F, 0.55F, sketch.y(3) + style.px(4), "waiting");
}

/// One of the four figures.
struct Cell {
    const char* name;
    const char* meaning;
    TooltipPicture picture;
    std::string (*text)(const WorkFigures& figures);
    std::string (*detail)(const trace::TracedRun& run) = nullptr;  ///< shown where there is room
};

const std::array cells{
    Cell{"busy",
         "How many of the processors are busy, on average over the run.",
         {picture_size, draw_busy_picture},
         [](const WorkFigures& figures) { return format::percent_text(figures.busy_share); }},
    Cell{
        "tail",
        "The share of the time in which fewer than half of the processors are busy: at the end of a wave, or "
        "while a short phase runs on few of them.",
        {picture_size, draw_tail_picture},
        [](const WorkFigures& figures) { return format::percent_text(figures.mostly_idle_share); }},
    Cell{"imbalance",
         "Busy time of the busiest processor over the mean of all. 1 is even; at 1.5 the busiest works half "
         "as long again as the mean.",
         {picture_size, draw_imbalance_picture},
         [](const WorkFigures& figures) { return format::significant(figures.imbalance, 2) + " ×"; }},
    Cell{"waiting",
         "The gaps of a processor between its first and its last span: for the next phase, for the next "
         "block, or for work to share.",
         {picture_size, draw_waiting_picture},
         [](const WorkFigures& figures) { return format::percent_text(figures.waiting_share); },
         [](const trace::TracedRun& run) { return ", " + inside_duration(run, run.figures.waiting_us); }}};

}  // namespace

std::string inside_duration(const trace::TracedRun& run, double us) {
    if (!run.schedule_seed) return format::duration_text(us);
    const auto ticks = static_cast<std::uint64_t>(std::llround(std::abs(us) * ticks_per_us));
    return (us < 0 ? "-" : "") + format::grouped(ticks) + " ticks";
}

void draw_inside_figures(Ui& ui, std::span<const InsideChart> charts, Rect box) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const plots::Fonts& fonts = ui.fonts();
    const float width = box.width() / static_cast<float>(cells.size());
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const Cell& cell = cells[i];
        const float left = std::round(box.low.x + width * static_cast<float>(i));
        float baseline = box.low.y + std::round(fonts.text->Ascent);
        plots::draw_on_baseline(list, fonts.text, {left, baseline}, ui.palette().label, cell.name);
        for (const InsideChart& chart : charts) {
            baseline += ui.px(18);
            std::string text =
                (chart.side ? std::string(chart.side) + "  " : "") + cell.text(chart.run.figures);
            const std::string detail = cell.detail ? cell.detail(chart.run) : "";
            if (plots::text_width(fonts.figures, text + detail) <= width - ui.px(6)) text += detail;
            plots::draw_on_baseline(list, fonts.figures, {left, baseline}, ui.palette().text, text);
        }
        ui.tooltips.offer(ui.style, {left, box.low.y}, {left + width - ui.px(6), box.high.y}, cell.meaning,
                          {}, {}, &cell.picture);
        ui.controls.record("inside: " + std::string(cell.name), {left, box.low.y},
                           {left + width - ui.px(6), box.high.y});
    }
}

}  // namespace warpsieve::panels
