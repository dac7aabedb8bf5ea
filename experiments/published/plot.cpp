#include "experiments/published/plot.hpp"

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

using Dash = std::vector<double>;

constexpr Ink ground{Ink::Role::ground};
constexpr Ink grid_lines{Ink::Role::grid};
constexpr Ink muted{Ink::Role::muted};
constexpr Ink text_ink{Ink::Role::text};

constexpr double left_margin = 12;
constexpr double title_baseline = 20;
constexpr double legend_line = 18;
/// From the bottom of a frame of lines to its legend.
constexpr double legend_offset = 58;
constexpr double frame_height = 260;
/// To the left of a frame, for the labels of the y axis.
constexpr double room_for_y_labels = 62;
constexpr double right_margin = 16;

Ink ink_of(std::size_t style) {
    return {Ink::Role::series, style};
}

void segment(Canvas& canvas, Position from, Position to, Ink ink, double width, const Dash& dash = {}) {
    canvas.line(std::array{from, to}, ink, width, dash);
}

void label(Canvas& canvas, Position at, Anchor anchor, const std::string& text, Ink ink = text_ink) {
    canvas.text(at, anchor, text, ink, /*bold=*/false);
}

void draw_title(Canvas& canvas, const std::string& title) {
    canvas.text({left_margin, title_baseline}, Anchor::start, title, text_ink, /*bold=*/true);
}

/// Draws the marker of a series: circle, square, triangle up, diamond, triangle down, in turn.
void draw_marker(Canvas& canvas, Position at, std::size_t style, bool hollow, const std::string& tip) {
    constexpr double r = 4.2;
    const auto [x, y] = at;
    const Ink edge = ink_of(style);
    const Ink fill = hollow ? ground : edge;
    const auto polygon = [&](std::initializer_list<Position> corners) {
        canvas.shape(std::span(corners.begin(), corners.size()), fill, edge, tip);
    };
    switch (style % 5) {
        case 0:
            canvas.circle(at, r, fill, edge, tip);
            break;
        case 1:
            polygon({{x - r, y - r}, {x + r, y - r}, {x + r, y + r}, {x - r, y + r}});
            break;
        case 2:
            polygon({{x, y - r - 1}, {x + r + 1, y + r}, {x - r - 1, y + r}});
            break;
        case 3:
            polygon({{x, y - r - 1}, {x + r + 1, y}, {x, y + r + 1}, {x - r - 1, y}});
            break;
        default:
            polygon({{x, y + r + 1}, {x + r + 1, y - r}, {x - r - 1, y - r}});
    }
}

constexpr double legend_left = 30;
/// To the left and to the right of a legend together.
constexpr double legend_margins = 66;
/// Of a column of the legend.
constexpr double legend_width = 225;

std::size_t legend_columns(double width) {
    return static_cast<std::size_t>(std::max(1.0, (width - legend_margins) / legend_width));
}

double legend_height(std::size_t entries, double width) {
    const std::size_t columns = legend_columns(width);
    const std::size_t lines = (entries + columns - 1) / columns;
    return static_cast<double>(lines) * legend_line;
}

/// Draws names in columns. `draw_sample` draws what stands 42 pixels before the name of an entry.
void draw_legend(Canvas& canvas, double top, double width, const std::vector<std::string>& names,
                 const auto& draw_sample) {
    const std::size_t columns = legend_columns(width);
    for (std::size_t i = 0; i < names.size(); ++i) {
        const std::size_t line = i / columns;
        const Position at{legend_left + static_cast<double>(i % columns) * legend_width,
                          top + static_cast<double>(line) * legend_line};
        draw_sample(i, at);
        label(canvas, {at.x + 42, at.y + 4}, Anchor::start, names[i]);
    }
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
            auto ticks = base == 2 ? format::powers_of_two(low, high, /*max_count=*/11)
                                   : format::choose_log_ticks(low, high, /*max_count=*/9);
            // A single tick does not show the scale.
            if (ticks.size() >= 2) return ticks;
        }
        constexpr std::size_t max_ticks = 6;
        // One more than chosen: with rounding, both ends may have a tick.
        return format::multiples_of(format::choose_ticks(high - low, max_ticks).step, low, high,
                                    max_ticks + 1);
    }

    std::string tick_text(double tick) const {
        if (base == 2) return format::count_text(static_cast<std::uint64_t>(std::llround(tick)));
        return tick >= 1e4 ? figure(tick) : format::shortest(tick);
    }
};

