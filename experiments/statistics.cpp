#include "experiments/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numbers>
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

std::vector<float> finite_in_order(std::span<const float> sample) {
    std::vector<float> sorted;
    sorted.reserve(sample.size());
    std::ranges::copy_if(sample, std::back_inserter(sorted),
                         [](float value) { return std::isfinite(value); });
    std::ranges::sort(sorted);
    return sorted;
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
    const std::vector<float> sorted = finite_in_order(sample);
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

Interval mean_interval(const Summary& summary) {
    if (summary.n < 2) return {};
    const double margin = 1.96 * summary.mean_error;
    return {summary.mean - margin, summary.mean + margin, 0.95};
}

Interval median_interval(std::span<const float> sample) {
    const std::vector<float> sorted = finite_in_order(sample);
    const std::size_t n = sorted.size();
    if (n == 0) return {};
    // Narrow the interval while it leaves out at most 5 %.
    std::size_t inward = 0;
    double left_out = 2 * chance_of(0, n);
    while (2 * (inward + 2) <= n) {
        const double next = left_out + 2 * chance_of(inward + 1, n);
        if (next > 0.05) break;
        left_out = next;
        ++inward;
    }
    return {sorted[inward], sorted[n - 1 - inward], std::max(0.0, 1 - left_out)};
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
