#include "experiments/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <iterator>
#include <numbers>
#include <numeric>
#include <string>
#include <vector>

namespace experiments {
namespace {

double quantile(std::span<const float> sorted, double fraction) {
    const double position = fraction * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(position);
    const std::size_t above = std::min(below + 1, sorted.size() - 1);
    const double low = sorted[below];
    const double high = sorted[above];
    return low + (high - low) * (position - static_cast<double>(below));
}

std::vector<float> finite_of(std::span<const float> sample) {
    std::vector<float> finite;
    finite.reserve(sample.size());
    std::ranges::copy_if(sample, std::back_inserter(finite),
                         [](float value) { return std::isfinite(value); });
    return finite;
}

/// The probability that exactly `below` of `n` samples lie below the median.
double chance_of(std::size_t below, std::size_t n) {
    const double count = static_cast<double>(n);
    const double k = static_cast<double>(below);
    // Logarithms: 2^-n underflows from about 1,000 samples on.
    return std::exp(std::lgamma(count + 1) - std::lgamma(k + 1) - std::lgamma(count - k + 1) -
                    count * std::numbers::ln2);
}

}  // namespace

Summary summarise(std::span<const float> sample) {
    std::vector<float> sorted = finite_of(sample);
    std::ranges::sort(sorted);
    Summary summary;
    summary.left_out = sample.size() - sorted.size();
    summary.n = sorted.size();
    if (sorted.empty()) return summary;
    summary.min = sorted.front();
    summary.max = sorted.back();
    summary.q1 = quantile(sorted, 0.25);
    summary.median = quantile(sorted, 0.5);
    summary.q3 = quantile(sorted, 0.75);
    const double n = static_cast<double>(summary.n);
    for (const float value : sorted) summary.mean += value / n;
    if (summary.n > 1) {
        double squares = 0;
        for (const float value : sorted) squares += (value - summary.mean) * (value - summary.mean);
        summary.mean_error = std::sqrt(squares / (n - 1) / n);
    }
    return summary;
}

namespace {

bool are_finite(std::initializer_list<double> values) {
    return std::ranges::all_of(values, [](double value) { return std::isfinite(value); });
}

/// Whether the values rise, but for their rounding to seven digits.
bool are_in_order(std::initializer_list<double> values) {
    constexpr double rounding = 1e-6;
    return std::ranges::adjacent_find(
               values, [](double a, double b) { return a > b + rounding * std::abs(b); }) == values.end();
}

}  // namespace

std::string fault_of(const Summary& summary) {
    if (!are_finite({summary.min, summary.q1, summary.median, summary.q3, summary.max}))
        return "a figure is not finite";
    return are_in_order({summary.min, summary.q1, summary.median, summary.q3, summary.max})
               ? ""
               : "its quartiles are out of order";
}

std::string fault_of(const Interval& interval, double value) {
    if (!are_finite({interval.low, value, interval.high})) return "an interval is not finite";
    if (!(interval.coverage >= 0 && interval.coverage <= 1)) return "its coverage is not from 0 to 1";
    return are_in_order({interval.low, value, interval.high}) ? ""
                                                              : "an interval does not contain its figure";
}

Interval mean_interval(const Summary& summary) {
    if (summary.n < 2) return {};
    const double margin = 1.96 * summary.mean_error;
    return {summary.mean - margin, summary.mean + margin, 0.95};
}

namespace {

/// Means of `size` neighbours each; the rest of the series is left out.
std::vector<double> batch_means(std::span<const double> series, std::size_t size) {
    std::vector<double> means;
    for (std::size_t first = 0; first + size <= series.size(); first += size) {
        const auto batch = series.subspan(first, size);
        means.push_back(std::accumulate(batch.begin(), batch.end(), 0.0) / static_cast<double>(size));
    }
    return means;
}

/// The covariance of the series with itself, shifted by `lag`.
double autocovariance(std::span<const double> series, double mean, std::size_t lag) {
    double sum = 0;
    for (std::size_t i = lag; i < series.size(); ++i) sum += (series[i] - mean) * (series[i - lag] - mean);
    return sum / static_cast<double>(series.size());
}

}  // namespace

double autocorrelation_time(std::span<const double> series) {
    if (series.empty()) return 1;
    const double n = static_cast<double>(series.size());
    const double mean = std::accumulate(series.begin(), series.end(), 0.0) / n;
    const double variance = autocovariance(series, mean, /*lag=*/0);
    if (!(variance > 0)) return 1;
    // The running time of the sum below grows with the square of the length. The means of batches have the
    // same mean with the same error, so they replace a long series.
    constexpr std::size_t max_batches = 1000;
    const std::size_t batch_size = (series.size() + max_batches - 1) / max_batches;
    const std::vector<double> batches = batch_means(series, batch_size);
    double sum = -autocovariance(batches, mean, /*lag=*/0);
    std::size_t lags = 0;
    for (; lags + 1 < batches.size(); lags += 2) {
        const double pair_sum = autocovariance(batches, mean, lags) + autocovariance(batches, mean, lags + 1);
        if (pair_sum <= 0) break;
        sum += 2 * pair_sum;
    }
    // The mean is estimated too, which makes each covariance too small.
    const double correction = 1 + 2 * static_cast<double>(lags) / static_cast<double>(batches.size());
    return std::clamp(correction * static_cast<double>(batch_size) * sum / variance, 1.0, n);
}

Interval median_interval(std::span<const float> series) {
    const std::vector<float> finite = finite_of(series);
    std::vector<float> sorted = finite;
    std::ranges::sort(sorted);
    const std::size_t n = sorted.size();
    if (n == 0) return {};
    const double median = quantile(sorted, 0.5);
    std::vector<double> sides;
    for (const float value : finite) sides.push_back(static_cast<double>(value) < median ? -1 : 1);
    const auto num_independent =
        static_cast<std::size_t>(std::floor(static_cast<double>(n) / autocorrelation_time(sides)));
    // Narrow the interval while the median lies outside in at most 5 % of cases.
    constexpr double max_miss_rate = 0.05;
    std::size_t inward = 0;  // samples left out at each end
    double miss_rate = 2 * chance_of(0, num_independent);
    while (2 * (inward + 2) <= num_independent) {
        const double next = miss_rate + 2 * chance_of(inward + 1, num_independent);
        if (next > max_miss_rate) break;
        miss_rate = next;
        ++inward;
    }
    if (miss_rate > max_miss_rate) return {sorted.front(), sorted.back(), std::max(0.0, 1 - miss_rate)};
    // The same share of the sample outside of the interval as with so many independent samples.
    const std::size_t outside = (inward + 1) * n / num_independent - 1;
    return {sorted[outside], sorted[n - 1 - outside], 1 - miss_rate};
}

namespace {

/// The continued fraction of the incomplete beta function, which converges quickly for x < (a + 1) / (a + b +
/// 2).
double beta_fraction(double a, double b, double x) {
    constexpr double tiny = 1e-300;  // instead of a denominator of 0
    constexpr int max_terms = 10'000;
    const auto not_zero = [](double value) { return std::abs(value) < tiny ? tiny : value; };
    double c = 1;
    double d = 1 / not_zero(1 - (a + b) * x / (a + 1));
    double fraction = d;
    for (int m = 1; m <= max_terms; ++m) {
        const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
        const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
        double step = 1;
        for (const double term : {even, odd}) {
            d = 1 / not_zero(1 + term * d);
            c = not_zero(1 + term / c);
            step = c * d;
            fraction *= step;
        }
        if (std::abs(step - 1) < 1e-15) break;
    }
    return fraction;
}

double student_t_density(double t, double degrees) {
    const double log_front = std::lgamma((degrees + 1) / 2) - std::lgamma(degrees / 2);
    return std::exp(log_front - (degrees + 1) / 2 * std::log1p(t * t / degrees)) /
           std::sqrt(degrees * std::numbers::pi);
}

}  // namespace

double incomplete_beta(double a, double b, double x) {
    if (x <= 0) return 0;
    if (x >= 1) return 1;
    if (x > (a + 1) / (a + b + 2)) return 1 - incomplete_beta(b, a, 1 - x);
    const double log_front =
        std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) + a * std::log(x) + b * std::log1p(-x);
    return std::exp(log_front) * beta_fraction(a, b, x) / a;
}

