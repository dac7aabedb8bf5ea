#include "app/plots/histogram.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>

#include "app/format/figures.hpp"
#include "app/plots/axis.hpp"
#include "app/plots/bands.hpp"

namespace warpsieve::plots {
namespace {

constexpr double min_bins = 8;
constexpr double max_bins = 64;
/// Minimum range of the bins on either side of the quartiles, as a share of the median. Smaller ranges would
/// show the resolution of the clock.
constexpr double min_reach = 0.02;

}  // namespace

double Histogram::edge(std::size_t bin) const {
    const double share = static_cast<double>(bin) / static_cast<double>(counts.size());
    return logarithmic ? low * std::pow(high / low, share) : low + share * (high - low);
}

double Histogram::position_of(double value) const {
    if (!logarithmic) return std::clamp((value - low) / (high - low), 0.0, 1.0);
    return value <= low ? 0 : std::min(std::log(value / low) / std::log(high / low), 1.0);
}

Histogram make_histogram(std::span<const float> us, bool logarithmic) {
    Histogram made;
    made.us = experiments::summarise(us);
    const experiments::Summary& all = made.us;
    if (all.n == 0 || all.median <= 0) return made;
    made.logarithmic = logarithmic && all.q1 > 0;
    const auto to_axis = [&](double value) { return made.logarithmic ? std::log(value) : value; };
    const auto from_axis = [&](double axis) { return made.logarithmic ? std::exp(axis) : axis; };

    const double range = to_axis(all.q3) - to_axis(all.q1);
    const double reach = std::max(3 * range, made.logarithmic ? min_reach : min_reach * all.median);
    made.low = std::max(all.min, from_axis(to_axis(all.q1) - reach));
    made.high = std::min(all.max, from_axis(to_axis(all.q3) + reach));
    if (made.high <= made.low) {
        made.low = all.median * (1 - min_reach);
        made.high = all.median * (1 + min_reach);
    }
    const double width = 2 * range / std::cbrt(static_cast<double>(all.n));
    const double wanted = width > 0 ? std::ceil((to_axis(made.high) - to_axis(made.low)) / width) : 0;
    made.counts.resize(static_cast<std::size_t>(std::clamp(wanted, min_bins, max_bins)));
    for (const float each : us) {
        const double value = each;
        if (!std::isfinite(value)) continue;
        if (value < made.low) {
            ++made.below;
        } else if (value > made.high) {
            ++made.above;
        } else {
            const double bin = made.position_of(value) * static_cast<double>(made.counts.size());
            ++made.counts[std::min(static_cast<std::size_t>(bin), made.counts.size() - 1)];
        }
    }
    return made;
}

namespace {

/// The drawing area of a histogram.
struct Bars {
    ImDrawList& list;
    const Style& style;
    ImVec2 low;
    ImVec2 high;
    const Histogram& histogram;

