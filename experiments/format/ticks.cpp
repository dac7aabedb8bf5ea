#include "experiments/format/ticks.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <span>

#include "experiments/format/numbers.hpp"

namespace experiments::format {
namespace {

/// Relative tolerance: rounding must not drop a tick at the end of an axis.
constexpr double slack = 1e-9;

}  // namespace

Ticks choose_ticks(double top, std::size_t max_count) {
    if (!std::isfinite(top) || top <= 0) return {.step = 1, .count = 1, .decimals = 0};
    const double min_step = top / static_cast<double>(std::max<std::size_t>(max_count, 2) - 1);
    const double power = std::pow(10.0, std::floor(std::log10(min_step)));
    double step = 10 * power;
    for (const double factor : {1.0, 2.0, 5.0}) {
        if (factor * power >= min_step * (1 - slack)) {
            step = factor * power;
            break;
        }
    }
    // A label at 0 alone does not show the scale.
    if (step > top * (1 + slack)) {
        const double top_power = std::pow(10.0, std::floor(std::log10(top) + slack));
        step = std::clamp(std::floor(top / top_power + slack), 1.0, 5.0) * top_power;
    }
    const int decimals = std::max(0, -static_cast<int>(std::floor(std::log10(step) + slack)));
    return {step, static_cast<std::size_t>(std::floor(top / step + slack)) + 1, decimals};
}

std::string tick_label(double value, int decimals) {
    if (decimals == 0) return grouped(static_cast<std::uint64_t>(std::llround(std::max(value, 0.0))));
    return fixed(value, decimals);
}

std::vector<double> choose_log_ticks(double low, double high, std::size_t max_count) {
    if (!std::isfinite(low) || !std::isfinite(high) || low <= 0 || high < low) return {};
    max_count = std::max<std::size_t>(max_count, 1);
    const int first = static_cast<int>(std::floor(std::log10(low)));
    const int last = static_cast<int>(std::ceil(std::log10(high)));
    std::vector<double> ticks;
    const auto try_fill = [&](std::span<const double> factors, int stride) {
        ticks.clear();
        for (int exponent = first; exponent <= last; ++exponent) {
            if (exponent % stride != 0) continue;
            for (const double factor : factors) {
                const double value = factor * std::pow(10.0, exponent);
                if (value >= low * (1 - slack) && value <= high * (1 + slack)) ticks.push_back(value);
            }
        }
        return ticks.size() <= max_count;
    };
    constexpr std::array<double, 3> fine{1, 2, 5};
    if (try_fill(fine, 1)) return ticks;
    for (int stride = 1; !try_fill(std::span(fine).first(1), stride); ++stride) {
    }
    return ticks;
}

std::vector<double> powers_of_two(double low, double high, std::size_t max_count) {
    const int first = static_cast<int>(std::ceil(std::log2(low) - slack));
    const int last = static_cast<int>(std::floor(std::log2(high) + slack));
    int stride = 1;
    while ((last - first) / stride + 1 > static_cast<int>(max_count)) stride *= 2;
    std::vector<double> values;
    for (int exponent = first; exponent <= last; ++exponent) {
        if (exponent % stride == 0) values.push_back(std::exp2(exponent));
    }
    return values;
}

std::vector<double> multiples_of(double step, double low, double high, std::size_t max_count) {
    std::vector<double> values;
    const double first = std::ceil(low / step - slack) + 0.0;  // never -0
    for (double i = first; i * step <= high + slack * (high - low) && values.size() < max_count; ++i) {
        values.push_back(i * step);
    }
    return values;
}

}  // namespace experiments::format
