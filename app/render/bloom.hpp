#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

#include "app/gl/object.hpp"
#include "app/gl/pixels.hpp"
#include "app/gl/program.hpp"
#include "app/render/splat_kernels.hpp"

namespace warpsieve::render {

/// The bloom: the mean light of cells of 8 x 8 pixels above a threshold, blurred widely and added. It makes
/// bright cores glow and fills gaps between particles. The shaders bloom_*.comp and the host splat share
/// these numbers.
namespace bloom {
inline constexpr int cell = splat_kernels::enlargement;  ///< pixels
inline constexpr float threshold = 0.3F;
inline constexpr float max_light = 6;     ///< maximum light of a cell
inline constexpr int radius = 6;          ///< radius of the blur, in cells
inline constexpr float deviation = 2.6F;  ///< standard deviation of the blur, in cells
inline constexpr float gain = 0.36F;
inline constexpr int reach = cell * (radius + 2);  ///< pixels: a lit pixel glows no farther than this
}  // namespace bloom

/// The bloom for the methods that use shaders.
class BloomPass {
  public:
    /// Throws compaction::Error{device_failure} with the shader log.
    BloomPass();

    /// Returns a texture of cells with a linear filter. `light`: a texture of linear light; `size`: its size.
    GLuint draw(GLuint light, gl::PixelSize size);
    /// A black texture.
    GLuint black();

  private:
    void resize(gl::PixelSize cells);

    gl::Program down_;
    gl::Program blur_;
    std::optional<std::array<gl::Texture2D, 2>> cells_;
    gl::PixelSize size_{0, 0};  ///< in cells
    gl::Texture2D black_;
};

/// The bloom for the host splat, whose pixels are rows of four floats.
class HostBloom {
  public:
    /// Computes the bloom of a picture of linear light, [size.height][size.width][4]. Ignores pixels outside
    /// `lit`. Returns whether there is any bloom.
    bool compute(const float* light, gl::PixelSize size, const splat_kernels::Bounds& lit);

    /// Adds the bloom to `row`, which has `pixels` pixels and begins at (left, y). `scratch`: working memory.
    void add_to(int left, int y, std::size_t pixels, std::vector<float>& scratch, float* row) const;

  private:
    std::size_t stride() const { return (static_cast<std::size_t>(width_) + 2) * 4; }
    /// Fills the cells. Returns whether any is above the threshold.
    bool fill(const float* light, int picture_width, const splat_kernels::Bounds& lit);
    void blur();

    int width_ = 0;             ///< in cells
    int height_ = 0;            ///< in cells
    std::vector<float> cells_;  ///< [height + 2][width + 2][4]: a border repeats the outer cells
    std::vector<float> blurred_rows_;
};

}  // namespace warpsieve::render
