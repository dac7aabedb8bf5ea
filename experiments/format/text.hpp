#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace experiments::format {

/// The text with '?' for each non-printing character (control characters, line ends included, direction
/// marks, characters without width) and for each byte that is not UTF-8.
std::string printable(std::string_view text);

/// " Did you mean cpu_loop?", if a name in `list` is spelled much like `word`; else empty. `list`: such as
/// "a, b or c", the legal values in a message; entries of several words are ignored.
std::string did_you_mean(std::string_view word, std::string_view list);

/// The number of characters of a UTF-8 text.
std::size_t num_characters(std::string_view text);

/// An estimate of a duration: "40 s", "3 min", "2 h 5 min". Rounded up to a second, from 90 s on to a minute.
std::string rough_duration(double seconds);

}  // namespace experiments::format
