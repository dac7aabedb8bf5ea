#include <algorithm>
#include <cmath>
#include <string>

#include "app/format/figures.hpp"
#include "app/nvml/reading.hpp"
#include "app/nvml/reading.hpp"
#include "app/panels/badges.hpp"
#include "app/panels/memory.hpp"
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

bool has_line(const Ui& ui) {
    const nvml::Reading* const reading = ui.view.machine.gpu_reading.get();
    return reading && reading->has_values();
}

float line_height(const Ui& ui) {
    return ui.px(line_gap) + std::ceil(ui.fonts().small->FontSize);
}

/// A paragraph with the reason why the driver's figures are missing; empty where they are shown.
std::string why_no_line(const Ui& ui) {
    const nvml::Reading* const reading = ui.view.machine.gpu_reading.get();
    return reading && !reading->has_values() ? "\n\n" + reading->unknown : "";
}

void draw_strip(Ui& ui, const plots::PlotFrame& place, float top, float bottom) {
    const plots::Columns& columns = ui.memory.timeline.plot.columns();
    const bool known =
        std::ranges::any_of(columns.columns, [](const plots::Column& column) { return column.clock_hz > 0; });
    const ImVec2 low{place.low.x, top};
    const ImVec2 high{place.high.x, bottom};
    if (!known) {
        const std::string why = ui.view.machine.clock_reason.empty() ? "The clock has not been measured yet."
                                                                     : ui.view.machine.clock_reason;
        const ImFont* font = ui.fonts().small;
        plots::draw_text(*ImGui::GetWindowDrawList(), font, {low.x, (top + bottom - font->FontSize) / 2},
                         ui.palette().muted, plots::elided(font, why, high.x - low.x));
        ui.tooltips.offer(ui.style, low, high, why + why_no_line(ui));
        return;
    }
    const plots::ClockScale scale{plots::highest_clock(columns, ui.view.machine.device.max_clock_hz),
                                  experiments::Policy{}.throttled_below};
    plots::draw_clock_strip(*ImGui::GetWindowDrawList(), ui.style, place, columns, scale, top, bottom);
    const std::string share = format::percent(scale.low_below).number;
    ui.tooltips.offer(ui.style, low, high,
                      "The processor clock, measured ten times a second between the frames' work. The "
                      "dashed line is the highest; below " +
                          share +
                          " % of it a stretch is marked as low, and its times depend on power, heat or "
                          "idling more than on the algorithm." +
                          why_no_line(ui));
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
void draw_line(Ui& ui, float left, ImVec2 high) {
    const nvml::Reading& reading = *ui.view.machine.gpu_reading;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const plots::Palette& palette = ui.palette();
    const ImFont* const font = ui.fonts().small;
    const ImVec2 low{left, high.y - std::ceil(font->FontSize)};
    const Hold hold = hold_of(reading);
    const float sign = hold.throttles ? ui.px(sign_width) : 0;
    const float hold_width = hold.words.empty() ? 0 : sign + plots::text_width(font, hold.words);
    float x = left;
    const std::string parts[] = {"now", nvml::clock_text(reading), nvml::temperature_text(reading),
                                 nvml::power_text(reading)};
    for (const std::string& part : parts) {
        if (part.empty()) continue;
        const float width = steady_width(font, part);
        if (x + width + ui.px(part_gap) + hold_width > high.x) break;
        plots::draw_text(list, font, {x, low.y}, part == "now" ? palette.muted : palette.label, part);
        x += width + ui.px(part_gap);
    }
    if (hold.throttles) draw_sign(ui, {x + ui.px(4), low.y + font->FontSize / 2}, Quality::caution);
    plots::draw_text(list, font, {x + sign, low.y}, hold.throttles ? palette.warning_text : palette.muted,
                     plots::elided(font, hold.words, high.x - x - sign));
    ui.controls.record("gpu now", low, high);
    ui.tooltips.offer(ui.style, low, high, line_tooltip(reading));
}

}  // namespace

float timeline_clock_height(const Ui& ui, float plot_height) {
    const float strip = ui.px(strip_height);
    if (plot_height <= 4 * strip) return 0;
    return strip + (has_line(ui) ? line_height(ui) : 0);
}

void draw_timeline_clock(Ui& ui, const plots::PlotFrame& place, float top, ImVec2 high) {
    draw_strip(ui, place, top, top + ui.px(strip_height));
    if (has_line(ui)) draw_line(ui, place.low.x, high);
}

}  // namespace warpsieve::panels
