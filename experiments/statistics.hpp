#pragma once

#include <cstddef>
#include <span>

namespace experiments {

/// Five numbers of a sample, by linear interpolation between order statistics (Hyndman and Fan 1996, type 7).
/// All zero, with n = 0, for an empty sample; never NaN: samples that are not finite are left out and
/// counted.
struct Summary {
    double median = 0;
    double q1 = 0;
    double q3 = 0;
    double min = 0;
    double max = 0;
    std::size_t n = 0;
    std::size_t left_out = 0;

    double interquartile_range() const { return q3 - q1; }
    /// Interquartile range over median: above a few percent the median is not to be trusted to three digits.
    double noise() const { return median > 0 ? interquartile_range() / median : 0; }
};

Summary summarise(std::span<const float> sample);

}  // namespace experiments
