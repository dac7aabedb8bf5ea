#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include "app/plots/scale.hpp"

/// A plot of several series over one axis, as data: xy_plot.hpp draws it, as often and wherever it is wanted.
namespace warpsieve::plots {

/// What stands at one place of a plot. Values that are not finite, or have no logarithm where one is needed,
/// leave a gap, and the plot says so.
struct XyPoint {
    static constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

    double x = 0;
    double y = 0;         ///< the median
    double q1 = unknown;  ///< quartiles of y; drawn where known
    double q3 = unknown;
    std::size_t n = 0;       ///< samples behind it; 0: not told
    double x_low = unknown;  ///< where only bounds of x are known: drawn as a line from here to x
    std::string note = {};   ///< a further line of the read-out
};

struct XySeries {
    std::string name;
    std::size_t style = 0;        ///< which of line_style()
    std::vector<XyPoint> points;  ///< x rising, where the plot draws lines
};

/// A dashed line with its name: a ceiling that nobody passes.
struct XyLimit {
    std::string name;
    double level = 0;                  ///< y = level
    bool diagonal = false;             ///< y = level * x instead
    std::vector<XyPoint> points = {};  ///< a line through these instead, where there are any
};

struct XyAxis {
    std::string title;
    Counts counts = Counts::number;
    bool logarithmic = false;
    bool from_zero = false;  ///< a linear axis that begins at 0
    Range shown = {};        ///< what it holds even before there is data
};

struct XyPlot {
    XyAxis x;
    XyAxis y;
    std::vector<XySeries> series = {};
    std::vector<XyLimit> limits = {};
    bool lines = true;         ///< points joined, names at line ends; else names beside their points
    std::string nothing = {};  ///< said where there is no point to draw
};

}  // namespace warpsieve::plots
