#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

/// Numbers as text and back. Independent of the locale.
namespace experiments::format {

/// A number with `digits` significant digits and no exponent: 1234.5 with 3 becomes "1230", 0.12345 becomes
/// "0.123". At most `max_decimals` digits follow the point. Empty for a value that is not finite.
std::string significant(double value, int digits, int max_decimals = 300);

/// A number with exactly `decimals` digits after the point: "2.50". Empty for a value that is not finite.
std::string fixed(double value, int decimals);

/// The shortest text with at most `max_digits` significant digits, like printf's %g: "0.25", "1e+20".
std::string shortest(double value, int max_digits = 6);

/// Inserts a comma between groups of three digits before the point: "1234.5" becomes "1,234.5".
std::string group_thousands(std::string digits);

/// "262,144".
std::string grouped(std::uint64_t value);

/// A size of memory with three significant digits: "512 MiB", "1.50 GiB".
std::string memory_size(std::uint64_t bytes);

/// Reads a number that fills the whole text. Empty for anything else.
template <typename Number>
std::optional<Number> parse_number(std::string_view text) {
    Number number{};
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, number);
    if (text.empty() || error != std::errc{} || stop != end) return std::nullopt;
    return number;
}

}  // namespace experiments::format
