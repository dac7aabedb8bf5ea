#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace experiments::format {

/// The text with '?' for each character that acts instead of being shown: control characters, line ends
/// included, marks of the writing direction, characters without width, and bytes that are no UTF-8.
std::string printable(std::string_view text);

/// " Did you mean cpu_loop?", if a word of `list` is spelled much like `word`; else empty. `list`: as a
/// message lists what is legal, "a, b or c"; its entries of several words are no candidates.
std::string did_you_mean(std::string_view word, std::string_view list);

/// The number of characters of a UTF-8 text.
std::size_t num_characters(std::string_view text);

/// An estimate of a duration: "40 s", "3 min", "2 h 5 min". Rounded up to a second, from 90 s on to a minute.
std::string rough_duration(double seconds);

}  // namespace experiments::format
