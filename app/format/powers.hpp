#pragma once

#include <string>
#include <string_view>

namespace warpsieve::format {

/// `text` with every power of two as in print: "2¹⁸" for "2^18", "2ⁱ" for "2^i". For the window; files and
/// the command line keep what can be typed.
std::string with_powers(std::string_view text);

/// The inverse.
std::string without_powers(std::string_view text);

}  // namespace warpsieve::format
