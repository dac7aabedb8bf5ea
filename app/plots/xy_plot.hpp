#pragma once

#include <imgui.h>

#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "app/plots/look.hpp"
#include "app/plots/scale.hpp"

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
    std::size_t style = 0;        ///< which of line_style(): the same for the same thing in every plot
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

/// Several series over one axis, as data: drawn by draw() below, as often and wherever it is wanted.
struct XyPlot {
    XyAxis x;
    XyAxis y;
    std::vector<XySeries> series = {};
    std::vector<XyLimit> limits = {};
    bool lines = true;         ///< points joined, names at line ends; else names beside their points
    std::string nothing = {};  ///< said where there is no point to draw
};

/// A point of a plot, by index.
struct XyHit {
    std::size_t series = 0;
    std::size_t point = 0;

    bool operator==(const XyHit&) const = default;
};

/// The two scales of a plot, and with them where its points are.
struct XyScales {
    Scale x;
    Scale y;

    bool shows(const XyPoint& point) const { return x.shows(point.x) && y.shows(point.y); }
    ImVec2 at(const XyPoint& point) const { return {x.at(point.x), y.at(point.y)}; }
};
/// The scales on which all points and limits have their place, for data from `low` (top left) to `high`.
XyScales make_scales(const XyPlot& plot, ImVec2 low, ImVec2 high);

/// Points that have no place on the scales.
std::size_t count_unplaced(const XyPlot& plot, const XyScales& scales);

/// The point nearest to `mouse` and no further away than `reach`.
std::optional<XyHit> nearest(const XyPlot& plot, const XyScales& scales, ImVec2 mouse, float reach);

/// Draws axes, bands between quartiles, lines, limits and names into the rectangle from `low` to `high`, and
/// a read-out of the point that `mouse` is near, which it returns. Keeps nothing between calls, so that a
/// plot may be drawn again elsewhere, at another scale and in other colours.
std::optional<XyHit> draw(ImDrawList& list, ImVec2 low, ImVec2 high, const XyPlot& plot, const Look& look,
                          std::optional<ImVec2> mouse = std::nullopt);

}  // namespace warpsieve::plots
