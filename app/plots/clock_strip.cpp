#include "app/plots/clock_strip.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "app/format/figures.hpp"

namespace warpsieve::plots {
namespace {

/// Neighbouring columns with the same clock.
struct Segment {
    float left;
    float right;
    double hz;
};

void draw_segment(ImDrawList& list, const Style& style, const Segment& segment, float y, float bottom,
                  bool is_low) {
    const Palette& palette = style.palette;
    const float line = std::max(1.0F, style.px(1.5F));
    list.AddRectFilled({segment.left, y}, {segment.right, bottom},
                       mix(palette.panel, is_low ? palette.warning : palette.muted, 0.28F));
    list.AddRectFilled({segment.left, y}, {segment.right, y + line}, is_low ? palette.warning : palette.text);
    if (is_low)
        list.AddRectFilled({segment.left, bottom - style.px(3)}, {segment.right, bottom}, palette.warning);
}

void draw_dashes(ImDrawList& list, const Style& style, float left, float right, float y) {
    const float dash = style.px(4);
    for (float x = left; x < right; x += 2 * dash)
        list.AddRectFilled({x, y}, {std::min(x + dash, right), y + 1}, style.palette.muted);
}

}  // namespace

double max_clock_hz(const Columns& columns, double known_hz) {
    for (const Column& column : columns.columns) known_hz = std::max(known_hz, column.clock_hz);
    return known_hz;
}

void draw_clock_strip(ImDrawList& list, const Style& style, const PlotFrame& frame, const Columns& columns,
                      const ClockScale& scale, float top, float bottom) {
    if (scale.max_hz <= 0 || bottom - top < style.px(8)) return;
    const auto y_of = [&](double hz) {
        return std::round(bottom - static_cast<float>(std::min(hz / scale.max_hz, 1.0)) * (bottom - top));
    };
    const auto left_of = [&](const Column& column) {
        return std::max(frame.low.x,
                        frame.high.x - static_cast<float>(column.num_newer + 1) * frame.column_width);
    };
    const auto right_of = [&](const Column& column) {
        return frame.high.x - static_cast<float>(column.num_newer) * frame.column_width;
    };
    bool any_low = false;
    const auto& all = columns.columns;
    for (std::size_t begin = 0, end = 0; begin < all.size(); begin = end) {
        const bool is_low = scale.is_low(all[begin].clock_hz);
        end = begin + 1;
        while (end < all.size() && y_of(all[end].clock_hz) == y_of(all[begin].clock_hz) &&
               scale.is_low(all[end].clock_hz) == is_low)
            ++end;
        const Segment segment{std::round(left_of(all[begin])), std::round(right_of(all[end - 1])),
                              all[begin].clock_hz};
        if (segment.hz <= 0) continue;
        draw_segment(list, style, segment, y_of(segment.hz), bottom, is_low);
        any_low = any_low || is_low;
    }
    draw_dashes(list, style, frame.low.x, frame.high.x, std::round(top));
    list.AddRectFilled({frame.low.x, bottom}, {frame.high.x, bottom + 1}, style.palette.muted);

    const ImFont* font = style.fonts.small;
    const std::string max_text = format::significant(scale.max_hz * 1e-9);
    draw_text(list, font, {frame.low.x - style.px(7) - text_width(font, max_text), top - font->FontSize / 2},
              style.palette.muted, max_text);
    draw_text(list, font, {frame.high.x + style.px(13), top - font->FontSize / 2}, style.palette.muted,
              "GHz");
    if (any_low) {
        draw_text(list, font, {frame.high.x + style.px(13), bottom - font->FontSize},
                  style.palette.warning_text, "low clock");
    }
}

}  // namespace warpsieve::plots
