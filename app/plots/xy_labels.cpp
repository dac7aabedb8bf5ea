#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "app/plots/axis.hpp"
#include "app/plots/markers.hpp"
#include "app/plots/xy_area.hpp"

namespace warpsieve::plots {
namespace {

/// A name and where its line ends.
struct Name {
    std::string_view text;
    ImVec2 at;
    ImU32 colour;
};

std::optional<ImVec2> last_place(const XyArea& area, std::span<const XyPoint> points) {
    for (std::size_t i = points.size(); i-- > 0;) {
        if (area.scales.shows(points[i])) return area.scales.at(points[i]);
    }
    return {};
}

std::optional<ImVec2> end_of(const XyArea& area, const XyLimit& limit) {
    if (!limit.points.empty()) return last_place(area, limit.points);
    const double x = area.scales.x.high;
    const XyPoint end{.x = x, .y = limit.diagonal ? limit.level * x : limit.level};
    return area.scales.shows(end) ? std::optional{area.scales.at(end)} : std::nullopt;
}

std::vector<Name> names_of(const XyArea& area) {
    std::vector<Name> names;
    for (const XySeries& series : area.plot.series) {
        const auto at = last_place(area, series.points);
        if (at) names.push_back({series.name, *at, line_style(area.style.palette, series.style).colour});
    }
    for (const XyLimit& limit : area.limits) {
        if (const auto at = end_of(area, limit)) names.push_back({limit.name, *at, area.style.palette.label});
    }
    std::ranges::sort(names, {}, [](const Name& name) { return name.at.y; });
    return names;
}

struct Box {
    ImVec2 low;
    ImVec2 high;

    bool meets(const Box& other) const {
        return low.x < other.high.x && other.low.x < high.x && low.y < other.high.y && other.low.y < high.y;
    }
    bool within(const Box& other) const {
        return low.x >= other.low.x && high.x <= other.high.x && low.y >= other.low.y &&
               high.y <= other.high.y;
    }
};

/// A stroke from a name to its point.
struct Stroke {
    ImVec2 from;
    ImVec2 to;

    bool meets(const Box& box) const {
        // The part of the way, from 0 to 1, that lies between both pairs of sides.
        float begin = 0;
        float end = 1;
        for (const float ImVec2::*axis : {&ImVec2::x, &ImVec2::y}) {
            const float way = to.*axis - from.*axis;
            const float first = box.low.*axis - from.*axis;
            const float last = box.high.*axis - from.*axis;
            if (way == 0) {
                if (first > 0 || last < 0) return false;
                continue;
            }
            begin = std::max(begin, std::min(first / way, last / way));
            end = std::min(end, std::max(first / way, last / way));
        }
        return begin < end;
    }
};

Box box_at(ImVec2 corner, ImVec2 size) {
    return {corner, {corner.x + size.x, corner.y + size.y}};
}

/// Places for the names of points and limits: within the data, clear of points, limits and other names.
class Places {
  public:
    explicit Places(const XyArea& area) : area_(area) {
        for (const XySeries& series : area.plot.series) {
            for (const XyPoint& point : series.points) {
                if (area.scales.shows(point)) take(point);
            }
        }
    }

    /// Places a name beside a point, best position first; returns whether there was room.
    bool name_point(ImVec2 at, const std::string& name) {
        const ImVec2 size = size_of(name);
        const float gap = area_.style.px(7);
        const float middle = at.y - size.y / 2;
        const float centre = at.x - size.x / 2;
        const std::array corners{ImVec2{at.x + gap, middle}, ImVec2{at.x - gap - size.x, middle},
                                 ImVec2{centre, at.y - gap - size.y}, ImVec2{centre, at.y + gap}};
        for (const ImVec2 corner : corners) {
            const Box box = box_at(corner, size);
            if (!is_free(box)) continue;
            put(box, name, area_.style.palette.label);
            return true;
        }
        return name_from_afar(at, size, name);
    }

