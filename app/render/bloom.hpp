#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

#include "app/gl/object.hpp"
#include "app/gl/pixels.hpp"
#include "app/gl/program.hpp"

namespace warpsieve::render {

/// The bloom: the light of cells of 8 x 8 pixels beyond a threshold, blurred widely and added. It makes cores
/// glow, and fills the gaps between few particles. The shaders bloom*.* and the host splat share these
/// numbers.
namespace bloom {
inline constexpr int cell = 8;  ///< pixels
inline constexpr float threshold = 0.3F;
inline constexpr float most = 6;          ///< of the light of a cell
inline constexpr int radius = 6;          ///< of the blur, in cells
inline constexpr float deviation = 2.6F;  ///< of the blur, in cells
inline constexpr float gain = 0.36F;
inline constexpr int reach = cell * (radius + 2);  ///< pixels that light may travel
}  // namespace bloom

/// The bloom for the ways of drawing that use shaders.
class BloomPass {
  public:
    /// Throws compaction::Error{device_failure} with the shader log.
    BloomPass();

    /// Returns a texture of cells with linear filter. `light`: a texture of linear light, `size` large.
    GLuint draw(GLuint light, gl::PixelSize size);
    /// A texture without light.
    GLuint none();

  private:
    void resize(gl::PixelSize cells);

    gl::Program down_;
    gl::Program blur_;
    std::optional<std::array<gl::Texture2D, 2>> cells_;
    gl::PixelSize size_{0, 0};
    gl::Texture2D none_;
};

/// The bloom for the host splat, whose pixels are rows of four floats.
class HostBloom {
  public:
    /// Takes a picture of linear light, [size.height][size.width][4], that is 0 or undefined outside of the
    /// pixels [left, right] x [bottom, top]. Returns whether there is any bloom.
    bool find(const float* light, gl::PixelSize size, int left, int right, int bottom, int top);

    /// Adds the bloom of the pixels from (left, y) on to a row of `pixels` pixels.
    void add_to(int left, int y, std::size_t pixels, std::vector<float>& scratch, float* row) const;

  private:
    std::size_t stride() const { return (static_cast<std::size_t>(width_) + 2) * 4; }
    bool fill(const float* light, int picture_width, int left, int right, int bottom, int top);
    void blur();

    int width_ = 0;  ///< in cells
    int height_ = 0;
    std::vector<float> cells_;  ///< [height + 2][width + 2][4]: a border repeats the outer cells
    std::vector<float> between_;
};

}  // namespace warpsieve::render
