#pragma once

#include <imgui.h>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "app/format/xy_data.hpp"
#include "app/plots/axis.hpp"
#include "app/plots/style.hpp"

namespace warpsieve::plots {

/// A point of a plot, by index.
struct XyHit {
    std::size_t series = 0;
    std::size_t point = 0;

    bool operator==(const XyHit&) const = default;
};

/// The two scales of a plot.
struct XyScales {
    Scale x;
    Scale y;

    bool shows(const XyPoint& point) const { return x.shows(point.x) && y.shows(point.y); }
    ImVec2 at(const XyPoint& point) const { return {x.at(point.x), y.at(point.y)}; }
};
/// The scales that fit all points and limits into the rectangle from `low` (top left) to `high`.
XyScales make_scales(const XyPlot& plot, ImVec2 low, ImVec2 high);

/// The number of points that the scales cannot show.
std::size_t count_unplottable(const XyPlot& plot, const XyScales& scales);

/// The limits of a plot. Straight limits less than `min_distance` pixels from each other are merged: the
/// result has both names and the level of the first.
std::vector<XyLimit> distinct_limits(const XyPlot& plot, const XyScales& scales, float min_distance);

/// "3 names left out: point at a dot to read its name"; empty for 0.
std::string left_out_names_text(std::size_t left_out);

/// The point nearest to `mouse` within `reach` pixels.
std::optional<XyHit> nearest_point(const XyPlot& plot, const XyScales& scales, ImVec2 mouse, float reach);

/// Draws axes, bands between quartiles, lines, limits and names into the rectangle from `low` to `high`.
/// Draws a read-out of the point near `mouse` and returns this point. A plot has no state, so it can be drawn
/// again with another rectangle, scale and style.
std::optional<XyHit> draw(ImDrawList& list, ImVec2 low, ImVec2 high, const XyPlot& plot, const Style& style,
                          std::optional<ImVec2> mouse = std::nullopt);

}  // namespace warpsieve::plots
