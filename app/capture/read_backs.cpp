#include "app/capture/read_backs.hpp"

#include <cstring>
#include <new>
#include <utility>
#include <vector>

namespace warpsieve::capture {
namespace {

std::size_t bytes_of(gl::PixelSize size) {
    return static_cast<std::size_t>(size.width) * static_cast<std::size_t>(size.height) * 3;
}

/// Flips the rows: OpenGL's first row is the bottom row.
Image upright(const std::uint8_t* pixels, gl::PixelSize size) {
    Image image{size.width, size.height, std::vector<std::uint8_t>(bytes_of(size))};
    const std::size_t row_bytes = static_cast<std::size_t>(size.width) * 3;
    const auto rows = static_cast<std::size_t>(size.height);
    for (std::size_t row = 0; row < rows; ++row)
        std::memcpy(image.rgb.data() + row * row_bytes, pixels + (rows - 1 - row) * row_bytes, row_bytes);
    return image;
}

}  // namespace

ReadBacks::~ReadBacks() {
    for (const ReadBack& read_back : read_backs_) {
        if (read_back.fence) glDeleteSync(read_back.fence);
    }
}

bool ReadBacks::start(unsigned framebuffer, gl::PixelSize size, const gl::Rectangle& area,
                      std::uint64_t number) {
    ReadBack& read_back = read_backs_[num_started_ % max_in_flight];
    if (read_back.fence) return false;
    const gl::PixelSize area_size{area.width, area.height};
    if (read_back.size != area_size) {
        glNamedBufferData(read_back.pixels.name(), static_cast<GLsizeiptr>(bytes_of(area_size)), nullptr,
                          GL_STREAM_READ);
        read_back.size = area_size;
    }
    glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer);
    glBindBuffer(GL_PIXEL_PACK_BUFFER, read_back.pixels.name());
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(area.x, size.height - area.y - area.height, area.width, area.height, GL_RGB,
                 GL_UNSIGNED_BYTE, nullptr);
    glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    read_back.fence = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
    read_back.number = number;
    ++num_started_;
    return true;
}

void ReadBacks::collect(bool wait, const Take& take) {
    while (num_taken_ < num_started_) {
        ReadBack& read_back = read_backs_[num_taken_ % max_in_flight];
        const GLuint64 timeout_ns = wait ? GL_TIMEOUT_IGNORED : 0;
        if (glClientWaitSync(read_back.fence, GL_SYNC_FLUSH_COMMANDS_BIT, timeout_ns) == GL_TIMEOUT_EXPIRED)
            return;
        glDeleteSync(std::exchange(read_back.fence, nullptr));
        const auto size_bytes = static_cast<GLsizeiptr>(bytes_of(read_back.size));
        const void* pixels = glMapNamedBufferRange(read_back.pixels.name(), 0, size_bytes, GL_MAP_READ_BIT);
        ++num_taken_;
        std::optional<Image> image;
        try {
            if (pixels) image = upright(static_cast<const std::uint8_t*>(pixels), read_back.size);
        } catch (const std::bad_alloc&) {
            // Without a picture: take() then learns that host memory ran out.
        }
        glUnmapNamedBuffer(read_back.pixels.name());
        take(read_back.number, std::move(image));
    }
}

}  // namespace warpsieve::capture
