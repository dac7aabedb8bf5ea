#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "app/plots/columns.hpp"
#include "app/plots/look.hpp"

namespace warpsieve::plots {

/// The drawing area of one frame and its scales, shared by everything that draws into it.
struct Area {
    ImDrawList& list;
    const Look& look;
    ImVec2 low;   ///< top left of the data
    ImVec2 high;  ///< bottom right of the data
    float column_width;
    double top_us;

    float y_of(double us) const {
        const double share = std::clamp(us / top_us, 0.0, 1.0);
        return high.y - static_cast<float>(share) * (high.y - low.y);
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

/// Draws a run of neighbouring columns, all of one algorithm, as stacked bands. `edge` is memory to work in.
void draw_bands(const Area& area, std::span<const Column> run, std::vector<ImVec2>& edge);

}  // namespace warpsieve::plots
