#pragma once

#include <cstddef>
#include <string_view>

namespace warpsieve::platform {

/// The most bytes of a path and of one name in it.
inline constexpr std::size_t most_path_bytes = 4095;
inline constexpr std::size_t most_name_bytes = 255;

/// Whether path and names are within these limits.
bool is_path(std::string_view text);

}  // namespace warpsieve::platform
