#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "app/gl/context.hpp"

namespace warpsieve::capture {

/// A picture: [height][width] RGB bytes, top row first.
struct Image {
    int width = 0;
    int height = 0;
    std::vector<std::uint8_t> rgb;
};

/// Reads back what has been drawn into `framebuffer`. Waits for the drawing to finish.
Image read_framebuffer(unsigned framebuffer, gl::PixelSize size);

/// Throws std::filesystem::filesystem_error that names the file and why it could not be written.
void write_png(const std::filesystem::path& file, const Image& image);

}  // namespace warpsieve::capture
