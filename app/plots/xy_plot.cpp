#include "app/plots/xy_plot.hpp"

#include <imgui_internal.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

namespace warpsieve::plots {
namespace {

/// Common data for drawing an XyPlot.
struct XyArea {
    ImDrawList& list;
    const XyPlot& plot;
    const Style& style;
    XyScales scales;
    ImVec2 low;                   ///< top left of the data
    ImVec2 high;                  ///< bottom right of the data
    float names_width;            ///< room for names on the right of the data
    std::vector<XyLimit> limits;  ///< see distinct_limits()
};

/// A name for the right edge.
struct Name {
    std::string_view text;
    std::optional<ImVec2> line_end;  ///< end of the line that it names
    ImU32 colour;
};

std::optional<ImVec2> last_position(const XyArea& area, std::span<const XyPoint> points) {
    for (std::size_t i = points.size(); i-- > 0;) {
        if (area.scales.shows(points[i])) return area.scales.at(points[i]);
    }
    return {};
}

std::optional<ImVec2> end_of(const XyArea& area, const XyLimit& limit) {
    if (!limit.points.empty()) return last_position(area, limit.points);
    const double x = area.scales.x.high;
    const XyPoint end{.x = x, .y = limit.diagonal ? limit.level * x : limit.level};
    return area.scales.shows(end) ? std::optional{area.scales.at(end)} : std::nullopt;
}

std::vector<Name> names_of(const XyArea& area) {
    std::vector<Name> names;
    for (const XySeries& series : area.plot.series) {
        const auto at = last_position(area, series.points);
        if (at) names.push_back({series.name, *at, line_style(area.style.palette, series.style).colour});
    }
    for (const XyLimit& limit : area.limits) {
        if (const auto at = end_of(area, limit)) names.push_back({limit.name, *at, area.style.palette.label});
    }
    std::ranges::sort(names, {}, [](const Name& name) { return name.line_end->y; });
    return names;
}

/// A stroke from a name to its point.
struct Stroke {
    ImVec2 from;
    ImVec2 to;

    bool crosses(const ImRect& rect) const {
        // The part of the stroke, as shares of its length, that lies between both pairs of sides.
        float begin = 0;
        float end = 1;
        for (const float ImVec2::*axis : {&ImVec2::x, &ImVec2::y}) {
            const float length = to.*axis - from.*axis;
            const float first = rect.Min.*axis - from.*axis;
            const float last = rect.Max.*axis - from.*axis;
            if (length == 0) {
                if (first > 0 || last < 0) return false;
                continue;
            }
            begin = std::max(begin, std::min(first / length, last / length));
            end = std::min(end, std::max(first / length, last / length));
        }
        return begin < end;
    }
};

ImRect box_at(ImVec2 corner, ImVec2 size) {
    return {corner, {corner.x + size.x, corner.y + size.y}};
}

/// Finds positions for the names of points and limits within the data, clear of points, limits and other
/// names.
class NameLayout {
  public:
    explicit NameLayout(const XyArea& area) : area_(area) {
        for (const XySeries& series : area.plot.series) {
            for (const XyPoint& point : series.points) {
                if (area.scales.shows(point)) occupy(point);
            }
        }
    }

    /// Draws a name beside a point, in the first free of four positions. Returns whether there was room.
    bool draw_point_name(ImVec2 at, const std::string& name) {
        const ImVec2 size = size_of(name);
        const float gap = area_.style.px(7);
        const float centred_x = at.x - size.x / 2;
        const float centred_y = at.y - size.y / 2;
        const std::array corners{ImVec2{at.x + gap, centred_y}, ImVec2{at.x - gap - size.x, centred_y},
                                 ImVec2{centred_x, at.y - gap - size.y}, ImVec2{centred_x, at.y + gap}};
        for (const ImVec2 corner : corners) {
            const ImRect box = box_at(corner, size);
            if (!is_free(box)) continue;
            draw(box, name, area_.style.palette.label);
            return true;
        }
        return draw_distant_name(at, size, name);
    }

