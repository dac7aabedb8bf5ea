#include "app/plots/bars.hpp"

#include <algorithm>
#include <cmath>

#include "app/plots/axis.hpp"
#include "experiments/format/ticks.hpp"

namespace warpsieve::plots {
namespace {

/// A bar longer than this multiple of the next shorter one is cut.
constexpr double outlier_ratio = 4;

/// Draws diagonals clipped to a rectangle.
void draw_hatch(ImDrawList& list, ImVec2 low, ImVec2 high, ImU32 colour, const Style& style) {
    const float spacing = style.px(8);
    const float height = high.y - low.y;
    for (float start = low.x - height; start < high.x; start += spacing) {
        const float from = std::max(start, low.x);
        const float to = std::min(start + height, high.x);
        if (to > from)
            list.AddLine({from, high.y - (from - start)}, {to, high.y - (to - start)}, colour,
                         std::max(1.0F, 1.1F * style.scale));
    }
}

/// Draws two slanted strokes through the end of a cut bar.
void draw_cut(ImDrawList& list, float x, float top, float bottom, const Style& style) {
    const float slant = style.px(4);
    for (const float offset : {style.px(10), style.px(6)}) {
        list.AddLine({x - offset - slant, bottom + style.px(1)}, {x - offset + slant, top - style.px(1)},
                     style.palette.panel, std::max(2.0F, style.px(2)));
    }
}

void draw_whisker(ImDrawList& list, const BarAxis& axis, const Bar& bar, float top, float bottom,
                  const Style& style) {
    if (!(bar.high > 0) || bar.low > axis.end) return;
    const float low = std::round(axis.x_of(bar.low));
    const float high = std::round(axis.x_of(bar.high));
    const float middle = std::round((top + bottom) / 2);
    const float line = std::max(1.0F, style.px(1));
    const float half = std::round((bottom - top) * 0.3F);
    list.AddRectFilled({low, middle}, {std::max(high, low + line), middle + line}, style.palette.text);
    for (const float x : {low, high})
        list.AddRectFilled({x, middle - half}, {x + line, middle + half + line}, style.palette.text);
}

}  // namespace

float BarAxis::x_of(double value) const {
    const double share = std::clamp(end > 0 ? value / end : 0.0, 0.0, 1.0);
    return left + (right - left) * static_cast<float>(share);
}

double bar_axis_end(std::vector<double> lengths) {
    std::erase_if(lengths, [](double length) { return !(length > 0) || !std::isfinite(length); });
    if (lengths.empty()) return 1;
    std::ranges::sort(lengths);
    while (lengths.size() > 1 && lengths.back() > outlier_ratio * lengths[lengths.size() - 2])
        lengths.pop_back();
    return 1.04 * lengths.back();
}

void draw_bar(ImDrawList& list, const BarAxis& axis, const Bar& bar, float top, float bottom,
              const Style& style) {
    double value = 0;
    for (const BarPart& part : bar.parts) {
        const ImVec2 low{std::round(axis.x_of(value)), top};
        value += part.value;
        const ImVec2 high{std::round(axis.x_of(value)), bottom};
        if (high.x <= low.x) continue;
        const float strength = (part.style.hatched ? 0.32F : 0.72F) * (bar.faint ? 0.5F : 1.0F);
        list.AddRectFilled(low, high, mix(style.palette.panel, part.style.colour, strength));
        if (part.style.hatched)
            draw_hatch(list, low, high, mix(style.palette.panel, part.style.colour, 0.8F), style);
        const float edge = std::max(1.0F, style.px(1));
        list.AddRectFilled({high.x - edge, low.y}, high, part.style.colour);
    }
    if (value > axis.end) draw_cut(list, axis.right, top, bottom, style);
    draw_whisker(list, axis, bar, top, bottom, style);
}

void draw_bar_grid(ImDrawList& list, const BarAxis& axis, float top, float bottom, float labels_baseline,
                   double unit_per_value, const Style& style) {
    const double end = axis.end * unit_per_value;
    const float room = axis.right - axis.left;
    const experiments::format::Ticks ticks =
        experiments::format::choose_ticks(end, static_cast<std::size_t>(std::max(2.0F, room / style.px(64))));
    for (std::size_t i = 0; i < ticks.count; ++i) {
        const double value = static_cast<double>(i) * ticks.step;
        const float x = std::round(axis.x_of(value / unit_per_value));
        list.AddRectFilled({x, top}, {x + 1, bottom}, style.palette.grid);
        const std::string label = experiments::format::tick_label(value, ticks.decimals);
        const float width = text_width(style.fonts.small, label);
        const float at = std::clamp(x - width / 2, axis.left, std::max(axis.left, axis.right - width));
        draw_on_baseline(list, style.fonts.small, {at, labels_baseline}, style.palette.muted, label);
    }
}

void draw_bar_limit(ImDrawList& list, const BarAxis& axis, double value, float top, float bottom,
                    const Style& style) {
    if (!(value > 0) || value > axis.end) return;
    const float x = std::round(axis.x_of(value));
    const float dash = style.px(4);
    const float width = std::max(1.0F, style.px(1.5F));
    for (float y = top; y < bottom; y += 2 * dash)
        list.AddRectFilled({x, y}, {x + width, std::min(y + dash, bottom)}, style.palette.text);
}

}  // namespace warpsieve::plots
