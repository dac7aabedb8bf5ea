#pragma once

#include <cstdint>
#include <span>

#include "app/gl/context.hpp"
#include "app/gl/object.hpp"

namespace warpsieve::gl {

/// A square texture of fixed size for the interface, shown without smoothing. Only a corner of it is used.
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
