#include "experiments/format/numbers.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace experiments::format {
namespace {

std::string written(double value, std::chars_format format, int precision) {
    if (!std::isfinite(value)) return {};
    // Room for the largest double in full, and for 300 decimals.
    std::array<char, 640> text{};
    const auto [end, error] = std::to_chars(text.data(), text.data() + text.size(), value, format, precision);
    return error == std::errc{} ? std::string(text.data(), end) : std::string();
}

}  // namespace

std::string significant(double value, int digits, int max_decimals) {
    if (value == 0) return "0";
    // Round before counting digits: 9.996 has one digit before the point, its rounding to three digits has
    // two.
    const double unit = std::pow(10.0, std::floor(std::log10(std::abs(value))) - digits + 1);
    const double rounded = std::round(value / unit) * unit;
    if (!std::isfinite(rounded)) return {};
    const auto magnitude = static_cast<int>(std::floor(std::log10(std::abs(rounded)) + 1e-9));
    return fixed(rounded, std::clamp(digits - 1 - magnitude, 0, max_decimals));
}

std::string fixed(double value, int decimals) {
    return written(value, std::chars_format::fixed, decimals);
}

std::string shortest(double value, int max_digits) {
    return written(value, std::chars_format::general, max_digits);
}

std::string group_thousands(std::string digits) {
    const std::size_t first = digits.starts_with('-') ? 1 : 0;
    for (std::size_t i = std::min(digits.find('.'), digits.size()); i > first + 3;) {
        i -= 3;
        digits.insert(i, 1, ',');
    }
    return digits;
}

std::string grouped(std::uint64_t value) {
    return group_thousands(std::to_string(value));
}

std::string memory_size(std::uint64_t bytes) {
    const double mib = static_cast<double>(bytes) * 0x1p-20;
    return mib >= 1024 ? group_thousands(significant(mib / 1024, 3)) + " GiB" : significant(mib, 3) + " MiB";
}

}  // namespace experiments::format