/// A scale with room at its ends for markers.
Scale scale_over(Range range, Axis axis, bool from_zero) {
    const auto [min, max] = range;
    Scale scale{.linear = axis == Axis::linear, .base = axis == Axis::powers_of_two ? 2.0 : 10.0};
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
    double top = 54;
    double bottom = 0;
};

/// The smallest and the largest coordinate of all points, and for y of the intervals above 0.
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

Frame frame_of(const LinePlot& plot, double width) {
    Range x = limits_of(plot, /*of_y=*/false);
    Range y = plot.y_limits.value_or(limits_of(plot, /*of_y=*/true));
    if (plot.diagonal) {
        x = {std::min(x.low, y.low), std::max(x.high, y.high)};
        y = x;
    }
    Frame frame{.x = scale_over(x, plot.x, /*from_zero=*/false),
                .y = scale_over(y, plot.y, plot.y_from_zero)};
    frame.bottom = frame.top + frame_height;
    frame.x.from = room_for_y_labels;
    frame.x.to = width - right_margin;
    frame.y.from = frame.bottom;
    frame.y.to = frame.top;
    return frame;
}

/// Drops every second tick until the labels fit.
std::vector<double> fitting(std::vector<double> ticks, double width) {
    constexpr double label_room = 62;
    const auto max_ticks = static_cast<std::size_t>(std::max(2.0, width / label_room));
    while (ticks.size() > max_ticks) {
        std::vector<double> fewer;
        for (std::size_t i = 0; i < ticks.size(); i += 2) fewer.push_back(ticks[i]);
        ticks = std::move(fewer);
    }
    return ticks;
}

void draw_axes(Canvas& canvas, const LinePlot& plot, const Frame& frame) {
    const Scale& across = frame.x;
    for (const double tick : fitting(across.ticks(), across.to - across.from)) {
        const double x = across.at(tick);
        segment(canvas, {x, frame.top}, {x, frame.bottom}, grid_lines, 1);
        label(canvas, {x, frame.bottom + 16}, Anchor::middle, across.tick_text(tick));
    }
    for (const double tick : frame.y.ticks()) {
        const double y = frame.y.at(tick);
        segment(canvas, {across.from, y}, {across.to, y}, grid_lines, 1);
        label(canvas, {across.from - 8, y + 4}, Anchor::end, frame.y.tick_text(tick));
    }
    if (plot.diagonal)
        segment(canvas, {across.from, frame.bottom}, {across.to, frame.top}, muted, 1.2, {2, 4});
    segment(canvas, {across.from, frame.bottom}, {across.to, frame.bottom}, muted, 1);
    segment(canvas, {across.from, frame.top}, {across.from, frame.bottom}, muted, 1);
    label(canvas, {(across.from + across.to) / 2, frame.bottom + 36}, Anchor::middle, plot.x_label, muted);
    label(canvas, {left_margin, title_baseline + 19}, Anchor::start, plot.y_label, muted);
}

/// A series with more points is a solid line without markers.
constexpr std::size_t max_markers = 50;

bool is_plain_line(const PlotSeries& series) {
    return series.line && series.points.size() > max_markers;
}

/// The dash of a line. Style 0 is solid, unless the series is published. In the other styles, only hollow
/// markers tell a published series from a measured one.
Dash dash_of(const PlotSeries& series) {
    static const std::array<Dash, 7> dashes{Dash{}, {7, 3}, {2, 3}, {9, 3, 2, 3}, {4, 2}, {12, 4}, {1, 2}};
    if (is_plain_line(series)) return {};
    const Dash& dash = dashes[*series.style % dashes.size()];
    return series.hollow && dash.empty() ? Dash{4, 4} : dash;
}

