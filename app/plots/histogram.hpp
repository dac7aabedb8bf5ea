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
/// quartiles (Tukey's outer fences); values beyond are counted separately. Their width is that of Freedman
/// and Diaconis 1981, twice the interquartile range over the cube root of n, within 8 to 64 bins. A
/// logarithmic axis applies this to the logarithms.
struct Histogram {
    double low = 0;   ///< of the first bin
    double high = 0;  ///< of the last bin
    bool logarithmic = false;
    std::vector<std::size_t> counts;  ///< of each bin; empty where there was nothing to count
    std::size_t below = 0;            ///< values under `low`
    std::size_t above = 0;            ///< values over `high`
    experiments::Summary us;

    /// The lower end of a bin; of one past the last, the upper end of the last.
    double edge(std::size_t bin) const;
    /// Where a value lies between `low` and `high`, from 0 to 1.
    double share_of(double value) const;
};

/// Values that are not finite are left out, and counted by the summary.
Histogram make_histogram(std::span<const float> us, bool logarithmic);

/// Draws it into the rectangle, with median and quartiles marked and, where given, the median of a ghost.
/// Returns the bin under the mouse.
std::optional<std::size_t> draw_histogram(ImDrawList& list, const Style& style, ImVec2 low, ImVec2 high,
                                          const Histogram& histogram, std::optional<double> ghost_us);

}  // namespace warpsieve::plots
