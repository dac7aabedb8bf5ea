#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "experiments/format/numbers.hpp"

/// Numbers and units as the window writes them.
namespace warpsieve::format {

/// A formatted number and its unit.
struct Figure {
    std::string number;
    std::string unit;
};

/// Three significant digits, grouped thousands, by default at most three decimals to keep columns narrow:
/// "8.42", "143", "1,230". An en dash if not finite.
std::string significant(double value, int max_decimals = 3);

/// Two significant digits, for noisy figures: "8.4", "140", "1,200".
std::string rough(double value);

using experiments::format::grouped;

/// "2¹⁸ = 262,144" for powers of two, otherwise "1,000,003".
std::string slot_count_text(std::uint64_t slots);

/// Reads the output of `slot_count_text` and typed counts: "2^18", "262,144", "262144". Empty for anything
/// else.
std::optional<std::uint64_t> parse_count(std::string_view text);

/// Reads "12.5", "12.5 %", "0,5" or "1,000.5"; empty for anything else. Commas that group digits in threes,
/// as in the output of `grouped`, are ignored; another comma is a decimal point.
std::optional<double> parse_number(std::string_view text);

/// A unit of time.
struct TimeUnit {
    const char* name = "µs";
    double per_us = 1;  ///< units per microsecond
};

/// The smallest of µs, ms and s in which `largest_us` is written below 1,000, else s. A column of times
/// shares one unit.
TimeUnit time_unit(double largest_us);

/// The unit of one row in a table with a shared unit. The row switches to its own unit at 1,000 and back
/// below 500, so that a time near 1,000 does not change its unit with every reading.
class UnitHysteresis {
  public:
    /// The unit in which to write the row's current time, `us`.
    TimeUnit update(double us, TimeUnit shared_unit);

  private:
    bool has_own_unit_ = false;
};

/// A single time in its own unit.
Figure duration(double us);
/// A single time in its own unit, as one text: "12.5 µs".
std::string duration_text(double us);

/// "37.2" and "%", for 0.372.
Figure percent(double share);
/// "37.2 %", for 0.372.
std::string percent_text(double share);

/// "6.29" and "MB"; decimal units, like those of bandwidth.
Figure bytes(std::uint64_t size_bytes);

/// A number split at its decimal point, for alignment: "8" and ".42".
struct AlignedNumber {
    std::string_view whole;
    std::string_view fraction;
};
AlignedNumber split_at_decimal_point(std::string_view number);

/// Writes powers of two with superscripts, for the window: "2¹⁸" for "2^18", "2ⁱ" for "2^i". Files and the
/// command line keep the form that can be typed.
std::string with_powers(std::string_view text);

/// The inverse of with_powers().
std::string without_powers(std::string_view text);

}  // namespace warpsieve::format
