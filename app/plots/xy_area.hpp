#pragma once

#include "app/plots/xy_plot.hpp"

namespace warpsieve::plots {

/// Common data for drawing an XyPlot.
struct XyArea {
    ImDrawList& list;
    const XyPlot& plot;
    const Style& style;
    XyScales scales;
    ImVec2 low;                   ///< top left of the data
    ImVec2 high;                  ///< bottom right of the data
    float names_width;            ///< room for names on the right of the data
    std::vector<XyLimit> limits;  ///< those of the plot; coinciding ones as one
};

/// Names at the ends of lines, each with a stroke to where its line ends.
void draw_line_names(const XyArea& area);

/// Draws names beside their points where they cover neither a point nor another name. Returns the number of
/// names without room; only the read-out gives those.
std::size_t draw_point_names(const XyArea& area);

/// The figures of one point, on a card beside it that stays within the rectangle from `low` to `high`.
void draw_read_out(const XyArea& area, XyHit hit, ImVec2 low, ImVec2 high);

}  // namespace warpsieve::plots
