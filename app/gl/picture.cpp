#include "app/gl/picture.hpp"

namespace warpsieve::gl {

Picture::Picture(int side) {
    glTextureStorage2D(name(), 1, GL_RGBA8, side, side);
    for (const GLenum filter : {GL_TEXTURE_MIN_FILTER, GL_TEXTURE_MAG_FILTER}) {
        glTextureParameteri(name(), filter, GL_NEAREST);
    }
    for (const GLenum edge : {GL_TEXTURE_WRAP_S, GL_TEXTURE_WRAP_T}) {
        glTextureParameteri(name(), edge, GL_CLAMP_TO_EDGE);
    }
}

void Picture::upload(PixelSize size, std::span<const std::uint32_t> pixels) {
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    glTextureSubImage2D(name(), 0, 0, 0, size.width, size.height, GL_RGBA, GL_UNSIGNED_BYTE, pixels.data());
}

}  // namespace warpsieve::gl
