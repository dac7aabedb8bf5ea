#pragma once

#include <imgui.h>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "app/format/xy_data.hpp"
#include "app/plots/scale.hpp"
#include "app/plots/style.hpp"

namespace warpsieve::plots {

/// A point of a plot, by index.
struct XyHit {
    std::size_t series = 0;
    std::size_t point = 0;

    bool operator==(const XyHit&) const = default;
};

/// The two scales of a plot, which place its points.
struct XyScales {
    Scale x;
    Scale y;

    bool shows(const XyPoint& point) const { return x.shows(point.x) && y.shows(point.y); }
    ImVec2 at(const XyPoint& point) const { return {x.at(point.x), y.at(point.y)}; }
};
/// The scales that fit all points and limits, for data from `low` (top left) to `high`.
XyScales make_scales(const XyPlot& plot, ImVec2 low, ImVec2 high);

/// The number of points without a place on the scales.
std::size_t count_unplaced(const XyPlot& plot, const XyScales& scales);

/// The limits of a plot, where straight ones less than `apart` pixels from each other become one with both
/// names, at the level of the first.
std::vector<XyLimit> distinct_limits(const XyPlot& plot, const XyScales& scales, float apart);

/// "3 names left out: point at a dot to read its name"; empty for none.
std::string words_on_names(std::size_t left_out);

/// The point nearest to `mouse` and no further away than `reach`.
std::optional<XyHit> nearest(const XyPlot& plot, const XyScales& scales, ImVec2 mouse, float reach);

/// Draws axes, bands between quartiles, lines, limits and names into the rectangle from `low` to `high`, and
/// a read-out of the point near `mouse`, which it returns. Stateless: a plot can be drawn again at another
/// place, scale and style.
std::optional<XyHit> draw(ImDrawList& list, ImVec2 low, ImVec2 high, const XyPlot& plot, const Style& style,
                          std::optional<ImVec2> mouse = std::nullopt);

}  // namespace warpsieve::plots
