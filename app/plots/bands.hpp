#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "app/plots/columns.hpp"
#include "app/plots/style.hpp"
#include "experiments/statistics.hpp"

namespace warpsieve::plots {

/// The rectangle of a plot over columns. Strips below it share its time axis.
struct PlotFrame {
    ImVec2 low;   ///< top left of the data
    ImVec2 high;  ///< bottom right of the data
    float column_width;
};

/// The drawing area of a plot over columns, and its scales.
struct Area {
    ImDrawList& list;
    const Style& style;
    ImVec2 low;   ///< top left of the data
    ImVec2 high;  ///< bottom right of the data
    float column_width;
    double top_us;
    double bottom_us = 0;  ///< lower end of a logarithmic axis; 0: the axis is linear and begins at 0
    float height_per_us = static_cast<float>((high.y - low.y) / top_us);  ///< if the axis is linear

    bool logarithmic() const { return bottom_us > 0; }
    float y_of(double us) const {
        const float height = high.y - low.y;
        if (!logarithmic()) return high.y - std::clamp(static_cast<float>(us) * height_per_us, 0.0F, height);
        const double share = us > bottom_us ? std::log(us / bottom_us) / std::log(top_us / bottom_us) : 0;
        return high.y - static_cast<float>(std::min(share, 1.0)) * height;
    }
    double us_at(float y) const {
        const double share = static_cast<double>((high.y - y) / (high.y - low.y));
        return logarithmic() ? bottom_us * std::pow(top_us / bottom_us, share) : share * top_us;
    }
    /// Edges and middle of a column. The newest column ends at the right edge of the area. If there is one
    /// column more than fits, the oldest one is at the left edge and has no width.
    float left_of(const Column& column) const {
        return std::max(low.x, high.x - static_cast<float>(column.num_newer + 1) * column_width);
    }
    float right_of(const Column& column) const {
        return high.x - static_cast<float>(column.num_newer) * column_width;
    }
    float middle_of(const Column& column) const {
        return std::max(low.x, high.x - (static_cast<float>(column.num_newer) + 0.5F) * column_width);
    }
};

/// Scratch memory for drawing bands.
struct BandMemory {
    /// A stroke of the hatching. The next column may prolong it.
    struct Stroke {
        std::size_t end = 0;  ///< one past the index of its last column; 0: no stroke
        float left = 0;
        float right = 0;
    };

    std::vector<float> x;     ///< left edge of the first column, middle of each, right edge of the last
    std::vector<float> tops;  ///< [x] upper edge of a band, in pixels
    std::vector<float> bottoms;
    std::vector<ImVec2> line;
    std::vector<Stroke> strokes;
};

/// Draws neighbouring columns of one algorithm as stacked bands. `with_edge_lines`: draw a line along the
/// upper edge of each band, for a plot in which no line of the total bounds the stack.
void draw_bands(const Area& area, std::span<const Column> columns, bool with_edge_lines, BandMemory& memory);

/// The totals of another run for comparison: a saved run, or B.
struct TotalsLine {
    std::string_view name;            ///< written beside the plot
    std::span<const float> total_us;  ///< per frame, oldest first; empty if only the summary is known
    experiments::Summary us;          ///< summary of the totals
    bool with_quartiles = false;      ///< draw the quartiles as a band and the median as a dashed line
};

/// Reduces the totals of another run to the columns of the live run, with the newest frame of both in the
/// same column. `out`: [columns.num_across], newest first, the largest total of the frames in a column; 0 if
/// the run has no frame there, or if only its summary is known. `frames_after`: number of live frames newer
/// than the right edge.
void reduce_totals(std::span<const float> total_us, std::uint64_t frames_after, const Columns& columns,
                   std::vector<float>& out);

/// Draws the totals of another run. `points` is scratch memory.
void draw_totals(const Area& area, const Columns& columns, const TotalsLine& line, std::uint64_t frames_after,
                 std::vector<ImVec2>& points);

}  // namespace warpsieve::plots