    /// Places a name along a straight limit, above or below it.
    void name_limit(const XyLimit& limit) {
        const ImVec2 size = size_of(limit.name);
        const float gap = area_.style.px(3);
        for (const float share : {0.45F, 0.55F, 0.35F, 0.65F, 0.25F, 0.75F, 0.15F, 0.85F}) {
            const float x = area_.low.x + share * (area_.high.x - area_.low.x);
            const ImVec2 above{x - size.x - gap, y_of(limit, x) - size.y - gap};
            const ImVec2 below{x + gap, y_of(limit, x) + gap};
            for (const ImVec2 corner : {above, below}) {
                const Box box = box_at(corner, size);
                if (is_free(box)) return put(box, limit.name, area_.style.palette.muted);
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
        return area_.scales.y.shows(value) ? area_.scales.y.at(value) : FLT_MAX;
    }
    void take(const XyPoint& point) {
        const ImVec2 at = area_.scales.at(point);
        const float half = area_.style.px(6);
        const float left = area_.scales.x.shows(point.x_low) ? area_.scales.x.at(point.x_low) : at.x;
        taken_.push_back({{std::min(left, at.x - half), at.y - half}, {at.x + half, at.y + half}});
        const Scale& y = area_.scales.y;
        if (!y.shows(point.q1) || !y.shows(point.q3)) return;
        const float stroke = area_.style.px(3);
        taken_.push_back({{at.x - stroke, y.at(point.q3)}, {at.x + stroke, y.at(point.q1)}});
    }
    /// Whether a straight limit passes through; it rises or is level.
    bool crosses(const XyLimit& limit, const Box& box) const {
        const float air = area_.style.px(1);
        return limit.points.empty() && y_of(limit, box.low.x) >= box.low.y - air &&
               y_of(limit, box.high.x) <= box.high.y + air;
    }
    /// Places a name some lines above or below a point, with a stroke to it; returns whether there was room.
    bool name_from_afar(ImVec2 at, ImVec2 size, const std::string& name) {
        const float aside = area_.style.px(22);
        const float line = size.y + area_.style.px(2);
        for (int lines = 1; lines <= 8; ++lines) {
            for (const int side : {-1, 1}) {
                for (const int way : {1, -1}) {
                    const float x = side < 0 ? at.x - aside - size.x : at.x + aside;
                    const float y = at.y + static_cast<float>(way * lines) * line - size.y / 2;
                    const Box box = box_at({x, y}, size);
                    if (!is_free(box)) continue;
                    const float end =
                        side < 0 ? box.high.x + area_.style.px(3) : box.low.x - area_.style.px(3);
                    const Stroke stroke{{end, y + size.y / 2}, at};
                    if (std::ranges::any_of(names_, [&](const Box& each) { return stroke.meets(each); }))
                        continue;
                    area_.list.AddLine(stroke.from, stroke.to, area_.style.palette.muted);
                    strokes_.push_back(stroke);
                    put(box, name, area_.style.palette.label);
                    return true;
                }
            }
        }
        return false;
    }
    bool is_free(const Box& box) const {
        if (!box.within({area_.low, area_.high})) return false;
        if (std::ranges::any_of(taken_, [&](const Box& each) { return each.meets(box); })) return false;
        if (std::ranges::any_of(strokes_, [&](const Stroke& each) { return each.meets(box); })) return false;
        return std::ranges::none_of(area_.limits, [&](const XyLimit& each) { return crosses(each, box); });
    }
    void put(const Box& box, const std::string& name, ImU32 colour) {
        draw_text(area_.list, area_.style.fonts.small, box.low, colour, name);
        taken_.push_back(box);
        names_.push_back(box);
    }

    const XyArea& area_;
    std::vector<Box> taken_;  ///< by points and names
    std::vector<Box> names_;
    std::vector<Stroke> strokes_;
};

/// A row of a read-out: a muted label on the left, and the figure.
struct ReadOutRow {
    std::string name;
    std::string value;
};

std::string with_unit(const format::Figure& figure) {
    return figure.unit.empty() ? figure.number : figure.number + " " + figure.unit;
}

std::vector<ReadOutRow> rows_of(const XyPlot& plot, const XyPoint& point) {
    std::vector<ReadOutRow> rows;
    const std::string x = with_unit(figure_of(plot.x.counts, point.x));
    rows.push_back({plot.x.title, std::isfinite(point.x_low)
                                      ? with_unit(figure_of(plot.x.counts, point.x_low)) + " to " + x
                                      : x});
    rows.push_back({plot.y.title, with_unit(figure_of(plot.y.counts, point.y))});
    if (std::isfinite(point.q1) && std::isfinite(point.q3)) {
        rows.push_back({"quartiles", with_unit(figure_of(plot.y.counts, point.q1)) + " to " +
                                         with_unit(figure_of(plot.y.counts, point.q3))});
    }
    if (point.n > 0) rows.push_back({"samples", format::grouped(point.n)});
    return rows;
}

}  // namespace

void draw_line_names(const XyArea& area) {
    const Style& style = area.style;
    const ImFont* font = style.fonts.small;
    std::vector<Name> names = names_of(area);
    const auto room = static_cast<std::size_t>((area.high.y - area.low.y) / font->FontSize) + 1;
    // The read-out gives the names without room; one line counts them.
    std::string more;
    if (names.size() > room) {
        more = "and " + format::grouped(names.size() - room + 1) + " more";
        names.resize(room - 1);
        names.push_back({more, {area.high.x, area.high.y}, style.palette.muted});
    }
    std::vector<float> places;
    for (const Name& name : names) places.push_back(name.at.y);
    spread(places, font->FontSize + style.px(1), area.low.y, area.high.y);
    const float end = area.high.x + style.px(10);
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (names[i].text.data() != more.data()) {
            // From the line's end, unless the stroke would cross other lines.
            const bool near = area.high.x - names[i].at.x < style.px(60);
            const float start = near ? names[i].at.x + style.px(7) : area.high.x + style.px(3);
            area.list.AddLine({start, names[i].at.y}, {end, places[i]}, names[i].colour,
                              std::max(1.0F, 1.5F * style.scale));
        }
        draw_text(area.list, font, {end + style.px(4), places[i] - font->FontSize / 2}, style.palette.label,
                  elided(font, names[i].text, area.names_width - style.px(14)));
    }
}

std::size_t draw_point_names(const XyArea& area) {
    Places places(area);
    for (const XyLimit& limit : area.limits) places.name_limit(limit);
    std::size_t left_out = 0;
    for (const XySeries& series : area.plot.series) {
        const auto at = last_place(area, series.points);
        if (at && !places.name_point(*at, series.name)) ++left_out;
    }
    return left_out;
}

void draw_read_out(const XyArea& area, XyHit hit, ImVec2 low, ImVec2 high) {
    const Style& style = area.style;
    const Fonts& fonts = style.fonts;
    const XySeries& series = area.plot.series[hit.series];
    const XyPoint& point = series.points[hit.point];
    const LineStyle series_line = line_style(style.palette, series.style);
    const std::vector<ReadOutRow> rows = rows_of(area.plot, point);

    const float air = style.px(10);
    const float most = high.x - low.x - 2 * air;
    const float line = fonts.small->FontSize + style.px(4);
    float names = 0;
    float values = 0;
    for (const ReadOutRow& row : rows) {
        names = std::max(names, text_width(fonts.small, row.name));
        values = std::max(values, text_width(fonts.small, row.value));
    }
    const float mark = style.px(14);
    const float width =
        std::min(most, std::max({names + style.px(14) + values, mark + text_width(fonts.heading, series.name),
                                 text_width(fonts.small, point.note)}));
    const float head = fonts.heading->FontSize + style.px(6);
    const float lines = static_cast<float>(rows.size() + (point.note.empty() ? 0 : 1));
    const ImVec2 size{width + 2 * air, head + lines * line + 2 * air - style.px(4)};

    const ImVec2 at = area.scales.at(point);
    const float beside = style.px(14);
    ImVec2 corner{at.x + beside, at.y - size.y - beside / 2};
    if (corner.x + size.x > high.x) corner.x = at.x - beside - size.x;
    corner.x = std::clamp(corner.x, low.x, std::max(low.x, high.x - size.x));
    corner.y = std::clamp(corner.y, low.y, std::max(low.y, high.y - size.y));
    corner = {std::round(corner.x), std::round(corner.y)};

    const float radius = std::round(3.5F * style.scale);
    area.list.AddCircle(at, radius + style.px(4), style.palette.text, 16, std::max(1.0F, 1.5F * style.scale));
    const ImVec2 end{corner.x + size.x, corner.y + size.y};
    area.list.AddRectFilled(corner, end, style.palette.raised, style.px(4));
    area.list.AddRect(corner, end, style.palette.track, style.px(4));
    ImVec2 pen{corner.x + air, corner.y + air};
    draw_marker(area.list, {pen.x + radius, pen.y + fonts.heading->FontSize / 2}, radius, series_line);
    draw_text(area.list, fonts.heading, {pen.x + mark, pen.y}, style.palette.text,
              elided(fonts.heading, series.name, width - mark));
    pen.y += head;
    for (const ReadOutRow& row : rows) {
        draw_text(area.list, fonts.small, pen, style.palette.muted, row.name);
        draw_text(area.list, fonts.small, {pen.x + width - text_width(fonts.small, row.value), pen.y},
                  style.palette.text, row.value);
        pen.y += line;
    }
    if (!point.note.empty()) {
        draw_text(area.list, fonts.small, pen, style.palette.warning_text,
                  elided(fonts.small, point.note, width));
    }
}

}  // namespace warpsieve::plots
