#include "app/capture/png.hpp"

#include <glad/gl.h>

#include <cerrno>
#include <cstdio>
#include <memory>
#include <system_error>

#include <stb/stb_image_write.h>

namespace warpsieve::capture {

Image read_framebuffer(unsigned framebuffer, gl::PixelSize size) {
    Image image{size.width, size.height,
                std::vector<std::uint8_t>(static_cast<std::size_t>(size.width) * size.height * 3)};
    glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    const std::size_t row_bytes = static_cast<std::size_t>(size.width) * 3;
    // OpenGL's first row is the lowest.
    for (int row = 0; row < size.height; ++row) {
        glReadPixels(0, size.height - 1 - row, size.width, 1, GL_RGB, GL_UNSIGNED_BYTE,
                     image.rgb.data() + row * row_bytes);
    }
    return image;
}

void write_png(const std::filesystem::path& file, const Image& image) {
    const auto fail = [&] {
        throw std::filesystem::filesystem_error(
            "cannot write the picture", file, std::error_code(errno ? errno : EIO, std::generic_category()));
    };
    errno = 0;
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> out(std::fopen(file.c_str(), "wb"), std::fclose);
    if (!out) fail();
    const auto write = [](void* stream, void* data, int size) {
        std::fwrite(data, 1, static_cast<std::size_t>(size), static_cast<std::FILE*>(stream));
    };
    const int written = stbi_write_png_to_func(write, out.get(), image.width, image.height, 3,
                                               image.rgb.data(), image.width * 3);
    if (!written || std::fflush(out.get()) != 0 || std::ferror(out.get())) fail();
}

}  // namespace warpsieve::capture
