#include "experiments/published/svg_plot.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "experiments/format/counts.hpp"
#include "experiments/format/numbers.hpp"
#include "experiments/format/ticks.hpp"
#include "experiments/published/text.hpp"

namespace published {
namespace {

namespace format = experiments::format;

constexpr std::array colours{"#0072B2", "#D55E00", "#009E73", "#CC79A7", "#000000", "#E69F00", "#56B4E9"};
constexpr std::array dashes{"", "7 3", "2 3", "9 3 2 3", "4 2", "12 4", "1 2"};
constexpr const char* text_colour = "#1B1F26";
constexpr const char* muted = "#5A6472";
constexpr const char* grid_colour = "#D9DDE3";

constexpr double legend_line = 18;

std::string colour_of(std::size_t style) {
    return colours[style % colours.size()];
}

/// A coordinate in pixels.
std::string digits(double value) {
    return format::fixed(value, 1);
}

std::string label(double x, double y, const std::string& anchor, const std::string& text,
                  const std::string& more = "") {
    return "<text x=\"" + digits(x) + "\" y=\"" + digits(y) + "\" text-anchor=\"" + anchor + "\" fill=\"" +
           text_colour + "\" " + more + ">" + escaped(text) + "</text>\n";
}

std::string line(double x1, double y1, double x2, double y2, const std::string& colour, double width,
                 const std::string& dash = "") {
    std::string text = "<line x1=\"" + digits(x1) + "\" y1=\"" + digits(y1) + "\" x2=\"" + digits(x2) +
                       "\" y2=\"" + digits(y2) + "\" stroke=\"" + colour + "\" stroke-width=\"" +
                       digits(width) + "\"";
    if (!dash.empty()) text += " stroke-dasharray=\"" + dash + "\"";
    return text + "/>\n";
}

std::string polygon(std::initializer_list<std::array<double, 2>> corners, const std::string& attributes) {
    std::string points;
    for (const auto& [x, y] : corners) points += digits(x) + "," + digits(y) + " ";
    return "<polygon points=\"" + points + "\" " + attributes + ">";
}

/// The marker of a series: circle, square, triangle up, diamond, triangle down, in turn.
std::string marker(double x, double y, std::size_t style, bool hollow, const std::string& tip,
                   double r = 4.2) {
    const std::string colour = colour_of(style);
    const std::string fill = hollow ? "#FFFFFF" : colour;
    const std::string attributes = "fill=\"" + fill + "\" stroke=\"" + colour + "\" stroke-width=\"1.6\"";
    std::string shape;
    std::string name = "polygon";
    switch (style % 5) {
        case 0:
            name = "circle";
            shape = "<circle cx=\"" + digits(x) + "\" cy=\"" + digits(y) + "\" r=\"" + digits(r) + "\" " +
                    attributes + ">";
            break;
        case 1:
            shape = polygon({{x - r, y - r}, {x + r, y - r}, {x + r, y + r}, {x - r, y + r}}, attributes);
            break;
        case 2:
            shape = polygon({{x, y - r - 1}, {x + r + 1, y + r}, {x - r - 1, y + r}}, attributes);
            break;
        case 3:
            shape = polygon({{x, y - r - 1}, {x + r + 1, y}, {x, y + r + 1}, {x - r - 1, y}}, attributes);
            break;
        default:
            shape = polygon({{x, y + r + 1}, {x + r + 1, y - r}, {x - r - 1, y - r}}, attributes);
    }
    return shape + (tip.empty() ? "" : element("title", tip)) + "</" + name + ">\n";
}

std::string open_svg(double width, double height, const std::string& title) {
    const std::string size = digits(width) + " " + digits(height);
    return "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + size + "\" width=\"" + digits(width) +
           "\" height=\"" + digits(height) +
           "\" font-family=\"Inter, Helvetica, Arial, sans-serif\" font-size=\"12\" role=\"img\">\n" +
           element("title", title) + "\n<rect width=\"100%\" height=\"100%\" fill=\"#FFFFFF\"/>\n" +
           label(12, 20, "start", title, "font-size=\"13\" font-weight=\"600\"");
}

/// Maps values to pixels and places the ticks.
struct Scale {
    double low = 1;
    double high = 10;
    double from = 0;  ///< pixel of `low`
    double to = 1;    ///< pixel of `high`
    bool linear = false;
    double base = 10;

