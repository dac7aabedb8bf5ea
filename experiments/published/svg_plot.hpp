#pragma once

#include <optional>
#include <string>
#include <vector>

/// Plots as SVG text, for a light page: no script, no style sheet, nothing fetched. Series differ in colour
/// (Okabe and Ito 2008), marker and dash, so that none is told by hue alone.
namespace published {

struct PlotPoint {
    double x = 0;
    double y = 0;
    std::string label;  ///< shown when pointed at; may be empty
};

struct PlotSeries {
    std::string name;
    std::vector<PlotPoint> points;  ///< those that are not positive are left out
    bool line = true;               ///< points joined in their order
    bool hollow = false;            ///< markers drawn empty: for what was published
    std::optional<std::size_t> style =
        {};  ///< those that belong together share one; otherwise each has its own
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

/// The plot, or empty text where no series has a point.
std::string draw(const LogPlot& plot);

/// One figure published and one here, on one line.
struct PairRow {
    std::string name;
    std::optional<double> published;
    std::optional<double> here;
};

/// Pairs of times under each other, on one logarithmic axis: how far apart is how many times.
struct PairPlot {
    std::string title;
    std::string unit;
    std::vector<PairRow> rows;
};

/// The plot, or empty text where no row has a value.
std::string draw(const PairPlot& plot);

}  // namespace published
