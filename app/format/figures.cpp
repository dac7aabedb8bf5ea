#include "app/format/figures.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

#include "app/format/powers.hpp"
#include "experiments/format/counts.hpp"

namespace warpsieve::format {
namespace {

/// The interface writes most of its figures in every frame, and they change some times a second.
struct Written {
    double value = 0;
    int digits = 0;
    int most_decimals = 0;
    std::string text = "0";
};

std::string with_digits(double value, int digits, int most_decimals) {
    if (!std::isfinite(value)) return "–";
    if (std::abs(value) < 0.0005) return "0";
    constexpr std::size_t remembered = 256;
    thread_local std::array<Written, remembered> memory;
    const auto bits = std::bit_cast<std::uint64_t>(value) * 0x9e37'79b9'7f4a'7c15U;
    Written& entry = memory[(bits >> 56 ^ static_cast<unsigned>(digits * 8 + most_decimals)) % remembered];
    if (entry.value != value || entry.digits != digits || entry.most_decimals != most_decimals) {
        entry = {value, digits, most_decimals,
                 experiments::format::group_thousands(
                     experiments::format::significant(value, digits, most_decimals))};
    }
    return entry.text;
}

}  // namespace

std::string significant(double value, int most_decimals) {
    return with_digits(value, 3, most_decimals);
}

std::string rough(double value) {
    return with_digits(value, 2, 3);
}

std::string slot_count(std::uint64_t slots) {
    const std::string power = experiments::format::count_text(slots);
    return power.starts_with("2^") ? with_powers(power) + " = " + grouped(slots) : grouped(slots);
}

std::optional<std::uint64_t> parse_count(std::string_view text) {
    // "2^18 = 262,144" says the same twice: read the part before the sign.
    return experiments::format::parse_count(without_powers(text.substr(0, text.find('='))));
}

std::optional<double> parse_number(std::string_view text) {
    std::string digits{text};
    std::erase_if(digits, [](char c) { return c == ' ' || c == '%' || c == 'x'; });
    std::ranges::replace(digits, ',', '.');
    const auto value = experiments::format::parse_number<double>(digits);
    return value && std::isfinite(*value) ? value : std::nullopt;
}

TimeUnit time_unit(double largest_us) {
    // 999.5 rounds to 1,000, so the next unit starts there.
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

std::string duration_text(double us) {
    const Figure figure = duration(us);
    return figure.number + " " + figure.unit;
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

}  // namespace warpsieve::format
