#include "app/format/figures.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <cmath>
#include <cstdint>

#include "experiments/format/counts.hpp"

namespace warpsieve::format {
namespace {

/// From here on, a number rounds to 1,000 at three significant digits.
constexpr double rounds_to_1000 = 999.5;

/// Cache entry: the window writes most figures in every frame, but they change only a few times a second.
struct CachedText {
    double value = 0;
    int digits = 0;
    int max_decimals = 0;
    std::string text = "0";
};

std::string with_digits(double value, int digits, int max_decimals) {
    if (!std::isfinite(value)) return "–";
    if (std::abs(value) < 0.0005) return "0";
    constexpr std::size_t cache_size = 256;
    thread_local std::array<CachedText, cache_size> cache;
    // Fibonacci hashing: the upper bits of the product with 2^64 over the golden ratio.
    const auto hash = std::bit_cast<std::uint64_t>(value) * 0x9e37'79b9'7f4a'7c15U;
    CachedText& entry = cache[(hash >> 56 ^ static_cast<unsigned>(digits * 8 + max_decimals)) % cache_size];
    if (entry.value != value || entry.digits != digits || entry.max_decimals != max_decimals) {
        entry = {value, digits, max_decimals,
                 experiments::format::group_thousands(
                     experiments::format::significant(value, digits, max_decimals))};
    }
    return entry.text;
}

struct Superscript {
    char plain;
    std::string_view raised;
};
constexpr std::array<Superscript, 11> superscripts{{{'0', "⁰"},
                                                    {'1', "¹"},
                                                    {'2', "²"},
                                                    {'3', "³"},
                                                    {'4', "⁴"},
                                                    {'5', "⁵"},
                                                    {'6', "⁶"},
                                                    {'7', "⁷"},
                                                    {'8', "⁸"},
                                                    {'9', "⁹"},
                                                    {'i', "ⁱ"}}};

bool is_digit(std::string_view text, std::size_t index) {
    return index < text.size() && text[index] >= '0' && text[index] <= '9';
}

bool is_letter(std::string_view text, std::size_t index) {
    return index < text.size() && std::isalpha(static_cast<unsigned char>(text[index]));
}

/// The end of the power of two that begins at `index`, or `index` if none begins there. "2^18" and "2^i" are
/// powers; "2^items" is not.
std::size_t end_of_power(std::string_view text, std::size_t index) {
    const bool follows_digit = index > 0 && is_digit(text, index - 1);
    if (follows_digit || !text.substr(index).starts_with("2^")) return index;
    std::size_t end = index + 2;
    if (end < text.size() && text[end] == 'i' && !is_letter(text, end + 1)) return end + 1;
    while (is_digit(text, end)) ++end;
    return end > index + 2 ? end : index;
}

/// Whether the commas group the digits in threes: "1,000", "-12,000.5", but not "0,500" or "1,5".
bool has_grouped_digits(std::string_view text) {
    if (text.starts_with('-')) text.remove_prefix(1);
    text = text.substr(0, text.find('.'));
    const std::size_t first_comma = std::min(text.find(','), text.size());
    if (first_comma < 1 || first_comma > 3 || text.front() == '0') return false;
    for (std::size_t i = first_comma; i < text.size(); i += 4) {
        if (text[i] != ',' || text.size() - i < 4) return false;
        if (text.substr(i + 1, 3).find(',') != std::string_view::npos) return false;
    }
    return true;
}

}  // namespace

std::string significant(double value, int max_decimals) {
    return with_digits(value, 3, max_decimals);
}

std::string rough(double value) {
    return with_digits(value, 2, 3);
}

std::string slot_count_text(std::uint64_t slots) {
    const std::string power = experiments::format::count_text(slots);
    return power.starts_with("2^") ? with_powers(power) + " = " + grouped(slots) : grouped(slots);
}

std::optional<std::uint64_t> parse_count(std::string_view text) {
    // In "2^18 = 262,144", both sides have the same value.
    return experiments::format::parse_count(without_powers(text.substr(0, text.find('='))));
}

std::optional<double> parse_number(std::string_view text) {
    std::string digits{text};
    std::erase_if(digits, [](char c) { return c == ' ' || c == '%' || c == 'x'; });
    if (has_grouped_digits(digits))
        std::erase(digits, ',');
    else
        std::ranges::replace(digits, ',', '.');
    const auto value = experiments::format::parse_number<double>(digits);
    return value && std::isfinite(*value) ? value : std::nullopt;
}

TimeUnit time_unit(double largest_us) {
    if (largest_us >= rounds_to_1000 * 1e3) return {"s", 1e-6};
    if (largest_us >= rounds_to_1000) return {"ms", 1e-3};
    return {"µs", 1};
}

TimeUnit UnitHysteresis::update(double us, TimeUnit shared_unit) {
    has_own_unit_ = us * shared_unit.per_us >= (has_own_unit_ ? rounds_to_1000 / 2 : rounds_to_1000);
    // Between 500 and 1,000, the row keeps the unit that it got at 1,000.
    const double us_at_1000 = 1'000 / shared_unit.per_us;
    return has_own_unit_ ? time_unit(std::max(us, us_at_1000)) : shared_unit;
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

std::string percent_text(double share) {
    return percent(share).number + " %";
}

Figure bytes(std::uint64_t size_bytes) {
    constexpr std::array units{"B", "kB", "MB", "GB", "TB"};
    auto size = static_cast<double>(size_bytes);
    std::size_t unit = 0;
    for (; size >= rounds_to_1000 && unit + 1 < units.size(); ++unit) size /= 1000;
    return {significant(size), units[unit]};
}

AlignedNumber split_at_decimal_point(std::string_view number) {
    const std::size_t point = std::min(number.find('.'), number.size());
    return {number.substr(0, point), number.substr(point)};
}

std::string with_powers(std::string_view text) {
    std::string result;
    for (std::size_t i = 0; i < text.size();) {
        const std::size_t end = end_of_power(text, i);
        if (end == i) {
            result += text[i++];
            continue;
        }
        result += '2';
        for (i += 2; i < end; ++i)
            result += std::ranges::find(superscripts, text[i], &Superscript::plain)->raised;
    }
    return result;
}

std::string without_powers(std::string_view text) {
    std::string result;
    bool in_power = false;
    while (!text.empty()) {
        const auto superscript = std::ranges::find_if(
            superscripts, [&](const Superscript& each) { return text.starts_with(each.raised); });
        const bool found = superscript != superscripts.end();
        if (found && !in_power) result += '^';
        in_power = found;
        result += found ? superscript->plain : text.front();
        text.remove_prefix(found ? superscript->raised.size() : 1);
    }
    return result;
}

}  // namespace warpsieve::format
