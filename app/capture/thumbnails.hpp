#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "app/gl/picture.hpp"
#include "app/view_model/snapshot.hpp"

namespace warpsieve::capture {

/// Small pictures of captures in one texture. Needs a current OpenGL context.
class ThumbnailAtlas {
  public:
    /// Adds the first of `files` that `thumbnails` lacks to it: reading more in one frame would take too
    /// long.
    void load(std::span<const std::string> files, Thumbnails& thumbnails);

  private:
    static constexpr int atlas_side = 1024;  ///< pixels

    gl::Picture texture_{atlas_side};
    std::vector<std::uint32_t> pixels_ =
        std::vector<std::uint32_t>(static_cast<std::size_t>(atlas_side) * atlas_side);
    int num_used_cells_ = 0;
};

}  // namespace warpsieve::capture
