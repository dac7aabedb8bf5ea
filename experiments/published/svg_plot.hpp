#pragma once

#include <optional>
#include <string>
#include <vector>

/// Self-contained SVG plots for a light page. Series differ in colour (Okabe and Ito 2008), marker and dash,
/// never by hue alone.
namespace published {

struct PlotPoint {
    double x = 0;
    double y = 0;
    std::string label = {};  ///< tooltip; may be empty
    double low = 0;          ///< ends of the interval of y; drawn if `high` is above `low`
    double high = 0;
    bool after_gap = false;  ///< no line from the point before, as values between the two are missing
};

struct PlotSeries {
    std::string name;
    std::vector<PlotPoint> points;          ///< a logarithmic axis leaves out values up to 0
    bool line = true;                       ///< joins the points in order
    bool hollow = false;                    ///< hollow markers, for published figures
    std::optional<std::size_t> style = {};  ///< colour, marker and dash; default: the index of the series
};

/// The range of an axis; the same for plots that are compared.
struct Range {
    double low = 0;
    double high = 0;
};

enum class Axis { linear, powers_of_ten, powers_of_two };

/// Lines and points over two axes.
struct LinePlot {
    std::string title;
    std::string x_label;
    std::string y_label;
    std::vector<PlotSeries> series;
    Axis x = Axis::powers_of_ten;
    Axis y = Axis::powers_of_ten;
    bool y_from_zero = true;             ///< linear axes only
    bool diagonal = false;               ///< the line y = x, dotted, with the same scale on both axes
    double width = 480;                  ///< pixels
    std::optional<Range> y_limits = {};  ///< default: those of the points
};

/// The SVG text; empty if no series has a point.
std::string draw(const LinePlot& plot);

/// The range of all values in the plots, for plots side by side.
Range y_limits_of(const std::vector<LinePlot>& plots);

struct Bar {
    std::optional<double> value;
    double low = 0;  ///< ends of the interval; drawn if `high` is above `low`
    double high = 0;
};

/// The bars of one entry, one for each name in BarPlot::series.
struct BarGroup {
    std::string name;
    std::vector<Bar> bars;
};

/// Bars from 0 with their values, one below the other.
struct BarPlot {
    std::string title;
    std::string unit;
    std::vector<std::string> series;  ///< names for the legend, which a single series does not need
    std::vector<BarGroup> groups;
    bool published = false;  ///< draws hollow bars
    double width = 480;
};

/// The SVG text; empty if no bar has a value.
std::string draw(const BarPlot& plot);

}  // namespace published
