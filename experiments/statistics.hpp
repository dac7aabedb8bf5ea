#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace experiments {

/// The one rule for figures that are too noisy to trust to three digits: the quartiles are more than 5 % of
/// the median apart. The 95 % interval of a median of n samples is about 1.8 interquartile ranges over the
/// root of n either way, so with the 60 frames that the window asks for, such a median is uncertain by more
/// than 1 %: the difference that compare() ignores.
inline constexpr double noisy_above = 0.05;
inline bool is_noisy(double noise) {
    return noise > noisy_above;
}

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
    /// Interquartile range over median.
    double noise() const { return median > 0 ? interquartile_range() / median : 0; }
};

Summary summarise(std::span<const float> sample);

/// Where a true value lies, both ends included.
struct Interval {
    double low = 0;
    double high = 0;
    /// How often an interval made like this holds the true value, 0 to 1; under 0.95 where there were too few
    /// samples to do better, 0 where there were none.
    double coverage = 0;

    bool trusted() const { return coverage >= 0.95; }
};

/// An interval that holds the median of what was sampled, at 95 %, whatever its distribution: from the d-th
/// smallest to the d-th largest sample, d as large as the binomial distribution allows. Takes at least 6
/// samples; with fewer, the range of the sample, which covers less. Samples that are not finite are left out.
/// Source: Conover (1999), "Practical Nonparametric Statistics", section 3.2.
Interval median_interval(std::span<const float> sample);

/// What became of a time.
enum class Change { faster, slower, same, ambiguous };

/// "faster", "slower", "same", "ambiguous".
std::string_view name_of(Change change);

/// The least and the most that `now` can be of `base`: now.low / base.high to now.high / base.low.
Interval ratio_of(const Interval& base, const Interval& now);

/// Compares two times by the intervals of their medians, never by the medians alone. `same`: whatever the
/// true values are, they lie within `threshold` of each other. `faster`, `slower`: the intervals do not
/// touch, and it is not `same`. `ambiguous`: all else, and every comparison with an interval that is not
/// trusted.
Change compare(const Interval& base, const Interval& now, double threshold = 0.01);

}  // namespace experiments
