#pragma once

#include <string>
#include <string_view>

namespace warpsieve::picture {

/// The SHA-256 of the bytes in 64 hexadecimal digits, as `sha256sum` prints it.
/// Source: FIPS 180-4, section 6.2.
std::string sha256(std::string_view bytes);

}  // namespace warpsieve::picture
