#pragma once

#include <string>
#include <string_view>

namespace experiments::format {

/// The text with '?' for each control character except line ends, so that a name from a file or a command
/// line cannot drive a terminal.
std::string printable(std::string_view text);

}  // namespace experiments::format