    /// Draws a name above or below a straight limit, if there is room.
    void draw_limit_name(const XyLimit& limit) {
        const ImVec2 size = size_of(limit.name);
        const float gap = area_.style.px(3);
        for (const float share : {0.45F, 0.55F, 0.35F, 0.65F, 0.25F, 0.75F, 0.15F, 0.85F}) {
            const float x = area_.low.x + share * (area_.high.x - area_.low.x);
            const ImVec2 above{x - size.x - gap, y_of(limit, x) - size.y - gap};
            const ImVec2 below{x + gap, y_of(limit, x) + gap};
            for (const ImVec2 corner : {above, below}) {
                const ImRect box = box_at(corner, size);
                if (is_free(box)) return draw(box, limit.name, area_.style.palette.muted);
            }
        }
    }

  private:
    ImVec2 size_of(const std::string& name) const {
        const ImFont* font = area_.style.fonts.small;
        return {text_width(font, name), font->FontSize};
    }
    float y_of(const XyLimit& limit, float x) const {
        const double value = limit.diagonal ? limit.level * area_.scales.x.value_at(x) : limit.level;
        return area_.scales.y.shows(value) ? area_.scales.y.at(value) : FLT_MAX;  // below everything
    }
    void occupy(const XyPoint& point) {
        const ImVec2 at = area_.scales.at(point);
        const float half = area_.style.px(6);
        const float left = area_.scales.x.shows(point.x_low) ? area_.scales.x.at(point.x_low) : at.x;
        occupied_.push_back({{std::min(left, at.x - half), at.y - half}, {at.x + half, at.y + half}});
        const Scale& y = area_.scales.y;
        if (!y.shows(point.q1) || !y.shows(point.q3)) return;
        const float stroke = area_.style.px(3);
        occupied_.push_back({{at.x - stroke, y.at(point.q3)}, {at.x + stroke, y.at(point.q1)}});
    }
    /// Whether a straight limit passes through a rectangle. Straight limits never fall, so that two corners
    /// decide.
    bool crosses(const XyLimit& limit, const ImRect& box) const {
        const float margin = area_.style.px(1);
        return limit.points.empty() && y_of(limit, box.Min.x) >= box.Min.y - margin &&
               y_of(limit, box.Max.x) <= box.Max.y + margin;
    }
    /// Draws a name some lines above or below a point, with a stroke to it. Returns whether there was room.
    bool draw_distant_name(ImVec2 at, ImVec2 size, const std::string& name) {
        const float aside = area_.style.px(22);
        const float line_height = size.y + area_.style.px(2);
        for (int lines = 1; lines <= 8; ++lines) {
            for (const int side : {-1, 1}) {
                for (const int direction : {1, -1}) {
                    const float x = side < 0 ? at.x - aside - size.x : at.x + aside;
                    const float y = at.y + static_cast<float>(direction * lines) * line_height - size.y / 2;
                    const ImRect box = box_at({x, y}, size);
                    if (!is_free(box)) continue;
                    const float stroke_x =
                        side < 0 ? box.Max.x + area_.style.px(3) : box.Min.x - area_.style.px(3);
                    const Stroke stroke{{stroke_x, y + size.y / 2}, at};
                    if (std::ranges::any_of(names_, [&](const ImRect& each) { return stroke.crosses(each); }))
                        continue;
                    area_.list.AddLine(stroke.from, stroke.to, area_.style.palette.muted);
                    strokes_.push_back(stroke);
                    draw(box, name, area_.style.palette.label);
                    return true;
                }
            }
        }
        return false;
    }
    bool is_free(const ImRect& box) const {
        if (!ImRect(area_.low, area_.high).Contains(box)) return false;
        if (std::ranges::any_of(occupied_, [&](const ImRect& each) { return each.Overlaps(box); }))
            return false;
        if (std::ranges::any_of(strokes_, [&](const Stroke& each) { return each.crosses(box); }))
            return false;
        return std::ranges::none_of(area_.limits, [&](const XyLimit& each) { return crosses(each, box); });
    }
    void draw(const ImRect& box, const std::string& name, ImU32 colour) {
        draw_text(area_.list, area_.style.fonts.small, box.Min, colour, name);
        occupied_.push_back(box);
        names_.push_back(box);
    }

