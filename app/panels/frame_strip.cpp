#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "app/format/figures.hpp"
#include "app/panels/timings_panel.hpp"

namespace warpsieve::panels {
namespace {

// Pixels at 100 %.
constexpr float narrowest_bar = 14;
constexpr float widest_bar = 56;
constexpr float bar_gap = 6;
constexpr float name_width = 66;
constexpr float figure_width = 50;
constexpr float header_height = 26;
constexpr float row_height = 18;
constexpr float lowest_row = 13;

/// A row of the strip: a part of the frame, or what is left of it.
struct FrameRow {
    std::string_view name;
    std::string tooltip;
    ImU32 colour;
    double host_us;
    double device_us;
};

constexpr std::size_t num_rows = frame_parts.size() + 1;

std::array<FrameRow, num_rows> rows_of(const TimingsFrame& frame) {
    const FrameView& view = frame.timings.frame;
    const plots::Palette& palette = frame.palette();
    // The compaction's colours are those of its phases; here the whole of it is one part.
    constexpr std::array series{3, 0, 5, 2, 1, 4};
    std::array<FrameRow, num_rows> rows;
    for (std::size_t i = 0; i < frame_parts.size(); ++i) {
        const FramePartInfo& part = frame_parts[i];
        rows[i] = {part.name, part.meaning,
                   plots::mix(palette.panel, palette.series[static_cast<std::size_t>(series[i])], 0.8F),
                   view.host_us[i], view.device_us ? (*view.device_us)[i] : 0};
    }
    rows.back() = {view.device_us ? "other, idle" : "other",
                   view.device_us
                       ? "On the host, all other work: checks, copies for comparison, captures. On the "
                         "GPU, the time that none of these parts takes."
                       : "All other work of a frame: checks, copies for comparison, captures.",
                   palette.track, view.other_us(), view.idle_us()};
    return rows;
}

/// One bar from bottom to top; its parts add up to the frame.
void draw_bar(const TimingsFrame& frame, const std::array<FrameRow, num_rows>& rows, double FrameRow::*us,
              ImVec2 low, ImVec2 high) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    double whole_us = 0;
    for (const FrameRow& row : rows) whole_us += row.*us;
    if (whole_us <= 0) return list.AddRectFilled(low, high, frame.palette().raised);
    double below_us = 0;
    for (const FrameRow& row : rows) {
        const auto y_of = [&](double at) {
            return std::round(high.y - static_cast<float>(at / whole_us) * (high.y - low.y));
        };
        const float bottom = y_of(below_us);
        below_us += row.*us;
        const float top = y_of(below_us);
        if (bottom > top) list.AddRectFilled({low.x, top}, {high.x, bottom}, row.colour);
        // A hairline, because neighbouring colours may look alike.
        if (bottom > top + 2) list.AddRectFilled({low.x, top}, {high.x, top + 1}, frame.palette().panel);
    }
}

/// The figure of a part in the unit of all of them; an en dash where it has none.
void draw_figure(const TimingsFrame& frame, double us, const format::TimeUnit& unit, float right,
                 float baseline) {
    const std::string text = us > 0 ? format::significant(us * unit.per_us, 2) : "–";
    const ImFont* font = frame.fonts().figures;
    const format::AlignedNumber parts = format::at_decimal_point(text);
    const float point = right - 3 * digit_width(frame);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    plots::draw_on_baseline(list, font, {point - plots::text_width(font, parts.whole), baseline},
                            us > 0 ? frame.palette().text : frame.palette().muted, parts.whole);
    plots::draw_on_baseline(list, font, {point, baseline}, frame.palette().text, parts.fraction);
}

}  // namespace

float frame_strip_width(const TimingsFrame& frame) {
    const float columns = frame.timings.frame.device_us ? 2 : 1;
    return columns * frame.px(narrowest_bar + bar_gap + figure_width) + frame.px(name_width + bar_gap);
}

void draw_frame_strip(TimingsFrame& frame, ImVec2 low, ImVec2 high) {
    const FrameView& view = frame.timings.frame;
    const plots::Fonts& fonts = frame.fonts();
    const plots::Palette& palette = frame.palette();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const bool on_device = view.device_us.has_value();
    const float heading_baseline = low.y + std::round(fonts.heading->Ascent);
    const format::Figure whole = format::duration(view.frame_us);
    const float title_right =
        plots::draw_on_baseline(list, fonts.heading, {low.x, heading_baseline}, palette.text, "Frame");
    plots::draw_on_baseline(list, fonts.small, {title_right + frame.px(8), heading_baseline}, palette.muted,
                            view.frame_us > 0 ? whole.number + " " + whole.unit : "–");
    const float top = low.y + frame.px(header_height);
    if (high.y - top < frame.px(lowest_row) * static_cast<float>(num_rows)) return;

    const auto rows = rows_of(frame);
    const float spare = (high.x - low.x - frame_strip_width(frame)) / (on_device ? 2.0F : 1.0F);
    const float bar = std::clamp(frame.px(narrowest_bar) + std::floor(spare), frame.px(narrowest_bar),
                                 frame.px(widest_bar));
    const float bar_right = low.x + bar;
    draw_bar(frame, rows, &FrameRow::host_us, {low.x, top}, {bar_right, high.y});
    float left = bar_right + frame.px(bar_gap);
    if (on_device) {
        draw_bar(frame, rows, &FrameRow::device_us, {left, top}, {left + bar, high.y});
        left += bar + frame.px(bar_gap);
    }
    const float host_right = left + frame.px(name_width + figure_width);
    const float device_right = host_right + frame.px(figure_width);
    const format::TimeUnit unit = format::time_unit(view.frame_us);
    const auto head = [&](float right, const std::string& text) {
        plots::draw_on_baseline(list, fonts.small,
                                {right - plots::text_width(fonts.small, text), heading_baseline},
                                palette.muted, text);
    };
    if (on_device) {
        head(host_right, "host");
        head(device_right, "GPU");
    }
    const float height = std::min((high.y - top) / static_cast<float>(num_rows), frame.px(row_height));
    for (std::size_t i = 0; i < num_rows; ++i) {
        // Bottom up, as in the bars.
        const float y = high.y - static_cast<float>(i + 1) * height;
        const float baseline = std::round(y + (height + fonts.text->Ascent) / 2 - frame.px(1));
        list.AddRectFilled({left, std::round(y + height / 2 - frame.px(4))},
                           {left + frame.px(8), std::round(y + height / 2 + frame.px(4))}, rows[i].colour);
        plots::draw_on_baseline(list, fonts.small, {left + frame.px(13), baseline}, palette.label,
                                rows[i].name);
        draw_figure(frame, rows[i].host_us, unit, host_right, baseline);
        if (on_device) draw_figure(frame, rows[i].device_us, unit, device_right, baseline);
        frame.tooltips.offer(frame.style, {left, y}, {on_device ? device_right : host_right, y + height},
                             rows[i].tooltip);
    }
    frame.controls.record("frame strip", low, high);
    frame.tooltips.offer(
        frame.style, low, {left, high.y},
        on_device ? "Where a frame goes, on the host's clock and on the GPU's: means over the last 60 "
                    "frames. Each bar adds up to the frame. Host and GPU work at the same time."
                  : "Where a frame goes: means over the last 60 frames. The parts add up to the "
                    "frame.");
}

}  // namespace warpsieve::panels
