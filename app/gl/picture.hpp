#pragma once

#include <cstdint>
#include <span>

#include "app/gl/context.hpp"
#include "app/gl/object.hpp"

namespace warpsieve::gl {

/// A square texture that holds a picture of up to its size for the interface, shown without smoothing.
class Picture {
  public:
    /// `side`: width and height of the texture. Needs a current OpenGL context.
    explicit Picture(int side);

    unsigned name() const { return texture_.name(); }

    /// Replaces the picture, which is in the corner at texture coordinates (0, 0). `size`: at most the side
    /// each way. `pixels`: [height x width], RGBA with red in the lowest byte.
    void upload(PixelSize size, std::span<const std::uint32_t> pixels);

  private:
    Texture2D texture_;
};

}  // namespace warpsieve::gl
