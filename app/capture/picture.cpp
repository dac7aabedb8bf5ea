#include "app/capture/picture.hpp"

#include <glad/gl.h>

#include <algorithm>
#include <array>
#include <cstddef>

namespace warpsieve::capture {

void PictureDrawer::build(gl::PixelSize size, const std::function<void()>& build) {
    context_.begin_picture_frame(size);
    build();
    context_.end_interface_frame();
}

Image PictureDrawer::draw(gl::PixelSize size, const std::function<void()>& build) {
    target_.resize(size, GL_RGBA8);
    this->build(size, build);
    constexpr std::array<float, 4> black{0, 0, 0, 1};
    glClearNamedFramebufferfv(target_.framebuffer(), GL_COLOR, 0, black.data());
    context_.draw_interface_into(target_.framebuffer());
    return read_framebuffer(target_.framebuffer(), size);
}

Image cropped(const Image& image, int x, int y, int width, int height) {
    const int left = std::clamp(x, 0, image.width);
    const int top = std::clamp(y, 0, image.height);
    const int right = std::clamp(x + width, left, image.width);
    const int bottom = std::clamp(y + height, top, image.height);
    Image part{right - left, bottom - top, {}};
    part.rgb.reserve(static_cast<std::size_t>(part.width) * static_cast<std::size_t>(part.height) * 3);
    for (int row = top; row < bottom; ++row) {
        const auto begin = image.rgb.begin() + (static_cast<std::ptrdiff_t>(row) * image.width + left) * 3;
        part.rgb.insert(part.rgb.end(), begin, begin + static_cast<std::ptrdiff_t>(part.width) * 3);
    }
    return part;
}

Image stacked(const Image& above, const Image& below) {
    Image both = above;
    both.height += below.height;
    both.rgb.insert(both.rgb.end(), below.rgb.begin(), below.rgb.end());
    return both;
}

}  // namespace warpsieve::capture
