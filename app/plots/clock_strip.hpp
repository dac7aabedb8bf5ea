#pragma once

#include <imgui.h>

#include "app/plots/bands.hpp"
#include "app/plots/columns.hpp"
#include "app/plots/style.hpp"

namespace warpsieve::plots {

/// The reference for a clock.
struct ClockScale {
    double highest_hz = 0;  ///< of the processors, known or measured
    double low_below = 0;   ///< as a share of that

    bool low(double hz) const { return hz > 0 && hz < low_below * highest_hz; }
};

/// The highest clock of the columns, or `known_hz` where that is higher.
double highest_clock(const Columns& columns, double known_hz);

/// Draws the processor clock between `top` and `bottom`, below a plot over the same columns and aligned with
/// it: a step for each measurement, the highest clock as a dashed line, and stretches below the threshold
/// marked as low. Frames without a known clock are a gap.
void draw_clock_strip(ImDrawList& list, const Style& style, const PlotFrame& place, const Columns& columns,
                      const ClockScale& scale, float top, float bottom);

}  // namespace warpsieve::plots
