#pragma once

#include <imgui.h>

#include <span>
#include <vector>

#include "app/plots/style.hpp"

namespace warpsieve::plots {

/// A part of a stacked bar.
struct BarPart {
    double value = 0;
    SeriesStyle style;
};

/// A horizontal bar from 0, in parts, with the confidence interval of its end.
struct Bar {
    std::span<const BarPart> parts;
    double low = 0;  ///< the interval; both 0 where there is none
    double high = 0;
    bool faint = false;  ///< still being measured
};

/// A linear axis from 0 at `left` to `end` at `right`. Longer bars are cut and marked.
struct BarAxis {
    float left = 0;
    float right = 0;
    double end = 1;

    float x_of(double value) const;
};

/// The end of an axis for bars of these lengths, in any order. Bars more than four times as long as the next
/// shorter one are cut, so that the others stay distinguishable; all others are shown whole. Skips lengths
/// that are not above 0; 1 if none is left.
double bar_axis_end(std::vector<double> lengths);

/// A bar between two heights.
void draw_bar(ImDrawList& list, const BarAxis& axis, const Bar& bar, float top, float bottom,
              const Style& style);

/// Draws the grid behind bars from `top` to `bottom`, and the labels above them in `unit_per_value` units.
/// `labels_baseline`: baseline of the labels.
void draw_bar_grid(ImDrawList& list, const BarAxis& axis, float top, float bottom, float labels_baseline,
                   double unit_per_value, const Style& style);

/// Draws a dashed line at a limit for all bars.
void draw_bar_limit(ImDrawList& list, const BarAxis& axis, double value, float top, float bottom,
                    const Style& style);

}  // namespace warpsieve::plots
