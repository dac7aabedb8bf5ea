#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

/// Numbers of items as text and back.
namespace experiments::format {

/// "2^20" for powers of two from 2^10 on, otherwise the digits.
std::string count_text(std::uint64_t count);

/// A count as it was written.
struct Count {
    std::optional<std::uint64_t> exponent;  ///< set where it was written as a power of two
    std::uint64_t before_offset = 0;        ///< the power, or the whole count
    std::int64_t offset = 0;                ///< added to a power

    std::uint64_t value() const { return before_offset + static_cast<std::uint64_t>(offset); }
};

/// Reads "4096", "262,144", "2^12" or "2^12 - 3". Spaces and thousands separators have no meaning. Empty for
/// anything else, for exponents above 62 and for an offset that is not smaller than its power.
std::optional<Count> read_count(std::string_view text);

/// The value of read_count().
std::optional<std::uint64_t> parse_count(std::string_view text);

}  // namespace experiments::format
