#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

/// A plot of several series over one axis, as data. app/plots/xy_plot.hpp draws it.
namespace warpsieve::plots {

/// The quantity on an axis, which decides how its values are written.
enum class AxisQuantity : std::uint8_t {
    number,      ///< 128, 0.5
    items,       ///< 2^20, 65,536; ticks at powers of two
    time_us,     ///< 12.5 µs, 1.2 ms
    share,       ///< 37 % for 0.37
    per_second,  ///< 1.2 G/s
    gb_s,        ///< 620 GB/s
};

/// The smallest and the largest value on an axis.
struct Range {
    double low = 0;
    double high = 0;
    bool empty = true;

    void include(double value) {
        low = empty ? value : std::min(low, value);
        high = empty ? value : std::max(high, value);
        empty = false;
    }
};

/// A point of a plot. Values that are not finite, or not positive on a logarithmic axis, leave a gap that the
/// plot reports.
struct XyPoint {
    static constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

    double x = 0;
    double y = 0;         ///< the median
    double q1 = unknown;  ///< quartiles of y, drawn if known
    double q3 = unknown;
    std::size_t n = 0;       ///< number of samples; 0: unknown
    double x_low = unknown;  ///< lower bound of x, if x is an upper bound: a line is drawn between the two
    std::string note = {};   ///< additional line of the read-out
};

struct XySeries {
    std::string name;
    std::size_t style = 0;        ///< index for line_style()
    std::vector<XyPoint> points;  ///< sorted by x if the plot draws lines
};

/// A dashed line with a name: an upper limit.
struct XyLimit {
    std::string name;
    double level = 0;                  ///< the line is y = level
    bool diagonal = false;             ///< the line is y = level * x
    std::vector<XyPoint> points = {};  ///< if not empty, the line goes through these points
};

struct XyAxis {
    std::string title;
    AxisQuantity quantity = AxisQuantity::number;
    bool logarithmic = false;
    bool from_zero = false;  ///< starts a linear axis at 0
    Range shown = {};        ///< values that the axis always includes
};

struct XyPlot {
    XyAxis x;
    XyAxis y;
    std::vector<XySeries> series = {};
    std::vector<XyLimit> limits = {};
    bool lines = true;  ///< joins points and puts names at line ends; otherwise names stand beside points
    std::string empty_text = {};  ///< shown if there is no point to draw
};

}  // namespace warpsieve::plots
