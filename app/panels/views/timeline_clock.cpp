#include <algorithm>
#include <cmath>
#include <string>

#include "app/format/figures.hpp"
#include "app/nvml/clock_reasons.hpp"
#include "app/nvml/reading_text.hpp"
#include "app/panels/badges.hpp"
#include "app/panels/views/timeline_view.hpp"
#include "app/plots/clock_strip.hpp"
#include "experiments/stopping.hpp"

namespace warpsieve::panels {
namespace {

// Pixels at 100 %.
constexpr float strip_height = 30;
constexpr float line_gap = 5;
constexpr float part_gap = 16;
constexpr float sign_width = 13;

bool has_line(const TimelineFrame& frame) {
    const nvml::Reading* const reading = frame.machine.gpu_reading.get();
    return reading && reading->has_values();
}

float line_height(const TimelineFrame& frame) {
    return frame.px(line_gap) + std::ceil(frame.fonts().small->FontSize);
}

/// A paragraph with the reason why the driver's figures are missing; empty where they are shown.
std::string why_no_line(const TimelineFrame& frame) {
    const nvml::Reading* const reading = frame.machine.gpu_reading.get();
    return reading && !reading->has_values() ? "\n\n" + reading->unknown : "";
}

void draw_strip(TimelineFrame& frame, const plots::PlotFrame& place, float top, float bottom) {
    const plots::Columns& columns = frame.memory.plot.columns();
    const bool known =
        std::ranges::any_of(columns.columns, [](const plots::Column& column) { return column.clock_hz > 0; });
    const ImVec2 low{place.low.x, top};
    const ImVec2 high{place.high.x, bottom};
    if (!known) {
        const std::string why = frame.machine.clock_reason.empty() ? "The clock has not been measured yet."
                                                                   : frame.machine.clock_reason;
        const ImFont* font = frame.fonts().small;
        plots::draw_text(*ImGui::GetWindowDrawList(), font, {low.x, (top + bottom - font->FontSize) / 2},
                         frame.palette().muted, plots::elided(font, why, high.x - low.x));
        frame.tooltips.offer(frame.style, low, high, why + why_no_line(frame));
        return;
    }
    const plots::ClockScale scale{plots::highest_clock(columns, frame.machine.device.max_clock_hz),
                                  experiments::Policy{}.throttled_below};
    plots::draw_clock_strip(*ImGui::GetWindowDrawList(), frame.style, place, columns, scale, top, bottom);
    const std::string share = format::percent(scale.low_below).number;
    frame.tooltips.offer(frame.style, low, high,
                         "The processor clock, measured ten times a second between the frames' work. The "
                         "dashed line is the highest; below " +
                             share +
                             " % of it a stretch is marked as low, and its times depend on power, heat or "
                             "idling more than on the algorithm." +
                             why_no_line(frame));
}

/// What limits the clock: throttling, or else a setting or idling; empty where nothing does.
struct Hold {
    std::string words;
    bool throttles;
};

Hold hold_of(const nvml::Reading& reading) {
    if (reading.clock_reasons.value_or(0) == 0) return {"", false};
    std::string names;
    for (const nvml::ClockReason& reason : nvml::throttling(*reading.clock_reasons))
        names += (names.empty() ? "" : ", ") + std::string(reason.name);
    if (!names.empty()) return {names, true};
    return {nvml::clock_reasons_text(reading), false};
}

std::string line_tooltip(const nvml::Reading& reading) {
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

/// Leaves out parts that do not fit; the limit of the clock takes precedence.
void draw_line(TimelineFrame& frame, float left, ImVec2 high) {
    const nvml::Reading& reading = *frame.machine.gpu_reading;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const plots::Palette& palette = frame.palette();
    const ImFont* const font = frame.fonts().small;
    const ImVec2 low{left, high.y - std::ceil(font->FontSize)};
    const Hold hold = hold_of(reading);
    const float sign = hold.throttles ? frame.px(sign_width) : 0;
    const float hold_width = hold.words.empty() ? 0 : sign + plots::text_width(font, hold.words);
    float x = left;
    const std::string parts[] = {"now", nvml::clock_text(reading), nvml::temperature_text(reading),
                                 nvml::power_text(reading)};
    for (const std::string& part : parts) {
        if (part.empty()) continue;
        const float width = steady_width(font, part);
        if (x + width + frame.px(part_gap) + hold_width > high.x) break;
        plots::draw_text(list, font, {x, low.y}, part == "now" ? palette.muted : palette.label, part);
        x += width + frame.px(part_gap);
    }
    if (hold.throttles) draw_sign(frame, {x + frame.px(4), low.y + font->FontSize / 2}, Quality::caution);
    plots::draw_text(list, font, {x + sign, low.y}, hold.throttles ? palette.warning_text : palette.muted,
                     plots::elided(font, hold.words, high.x - x - sign));
    frame.controls.record("gpu now", low, high);
    frame.tooltips.offer(frame.style, low, high, line_tooltip(reading));
}

}  // namespace

float timeline_clock_height(const TimelineFrame& frame, float plot_height) {
    const float strip = frame.px(strip_height);
    if (plot_height <= 4 * strip) return 0;
    return strip + (has_line(frame) ? line_height(frame) : 0);
}

void draw_timeline_clock(TimelineFrame& frame, const plots::PlotFrame& place, float top, ImVec2 high) {
    draw_strip(frame, place, top, top + frame.px(strip_height));
    if (has_line(frame)) draw_line(frame, place.low.x, high);
}

}  // namespace warpsieve::panels
