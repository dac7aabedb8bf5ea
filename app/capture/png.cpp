#include "app/capture/png.hpp"

#include <glad/gl.h>
#include <png.h>

#include <algorithm>
#include <array>
#include <new>
#include <string>
#include <utility>

#include "app/settings/png_text.hpp"
#include "platform/files.hpp"

namespace warpsieve::capture {
namespace {

/// Fast rather than small, because pictures are written while frames run.
constexpr int compression_level = 3;

void append(png_structp png, png_bytep data, std::size_t size) {
    static_cast<std::string*>(png_get_io_ptr(png))->append(reinterpret_cast<const char*>(data), size);
}

/// Neither handler prints its message, as libpng's own would: the caller reports failures.
void ignore_warning(png_structp, png_const_charp) {}
[[noreturn]] void leave_on_error(png_structp png, png_const_charp) {
    png_longjmp(png, 1);
}

/// Returns false on an error. libpng leaves by longjmp, so no object here has a destructor.
bool write(png_structp png, png_infop info, const Image& image, std::string& bytes, png_textp text) {
    if (setjmp(png_jmpbuf(png))) return false;
    png_set_write_fn(png, &bytes, append, nullptr);
    png_set_compression_level(png, compression_level);
    png_set_filter(png, PNG_FILTER_TYPE_BASE, PNG_FILTER_SUB | PNG_FILTER_UP);
    constexpr int bit_depth = 8;
    png_set_IHDR(png, info, static_cast<png_uint_32>(image.width), static_cast<png_uint_32>(image.height),
                 bit_depth, PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    if (text) png_set_text(png, info, text, 1);
    png_write_info(png, info);
    for (int row = 0; row < image.height; ++row)
        png_write_row(png, image.rgb.data() + static_cast<std::size_t>(row) * image.width * 3);
    png_write_end(png, nullptr);
    return true;
}

}  // namespace

Image read_framebuffer(unsigned framebuffer, gl::PixelSize size) {
    Image image{size.width, size.height,
                std::vector<std::uint8_t>(static_cast<std::size_t>(size.width) * size.height * 3)};
    glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    const std::size_t row_bytes = static_cast<std::size_t>(size.width) * 3;
    // OpenGL's first row is the bottom row.
    for (int row = 0; row < size.height; ++row) {
        glReadPixels(0, size.height - 1 - row, size.width, 1, GL_RGB, GL_UNSIGNED_BYTE,
                     image.rgb.data() + row * row_bytes);
    }
    return image;
}

std::string encode_png(const Image& image, const std::string& text) {
    std::string bytes;
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, leave_on_error, ignore_warning);
    if (!png) throw std::bad_alloc();
    png_infop info = png_create_info_struct(png);
    std::string key = png_keyword;
    std::string content = text;
    png_text chunk{};
    chunk.compression = PNG_TEXT_COMPRESSION_zTXt;
    chunk.key = key.data();
    chunk.text = content.data();
    chunk.text_length = content.size();
    const bool written = info && write(png, info, image, bytes, text.empty() ? nullptr : &chunk);
    png_destroy_write_struct(&png, &info);
    if (!written) throw std::bad_alloc();
    return bytes;
}

std::optional<Image> decode_png(std::string_view bytes) {
    constexpr std::uint64_t max_pixels = 1U << 25;
    png_image header{};
    header.version = PNG_IMAGE_VERSION;
    if (png_image_begin_read_from_memory(&header, bytes.data(), bytes.size()) == 0) return {};
    Image image;
    const std::uint64_t num_pixels = std::uint64_t{header.width} * header.height;
    const png_color black{0, 0, 0};
    header.format = PNG_FORMAT_RGB;
    bool read = num_pixels <= max_pixels;
    if (read) {
        image = {static_cast<int>(header.width), static_cast<int>(header.height), {}};
        image.rgb.resize(num_pixels * 3);
        read = png_image_finish_read(&header, &black, image.rgb.data(), 0, nullptr) != 0;
    }
    png_image_free(&header);
    return read ? std::optional(std::move(image)) : std::nullopt;
}

Image fit_into(const Image& image, gl::PixelSize max_size) {
    const double scale = std::min({1.0, static_cast<double>(max_size.width) / image.width,
                                   static_cast<double>(max_size.height) / image.height});
    Image small{std::max(1, static_cast<int>(image.width * scale)),
                std::max(1, static_cast<int>(image.height * scale)),
                {}};
    small.rgb.reserve(static_cast<std::size_t>(small.width) * small.height * 3);
    for (int y = 0; y < small.height; ++y) {
        const int y0 = y * image.height / small.height;
        const int y1 = (y + 1) * image.height / small.height;
        for (int x = 0; x < small.width; ++x) {
            const int x0 = x * image.width / small.width;
            const int x1 = (x + 1) * image.width / small.width;
            std::array<std::uint64_t, 3> sum{};
            for (int from_y = y0; from_y < y1; ++from_y) {
                for (int from_x = x0; from_x < x1; ++from_x) {
                    const std::size_t at = (static_cast<std::size_t>(from_y) * image.width + from_x) * 3;
                    for (std::size_t c = 0; c < 3; ++c) sum[c] += image.rgb[at + c];
                }
            }
            const auto count = static_cast<std::uint64_t>(x1 - x0) * static_cast<std::uint64_t>(y1 - y0);
            for (const std::uint64_t total : sum)
                small.rgb.push_back(static_cast<std::uint8_t>(total / count));
        }
    }
    return small;
}

void write_png(const std::filesystem::path& file, const Image& image, const std::string& text) {
    // No flush: a recording writes many files per second.
    platform::write_file(file, encode_png(image, text), platform::Flush::left_to_system);
}

}  // namespace warpsieve::capture
