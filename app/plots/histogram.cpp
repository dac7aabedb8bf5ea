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
    const experiments::Summary& summary = made.us;
    if (summary.n == 0 || summary.median <= 0) return made;
    made.logarithmic = logarithmic && summary.q1 > 0;
    const auto to_axis = [&](double value) { return made.logarithmic ? std::log(value) : value; };
    const auto from_axis = [&](double axis) { return made.logarithmic ? std::exp(axis) : axis; };

    const double quartile_range = to_axis(summary.q3) - to_axis(summary.q1);
    const double reach =
        std::max(3 * quartile_range, made.logarithmic ? min_reach : min_reach * summary.median);
    made.low = std::max(summary.min, from_axis(to_axis(summary.q1) - reach));
    made.high = std::min(summary.max, from_axis(to_axis(summary.q3) + reach));
    if (made.high <= made.low) {
        made.low = summary.median * (1 - min_reach);
        made.high = summary.median * (1 + min_reach);
    }
    const double width = 2 * quartile_range / std::cbrt(static_cast<double>(summary.n));
    const double wanted_bins = width > 0 ? std::ceil((to_axis(made.high) - to_axis(made.low)) / width) : 0;
    made.counts.resize(static_cast<std::size_t>(std::clamp(wanted_bins, min_bins, max_bins)));
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
struct HistogramArea {
    ImDrawList& list;
    const Style& style;
    ImVec2 low;
    ImVec2 high;
    const Histogram& histogram;

    float x_of(double us) const {
        return std::round(low.x + static_cast<float>(histogram.position_of(us)) * (high.x - low.x));
    }
};

void draw_bars(const HistogramArea& area) {
    const auto& counts = area.histogram.counts;
    const float highest = static_cast<float>(std::ranges::max(counts));
    const Palette& palette = area.style.palette;
    const float gap = area.high.x - area.low.x > 4 * static_cast<float>(counts.size()) ? 1.0F : 0.0F;
    for (std::size_t bin = 0; bin < counts.size(); ++bin) {
        if (counts[bin] == 0) continue;
        const double bins = static_cast<double>(counts.size());
        const auto x_at = [&](std::size_t edge) {
            return std::round(area.low.x + static_cast<float>(static_cast<double>(edge) / bins) *
                                               (area.high.x - area.low.x));
        };
        const float share = static_cast<float>(counts[bin]) / highest;
        // A bin of a single frame stays visible.
        const float height = std::max(share * (area.high.y - area.low.y), area.style.px(1.5F));
        const double middle = (area.histogram.edge(bin) + area.histogram.edge(bin + 1)) / 2;
        const bool in_middle_half = middle >= area.histogram.us.q1 && middle <= area.histogram.us.q3;
        area.list.AddRectFilled({x_at(bin), area.high.y - height}, {x_at(bin + 1) - gap, area.high.y},
                                mix(palette.panel, palette.muted, in_middle_half ? 0.85F : 0.45F));
    }
    area.list.AddRectFilled({area.low.x, area.high.y}, {area.high.x, area.high.y + 1}, palette.muted);
}

enum class MarkStyle : std::uint8_t { solid, dashed };

void draw_mark(const HistogramArea& area, double us, ImU32 colour, float thickness, MarkStyle style) {
    const float x = area.x_of(us);
    const float dash = style == MarkStyle::dashed ? area.style.px(3) : area.high.y - area.low.y;
    for (float y = area.low.y; y < area.high.y; y += 2 * dash)
        area.list.AddRectFilled({x, y}, {x + thickness, std::min(y + dash, area.high.y)}, colour);
}

/// Draws labels above the marks of median and ghost. The quartiles have no labels, because these would cover
/// other marks.
void draw_mark_labels(const HistogramArea& area, std::optional<double> ghost_us) {
    const ImFont* font = area.style.fonts.small;
    const float y = area.low.y - font->FontSize - area.style.px(2);
    const auto draw_label = [&](std::string_view text, float centre, ImU32 colour) {
        draw_text(area.list, font, {std::round(centre - text_width(font, text) / 2), y}, colour, text);
    };
    constexpr std::string_view median = "median";
    const float half = text_width(font, median) / 2;
    const float median_x = std::clamp(area.x_of(area.histogram.us.median), area.low.x + half,
                                      std::max(area.low.x + half, area.high.x - half));
    draw_label(median, median_x, area.style.palette.text);
    if (!ghost_us) return;
    const format::Figure figure = format::duration(*ghost_us);
    std::string ghost = "ghost " + figure.number + " " + figure.unit;
    if (*ghost_us < area.histogram.low) ghost = "← " + ghost;
    if (*ghost_us > area.histogram.high) ghost += " →";
    const float ghost_half = text_width(font, ghost) / 2;
    draw_label(ghost,
               position_apart(area.x_of(*ghost_us), median_x, half + ghost_half + area.style.px(6),
                              area.low.x + ghost_half, area.high.x - ghost_half),
               area.style.palette.compared);
}

void draw_axis_ends(const HistogramArea& area) {
    const Style& style = area.style;
    const ImFont* font = style.fonts.small;
    const format::TimeUnit unit = format::time_unit(area.histogram.high);
    const float y = area.high.y + style.px(4);
    std::string low = format::significant(area.histogram.low * unit.per_us);
    if (area.histogram.below > 0) low += ", " + format::grouped(area.histogram.below) + " below";
    draw_text(area.list, font, {area.low.x, y}, style.palette.muted, low);
    std::string high = format::significant(area.histogram.high * unit.per_us) + " " + unit.name;
    if (area.histogram.above > 0) high = format::grouped(area.histogram.above) + " above " + high;
    draw_text(area.list, font, {area.high.x - text_width(font, high), y}, style.palette.muted, high);
}

}  // namespace

std::optional<std::size_t> draw_histogram(ImDrawList& list, const Style& style, ImVec2 low, ImVec2 high,
                                          const Histogram& histogram, std::optional<double> ghost_us) {
    const float line = style.fonts.small->FontSize;
    const HistogramArea area{
        list, style, {low.x, low.y + line + style.px(3)}, {high.x, high.y - line - style.px(5)}, histogram};
    if (histogram.counts.empty() || area.high.y - area.low.y < style.px(12) ||
        area.high.x - area.low.x < style.px(80))
        return {};
    draw_bars(area);
    const float thick = std::max(1.0F, style.px(1.5F));
    draw_mark(area, histogram.us.q1, style.palette.label, 1, MarkStyle::dashed);
    draw_mark(area, histogram.us.q3, style.palette.label, 1, MarkStyle::dashed);
    draw_mark(area, histogram.us.median, style.palette.text, thick, MarkStyle::solid);
    if (ghost_us && *ghost_us >= histogram.low && *ghost_us <= histogram.high)
        draw_mark(area, *ghost_us, style.palette.compared, thick, MarkStyle::dashed);
    draw_mark_labels(area, ghost_us);
    draw_axis_ends(area);
    if (!ImGui::IsWindowHovered() || !ImGui::IsMouseHoveringRect(area.low, area.high)) return {};
    const float share = (ImGui::GetIO().MousePos.x - area.low.x) / (area.high.x - area.low.x);
    const auto bin = static_cast<std::size_t>(share * static_cast<float>(histogram.counts.size()));
    return std::min(bin, histogram.counts.size() - 1);
}

}  // namespace warpsieve::plots
