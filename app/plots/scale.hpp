#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "app/format/figures.hpp"
#include "app/format/xy_data.hpp"

/// Axes of plots as far as they are arithmetic: ranges, scales, ticks and the words at them.
namespace warpsieve::plots {

/// A value by itself, as a read-out writes it.
format::Figure figure_of(Counts counts, double value);

/// One axis: from values to pixels and back.
struct Scale {
    double low = 0;
    double high = 1;
    bool logarithmic = false;
    float start = 0;  ///< pixel of `low`
    float end = 1;    ///< pixel of `high`; may be less than `start`

    /// Whether a value has a place: it is finite and, on a logarithmic axis, positive.
    bool shows(double value) const { return std::isfinite(value) && (!logarithmic || value > 0); }
    /// The pixel of a value that `shows`, also outside of the axis.
    float at(double value) const;
    double value_at(float pixel) const;
};

/// The scale of an axis on which all of `range` has its place with some air; a range of one value, or of
/// none, gets a width too. A linear axis begins at 0 where `from_zero`.
Scale make_scale(const Range& range, bool logarithmic, bool from_zero, float start, float end);

struct Tick {
    double value = 0;
    std::string label;
};

/// At most `most` ticks, within the scale and rising: powers of two for items on a logarithmic scale, else 1,
/// 2 or 5 times a power of ten. The last one carries the unit, or each where units differ.
std::vector<Tick> ticks_of(const Scale& scale, Counts counts, std::size_t most);

/// Which points of a line need drawing: where several share `column` pixels the first, the last, the lowest
/// and the highest stand for them, so that the drawn line is the same to the pixel. `x` rises, `y` belongs to
/// it; indices come out rising. Source: Jugel et al. 2014, "M4: A Visualization-Oriented Time Series Data
/// Aggregation".
std::vector<std::size_t> thin_out(const std::vector<float>& x, const std::vector<float>& y, float column);

}  // namespace warpsieve::plots
