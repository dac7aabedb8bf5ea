#include "app/capture/png.hpp"

#include <glad/gl.h>

#include <new>
#include <string>

#include <stb/stb_image_write.h>

#include "platform/files.hpp"

namespace warpsieve::capture {

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

std::string encode_png(const Image& image) {
    std::string bytes;
    const auto append = [](void* to, void* data, int size) {
        static_cast<std::string*>(to)->append(static_cast<const char*>(data), static_cast<std::size_t>(size));
    };
    if (!stbi_write_png_to_func(append, &bytes, image.width, image.height, 3, image.rgb.data(),
                                image.width * 3))
        throw std::bad_alloc();
    return bytes;
}

void write_png(const std::filesystem::path& file, const Image& image) {
    // No flush: a recording writes many files per second.
    platform::write_file(file, encode_png(image), platform::Flush::left_to_system);
}

}  // namespace warpsieve::capture
