#include <png.h>

#include <memory>
#include <string>

#include "app/picture/pixels.hpp"

namespace warpsieve::picture {
namespace {

/// Luminance of the sRGB values times the opacity, rounded down. White is 255.
std::uint8_t brightness(const std::uint8_t* rgba) {
    const std::uint32_t luminance = 2126U * rgba[0] + 7152U * rgba[1] + 722U * rgba[2];
    return static_cast<std::uint8_t>(luminance * rgba[3] / (255U * 10'000U));
}

}  // namespace

Pixels png_pixels(std::string_view bytes) {
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    const std::unique_ptr<png_image, decltype(&png_image_free)> free_image_at_end(&image, png_image_free);
    constexpr std::size_t signature_bytes = 8;
    if (bytes.size() < signature_bytes ||
        png_sig_cmp(reinterpret_cast<png_const_bytep>(bytes.data()), 0, signature_bytes) != 0)
        refuse("it is not a PNG file");
    if (!png_image_begin_read_from_memory(&image, bytes.data(), bytes.size()))
        refuse("it is damaged: " + std::string(image.message));
    if (image.width > max_side || image.height > max_side)
        refuse("it has " + std::to_string(image.width) + " x " + std::to_string(image.height) +
               " pixels, and at most " + std::to_string(max_side) + " x " + std::to_string(max_side) +
               " are read; make it smaller");
    image.format = PNG_FORMAT_RGBA;
    std::vector<std::uint8_t> rgba(PNG_IMAGE_SIZE(image));
    Pixels pixels{image.width, image.height, {}};
    if (!png_image_finish_read(&image, nullptr, rgba.data(), 0, nullptr))
        refuse("it is damaged: " + std::string(image.message));
    pixels.brightness.resize(rgba.size() / 4);
    for (std::size_t i = 0; i < pixels.brightness.size(); ++i)
        pixels.brightness[i] = brightness(&rgba[4 * i]);
    return pixels;
}

}  // namespace warpsieve::picture
