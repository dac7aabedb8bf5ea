#pragma once

#include <imgui.h>

#include "app/plots/bands.hpp"
#include "app/plots/columns.hpp"
#include "app/plots/style.hpp"

namespace warpsieve::plots {

/// The maximum clock, and what counts as low.
struct ClockScale {
    double max_hz = 0;     ///< maximum clock of the processors, known or measured
    double low_share = 0;  ///< a clock below this share of max_hz is low

    bool is_low(double hz) const { return hz > 0 && hz < low_share * max_hz; }
};

/// The larger of the highest clock of the columns and `known_hz`.
double max_clock_hz(const Columns& columns, double known_hz);

/// Draws the processor clock between `top` and `bottom`, below a plot over the same columns: a step for each
/// measurement, the maximum clock as a dashed line, and low clocks marked. Frames whose clock is unknown are
/// a gap.
void draw_clock_strip(ImDrawList& list, const Style& style, const PlotFrame& frame, const Columns& columns,
                      const ClockScale& scale, float top, float bottom);

}  // namespace warpsieve::plots