void draw_series(Canvas& canvas, const PlotSeries& series, const Frame& frame) {
    const Ink ink = ink_of(*series.style);
    std::vector<Position> path;
    const auto end_path = [&] {
        if (series.line && path.size() > 1) canvas.line(path, ink, 1.6, dash_of(series));
        if (is_plain_line(series) && path.size() == 1) canvas.circle(path[0], 0.8, ink, ink, {});
        path.clear();
    };
    for (const PlotPoint& point : series.points) {
        if (point.after_gap) end_path();
        path.push_back({frame.x.at(point.x), frame.y.at(point.y)});
        if (point.high > point.low && (frame.y.linear || point.low > 0)) {
            const double x = path.back().x;
            segment(canvas, {x, frame.y.at(point.low)}, {x, frame.y.at(point.high)}, ink, 1.2);
        }
    }
    end_path();
    if (is_plain_line(series)) return;
    for (const PlotPoint& point : series.points) {
        draw_marker(canvas, {frame.x.at(point.x), frame.y.at(point.y)}, *series.style, series.hollow,
                    point.label);
    }
}

/// Leaves out points that an axis cannot show, and series without points. Gives every series a style, its
/// index in the whole plot by default.
LinePlot drawable(LinePlot plot) {
    for (std::size_t i = 0; i < plot.series.size(); ++i) {
        PlotSeries& series = plot.series[i];
        std::erase_if(series.points, [&](const PlotPoint& point) {
            return !std::isfinite(point.x) || !std::isfinite(point.y) ||
                   (plot.x != Axis::linear && point.x <= 0) || (plot.y != Axis::linear && point.y <= 0);
        });
        if (!series.style) series.style = i;
    }
    std::erase_if(plot.series, [](const PlotSeries& series) { return series.points.empty(); });
    return plot;
}

/// The names of entries with a member `name`.
std::vector<std::string> names_of(const auto& entries) {
    std::vector<std::string> names;
    for (const auto& entry : entries) names.push_back(entry.name);
    return names;
}

double height_of_plot(const LinePlot& plot, double width) {
    return frame_of(plot, width).bottom + legend_offset + legend_height(drawable(plot).series.size(), width);
}

void draw_plot(Canvas& canvas, const LinePlot& wanted, double width) {
    const LinePlot plot = drawable(wanted);
    const Frame frame = frame_of(plot, width);
    draw_title(canvas, plot.title);
    draw_axes(canvas, plot, frame);
    for (const PlotSeries& series : plot.series) draw_series(canvas, series, frame);
    draw_legend(canvas, frame.bottom + legend_offset, width, names_of(plot.series),
                [&](std::size_t i, Position at) {
                    const PlotSeries& series = plot.series[i];
                    if (series.line)
                        segment(canvas, at, {at.x + 34, at.y}, ink_of(*series.style), 1.6, dash_of(series));
                    if (!is_plain_line(series))
                        draw_marker(canvas, {at.x + 17, at.y}, *series.style, series.hollow, {});
                });
}

/// Cuts a longer name and ends it with dots.
std::string shortened(const std::string& name, std::size_t max_length) {
    return name.size() > max_length ? name.substr(0, max_length - 3) + "..." : name;
}

constexpr double bar_height = 16;
constexpr double bars_top = 34;
constexpr double bars_left = 212;
constexpr double room_for_value = 64;

double height_of(const BarGroup& group) {
    return bar_height * static_cast<double>(group.bars.size()) + 8;
}

double height_of_plot(const BarPlot& plot, double width) {
    const std::size_t entries = plot.series.size() > 1 ? plot.series.size() : 0;
    double bottom = bars_top;
    for (const BarGroup& group : plot.groups) bottom += height_of(group);
    return bottom + 26 + legend_height(entries, width);
}