    const XyArea& area_;
    std::vector<ImRect> occupied_;  ///< rectangles of points and names
    std::vector<ImRect> names_;
    std::vector<Stroke> strokes_;
};

/// A row of a read-out: a muted label and a value.
struct ReadOutRow {
    std::string name;
    std::string value;
};

std::string with_unit(const format::Figure& figure) {
    return figure.unit.empty() ? figure.number : figure.number + " " + figure.unit;
}

std::vector<ReadOutRow> rows_of(const XyPlot& plot, const XyPoint& point) {
    std::vector<ReadOutRow> rows;
    const std::string x = with_unit(figure_of(plot.x.quantity, point.x));
    rows.push_back({plot.x.title, std::isfinite(point.x_low)
                                      ? with_unit(figure_of(plot.x.quantity, point.x_low)) + " to " + x
                                      : x});
    rows.push_back({plot.y.title, with_unit(figure_of(plot.y.quantity, point.y))});
    if (std::isfinite(point.q1) && std::isfinite(point.q3)) {
        rows.push_back({"quartiles", with_unit(figure_of(plot.y.quantity, point.q1)) + " to " +
                                         with_unit(figure_of(plot.y.quantity, point.q3))});
    }
    if (point.n > 0) rows.push_back({"samples", format::grouped(point.n)});
    return rows;
}

/// Draws names at the right edge, each with a stroke to the end of its line.
void draw_line_names(const XyArea& area) {
    const Style& style = area.style;
    const ImFont* font = style.fonts.small;
    std::vector<Name> names = names_of(area);
    const auto room = static_cast<std::size_t>((area.high.y - area.low.y) / font->FontSize) + 1;
    // A last row gives the number of names that do not fit; the read-out still shows them.
    std::string more;
    if (names.size() > room) {
        more = "and " + format::grouped(names.size() - room + 1) + " more";
        names.resize(room - 1);
        names.push_back({more, std::nullopt, style.palette.muted});
    }
    std::vector<float> name_y;
    for (const Name& name : names) name_y.push_back(name.line_end ? name.line_end->y : area.high.y);
    spread_apart(name_y, font->FontSize + style.px(1), area.low.y, area.high.y);
    const float end = area.high.x + style.px(10);
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (const std::optional<ImVec2> line_end = names[i].line_end) {
            // A stroke from the end of a line that stops earlier would cross other lines.
            const bool ends_near_edge = area.high.x - line_end->x < style.px(60);
            const float start = ends_near_edge ? line_end->x + style.px(7) : area.high.x + style.px(3);
            area.list.AddLine({start, line_end->y}, {end, name_y[i]}, names[i].colour,
                              std::max(1.0F, 1.5F * style.scale));
        }
        draw_text(area.list, font, {end + style.px(4), name_y[i] - font->FontSize / 2}, style.palette.label,
                  elided(font, names[i].text, area.names_width - style.px(14)));
    }
}

/// Draws names beside their points where they cover neither a point nor another name. Returns the number of
/// names that do not fit; the read-out still shows them.
std::size_t draw_point_names(const XyArea& area) {
    NameLayout layout(area);
    for (const XyLimit& limit : area.limits) layout.draw_limit_name(limit);
    std::size_t left_out = 0;
    for (const XySeries& series : area.plot.series) {
        const auto at = last_position(area, series.points);
        if (at && !layout.draw_point_name(*at, series.name)) ++left_out;
    }
    return left_out;
}

/// Draws the values of one point in a box beside it, within the rectangle from `low` to `high`.
void draw_read_out(const XyArea& area, XyHit hit, ImVec2 low, ImVec2 high) {
    const Style& style = area.style;
    const Fonts& fonts = style.fonts;
    const XySeries& series = area.plot.series[hit.series];
    const XyPoint& point = series.points[hit.point];
    const LineStyle series_line = line_style(style.palette, series.style);
    const std::vector<ReadOutRow> rows = rows_of(area.plot, point);

    const float margin = style.px(10);
    const float max_width = high.x - low.x - 2 * margin;
    const float line_height = fonts.small->FontSize + style.px(4);
    float names_width = 0;
    float values_width = 0;
    for (const ReadOutRow& row : rows) {
        names_width = std::max(names_width, text_width(fonts.small, row.name));
        values_width = std::max(values_width, text_width(fonts.small, row.value));
    }
    const float marker_width = style.px(14);
    const float width = std::min(max_width, std::max({names_width + style.px(14) + values_width,
                                                      marker_width + text_width(fonts.heading, series.name),
                                                      text_width(fonts.small, point.note)}));
    const float heading_height = fonts.heading->FontSize + style.px(6);
    const float lines = static_cast<float>(rows.size() + (point.note.empty() ? 0 : 1));
    const ImVec2 size{width + 2 * margin, heading_height + lines * line_height + 2 * margin - style.px(4)};

    const ImVec2 at = area.scales.at(point);
    const float gap = style.px(14);
    ImVec2 corner{at.x + gap, at.y - size.y - gap / 2};
    if (corner.x + size.x > high.x) corner.x = at.x - gap - size.x;
    corner.x = std::clamp(corner.x, low.x, std::max(low.x, high.x - size.x));
    corner.y = std::clamp(corner.y, low.y, std::max(low.y, high.y - size.y));
    corner = {std::round(corner.x), std::round(corner.y)};

    const float radius = std::round(3.5F * style.scale);
    area.list.AddCircle(at, radius + style.px(4), style.palette.text, 16, std::max(1.0F, 1.5F * style.scale));
    const ImVec2 end{corner.x + size.x, corner.y + size.y};
    area.list.AddRectFilled(corner, end, style.palette.raised, style.px(4));
    area.list.AddRect(corner, end, style.palette.track, style.px(4));
    ImVec2 pen{corner.x + margin, corner.y + margin};
    draw_marker(area.list, {pen.x + radius, pen.y + fonts.heading->FontSize / 2}, radius, series_line);
    draw_text(area.list, fonts.heading, {pen.x + marker_width, pen.y}, style.palette.text,
              elided(fonts.heading, series.name, width - marker_width));
    pen.y += heading_height;
    for (const ReadOutRow& row : rows) {
        draw_text(area.list, fonts.small, pen, style.palette.muted, row.name);
        draw_text(area.list, fonts.small, {pen.x + width - text_width(fonts.small, row.value), pen.y},
                  style.palette.text, row.value);
        pen.y += line_height;
    }
    if (!point.note.empty()) {
        draw_text(area.list, fonts.small, pen, style.palette.warning_text,
                  elided(fonts.small, point.note, width));
    }
}

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

/// As many ticks as fit without touching labels.
std::vector<Tick> x_ticks(const XyArea& area) {
    const ImFont* font = area.style.fonts.small;
    const auto labels_fit = [&](const std::vector<Tick>& ticks) {
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
    const float room = area.style.px(area.plot.x.quantity == AxisQuantity::items ? 26 : 56);
    for (auto max_ticks = static_cast<std::size_t>(std::max(area.high.x - area.low.x, 0.0F) / room);
         max_ticks > 2; --max_ticks) {
        std::vector<Tick> ticks = ticks_of(area.scales.x, area.plot.x.quantity, max_ticks);
        if (labels_fit(ticks)) return ticks;
    }
    return ticks_of(area.scales.x, area.plot.x.quantity, 2);
}

std::vector<Tick> y_ticks(const XyPlot& plot, const Scale& scale, const ImFont* font) {
    const auto max_ticks =
        static_cast<std::size_t>(std::abs(scale.start - scale.end) / (font->FontSize * 1.9F));
    return ticks_of(scale, plot.y.quantity, std::clamp<std::size_t>(max_ticks, 2, 12));
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
struct Polyline {
    std::vector<const XyPoint*> points;
    std::vector<ImVec2> positions;
};

std::vector<Polyline> polylines_of(const XyArea& area, const XySeries& series) {
    std::vector<Polyline> polylines;
    std::vector<const XyPoint*> points;
    std::vector<float> x;
    std::vector<float> y;
    const auto end_polyline = [&] {
        if (points.empty()) return;
        Polyline thinned;
        for (const std::size_t i : thin_out(x, y, area.style.plain ? 2.0F : 1.0F)) {
            thinned.points.push_back(points[i]);
            thinned.positions.push_back({x[i], y[i]});
        }
        polylines.push_back(std::move(thinned));
        points.clear();
        x.clear();
        y.clear();
    };
    for (const XyPoint& point : series.points) {
        if (!area.scales.shows(point)) {
            end_polyline();
            continue;
        }
        const ImVec2 position = area.scales.at(point);
        points.push_back(&point);
        x.push_back(position.x);
        y.push_back(position.y);
    }
    end_polyline();
    return polylines;
}

/// Draws the band between the quartiles. With `Style::plain`, or for a single point, draws a stroke at each
/// point.
void draw_quartiles(const XyArea& area, const Polyline& polyline, ImU32 colour) {
    const Scale& y = area.scales.y;
    const auto has_quartiles = [&](std::size_t i) {
        return y.shows(polyline.points[i]->q1) && y.shows(polyline.points[i]->q3);
    };
    const ImU32 faint = mix(area.style.palette.background, colour, 0.55F);
    const bool as_band = area.plot.lines && !area.style.plain && polyline.points.size() > 1;
    const ImDrawListFlags flags = area.list.Flags;
    // Anti-aliased edges of neighbouring parts would show as seams.
    area.list.Flags &= ~ImDrawListFlags_AntiAliasedFill;
    for (std::size_t i = 0; i < polyline.points.size(); ++i) {
        if (!has_quartiles(i)) continue;
        const XyPoint& here = *polyline.points[i];
        const float x = polyline.positions[i].x;
        if (!as_band) {
            area.list.AddLine({x, y.at(here.q1)}, {x, y.at(here.q3)}, faint, area.style.px(3));
        } else if (i > 0 && has_quartiles(i - 1)) {
            const XyPoint& before = *polyline.points[i - 1];
            const float x0 = polyline.positions[i - 1].x;
            area.list.AddQuadFilled({x0, y.at(before.q3)}, {x, y.at(here.q3)}, {x, y.at(here.q1)},
                                    {x0, y.at(before.q1)}, with_alpha(colour, 70));
        }
    }
    area.list.Flags = flags;
}

void draw_series(const XyArea& area, const XySeries& series) {
    const LineStyle style = line_style(area.style.palette, series.style);
    const float radius = std::round(3.5F * area.style.scale);
    const float thickness = std::max(1.0F, 1.5F * area.style.scale);
    for (Polyline& polyline : polylines_of(area, series)) {
        draw_quartiles(area, polyline, style.colour);
        if (area.plot.lines && polyline.positions.size() > 1) {
            area.list.AddPolyline(polyline.positions.data(), static_cast<int>(polyline.positions.size()),
                                  style.colour, ImDrawFlags_None, thickness);
        }
        // If points are dense, a few markers suffice to distinguish the lines.
        float next_marker_x = -FLT_MAX;
        for (std::size_t i = 0; i < polyline.positions.size(); ++i) {
            const ImVec2 position = polyline.positions[i];
            if (area.plot.lines && position.x < next_marker_x && i + 1 < polyline.positions.size()) continue;
            if (const double x_low = polyline.points[i]->x_low; area.scales.x.shows(x_low)) {
                area.list.AddLine({area.scales.x.at(x_low), position.y}, position, style.colour, thickness);
            }
            draw_marker(area.list, position, radius, style);
            next_marker_x = position.x + 4 * radius;
        }
    }
}

std::string unplottable_text(const XyPlot& plot, std::size_t unplottable) {
    if (unplottable == 0) return {};
    const bool logarithmic = plot.x.logarithmic || plot.y.logarithmic;
    return format::grouped(unplottable) + (unplottable == 1 ? " point" : " points") + " not shown: no value" +
           (logarithmic ? " above 0" : "");
}

/// Draws notes at the top right, beside the title of the y axis.
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
    draw_remark(unplottable_text(area.plot, count_unplottable(area.plot, area.scales)),
                area.style.palette.warning_text);
    draw_remark(left_out_names_text(names_left_out), area.style.palette.muted);
}

bool has_points(const XyPlot& plot, const XyScales& scales) {
    return std::ranges::any_of(plot.series, [&](const XySeries& series) {
        return std::ranges::any_of(series.points, [&](const XyPoint& point) { return scales.shows(point); });
    });
}

/// The width of the names at line ends: at most a third of the plot.
float names_width(const XyPlot& plot, const Style& style, float plot_width) {
    float widest = 0;
    const auto widen = [&](const std::string& name) {
        widest = std::max(widest, text_width(style.fonts.small, name));
    };
    if (!plot.lines) return 0;
    for (const XySeries& series : plot.series) {
        if (!series.points.empty()) widen(series.name);
    }
    for (const XyLimit& limit : plot.limits) widen(limit.name);
    return widest > 0 ? std::min(widest + style.px(16), plot_width / 3) : 0;
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
        const double largest_x = x.empty ? across.high : x.high;
        include(plot.y, y, limit.diagonal ? limit.level * largest_x : limit.level);
    }
    return {across, make_scale(y, plot.y.logarithmic, plot.y.from_zero, high.y, low.y)};
}

std::size_t count_unplottable(const XyPlot& plot, const XyScales& scales) {
    std::size_t unplottable = 0;
    for (const XySeries& series : plot.series) {
        unplottable += static_cast<std::size_t>(
            std::ranges::count_if(series.points, [&](const XyPoint& point) { return !scales.shows(point); }));
    }
    return unplottable;
}

std::vector<XyLimit> distinct_limits(const XyPlot& plot, const XyScales& scales, float min_distance) {
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
                   std::abs(scales.y.at(here) - scales.y.at(there)) < min_distance;
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

std::string left_out_names_text(std::size_t left_out) {
    if (left_out == 0) return {};
    return format::grouped(left_out) + (left_out == 1 ? " name" : " names") +
           " left out: point at a dot to read its name";
}

std::optional<XyHit> nearest_point(const XyPlot& plot, const XyScales& scales, ImVec2 mouse, float reach) {
    std::optional<XyHit> hit;
    float min_distance = reach;
    for (std::size_t s = 0; s < plot.series.size(); ++s) {
        for (std::size_t p = 0; p < plot.series[s].points.size(); ++p) {
            const XyPoint& point = plot.series[s].points[p];
            if (!scales.shows(point)) continue;
            const ImVec2 at = scales.at(point);
            const float distance = std::hypot(at.x - mouse.x, at.y - mouse.y);
            if (distance > min_distance) continue;
            min_distance = distance;
            hit = XyHit{s, p};
        }
    }
    return hit;
}

std::optional<XyHit> draw(ImDrawList& list, ImVec2 low, ImVec2 high, const XyPlot& plot, const Style& style,
                          std::optional<ImVec2> mouse) {
    const ImFont* font = style.fonts.small;
    const float room_for_names = names_width(plot, style, high.x - low.x);
    ImVec2 data_low{low.x, low.y + font->FontSize + style.px(8)};
    const ImVec2 data_high{high.x - std::max(room_for_names, style.px(10)),
                           high.y - 2 * font->FontSize - style.px(10)};
    // The ticks of y do not depend on x, so that their labels can be measured first.
    const Scale y = make_scales(plot, data_low, data_high).y;
    float y_labels_width = 0;
    for (const Tick& tick : y_ticks(plot, y, font)) {
        y_labels_width = std::max(y_labels_width, text_width(font, tick.label));
    }
    data_low.x += y_labels_width + style.px(12);
    if (data_high.x - data_low.x < style.px(60) || data_high.y - data_low.y < style.px(40)) return {};

    const XyScales scales = make_scales(plot, data_low, data_high);
    const XyArea area{.list = list,
                      .plot = plot,
                      .style = style,
                      .scales = scales,
                      .low = data_low,
                      .high = data_high,
                      .names_width = room_for_names,
                      .limits = distinct_limits(plot, scales, style.px(5))};
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
    const auto hit = nearest_point(plot, area.scales, *mouse, style.px(24));
    if (hit) draw_read_out(area, *hit, low, high);
    return hit;
}

}  // namespace warpsieve::plots
