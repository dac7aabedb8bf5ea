#include "app/format/figures.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdio>

namespace warpsieve::plots {
namespace {

std::string with_decimals(double value, int decimals) {
    std::array<char, 64> text{};
    const auto [end, error] =
        std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed, decimals);
    return error == std::errc{} ? std::string(text.data(), end) : std::string("–");
}

std::string group_thousands(std::string digits) {
    const std::size_t first = digits.starts_with('-') ? 1 : 0;
    for (std::size_t i = std::min(digits.find('.'), digits.size()); i > first + 3;) {
        i -= 3;
        digits.insert(i, 1, ',');
    }
    return digits;
}

std::string with_digits(double value, int digits, int most_decimals) {
    if (!std::isfinite(value)) return "–";
    const double magnitude = std::abs(value);
    if (magnitude < 0.0005) return "0";
    // Rounding comes first: 9.996 has to become 10.0, not 10.00.
    const double last_digit = std::pow(10.0, std::floor(std::log10(magnitude)) - (digits - 1));
    const double rounded = std::round(value / last_digit) * last_digit;
    const int exponent = static_cast<int>(std::floor(std::log10(std::abs(rounded)) + 1e-9));
    return group_thousands(with_decimals(rounded, std::clamp(digits - 1 - exponent, 0, most_decimals)));
}

}  // namespace

std::string significant(double value, int most_decimals) {
    return with_digits(value, 3, most_decimals);
}

std::string rough(double value) {
    return with_digits(value, 2, 3);
}

std::string grouped(std::uint64_t value) {
    return group_thousands(std::to_string(value));
}

std::string slot_count(std::uint64_t slots) {
    if (!std::has_single_bit(slots)) return grouped(slots);
    return "2^" + std::to_string(std::countr_zero(slots)) + " = " + grouped(slots);
}

std::optional<std::uint64_t> parse_count(std::string_view text) {
    // "2^18 = 262,144" says the same twice: what stands before the sign is enough.
    std::string digits{text.substr(0, text.find('='))};
    std::erase_if(digits, [](char c) { return c == ' ' || c == ',' || c == '\''; });
    std::string_view rest = digits;
    const bool is_power = rest.starts_with("2^");
    if (is_power) rest.remove_prefix(2);
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), value);
    if (rest.empty() || error != std::errc{} || end != rest.data() + rest.size()) return {};
    if (!is_power) return value;
    if (value > 63) return {};
    return std::uint64_t{1} << value;
}

std::optional<double> parse_number(std::string_view text) {
    std::string digits{text};
    std::erase_if(digits, [](char c) { return c == ' ' || c == '%' || c == 'x'; });
    std::ranges::replace(digits, ',', '.');
    double value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (digits.empty() || error != std::errc{} || end != digits.data() + digits.size()) return {};
    return std::isfinite(value) ? std::optional{value} : std::nullopt;
}

TimeUnit time_unit(double largest_us) {
    // 999.5 would be written as 1,000, so the next unit starts there.
    if (largest_us >= 999.5e3) return {"s", 1e-6};
    if (largest_us >= 999.5) return {"ms", 1e-3};
    return {"µs", 1};
}

TimeUnit CalmUnit::follow(double us, TimeUnit shared) {
    constexpr double most = 999.5;
    own_ = us * shared.per_us >= (own_ ? most / 2 : most);
    return own_ ? time_unit(std::max(us, 1'000 / shared.per_us)) : shared;
}

Figure duration(double us) {
    const TimeUnit unit = time_unit(us);
    return {significant(us * unit.per_us), unit.name};
}

Figure percent(double share) {
    return {significant(share * 100), "%"};
}

Figure bytes(std::uint64_t size_bytes) {
    constexpr std::array units{"B", "kB", "MB", "GB", "TB"};
    auto size = static_cast<double>(size_bytes);
    std::size_t unit = 0;
    for (; size >= 999.5 && unit + 1 < units.size(); ++unit) size /= 1000;
    return {significant(size), units[unit]};
}

AlignedNumber at_decimal_point(std::string_view number) {
    const std::size_t point = std::min(number.find('.'), number.size());
    return {number.substr(0, point), number.substr(point)};
}

}  // namespace warpsieve::plots
