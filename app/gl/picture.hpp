#pragma once

#include <cstdint>
#include <span>

#include "app/gl/context.hpp"
#include "app/gl/object.hpp"

namespace warpsieve::gl {

/// A texture that the interface shows: square, of a size that never changes, of which a corner is used. Its
/// pixels are shown as they are, without smoothing.
class Picture {
  public:
    /// Needs a current OpenGL context.
    explicit Picture(int side);

    unsigned name() const { return texture_.name(); }

    /// Replaces the corner. pixels: [height * width], RGBA with red in the lowest byte.
    void upload(PixelSize size, std::span<const std::uint32_t> pixels);

  private:
    Texture2D texture_;
};

}  // namespace warpsieve::gl
