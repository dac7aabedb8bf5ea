#include "experiments/published/svg_plot.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "experiments/format/counts.hpp"
#include "experiments/format/numbers.hpp"
#include "experiments/format/ticks.hpp"
#include "experiments/published/figures.hpp"
#include "experiments/published/markup.hpp"

namespace published {
namespace {

namespace format = experiments::format;

constexpr std::array colours{"#0072B2", "#D55E00", "#009E73", "#CC79A7", "#000000", "#E69F00", "#56B4E9"};
constexpr std::array dashes{"", "7 3", "2 3", "9 3 2 3", "4 2", "12 4", "1 2"};
constexpr const char* text_colour = "#1B1F26";
constexpr const char* muted = "#5A6472";
constexpr const char* grid_colour = "#D9DDE3";

constexpr double plot_width = 760;
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

std::string polygon(std::initializer_list<std::array<double, 2>> corners, const std::string& style) {
    std::string points;
    for (const auto& [x, y] : corners) points += digits(x) + "," + digits(y) + " ";
    return "<polygon points=\"" + points + "\" " + style;
}

/// The marker of a series: circle, square, triangle up, diamond, triangle down, in turn.
std::string marker(double x, double y, std::size_t style, bool hollow, const std::string& tip) {
    const std::string colour = colour_of(style);
    const std::string fill = hollow ? "#FFFFFF" : colour;
    const std::string style_text = "fill=\"" + fill + "\" stroke=\"" + colour + "\" stroke-width=\"1.6\">";
    constexpr double r = 4.2;
    std::string shape;
    std::string name = "polygon";
    switch (style % 5) {
        case 0:
            name = "circle";
            shape = "<circle cx=\"" + digits(x) + "\" cy=\"" + digits(y) + "\" r=\"" + digits(r) + "\" " +
                    style_text;
            break;
        case 1:
            shape = polygon({{x - r, y - r}, {x + r, y - r}, {x + r, y + r}, {x - r, y + r}}, style_text);
            break;
        case 2:
            shape = polygon({{x, y - r - 1}, {x + r + 1, y + r}, {x - r - 1, y + r}}, style_text);
            break;
        case 3:
            shape = polygon({{x, y - r - 1}, {x + r + 1, y}, {x, y + r + 1}, {x - r - 1, y}}, style_text);
            break;
        default:
            shape = polygon({{x, y + r + 1}, {x + r + 1, y - r}, {x - r - 1, y - r}}, style_text);
    }
    return shape + (tip.empty() ? "" : element("title", tip)) + "</" + name + ">\n";
}

std::string open_svg(double height, const std::string& title) {
    const std::string size = digits(plot_width) + " " + digits(height);
    return "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + size + "\" width=\"" +
           digits(plot_width) + "\" height=\"" + digits(height) +
           "\" font-family=\"Inter, Helvetica, Arial, sans-serif\" font-size=\"12\" role=\"img\">\n" +
           element("title", title) + "\n<rect width=\"100%\" height=\"100%\" fill=\"#FFFFFF\"/>\n" +
           label(12, 20, "start", title, "font-size=\"14\" font-weight=\"600\"");
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

/// A scale with room at its ends for markers.
Scale scale_over(const std::vector<double>& values, double base, bool linear) {
    Scale scale{.linear = linear, .base = base};
    const auto [least, most] = std::ranges::minmax(values);
    if (linear) {
        scale.low = 0;
        scale.high = most > 0 ? most * 1.1 : 1;
        return scale;
    }
    const double margin = base == 2 ? 1.4 : 1.5;
    scale.low = least / margin;
    scale.high = most * margin;
    return scale;
}

struct Frame {
    Scale x;
    Scale y;
    double top = 34;
    double bottom = 0;
};

Frame frame_of(const LogPlot& plot) {
    std::vector<double> xs;
    std::vector<double> ys;
    for (const PlotSeries& series : plot.series) {
        for (const PlotPoint& point : series.points) {
            xs.push_back(point.x);
            ys.push_back(point.y);
        }
    }
    if (plot.diagonal) {
        xs.insert(xs.end(), ys.begin(), ys.end());
        ys = xs;
    }
    Frame frame{.x = scale_over(xs, plot.x_in_powers_of_two ? 2 : 10, false),
                .y = scale_over(ys, 10, plot.y_linear)};
    frame.bottom = frame.top + 300;
    frame.x.from = 78;
    frame.x.to = plot_width - 24;
    frame.y.from = frame.bottom;
    frame.y.to = frame.top;
    return frame;
}

std::string draw_axes(const LogPlot& plot, const Frame& frame) {
    std::string svg;
    for (const double tick : frame.x.ticks()) {
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
    svg += label(18, middle, "middle", plot.y_label, "transform=\"rotate(-90 18 " + digits(middle) + ")\"");
    return svg;
}

/// Published lines are always dashed, so that they differ from measured ones of the same style.
std::string dash_of(const PlotSeries& series, std::size_t style) {
    const std::string dash = dashes[style % dashes.size()];
    return series.hollow && dash.empty() ? "4 4" : dash;
}

std::string draw_series(const PlotSeries& series, std::size_t style, const Frame& frame) {
    std::string svg;
    std::string path;
    for (const PlotPoint& point : series.points) {
        path += digits(frame.x.at(point.x)) + "," + digits(frame.y.at(point.y)) + " ";
    }
    if (series.line && series.points.size() > 1) {
        svg += "<polyline points=\"" + path + "\" fill=\"none\" stroke=\"" + colour_of(style) +
               "\" stroke-width=\"1.8\" stroke-dasharray=\"" + dash_of(series, style) + "\"/>\n";
    }
    for (const PlotPoint& point : series.points) {
        svg += marker(frame.x.at(point.x), frame.y.at(point.y), style, series.hollow, point.label);
    }
    return svg;
}

std::string draw_legend(const std::vector<PlotSeries>& all, double top) {
    std::string svg;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const std::size_t style = all[i].style.value_or(i);
        const std::size_t row = i / 2;
        const double x = 78 + static_cast<double>(i % 2) * 345;
        const double y = top + static_cast<double>(row) * legend_line;
        if (all[i].line) svg += line(x, y, x + 34, y, colour_of(style), 1.8, dash_of(all[i], style));
        svg += marker(x + 17, y, style, all[i].hollow, "");
        svg += label(x + 42, y + 4, "start", all[i].name);
    }
    return svg;
}

}  // namespace

std::string draw(const LogPlot& asked) {
    LogPlot plot = asked;
    for (PlotSeries& series : plot.series) {
        std::erase_if(series.points, [&](const PlotPoint& point) {
            return !(point.x > 0) || !std::isfinite(point.x) || !(point.y > 0) || !std::isfinite(point.y);
        });
    }
    std::erase_if(plot.series, [](const PlotSeries& series) { return series.points.empty(); });
    if (plot.series.empty()) return {};
    const Frame frame = frame_of(plot);
    const double legend_top = frame.bottom + 58;
    const double height = legend_top + std::ceil(static_cast<double>(plot.series.size()) / 2) * legend_line;
    std::string svg = open_svg(height, plot.title) + draw_axes(plot, frame);
    for (std::size_t i = 0; i < plot.series.size(); ++i)
        svg += draw_series(plot.series[i], plot.series[i].style.value_or(i), frame);
    return svg + draw_legend(plot.series, legend_top) + "</svg>\n";
}

std::string draw(const PairPlot& plot) {
    std::vector<double> values;
    for (const PairRow& row : plot.rows) {
        for (const auto& value : {row.published, row.here}) {
            if (value && *value > 0 && std::isfinite(*value)) values.push_back(*value);
        }
    }
    if (values.empty()) return {};
    constexpr double row_height = 24;
    constexpr double top = 40;
    const double bottom = top + row_height * static_cast<double>(plot.rows.size());
    Scale scale = scale_over(values, 10, false);
    scale.from = 330;
    scale.to = plot_width - 30;
    std::string svg = open_svg(bottom + 64, plot.title);
    for (const double tick : scale.ticks()) {
        svg += line(scale.at(tick), top, scale.at(tick), bottom, grid_colour, 1);
        svg += label(scale.at(tick), bottom + 16, "middle", scale.tick_text(tick));
    }
    svg += label((scale.from + scale.to) / 2, bottom + 36, "middle", "time, " + plot.unit + " (logarithmic)");
    for (std::size_t i = 0; i < plot.rows.size(); ++i) {
        const PairRow& row = plot.rows[i];
        const double y = top + row_height * (static_cast<double>(i) + 0.5);
        svg += label(scale.from - 12, y + 4, "end", row.name);
        const bool both = row.published && row.here && *row.published > 0 && *row.here > 0;
        if (both) svg += line(scale.at(*row.published), y, scale.at(*row.here), y, muted, 1.4);
        if (row.published && *row.published > 0) {
            svg += marker(scale.at(*row.published), y, 1, true, "published " + figure(row.published));
        }
        if (row.here && *row.here > 0)
            svg += marker(scale.at(*row.here), y, 0, false, "here " + figure(row.here));
    }
    const double y = bottom + 54;
    svg += marker(scale.from, y, 1, true, "") + label(scale.from + 12, y + 4, "start", "published");
    svg += marker(scale.from + 110, y, 0, false, "") + label(scale.from + 122, y + 4, "start", "here");
    return svg + "</svg>\n";
}

}  // namespace published
