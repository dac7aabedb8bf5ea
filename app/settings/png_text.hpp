#pragma once

#include <string>
#include <string_view>

namespace warpsieve {

/// Keyword of the text chunk in which a picture carries its sidecar.
inline constexpr const char* png_keyword = "warpsieve";

/// Whether these bytes begin a PNG file.
bool is_png(std::string_view bytes);

/// The text under `png_keyword` in a PNG file; "" if there is none, the file is damaged before it, or it has
/// more than 4 MiB.
std::string text_in_png(std::string_view bytes);

}  // namespace warpsieve