double student_t_above(double t, double degrees) {
    const double both_tails = incomplete_beta(degrees / 2, 0.5, degrees / (degrees + t * t));
    return t >= 0 ? both_tails / 2 : 1 - both_tails / 2;
}

double student_t_quantile(double probability, double degrees) {
    if (probability > 0.5) return -student_t_quantile(1 - probability, degrees);
    double low = 0;
    double high = 1;
    while (student_t_above(high, degrees) > probability) high *= 2;
    // The method of Newton, and bisection where it leaves the bracket.
    double t = high / 2;
    for (int step = 0; step < 200; ++step) {
        const double excess = student_t_above(t, degrees) - probability;
        (excess > 0 ? low : high) = t;
        double next = t + excess / student_t_density(t, degrees);
        if (!(next > low && next < high)) next = low + (high - low) / 2;
        if (std::abs(next - t) <= 1e-14 * next) return next;
        t = next;
    }
    return t;
}

std::string_view name_of(Change change) {
    switch (change) {
        case Change::faster:
            return "faster";
        case Change::slower:
            return "slower";
        case Change::same:
            return "same";
        case Change::ambiguous:
            break;
    }
    return "ambiguous";
}

Interval ratio_of(const Interval& base, const Interval& now) {
    if (!(base.low > 0 && base.high > 0)) return {};
    return {now.low / base.high, now.high / base.low, base.coverage * now.coverage};
}

Change compare(const Interval& base, const Interval& now, double threshold) {
    if (!base.trusted() || !now.trusted() || !(base.low > 0 && now.low > 0)) return Change::ambiguous;
    const Interval ratio = ratio_of(base, now);
    // Symmetric, so that exchanging the two times never changes `same`.
    if (ratio.high <= 1 + threshold && ratio.low >= 1 / (1 + threshold)) return Change::same;
    if (ratio.high < 1) return Change::faster;
    if (ratio.low > 1) return Change::slower;
    return Change::ambiguous;
}

}  // namespace experiments
