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

    bool logarithmic() const { return bottom_us > 0; }
    float y_of(double us) const {
        double share = us / top_us;
        if (logarithmic())
            share = us > bottom_us ? std::log(us / bottom_us) / std::log(top_us / bottom_us) : 0;
        return high.y - static_cast<float>(std::clamp(share, 0.0, 1.0)) * (high.y - low.y);
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

/// Draws a run of neighbouring columns, all of one algorithm, as stacked bands. `edge` is scratch memory.
void draw_bands(const Area& area, std::span<const Column> run, std::vector<ImVec2>& edge);

}  // namespace warpsieve::plots
