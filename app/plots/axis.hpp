#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "app/format/figures.hpp"
#include "app/format/xy_data.hpp"

/// The arithmetic of axes: scales, ticks and their labels, the range of a live axis.
namespace warpsieve::plots {

/// The text of one value in a read-out.
format::Figure figure_of(AxisQuantity quantity, double value);

/// Maps the values of an axis to pixels and back.
struct Scale {
    double low = 0;
    double high = 1;
    bool logarithmic = false;
    float start = 0;  ///< pixel of `low`
    float end = 1;    ///< pixel of `high`; may be less than `start`

    /// Whether the axis can show a value: it is finite and, on a logarithmic axis, positive.
    bool shows(double value) const { return std::isfinite(value) && (!logarithmic || value > 0); }
    /// The pixel of a value that the axis can show. It may lie outside of `start` and `end`.
    float at(double value) const;
    double value_at(float pixel) const;
};

/// The scale of an axis that shows `range` with a margin. A range of one value or none is widened. A linear
/// axis begins at 0 if `from_zero`.
Scale make_scale(const Range& range, bool logarithmic, bool from_zero, float start, float end);

struct Tick {
    double value = 0;
    std::string label;
};

/// Up to `max_ticks` ticks within the scale, ascending: powers of two for items on a logarithmic scale, else
/// 1, 2 or 5 times a power of ten. A time has its unit on the last label of a linear axis, and on
/// every label of a logarithmic one; shares and rates have their sign or prefix on every label.
std::vector<Tick> ticks_of(const Scale& scale, AxisQuantity quantity, std::size_t max_ticks);

/// The ascending indices of the points of a line that must be drawn. If several points share a column of
/// `column_width` pixels, the first, the last, the lowest and the highest suffice for the same pixels. `x`
/// must ascend. Source: Jugel et al. 2014, "M4: A Visualization-Oriented Time Series Data Aggregation".
std::vector<std::size_t> thin_out(const std::vector<float>& x, const std::vector<float>& y,
                                  float column_width);

/// The upper end of a live axis, with hysteresis: it does not move while the data varies a little.
///
/// An axis that fits the typical values ends at the upper outer fence of Tukey, three interquartile ranges
/// above the third quartile, so that a few late frames do not flatten all others. Values above the end are
/// counted. The end moves smoothly, and down only if the data has become clearly smaller.
class RangeHysteresis {
  public:
    /// The values that the axis fits. A logarithmic axis has room for all.
    enum class Fit : std::uint8_t { typical, all };

    /// Updates the end for the values on the axis, in any order; values that are not finite are skipped.
    /// `seconds`: time since the last call. `shown`: another value that the axis must show.
    void update(std::span<const float> values, double seconds, Fit fit = Fit::typical, double shown = 0);

    /// Like update() with the values of the last call.
    void ease(double seconds);

    /// Makes the next update() jump to its end.
    void restart() { current_end_ = target_ = 0; }

    double current_end() const { return current_end_; }
    /// The larger of the current end and the end that it moves to.
    double largest_end() const { return std::max(current_end_, target_); }
    /// The number of values above the largest end.
    std::size_t spikes() const { return spikes_; }
    double largest() const { return largest_; }

  private:
    std::vector<float> finite_values_;
    double current_end_ = 0;
    double target_ = 0;
    double largest_ = 0;
    std::size_t spikes_ = 0;
};

/// The lower end of a live logarithmic axis: a power of ten at or below the 3rd percentile of the positive
/// values. It moves up only if the data is clearly above it. `last`: the previous end, 0 at first. Reorders
/// `values`. Returns 0 if no value is positive and finite.
double log_low_with_hysteresis(std::span<float> values, double last);

/// Moves ascending positions as little as possible, until neighbours are `gap` apart and all lie in [low,
/// high]. Spaces them evenly if there is too little room.
void spread_apart(std::span<float> positions, float gap, float low, float high);

/// The position in [low, high] nearest to `wanted` that is at least `gap` away from `other`. If neither side
/// has room, the end of the larger side.
float position_apart(float wanted, float other, float gap, float low, float high);

}  // namespace warpsieve::plots
