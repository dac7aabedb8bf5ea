#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/gl/context.hpp"

namespace warpsieve::capture {

/// A picture.
struct Image {
    int width = 0;
    int height = 0;
    std::vector<std::uint8_t> rgb;  ///< [height x width x 3], top row first
};

/// Reads a framebuffer of that size back. Waits until it is drawn.
Image read_framebuffer(unsigned framebuffer, gl::PixelSize size);

/// The bytes of a PNG file, with `text` in a text chunk unless it is empty. `text`: ASCII.
std::string encode_png(const Image& image, const std::string& text = {});

/// The pixels of a PNG file, given its bytes; nullopt if it is damaged or has more than 2^25 pixels.
std::optional<Image> decode_png(std::string_view bytes);

/// The image, scaled down by averaging to fit into `max_size`; unchanged if it fits.
Image fit_into(const Image& image, gl::PixelSize max_size);

/// Writes encode_png() to a file. Throws std::filesystem::filesystem_error with the file and the reason.
void write_png(const std::filesystem::path& file, const Image& image, const std::string& text = {});

}  // namespace warpsieve::capture
