#include "app/plots/xy_plot.hpp"

#include <algorithm>
#include <cmath>

#include "app/plots/markers.hpp"
#include "app/plots/xy_area.hpp"

namespace warpsieve::plots {
namespace {

bool can_show(const XyAxis& axis, double value) {
    return std::isfinite(value) && (!axis.logarithmic || value > 0);
}

void include(const XyAxis& axis, Range& range, double value) {
    if (can_show(axis, value)) range.include(value);
}

void include(const XyPlot& plot, Range& x, Range& y, const XyPoint& point) {
    if (!can_show(plot.x, point.x) || !can_show(plot.y, point.y)) return;
    x.include(point.x);
    y.include(point.y);
    include(plot.x, x, point.x_low);
    include(plot.y, y, point.q1);
    include(plot.y, y, point.q3);
}

/// The two ends of a straight limit.
std::array<XyPoint, 2> ends_of(const XyLimit& limit, const Scale& x) {
    const auto y_of = [&](double at) { return limit.diagonal ? limit.level * at : limit.level; };
    return {XyPoint{.x = x.low, .y = y_of(x.low)}, XyPoint{.x = x.high, .y = y_of(x.high)}};
}

/// As many ticks as fit without touching.
std::vector<Tick> x_ticks(const XyArea& area) {
    const ImFont* font = area.style.fonts.small;
    const auto fit = [&](const std::vector<Tick>& ticks) {
        float end = -FLT_MAX;
        for (const Tick& tick : ticks) {
            const float half = text_width(font, tick.label) / 2;
            const float x = area.scales.x.at(tick.value);
            if (x - half < end + area.style.px(8)) return false;
            end = x + half;
        }
        return true;
    };
    // Powers of two get a tick each; other numbers a few round ticks.
    const float room = area.style.px(area.plot.x.counts == Counts::items ? 26 : 56);
    for (auto max_ticks = static_cast<std::size_t>(std::max(area.high.x - area.low.x, 0.0F) / room);
         max_ticks > 2; --max_ticks) {
        std::vector<Tick> ticks = ticks_of(area.scales.x, area.plot.x.counts, max_ticks);
        if (fit(ticks)) return ticks;
    }
    return ticks_of(area.scales.x, area.plot.x.counts, 2);
}

std::vector<Tick> y_ticks(const XyPlot& plot, const Scale& scale, const ImFont* font) {
    const auto max_ticks =
        static_cast<std::size_t>(std::abs(scale.start - scale.end) / (font->FontSize * 1.9F));
    return ticks_of(scale, plot.y.counts, std::clamp<std::size_t>(max_ticks, 2, 12));
}

void draw_axes(const XyArea& area) {
    const Style& style = area.style;
    const ImFont* font = style.fonts.small;
    for (const Tick& tick : y_ticks(area.plot, area.scales.y, font)) {
        const float y = std::round(area.scales.y.at(tick.value));
        area.list.AddRectFilled({area.low.x, y}, {area.high.x, y + 1}, style.palette.grid);
        draw_text(area.list, font,
                  {area.low.x - style.px(7) - text_width(font, tick.label), y - font->FontSize / 2},
                  style.palette.muted, tick.label);
    }
    for (const Tick& tick : x_ticks(area)) {
        const float x = std::round(area.scales.x.at(tick.value));
        area.list.AddRectFilled({x, area.low.y}, {x + 1, area.high.y + style.px(4)}, style.palette.grid);
        draw_text(area.list, font, {x - text_width(font, tick.label) / 2, area.high.y + style.px(4)},
                  style.palette.muted, tick.label);
    }
    area.list.AddRectFilled({area.low.x, area.high.y}, {area.high.x, area.high.y + 1}, style.palette.muted);
    area.list.AddRectFilled({area.low.x, area.low.y}, {area.low.x + 1, area.high.y}, style.palette.muted);
    const float middle = (area.low.x + area.high.x - text_width(font, area.plot.x.title)) / 2;
    draw_text(area.list, font, {middle, area.high.y + style.px(6) + font->FontSize}, style.palette.label,
              area.plot.x.title);
}

void draw_limits(const XyArea& area) {
    const float thickness = std::max(1.0F, 1.25F * area.style.scale);
    for (const XyLimit& limit : area.limits) {
        std::vector<XyPoint> points = limit.points;
        if (points.empty()) {
            const auto ends = ends_of(limit, area.scales.x);
            points.assign(ends.begin(), ends.end());
        }
        for (std::size_t i = 1; i < points.size(); ++i) {
            if (!area.scales.shows(points[i - 1]) || !area.scales.shows(points[i])) continue;
            draw_dashed(area.list, area.scales.at(points[i - 1]), area.scales.at(points[i]),
                        area.style.palette.label, thickness, area.style.px(6));
        }
    }
}

/// The points between two gaps, thinned out to the resolution of the screen.
struct Run {
    std::vector<const XyPoint*> points;
    std::vector<ImVec2> places;
};

std::vector<Run> runs_of(const XyArea& area, const XySeries& series) {
    std::vector<Run> runs;
    std::vector<const XyPoint*> run;
    std::vector<float> x;
    std::vector<float> y;
    const auto end_run = [&] {
        if (run.empty()) return;
        Run made;
        for (const std::size_t i : thin_out(x, y, area.style.plain ? 2.0F : 1.0F)) {
            made.points.push_back(run[i]);
            made.places.push_back({x[i], y[i]});
        }
        runs.push_back(std::move(made));
        run.clear();
        x.clear();
        y.clear();
    };
    for (const XyPoint& point : series.points) {
        if (!area.scales.shows(point)) {
            end_run();
            continue;
        }
        const ImVec2 place = area.scales.at(point);
        run.push_back(&point);
        x.push_back(place.x);
        y.push_back(place.y);
    }
    end_run();
    return runs;
}

/// The band between the quartiles; on `plain`, or where a point stands alone, a stroke at each point.
void draw_quartiles(const XyArea& area, const Run& run, ImU32 colour) {
    const Scale& y = area.scales.y;
    const auto known = [&](std::size_t i) {
        return y.shows(run.points[i]->q1) && y.shows(run.points[i]->q3);
    };
    const ImU32 faint = mix(area.style.palette.ground, colour, 0.55F);
    const bool band = area.plot.lines && !area.style.plain && run.points.size() > 1;
    const ImDrawListFlags flags = area.list.Flags;
    // Anti-aliased edges of neighbouring parts would show as seams.
    area.list.Flags &= ~ImDrawListFlags_AntiAliasedFill;
    for (std::size_t i = 0; i < run.points.size(); ++i) {
        if (!known(i)) continue;
        const XyPoint& here = *run.points[i];
        const float x = run.places[i].x;
        if (!band) {
            area.list.AddLine({x, y.at(here.q1)}, {x, y.at(here.q3)}, faint, area.style.px(3));
        } else if (i > 0 && known(i - 1)) {
            const XyPoint& before = *run.points[i - 1];
            const float x0 = run.places[i - 1].x;
            area.list.AddQuadFilled({x0, y.at(before.q3)}, {x, y.at(here.q3)}, {x, y.at(here.q1)},
                                    {x0, y.at(before.q1)},
                                    (colour & ~IM_COL32_A_MASK) | IM_COL32(0, 0, 0, 70));
        }
    }
    area.list.Flags = flags;
}

void draw_series(const XyArea& area, const XySeries& series) {
    const LineStyle style = line_style(area.style.palette, series.style);
    const float radius = std::round(3.5F * area.style.scale);
    const float thickness = std::max(1.0F, 1.5F * area.style.scale);
    for (Run& run : runs_of(area, series)) {
        draw_quartiles(area, run, style.colour);
        if (area.plot.lines && run.places.size() > 1) {
            area.list.AddPolyline(run.places.data(), static_cast<int>(run.places.size()), style.colour,
                                  ImDrawFlags_None, thickness);
        }
        // Where points are dense, some markers suffice to distinguish the lines.
        float next = -FLT_MAX;
        for (std::size_t i = 0; i < run.places.size(); ++i) {
            const ImVec2 place = run.places[i];
            if (area.plot.lines && place.x < next && i + 1 < run.places.size()) continue;
            if (const double bound = run.points[i]->x_low; area.scales.x.shows(bound)) {
                area.list.AddLine({area.scales.x.at(bound), place.y}, place, style.colour, thickness);
            }
            draw_marker(area.list, place, radius, style);
            next = place.x + 4 * radius;
        }
    }
}

std::string words_on_unplaced(const XyPlot& plot, std::size_t unplaced) {
    if (unplaced == 0) return {};
    const bool logarithmic = plot.x.logarithmic || plot.y.logarithmic;
    return format::grouped(unplaced) + (unplaced == 1 ? " point" : " points") + " without a value" +
           (logarithmic ? " that has a logarithm" : "") +
           (unplaced == 1 ? " is not shown" : " are not shown");
}

/// A note on values without a place, at the top right beside the title of the y axis.
void draw_remarks(const XyArea& area, std::size_t names_left_out) {
    const ImFont* font = area.style.fonts.small;
    const float left = area.low.x + text_width(font, area.plot.y.title);
    float right = area.high.x;
    const auto draw_remark = [&](const std::string& words, ImU32 colour) {
        if (words.empty() || right - left < area.style.px(40)) return;
        const std::string shown = elided(font, words, right - left);
        right -= text_width(font, shown);
        draw_text(area.list, font, {right, area.low.y - font->FontSize - area.style.px(6)}, colour, shown);
        right -= area.style.px(16);
    };
    draw_remark(words_on_unplaced(area.plot, count_unplaced(area.plot, area.scales)),
                area.style.palette.warning_text);
    draw_remark(words_on_names(names_left_out), area.style.palette.muted);
}

bool has_points(const XyPlot& plot, const XyScales& scales) {
    return std::ranges::any_of(plot.series, [&](const XySeries& series) {
        return std::ranges::any_of(series.points, [&](const XyPoint& point) { return scales.shows(point); });
    });
}

/// Width of the names at line ends, at most a third of the plot.
float names_width(const XyPlot& plot, const Style& style, float width) {
    float widest = 0;
    const auto widen = [&](const std::string& name) {
        widest = std::max(widest, text_width(style.fonts.small, name));
    };
    if (!plot.lines) return 0;
    for (const XySeries& series : plot.series) {
        if (!series.points.empty()) widen(series.name);
    }
    for (const XyLimit& limit : plot.limits) widen(limit.name);
    return widest > 0 ? std::min(widest + style.px(16), width / 3) : 0;
}

}  // namespace

XyScales make_scales(const XyPlot& plot, ImVec2 low, ImVec2 high) {
    Range x = plot.x.shown;
    Range y = plot.y.shown;
    for (const XySeries& series : plot.series) {
        for (const XyPoint& point : series.points) include(plot, x, y, point);
    }
    for (const XyLimit& limit : plot.limits) {
        for (const XyPoint& point : limit.points) include(plot, x, y, point);
    }
    const Scale across = make_scale(x, plot.x.logarithmic, plot.x.from_zero, low.x, high.x);
    for (const XyLimit& limit : plot.limits) {
        if (!limit.points.empty()) continue;
        const double at = x.empty ? across.high : x.high;
        include(plot.y, y, limit.diagonal ? limit.level * at : limit.level);
    }
    return {across, make_scale(y, plot.y.logarithmic, plot.y.from_zero, high.y, low.y)};
}

std::size_t count_unplaced(const XyPlot& plot, const XyScales& scales) {
    std::size_t unplaced = 0;
    for (const XySeries& series : plot.series) {
        unplaced += static_cast<std::size_t>(
            std::ranges::count_if(series.points, [&](const XyPoint& point) { return !scales.shows(point); }));
    }
    return unplaced;
}

std::vector<XyLimit> distinct_limits(const XyPlot& plot, const XyScales& scales, float apart) {
    std::vector<XyLimit> distinct;
    for (const XyLimit& limit : plot.limits) {
        const auto coincides = [&](const XyLimit& other) {
            if (!limit.points.empty() || !other.points.empty() || limit.diagonal != other.diagonal)
                return false;
            // Diagonals are parallel on logarithmic axes and furthest apart at the right end on linear ones.
            const double x = limit.diagonal ? scales.x.high : 1;
            const double here = limit.level * x;
            const double there = other.level * x;
            return scales.y.shows(here) && scales.y.shows(there) &&
                   std::abs(scales.y.at(here) - scales.y.at(there)) < apart;
        };
        const auto other = std::ranges::find_if(distinct, coincides);
        if (other == distinct.end()) {
            distinct.push_back(limit);
        } else {
            other->name += ", " + limit.name;
        }
    }
    return distinct;
}

std::string words_on_names(std::size_t left_out) {
    if (left_out == 0) return {};
    return format::grouped(left_out) + (left_out == 1 ? " name" : " names") +
           " left out: point at a dot to read its name";
}

std::optional<XyHit> nearest(const XyPlot& plot, const XyScales& scales, ImVec2 mouse, float reach) {
    std::optional<XyHit> hit;
    float least = reach;
    for (std::size_t s = 0; s < plot.series.size(); ++s) {
        for (std::size_t p = 0; p < plot.series[s].points.size(); ++p) {
            const XyPoint& point = plot.series[s].points[p];
            if (!scales.shows(point)) continue;
            const ImVec2 at = scales.at(point);
            const float distance = std::hypot(at.x - mouse.x, at.y - mouse.y);
            if (distance > least) continue;
            least = distance;
            hit = XyHit{s, p};
        }
    }
    return hit;
}

std::optional<XyHit> draw(ImDrawList& list, ImVec2 low, ImVec2 high, const XyPlot& plot, const Style& style,
                          std::optional<ImVec2> mouse) {
    const ImFont* font = style.fonts.small;
    const float names = names_width(plot, style, high.x - low.x);
    ImVec2 data_low{low.x, low.y + font->FontSize + style.px(8)};
    const ImVec2 data_high{high.x - std::max(names, style.px(10)),
                           high.y - 2 * font->FontSize - style.px(10)};
    const XyScales rough = make_scales(plot, data_low, data_high);
    float widest = 0;
    for (const Tick& tick : y_ticks(plot, rough.y, font)) {
        widest = std::max(widest, text_width(font, tick.label));
    }
    data_low.x += widest + style.px(12);
    if (data_high.x - data_low.x < style.px(60) || data_high.y - data_low.y < style.px(40)) return {};

    const XyScales scales = make_scales(plot, data_low, data_high);
    const XyArea area{list,     plot,      style, scales,
                      data_low, data_high, names, distinct_limits(plot, scales, style.px(5))};
    draw_text(list, font, low, style.palette.label, plot.y.title);
    if (!has_points(plot, area.scales)) {
        const std::string words = elided(style.fonts.text, plot.empty_text, data_high.x - data_low.x);
        draw_text(list, style.fonts.text,
                  {(data_low.x + data_high.x - text_width(style.fonts.text, words)) / 2,
                   (data_low.y + data_high.y - style.fonts.text->FontSize) / 2},
                  style.palette.muted, words);
        draw_remarks(area, 0);
        return {};
    }
    draw_axes(area);
    list.PushClipRect(data_low, {data_high.x + style.px(5), data_high.y + style.px(5)}, true);
    draw_limits(area);
    for (const XySeries& series : plot.series) draw_series(area, series);
    list.PopClipRect();
    if (plot.lines) draw_line_names(area);
    draw_remarks(area, plot.lines ? 0 : draw_point_names(area));
    if (!mouse) return {};
    const auto hit = nearest(plot, area.scales, *mouse, style.px(24));
    if (hit) draw_read_out(area, *hit, low, high);
    return hit;
}

}  // namespace warpsieve::plots
