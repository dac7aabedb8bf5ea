#pragma once

#include <string>
#include <string_view>

namespace published {

/// Text that stands for itself in HTML and SVG, in elements and in quoted attributes alike: the five
/// characters with a meaning are replaced, and control characters other than line breaks left out.
std::string escaped(std::string_view text);

/// "<tag>escaped text</tag>".
std::string element(std::string_view tag, std::string_view text);

}  // namespace published
