#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "compaction/error.hpp"

namespace warpsieve::picture {

/// Throws compaction::Error{invalid_argument} with this reason.
[[noreturn]] inline void refuse(const std::string& reason) {
    throw compaction::Error(compaction::ErrorCode::invalid_argument, reason);
}

/// A picture as brightness.
struct Pixels {
    std::uint32_t width = 0;
    std::uint32_t height = 0;
    std::vector<std::uint8_t> brightness;  ///< [height x width], top row first: 0 is black, 255 white
};

/// The largest width and height of a picture, in pixels. Reading it then takes at most 64 MiB.
inline constexpr std::uint32_t max_side = 4096;

/// The pixels of a PNG file, given its bytes: luminance as of BT.709, over black where they are transparent.
/// Supports all colour types, bit depths and interlacing. Throws compaction::Error{invalid_argument} with the
/// reason, such as "it is not a PNG file".
Pixels png_pixels(std::string_view bytes);

/// The word in the heading's typeface, white on black, with a margin. Throws
/// compaction::Error{invalid_argument} if it is not UTF-8, is longer than `max_word_characters` or has a
/// character that the typeface lacks.
Pixels word_pixels(const std::string& word);
inline constexpr std::size_t max_word_characters = 64;

}  // namespace warpsieve::picture
