#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include "app/format/axis_data.hpp"

/// A plot of several series over one axis, as data. app/plots/xy_plot.hpp draws it.
namespace warpsieve::plots {

/// A point of a plot. Values that are not finite, or not positive on a logarithmic axis, leave a gap that the
/// plot reports.
struct XyPoint {
    static constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

    double x = 0;
    double y = 0;         ///< the median
    double q1 = unknown;  ///< quartiles of y; drawn if known
    double q3 = unknown;
    std::size_t n = 0;       ///< number of samples; 0: unknown
    double x_low = unknown;  ///< if only bounds of x are known: a line is drawn from here to x
    std::string note = {};   ///< another line of the read-out
};

struct XySeries {
    std::string name;
    std::size_t style = 0;        ///< index for line_style()
    std::vector<XyPoint> points;  ///< in order of x if the plot draws lines
};

/// A dashed line with a name: an upper limit.
struct XyLimit {
    std::string name;
    double level = 0;                  ///< y = level
    bool diagonal = false;             ///< y = level * x instead
    std::vector<XyPoint> points = {};  ///< a line through these points instead, if any
};

struct XyAxis {
    std::string title;
    Counts counts = Counts::number;
    bool logarithmic = false;
    bool from_zero = false;  ///< a linear axis that starts at 0
    Range shown = {};        ///< range to show even without data
};

struct XyPlot {
    XyAxis x;
    XyAxis y;
    std::vector<XySeries> series = {};
    std::vector<XyLimit> limits = {};
    bool lines = true;  ///< joins points and puts names at line ends; otherwise names stand beside points
    std::string nothing = {};  ///< text if there is no point to draw
};

}  // namespace warpsieve::plots
