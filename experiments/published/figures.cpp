#include "experiments/published/figures.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace published {

std::string figure(double value) {
    if (!std::isfinite(value)) return "-";
    if (value == 0) return "0";
    // Rounded first, so that 9.999 gives as many digits as 10.0.
    const double size = std::floor(std::log10(std::abs(value)));
    const double unit = std::pow(10.0, size - 2);
    const double rounded = std::round(value / unit) * unit;
    const int digits = std::clamp(2 - static_cast<int>(std::floor(std::log10(std::abs(rounded)))), 0, 12);
    char text[64];
    std::snprintf(text, sizeof text, "%.*f", digits, digits == 0 ? value : rounded);
    std::string result = text;
    const std::size_t first = result.starts_with('-') ? 1 : 0;
    const std::size_t whole = std::min(result.find('.'), result.size());
    for (std::size_t at = whole; at > first + 3; at -= 3) result.insert(at - 3, ",");
    return result;
}

std::string figure(std::optional<double> value) {
    return value ? figure(*value) : "-";
}

std::string as_written(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%g", value);
    return text;
}

std::string factor(double value) {
    return "x" + figure(value);
}

std::string percent(double share) {
    const double value = share * 100;
    const int digits = std::abs(value) >= 10 ? 0 : std::abs(value) >= 1 ? 1 : 2;
    char text[32];
    std::snprintf(text, sizeof text, "%.*f %%", digits, value);
    return text;
}

}  // namespace published
