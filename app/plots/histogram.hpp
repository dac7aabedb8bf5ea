#pragma once

#include <imgui.h>

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "app/plots/style.hpp"
#include "experiments/statistics.hpp"

namespace warpsieve::plots {

/// A distribution of times in microseconds.
///
/// The bins reach from the lowest to the highest value, but at most three interquartile ranges from the
/// quartiles (the outer fences of Tukey); values beyond them are counted separately. Their width is twice the
/// interquartile range over the cube root of n (Freedman and Diaconis 1981), within 8 to 64 bins. On a
/// logarithmic axis, all this holds for the logarithms.
struct Histogram {
    double low = 0;   ///< lower end of the first bin
    double high = 0;  ///< upper end of the last bin
    bool logarithmic = false;
    std::vector<std::size_t> counts;  ///< [bins]; empty if there was nothing to count
    std::size_t below = 0;            ///< values under `low`
    std::size_t above = 0;            ///< values over `high`
    experiments::Summary us;

    /// The lower end of a bin. For one past the last bin, the upper end of the last bin.
    double edge(std::size_t bin) const;
    /// The position of a value on the axis: 0 at `low`, 1 at `high`.
    double position_of(double value) const;
};

/// Makes a histogram. Values that are not finite are left out, and the summary counts them.
Histogram make_histogram(std::span<const float> us, bool logarithmic);

/// Draws a histogram with marks at median and quartiles, and at the median of a ghost if it is given. Returns
/// the bin under the mouse.
std::optional<std::size_t> draw_histogram(ImDrawList& list, const Style& style, ImVec2 low, ImVec2 high,
                                          const Histogram& histogram, std::optional<double> ghost_us);

}  // namespace warpsieve::plots
