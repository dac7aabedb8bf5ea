#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace experiments {

/// A figure is noisy if its quartiles are more than 5 % of the median apart; do not trust it to three digits.
/// Why 5 %: the 95 % interval of a median of n samples is about +-1.8 interquartile ranges over the root of
/// n. With 60 samples, which the window waits for, a noisy median is then uncertain by more than 1 %, the
/// difference that compare() ignores.
inline constexpr double noisy_above = 0.05;
inline bool is_noisy(double noise) {
    return noise > noisy_above;
}

/// The mean of a sample, its extremes and its quartiles, by linear interpolation between order statistics
/// (Hyndman and Fan 1996, type 7). All zero for an empty sample. Never NaN: samples that are not finite are
/// left out and counted.
struct Summary {
    double median = 0;
    double q1 = 0;
    double q3 = 0;
    double min = 0;
    double max = 0;
    std::size_t n = 0;
    std::size_t left_out = 0;
    double mean = 0;
    double mean_error = 0;  ///< standard error of the mean; 0 for fewer than 2 samples

    double interquartile_range() const { return q3 - q1; }
    /// Interquartile range over median.
    double noise() const { return median > 0 ? interquartile_range() / median : 0; }
};

Summary summarise(std::span<const float> sample);

/// A range that contains a true value, both ends included.
struct Interval {
    double low = 0;
    double high = 0;
    /// How often such an interval contains the true value, 0 to 1. Below 0.95 with too few samples; 0 without
    /// samples.
    double coverage = 0;

    bool trusted() const { return coverage >= 0.95; }
};

/// What is wrong with figures that a file states, in words such as "its quartiles are out of order"; empty if
/// nothing is. `interval`: of the median or another `value`. Rounding in the seventh digit is accepted.
std::string fault_of(const Summary& summary);
std::string fault_of(const Interval& interval, double value);

/// The integrated autocorrelation time of a series: so many consecutive values tell as much about its mean as
/// one independent value. From 1 for independent values to the length of the series. Autocorrelations are
/// summed in pairs of neighbouring lags, until the sum of a pair is not positive. Source: Geyer (1992),
/// "Practical Markov Chain Monte Carlo", Statistical Science 7(4), section 3.3, initial positive sequence
/// estimator.
double autocorrelation_time(std::span<const double> series);

/// The 95 % confidence interval of the median, for any distribution. `series`: in the order in which it was
/// measured, since neighbours that resemble each other tell less. For independent samples it reaches from the
/// d-th smallest to the d-th largest sample, with d as large as the binomial distribution allows (Conover
/// 1999, "Practical Nonparametric Statistics", section 3.2). Dependent samples are worth fewer independent
/// ones: their number over the autocorrelation time of "below the median or not" (Heidelberger and Lewis
/// 1984, "Quantile Estimation in Dependent Sequences", Operations Research 32(1)). The interval then leaves
/// out the same share of the samples at each end as it would of that many independent ones. Needs 6
/// independent samples; with fewer it is the range of the sample, and covers less. Samples that are not
/// finite are left out.
Interval median_interval(std::span<const float> series);

/// The 95 % confidence interval of the mean: 1.96 standard errors to both sides. Coverage 0 for fewer than 2
/// samples.
Interval mean_interval(const Summary& summary);

/// The regularised incomplete beta function I_x(a, b), for a, b > 0 and 0 <= x <= 1. Source: the continued
/// fraction 8.17.22 of the NIST Digital Library of Mathematical Functions (2010), evaluated by the method of
/// Lentz (1976); Press et al. (2007), "Numerical Recipes", section 6.4.
double incomplete_beta(double a, double b, double x);

/// The probability that a variable with Student's t distribution of `degrees` > 0 degrees of freedom, which
/// need not be a whole number, exceeds `t`. Source: Abramowitz and Stegun (1964), 26.7.1.
double student_t_above(double t, double degrees);

/// The value that such a variable exceeds with `probability`, 0 < probability < 1.
double student_t_quantile(double probability, double degrees);

/// How a time compares with an earlier one.
enum class Change { faster, slower, same, ambiguous };

/// "faster", "slower", "same", "ambiguous".
std::string_view name_of(Change change);

/// The interval of `now` over `base`: now.low / base.high to now.high / base.low.
Interval ratio_of(const Interval& base, const Interval& now);

/// Differences up to this share of a time do not count.
inline constexpr double same_within = 0.01;

/// Compares two times by the intervals of their medians, never by the medians alone. `same`: the true values
/// differ by at most `threshold`. `faster`, `slower`: the intervals do not overlap, and the result is not
/// `same`. `ambiguous`: otherwise, and if an interval is not trusted.
Change compare(const Interval& base, const Interval& now, double threshold = same_within);

}  // namespace experiments
