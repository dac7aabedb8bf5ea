#pragma once

#include <optional>

#include "app/gl/context.hpp"
#include "app/gl/object.hpp"

namespace warpsieve::gl {

/// A texture and the framebuffer that draws into it.
class RenderTarget {
  public:
    /// Call before the functions below. `format`: GL_RGBA8, GL_RGBA16F, ... If size or format change, creates
    /// a new texture and framebuffer, whose contents are undefined, and returns true.
    bool resize(PixelSize size, GLenum format) {
        if (surface_ && size_ == size && format_ == format) return false;
        surface_.emplace();
        glTextureStorage2D(surface_->texture.name(), 1, format, size.width, size.height);
        glNamedFramebufferTexture(surface_->framebuffer.name(), GL_COLOR_ATTACHMENT0,
                                  surface_->texture.name(), 0);
        size_ = size;
        format_ = format;
        return true;
    }

    GLuint texture() const { return surface_->texture.name(); }
    GLuint framebuffer() const { return surface_->framebuffer.name(); }
    PixelSize size() const { return size_; }

  private:
    struct Surface {
        Texture2D texture;
        Framebuffer framebuffer;
    };

    std::optional<Surface> surface_;
    PixelSize size_;
    GLenum format_ = 0;
};

}  // namespace warpsieve::gl
