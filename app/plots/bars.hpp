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

/// A horizontal bar from 0, in parts, with the interval that its end is known to lie in.
struct Bar {
    std::span<const BarPart> parts;
    double low = 0;  ///< the interval; both 0 where there is none
    double high = 0;
    bool faint = false;  ///< still being measured
};

/// A linear axis from 0 at `left` to `end` at `right`. What lies beyond is cut off, and drawn as cut.
struct BarAxis {
    float left = 0;
    float right = 0;
    double end = 1;

    float x_of(double value) const;
};

/// Where an axis ends that shows bars of these lengths, whatever their order. Bars more than four times as
/// long as the next shorter one are left to be cut, or the others would have no length to differ in; all
/// others are shown whole, for cut bars look alike. Lengths that are not above 0 are passed over; 1 where
/// none is left.
double bar_axis_end(std::vector<double> lengths);

/// A bar between two heights.
void draw_bar(ImDrawList& list, const BarAxis& axis, const Bar& bar, float top, float bottom,
              const Style& style);

/// The grid of the axis behind bars from `top` to `bottom`, and its labels over them, in `unit_per_value`
/// units. `labels_baseline`: of the labels.
void draw_bar_grid(ImDrawList& list, const BarAxis& axis, float top, float bottom, float labels_baseline,
                   double unit_per_value, const Style& style);

/// A dashed line at a limit that no bar can be expected to pass.
void draw_bar_limit(ImDrawList& list, const BarAxis& axis, double value, float top, float bottom,
                    const Style& style);

}  // namespace warpsieve::plots
