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

/// A horizontal stacked bar that begins at 0, with the confidence interval of its end.
struct Bar {
    std::span<const BarPart> parts;
    double low = 0;  ///< interval of the end; both 0 if unknown
    double high = 0;
    bool faint = false;  ///< the result is still being measured
};

/// A linear axis from 0 at `left` to `end` at `right`. Bars longer than `end` are cut and marked.
struct BarAxis {
    float left = 0;
    float right = 0;
    double end = 1;

    float x_of(double value) const;
};

/// The end of an axis for bars of these lengths, in any order. A bar more than four times as long as the next
/// shorter one is cut, so that the others stay distinguishable. Skips lengths that are not above 0; returns 1
/// if none is left.
double bar_axis_end(std::vector<double> lengths);

/// Draws a bar between the heights `top` and `bottom`.
void draw_bar(ImDrawList& list, const BarAxis& axis, const Bar& bar, float top, float bottom,
              const Style& style);

/// Draws the grid behind the bars from `top` to `bottom`, and the labels above them. Labels are values times
/// `unit_per_value`.
void draw_bar_grid(ImDrawList& list, const BarAxis& axis, float top, float bottom, float labels_baseline,
                   double unit_per_value, const Style& style);

/// Draws a dashed line across all bars at a limit.
void draw_bar_limit(ImDrawList& list, const BarAxis& axis, double value, float top, float bottom,
                    const Style& style);

}  // namespace warpsieve::plots