    double at(double value) const {
        const double share = linear ? (value - low) / (high - low)
                                    : (std::log(value) - std::log(low)) / (std::log(high) - std::log(low));
        return from + (to - from) * share;
    }

    std::vector<double> ticks() const {
        if (!linear) {
            auto ticks =
                base == 2 ? format::powers_of_two(low, high, 11) : format::choose_log_ticks(low, high, 9);
            // A single tick does not show the scale.
            if (ticks.size() >= 2) return ticks;
        }
        return format::multiples_of(format::choose_ticks(high - low, 6).step, low, high, 7);
    }

    std::string tick_text(double tick) const {
        if (base == 2) return format::count_text(static_cast<std::uint64_t>(std::llround(tick)));
        return tick >= 1e4 ? figure(tick) : format::shortest(tick);
    }
};

double base_of(Axis axis) {
    return axis == Axis::powers_of_two ? 2 : 10;
}

/// A scale with room at its ends for markers.
Scale scale_over(double min, double max, Axis axis, bool from_zero) {
    Scale scale{.linear = axis == Axis::linear, .base = base_of(axis)};
    if (scale.linear) {
        const double margin = max > min ? (max - min) * 0.06 : std::abs(max) * 0.1 + 1e-9;
        scale.low = from_zero ? std::min(0.0, min) : min - margin;
        scale.high = max + margin;
        return scale;
    }
    const double margin = axis == Axis::powers_of_two ? 1.4 : 1.5;
    scale.low = min / margin;
    scale.high = max * margin;
    return scale;
}

struct Frame {
    Scale x;
    Scale y;
    double top = 34;
    double bottom = 0;
};

/// The smallest and the largest coordinate of all points and intervals.
Range limits_of(const LinePlot& plot, bool of_y) {
    std::vector<double> values;
    for (const PlotSeries& series : plot.series) {
        for (const PlotPoint& point : series.points) {
            values.push_back(of_y ? point.y : point.x);
            if (of_y && point.high > point.low && point.low > 0) {
                values.push_back(point.low);
                values.push_back(point.high);
            }
        }
    }
    if (values.empty()) return {1, 1};
    const auto [min, max] = std::ranges::minmax(values);
    return {min, max};
}

Frame frame_of(const LinePlot& plot) {
    Range x = limits_of(plot, false);
    Range y = plot.y_limits.value_or(limits_of(plot, true));
    if (plot.diagonal) {
        x = {std::min(x.low, y.low), std::max(x.high, y.high)};
        y = x;
    }
    Frame frame{.x = scale_over(x.low, x.high, plot.x, false),
                .y = scale_over(y.low, y.high, plot.y, plot.y_from_zero)};
    frame.bottom = frame.top + 280;
    frame.x.from = 66;
    frame.x.to = plot.width - 16;
    frame.y.from = frame.bottom;
    frame.y.to = frame.top;
    return frame;
}

/// Drops every second tick until the labels fit.
std::vector<double> fitting(std::vector<double> ticks, double width) {
    const auto max_ticks = static_cast<std::size_t>(std::max(2.0, width / 62));
    while (ticks.size() > max_ticks) {
        std::vector<double> fewer;
        for (std::size_t i = 0; i < ticks.size(); i += 2) fewer.push_back(ticks[i]);
        ticks = std::move(fewer);
    }
    return ticks;
}

std::string draw_axes(const LinePlot& plot, const Frame& frame) {
    std::string svg;
    for (const double tick : fitting(frame.x.ticks(), frame.x.to - frame.x.from)) {
        const double x = frame.x.at(tick);
        svg += line(x, frame.top, x, frame.bottom, grid_colour, 1);
        svg += label(x, frame.bottom + 16, "middle", frame.x.tick_text(tick));
    }
    for (const double tick : frame.y.ticks()) {
        const double y = frame.y.at(tick);
        svg += line(frame.x.from, y, frame.x.to, y, grid_colour, 1);
        svg += label(frame.x.from - 8, y + 4, "end", frame.y.tick_text(tick));
    }
    if (plot.diagonal) {
        svg += line(frame.x.from, frame.bottom, frame.x.to, frame.top, muted, 1.2, "2 4");
    }
    svg += line(frame.x.from, frame.bottom, frame.x.to, frame.bottom, muted, 1);
    svg += line(frame.x.from, frame.top, frame.x.from, frame.bottom, muted, 1);
    svg += label((frame.x.from + frame.x.to) / 2, frame.bottom + 36, "middle", plot.x_label);
    const double middle = (frame.top + frame.bottom) / 2;
    svg += label(14, middle, "middle", plot.y_label, "transform=\"rotate(-90 14 " + digits(middle) + ")\"");
    return svg;
}

/// A series with more points is a solid line without markers.
constexpr std::size_t max_markers = 50;

bool is_plain_line(const PlotSeries& series) {
    return series.line && series.points.size() > max_markers;
}

/// The dash of a line; "" is solid. Style 0 is solid, unless the series is published. In the other styles,
/// only hollow markers tell a published series from a measured one.
std::string dash_of(const PlotSeries& series, std::size_t style) {
    if (is_plain_line(series)) return "";
    const std::string dash = dashes[style % dashes.size()];
    return series.hollow && dash.empty() ? "4 4" : dash;
}

std::string draw_series(const PlotSeries& series, std::size_t style, const Frame& frame) {
    std::string svg;
    std::vector<std::string> paths(1);
    for (const PlotPoint& point : series.points) {
        if (point.after_gap) paths.emplace_back();
        paths.back() += digits(frame.x.at(point.x)) + "," + digits(frame.y.at(point.y)) + " ";
        if (point.high > point.low && (frame.y.linear || point.low > 0)) {
            svg += line(frame.x.at(point.x), frame.y.at(point.low), frame.x.at(point.x),
                        frame.y.at(point.high), colour_of(style), 1.2);
        }
    }
    if (series.line && series.points.size() > 1) {
        const std::string dash = dash_of(series, style);
        for (const std::string& path : paths) {
            svg += "<polyline points=\"" + path + "\" fill=\"none\" stroke=\"" + colour_of(style) +
                   "\" stroke-width=\"1.6\" stroke-linecap=\"round\"" +
                   (dash.empty() ? "" : " stroke-dasharray=\"" + dash + "\"") + "/>\n";
        }
    }
    if (is_plain_line(series)) return svg;
    for (const PlotPoint& point : series.points) {
        svg += marker(frame.x.at(point.x), frame.y.at(point.y), style, series.hollow, point.label);
    }
    return svg;
}

constexpr double legend_width = 225;

std::size_t legend_columns(const LinePlot& plot) {
    return static_cast<std::size_t>(std::max(1.0, (plot.width - 66) / legend_width));
}

std::string draw_legend(const LinePlot& plot, double top) {
    std::string svg;
    const std::size_t columns = legend_columns(plot);
    for (std::size_t i = 0; i < plot.series.size(); ++i) {
        const PlotSeries& series = plot.series[i];
        const std::size_t style = series.style.value_or(i);
        const double x = 30 + static_cast<double>(i % columns) * legend_width;
        const std::size_t row = i / columns;
        const double y = top + static_cast<double>(row) * legend_line;
        if (series.line) svg += line(x, y, x + 34, y, colour_of(style), 1.6, dash_of(series, style));
        if (!is_plain_line(series)) svg += marker(x + 17, y, style, series.hollow, "");
        svg += label(x + 42, y + 4, "start", series.name);
    }
    return svg;
}

/// Leaves out points that an axis cannot show, and series without points.
LinePlot drawable(LinePlot plot) {
    for (PlotSeries& series : plot.series) {
        std::erase_if(series.points, [&](const PlotPoint& point) {
            return !std::isfinite(point.x) || !std::isfinite(point.y) ||
                   (plot.x != Axis::linear && point.x <= 0) || (plot.y != Axis::linear && point.y <= 0);
        });
    }
    for (std::size_t i = 0; i < plot.series.size(); ++i) {
        if (!plot.series[i].style) plot.series[i].style = i;
    }
    std::erase_if(plot.series, [](const PlotSeries& series) { return series.points.empty(); });
    return plot;
}

/// Cuts a longer name and ends it with dots.
std::string shortened(const std::string& name, std::size_t max_length) {
    return name.size() > max_length ? name.substr(0, max_length - 3) + "..." : name;
}

constexpr double bar_height = 16;
constexpr double room_for_value = 64;

/// The horizontal scale of a bar plot, in pixels.
struct BarScale {
    double from = 0;  ///< pixel of the value 0
    double pixels_per_unit = 1;
};

/// Published bars are hollow, measured ones are filled.
std::string bar_shape(double x, double y, double width, std::size_t style, bool published) {
    return "<rect x=\"" + digits(x) + "\" y=\"" + digits(y) + "\" width=\"" + digits(std::max(1.0, width)) +
           "\" height=\"" + digits(bar_height - 4) + "\" fill=\"" +
           (published ? std::string("#FFFFFF") : colour_of(style)) + "\" stroke=\"" + colour_of(style) +
           "\" stroke-width=\"1.4\"/>\n";
}

std::string draw_bar(const Bar& bar, const BarScale& scale, double y, std::size_t style, bool published) {
    if (!bar.value || *bar.value <= 0) return label(scale.from + 6, y + 12, "start", "-");
    std::string svg = bar_shape(scale.from, y + 2, *bar.value * scale.pixels_per_unit, style, published);
    if (bar.high > bar.low) {
        const double middle = y + bar_height / 2;
        svg += line(scale.from + bar.low * scale.pixels_per_unit, middle,
                    scale.from + bar.high * scale.pixels_per_unit, middle, text_colour, 2);
    }
    const double end = std::max(*bar.value, bar.high) * scale.pixels_per_unit;
    return svg + label(scale.from + end + 6, y + 12, "start", figure(*bar.value));
}

}  // namespace

std::string draw(const LinePlot& wanted) {
    const LinePlot plot = drawable(wanted);
    if (plot.series.empty()) return {};
    const Frame frame = frame_of(plot);
    const std::size_t columns = legend_columns(plot);
    const std::size_t legend_rows = (plot.series.size() + columns - 1) / columns;
    const double legend_top = frame.bottom + 58;
    std::string svg =
        open_svg(plot.width, legend_top + static_cast<double>(legend_rows) * legend_line, plot.title);
    svg += draw_axes(plot, frame);
    for (const PlotSeries& series : plot.series) svg += draw_series(series, *series.style, frame);
    return svg + draw_legend(plot, legend_top) + "</svg>\n";
}

Range y_limits_of(const std::vector<LinePlot>& plots) {
    std::optional<Range> all;
    for (const LinePlot& each : plots) {
        const LinePlot plot = drawable(each);
        if (plot.series.empty()) continue;
        const Range limits = limits_of(plot, true);
        all = all ? Range{std::min(all->low, limits.low), std::max(all->high, limits.high)} : limits;
    }
    return all.value_or(Range{1, 1});
}

std::string draw(const BarPlot& plot) {
    double max = 0;
    std::size_t num_bars = 0;
    for (const BarGroup& group : plot.groups) {
        num_bars += group.bars.size();
        for (const Bar& bar : group.bars) {
            if (bar.value && std::isfinite(*bar.value)) max = std::max({max, *bar.value, bar.high});
        }
    }
    if (max <= 0) return {};
    const bool has_legend = plot.series.size() > 1;
    const BarScale scale{.from = 212, .pixels_per_unit = (plot.width - 212 - room_for_value) / max};
    constexpr double gap = 8;
    const double bottom =
        34 + bar_height * static_cast<double>(num_bars) + gap * static_cast<double>(plot.groups.size());
    std::string svg = open_svg(plot.width, bottom + (has_legend ? 48 : 26), plot.title);
    double y = 34;
    for (const BarGroup& group : plot.groups) {
        const double height = bar_height * static_cast<double>(group.bars.size());
        svg += label(scale.from - 8, y + height / 2 + 4, "end", shortened(group.name, 35));
        for (std::size_t i = 0; i < group.bars.size(); ++i) {
            svg += draw_bar(group.bars[i], scale, y, i, plot.published);
            y += bar_height;
        }
        y += gap;
    }
    svg += line(scale.from, 34, scale.from, bottom, muted, 1) +
           label(scale.from, bottom + 14, "start", plot.unit);
    double x = 12;
    for (std::size_t i = 0; has_legend && i < plot.series.size(); ++i) {
        svg += bar_shape(x, bottom + 28, 16, i, plot.published) +
               label(x + 22, bottom + 38, "start", plot.series[i]);
        x += 42 + 6.4 * static_cast<double>(plot.series[i].size());
    }
    return svg + "</svg>\n";
}

}  // namespace published