/// The largest value of all bars and intervals; 0 if there is none.
double max_of(const BarPlot& plot) {
    double max = 0;
    for (const BarGroup& group : plot.groups) {
        for (const Bar& bar : group.bars) {
            if (bar.value && std::isfinite(*bar.value)) max = std::max({max, *bar.value, bar.high});
        }
    }
    return max;
}

/// Published bars are hollow, measured ones are filled.
void draw_rectangle(Canvas& canvas, Position low, double width, std::size_t style, bool published) {
    const double right = low.x + std::max(1.0, width);
    const double bottom = low.y + bar_height - 4;
    canvas.shape(std::array<Position, 4>{{low, {right, low.y}, {right, bottom}, {low.x, bottom}}},
                 published ? ground : ink_of(style), ink_of(style), {});
}

void draw_bar(Canvas& canvas, const Bar& bar, double y, double pixels_per_unit, std::size_t style,
              bool published) {
    if (!bar.value || *bar.value <= 0) {
        label(canvas, {bars_left + 6, y + 12}, Anchor::start, "-", muted);
        return;
    }
    draw_rectangle(canvas, {bars_left, y + 2}, *bar.value * pixels_per_unit, style, published);
    if (bar.high > bar.low) {
        const double middle = y + bar_height / 2;
        segment(canvas, {bars_left + bar.low * pixels_per_unit, middle},
                {bars_left + bar.high * pixels_per_unit, middle}, text_ink, 2);
    }
    const double end = std::max(*bar.value, bar.high) * pixels_per_unit;
    label(canvas, {bars_left + end + 6, y + 12}, Anchor::start, figure(*bar.value));
}

void draw_plot(Canvas& canvas, const BarPlot& plot, double width) {
    const double pixels_per_unit = (width - bars_left - room_for_value) / max_of(plot);
    draw_title(canvas, plot.title);
    double y = bars_top;
    for (const BarGroup& group : plot.groups) {
        const double middle = y + bar_height * static_cast<double>(group.bars.size()) / 2;
        label(canvas, {bars_left - 8, middle + 4}, Anchor::end, shortened(group.name, 35));
        for (std::size_t i = 0; i < group.bars.size(); ++i)
            draw_bar(canvas, group.bars[i], y + bar_height * static_cast<double>(i), pixels_per_unit, i,
                     plot.published);
        y += height_of(group);
    }
    segment(canvas, {bars_left, bars_top}, {bars_left, y}, muted, 1);
    label(canvas, {bars_left, y + 14}, Anchor::start, plot.unit, muted);
    if (plot.series.size() < 2) return;
    draw_legend(canvas, y + 32, width, plot.series, [&](std::size_t i, Position at) {
        draw_rectangle(canvas, {at.x + 18, at.y - 6}, 16, i, plot.published);
    });
}

}  // namespace

bool is_empty(const Plot& plot) {
    if (const auto* bars = std::get_if<BarPlot>(&plot)) return max_of(*bars) <= 0;
    return drawable(std::get<LinePlot>(plot)).series.empty();
}

std::vector<Plot> side_by_side(std::vector<Plot> plots) {
    std::erase_if(plots, is_empty);
    std::optional<Range> all;
    for (const Plot& plot : plots) {
        const auto* lines = std::get_if<LinePlot>(&plot);
        if (!lines) continue;
        const Range limits = limits_of(drawable(*lines), /*of_y=*/true);
        all = all ? Range{std::min(all->low, limits.low), std::max(all->high, limits.high)} : limits;
    }
    for (Plot& plot : plots) {
        if (auto* lines = std::get_if<LinePlot>(&plot)) lines->y_limits = all;
    }
    return plots;
}

void draw(const Plot& plot, double width, Canvas& canvas) {
    std::visit([&](const auto& each) { draw_plot(canvas, each, width); }, plot);
}

double height_of(const Plot& plot, double width) {
    return std::visit([&](const auto& each) { return height_of_plot(each, width); }, plot);
}

}  // namespace published
