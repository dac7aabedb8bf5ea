#pragma once

#include <cmath>
#include <cstddef>

#include "app/plots/xy_plot.hpp"

namespace warpsieve::fake {

/// Times of two algorithms over the length of the stream.
inline plots::XyPlot two_lines() {
    plots::XyPlot plot{.x = {"items", plots::AxisQuantity::items, true},
                       .y = {"time of a call", plots::AxisQuantity::time_us, true}};
    for (std::size_t s = 0; s < 2; ++s) {
        plots::XySeries series{s == 0 ? "first" : "second", s, {}};
        for (int i = 10; i <= 20; ++i) {
            const double y = std::exp2(i - 8) * (s == 0 ? 1 : 1.6);
            series.points.push_back({.x = std::exp2(i), .y = y, .q1 = y * 0.9, .q3 = y * 1.1, .n = 30});
        }
        plot.series.push_back(series);
    }
    return plot;
}

}  // namespace warpsieve::fake
