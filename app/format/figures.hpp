#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "experiments/format/numbers.hpp"

/// How the window writes numbers down. Pure text, so it is tested without a window.
namespace warpsieve::plots {

/// A number ready to be shown and its unit, which is drawn muted beside it.
struct Figure {
    std::string number;
    std::string unit;
};

/// Three significant digits, thousands separated, at most three decimals so that columns stay narrow: "8.42",
/// "143", "1,230". An en dash for what is not finite.
std::string significant(double value, int most_decimals = 3);

/// Two significant digits, of what is too noisy for three: "8.4", "140", "1,200".
std::string rough(double value);

using experiments::format::grouped;

/// "2^18 = 262,144"; for a length that is no power of two just "1,000,003".
std::string slot_count(std::uint64_t slots);

/// Reads what `slot_count` writes and what people type: "2^18", "262,144", "262144". Empty for anything else.
std::optional<std::uint64_t> parse_count(std::string_view text);

/// Reads "12.5", "12.5 %" or "0,5"; empty for anything else.
std::optional<double> parse_number(std::string_view text);

/// A unit of time and how many of it a microsecond is.
struct TimeUnit {
    const char* name = "µs";
    double per_us = 1;
};

/// The unit in which `largest_us` reads as 1 to 1,000: a column of times shares one.
TimeUnit time_unit(double largest_us);

/// The unit of one row in a table whose times share a unit, in which it is too large a number at times. It
/// takes a unit of its own from 1,000 on and gives it back below half of that, so that a time near 1,000 does
/// not change its unit with every reading.
class CalmUnit {
  public:
    TimeUnit follow(double us, TimeUnit shared);

  private:
    bool own_ = false;
};

/// One time by itself, in its own unit.
Figure duration(double us);
/// The same as one text: "12.5 µs".
std::string duration_text(double us);

/// "37.2" and "%", for 0.372.
Figure percent(double share);

/// "6.29" and "MB"; decimal units, as bandwidth is counted.
Figure bytes(std::uint64_t size_bytes);

/// A number cut at its decimal point, so that columns can be aligned there: "8" and ".42".
struct AlignedNumber {
    std::string_view whole;
    std::string_view fraction;
};
AlignedNumber at_decimal_point(std::string_view number);

}  // namespace warpsieve::plots
