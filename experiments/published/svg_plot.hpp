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
    std::string label;  ///< tooltip; may be empty
};

struct PlotSeries {
    std::string name;
    std::vector<PlotPoint> points;          ///< points that are not positive are left out
    bool line = true;                       ///< joins the points in order
    bool hollow = false;                    ///< hollow markers, for published figures
    std::optional<std::size_t> style = {};  ///< colour, marker and dash; default: the index of the series
};

/// Both axes logarithmic.
struct LogPlot {
    std::string title;
    std::string x_label;
    std::string y_label;
    std::vector<PlotSeries> series;
    bool x_in_powers_of_two = false;  ///< ticks 2^10, 2^11, ... instead of powers of ten
    bool y_linear = false;            ///< from 0
    bool diagonal = false;            ///< the line y = x, dotted, with the same scale on both axes
};

/// Empty text if no series has a point.
std::string draw(const LogPlot& plot);

/// A published figure and the figure here, on one line.
struct PairRow {
    std::string name;
    std::optional<double> published;
    std::optional<double> here;
};

/// Rows of two times on one logarithmic axis: the distance shows the ratio.
struct PairPlot {
    std::string title;
    std::string unit;
    std::vector<PairRow> rows;
};

/// Empty text if no row has a value.
std::string draw(const PairPlot& plot);

}  // namespace published