    float x_of(double us) const {
        return std::round(low.x + static_cast<float>(histogram.position_of(us)) * (high.x - low.x));
    }
};

void draw_bars(const Bars& bars) {
    const auto& counts = bars.histogram.counts;
    const float highest = static_cast<float>(std::ranges::max(counts));
    const Palette& palette = bars.style.palette;
    const float gap = bars.high.x - bars.low.x > 4 * static_cast<float>(counts.size()) ? 1.0F : 0.0F;
    for (std::size_t bin = 0; bin < counts.size(); ++bin) {
        if (counts[bin] == 0) continue;
        const double bins = static_cast<double>(counts.size());
        const auto x_at = [&](std::size_t edge) {
            return std::round(bars.low.x + static_cast<float>(static_cast<double>(edge) / bins) *
                                               (bars.high.x - bars.low.x));
        };
        const float share = static_cast<float>(counts[bin]) / highest;
        // A bin of a single frame stays visible.
        const float height = std::max(share * (bars.high.y - bars.low.y), bars.style.px(1.5F));
        const double middle = (bars.histogram.edge(bin) + bars.histogram.edge(bin + 1)) / 2;
        const bool middle_half = middle >= bars.histogram.us.q1 && middle <= bars.histogram.us.q3;
        bars.list.AddRectFilled({x_at(bin), bars.high.y - height}, {x_at(bin + 1) - gap, bars.high.y},
                                mix(palette.panel, palette.muted, middle_half ? 0.85F : 0.45F));
    }
    bars.list.AddRectFilled({bars.low.x, bars.high.y}, {bars.high.x, bars.high.y + 1}, palette.muted);
}

void draw_mark(const Bars& bars, double us, ImU32 colour, float thickness, bool dashed) {
    const float x = bars.x_of(us);
    const float dash = dashed ? bars.style.px(3) : bars.high.y - bars.low.y;
    for (float y = bars.low.y; y < bars.high.y; y += 2 * dash)
        bars.list.AddRectFilled({x, y}, {x + thickness, std::min(y + dash, bars.high.y)}, colour);
}

/// Draws labels above the marks of median and ghost. The quartiles have no labels, because these would cover
/// other marks.
void draw_mark_labels(const Bars& bars, std::optional<double> ghost_us) {
    const ImFont* font = bars.style.fonts.small;
    const float y = bars.low.y - font->FontSize - bars.style.px(2);
    const auto draw_label = [&](std::string_view text, float centre, ImU32 colour) {
        draw_text(bars.list, font, {std::round(centre - text_width(font, text) / 2), y}, colour, text);
    };
    constexpr std::string_view median = "median";
    const float half = text_width(font, median) / 2;
    const float median_x = std::clamp(bars.x_of(bars.histogram.us.median), bars.low.x + half,
                                      std::max(bars.low.x + half, bars.high.x - half));
    draw_label(median, median_x, bars.style.palette.text);
    if (!ghost_us) return;
    const format::Figure figure = format::duration(*ghost_us);
    std::string ghost = "ghost " + figure.number + " " + figure.unit;
    if (*ghost_us < bars.histogram.low) ghost = "← " + ghost;
    if (*ghost_us > bars.histogram.high) ghost += " →";
    const float ghost_half = text_width(font, ghost) / 2;
    draw_label(ghost,
               position_apart(bars.x_of(*ghost_us), median_x, half + ghost_half + bars.style.px(6),
                              bars.low.x + ghost_half, bars.high.x - ghost_half),
               bars.style.palette.compared);
}

void draw_ends(const Bars& bars) {
    const Style& style = bars.style;
    const ImFont* font = style.fonts.small;
    const format::TimeUnit unit = format::time_unit(bars.histogram.high);
    const float y = bars.high.y + style.px(4);
    const auto end = [&](double us, std::size_t beyond, bool right) {
        std::string text = format::significant(us * unit.per_us);
        if (right) text += std::string(" ") + unit.name;
        if (beyond > 0)
            text = right ? format::grouped(beyond) + " above " + text
                         : text + ", " + format::grouped(beyond) + " below";
        const float x = right ? bars.high.x - text_width(font, text) : bars.low.x;
        draw_text(bars.list, font, {x, y}, style.palette.muted, text);
    };
    end(bars.histogram.low, bars.histogram.below, false);
    end(bars.histogram.high, bars.histogram.above, true);
}

}  // namespace

std::optional<std::size_t> draw_histogram(ImDrawList& list, const Style& style, ImVec2 low, ImVec2 high,
                                          const Histogram& histogram, std::optional<double> ghost_us) {
    const float line = style.fonts.small->FontSize;
    const Bars bars{
        list, style, {low.x, low.y + line + style.px(3)}, {high.x, high.y - line - style.px(5)}, histogram};
    if (histogram.counts.empty() || bars.high.y - bars.low.y < style.px(12) ||
        bars.high.x - bars.low.x < style.px(80))
        return {};
    draw_bars(bars);
    const float thick = std::max(1.0F, style.px(1.5F));
    draw_mark(bars, histogram.us.q1, style.palette.label, 1, true);
    draw_mark(bars, histogram.us.q3, style.palette.label, 1, true);
    draw_mark(bars, histogram.us.median, style.palette.text, thick, false);
    if (ghost_us && *ghost_us >= histogram.low && *ghost_us <= histogram.high)
        draw_mark(bars, *ghost_us, style.palette.compared, thick, true);
    draw_mark_labels(bars, ghost_us);
    draw_ends(bars);
    if (!ImGui::IsWindowHovered() || !ImGui::IsMouseHoveringRect(bars.low, bars.high)) return {};
    const float share = (ImGui::GetIO().MousePos.x - bars.low.x) / (bars.high.x - bars.low.x);
    const auto bin = static_cast<std::size_t>(share * static_cast<float>(histogram.counts.size()));
    return std::min(bin, histogram.counts.size() - 1);
}

}  // namespace warpsieve::plots
