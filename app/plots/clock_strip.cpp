#include "app/plots/clock_strip.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "app/format/figures.hpp"

namespace warpsieve::plots {
namespace {

/// Neighbouring columns at the same clock.
struct Stretch {
    float left;
    float right;
    double hz;
};

void draw_stretch(ImDrawList& list, const Style& style, const Stretch& stretch, float y, float bottom,
                  bool low) {
    const Palette& palette = style.palette;
    const float line = std::max(1.0F, style.px(1.5F));
    list.AddRectFilled({stretch.left, y}, {stretch.right, bottom},
                       mix(palette.panel, low ? palette.warning : palette.muted, 0.28F));
    list.AddRectFilled({stretch.left, y}, {stretch.right, y + line}, low ? palette.warning : palette.text);
    if (low)
        list.AddRectFilled({stretch.left, bottom - style.px(3)}, {stretch.right, bottom}, palette.warning);
}

void draw_dashes(ImDrawList& list, const Style& style, float left, float right, float y) {
    const float dash = style.px(4);
    for (float x = left; x < right; x += 2 * dash)
        list.AddRectFilled({x, y}, {std::min(x + dash, right), y + 1}, style.palette.muted);
}

}  // namespace

double highest_clock(const Columns& columns, double known_hz) {
    for (const Column& column : columns.columns) known_hz = std::max(known_hz, column.clock_hz);
    return known_hz;
}

void draw_clock_strip(ImDrawList& list, const Style& style, const PlotFrame& place, const Columns& columns,
                      const ClockScale& scale, float top, float bottom) {
    if (scale.highest_hz <= 0 || bottom - top < style.px(8)) return;
    const auto y_of = [&](double hz) {
        return std::round(bottom - static_cast<float>(std::min(hz / scale.highest_hz, 1.0)) * (bottom - top));
    };
    const auto left_of = [&](const Column& column) {
        return std::max(place.low.x, place.high.x - static_cast<float>(column.age + 1) * place.column_width);
    };
    const auto right_of = [&](const Column& column) {
        return place.high.x - static_cast<float>(column.age) * place.column_width;
    };
    bool any_low = false;
    const auto& all = columns.columns;
    for (std::size_t begin = 0; begin < all.size();) {
        const bool low = scale.low(all[begin].clock_hz);
        std::size_t end = begin + 1;
        while (end < all.size() && y_of(all[end].clock_hz) == y_of(all[begin].clock_hz) &&
               scale.low(all[end].clock_hz) == low)
            ++end;
        const Stretch stretch{std::round(left_of(all[begin])), std::round(right_of(all[end - 1])),
                              all[begin].clock_hz};
        begin = end;
        if (stretch.hz <= 0) continue;
        draw_stretch(list, style, stretch, y_of(stretch.hz), bottom, low);
        any_low = any_low || low;
    }
    draw_dashes(list, style, place.low.x, place.high.x, std::round(top));
    list.AddRectFilled({place.low.x, bottom}, {place.high.x, bottom + 1}, style.palette.muted);

    const ImFont* font = style.fonts.small;
    const std::string highest = format::significant(scale.highest_hz * 1e-9);
    draw_text(list, font, {place.low.x - style.px(7) - text_width(font, highest), top - font->FontSize / 2},
              style.palette.muted, highest);
    draw_text(list, font, {place.high.x + style.px(13), top - font->FontSize / 2}, style.palette.muted,
              "GHz");
    if (any_low) {
        draw_text(list, font, {place.high.x + style.px(13), bottom - font->FontSize},
                  style.palette.warning_text, "low clock");
    }
}

}  // namespace warpsieve::plots
