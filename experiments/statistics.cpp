#include "experiments/statistics.hpp"

#include <algorithm>
#include <cmath>
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

}  // namespace

Summary summarise(std::span<const float> sample) {
    std::vector<float> sorted;
    sorted.reserve(sample.size());
    std::ranges::copy_if(sample, std::back_inserter(sorted),
                         [](float value) { return std::isfinite(value); });
    Summary summary;
    summary.left_out = sample.size() - sorted.size();
    summary.n = sorted.size();
    if (sorted.empty()) return summary;
    std::ranges::sort(sorted);
    summary.min = sorted.front();
    summary.max = sorted.back();
    summary.q1 = quantile(sorted, 0.25);
    summary.median = quantile(sorted, 0.5);
    summary.q3 = quantile(sorted, 0.75);
    return summary;
}

}  // namespace experiments
