#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "app/plots/columns.hpp"
#include "app/plots/style.hpp"

namespace warpsieve::plots {

/// The rectangle of a plot over columns; strips below it share its time axis.
struct PlotFrame {
    ImVec2 low;   ///< top left of the data
    ImVec2 high;  ///< bottom right of the data
    float column_width;
};

/// The drawing area of one frame and its scales, shared by everything that draws into it.
struct Area {
    ImDrawList& list;
    const Style& style;
    ImVec2 low;   ///< top left of the data
    ImVec2 high;  ///< bottom right of the data
    float column_width;
    double top_us;
    double bottom_us = 0;  ///< of a logarithmic axis; 0: the axis is linear and begins at 0
    float height_per_us = static_cast<float>((high.y - low.y) / top_us);  ///< of a linear axis

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
    /// Edges and middle of a column; the newest ends at the right edge of the area.
    float left_of(const Column& column) const {
        return std::max(low.x, high.x - static_cast<float>(column.age + 1) * column_width);
    }
    float right_of(const Column& column) const {
        return high.x - static_cast<float>(column.age) * column_width;
    }
    float middle_of(const Column& column) const {
        return std::max(low.x, high.x - (static_cast<float>(column.age) + 0.5F) * column_width);
    }
};

/// Scratch memory for drawing bands.
struct BandMemory {
    /// A stroke of the hatching that the next column may prolong.
    struct Stroke {
        std::size_t after = 0;  ///< index of the column behind its right end; 0: none
        float left = 0;
        float right = 0;
    };

    std::vector<float> x;     ///< the outer edges of a run, and between these the middles of its columns
    std::vector<float> tops;  ///< of a band, in pixels, at each x
    std::vector<float> bottoms;
    std::vector<ImVec2> line;
    std::vector<Stroke> strokes;
};

/// Draws a run of neighbouring columns, all of one algorithm, as stacked bands. `open_above`: no line of
/// the plot follows the upper edge of the highest band.
void draw_bands(const Area& area, std::span<const Column> run, bool open_above, BandMemory& memory);

}  // namespace warpsieve::plots
