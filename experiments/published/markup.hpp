#pragma once

#include <string>
#include <string_view>

namespace published {

/// Escapes text for HTML and SVG elements and quoted attributes. Drops control characters except line breaks
/// and tabs.
std::string escaped(std::string_view text);

/// "<tag>escaped text</tag>".
std::string element(std::string_view tag, std::string_view text);

}  // namespace published
