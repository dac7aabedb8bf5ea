#pragma once

#include "app/gl/object.hpp"
#include "app/gl/program.hpp"
#include "app/gl/render_target.hpp"
#include "app/render/columns.hpp"
#include "app/render/particle_style.hpp"
#include "app/scene/camera.hpp"
#include "app/scene/particles.hpp"

namespace warpsieve::render {

/// Draws particles with OpenGL: one indirect draw of points adds their light up in a floating-point picture.
/// The host never learns how many there were; nothing is read back and nothing waits.
class SpritePass {
  public:
    /// Throws compaction::Error{device_failure} with the shader log.
    SpritePass();

    /// The texture, [size.height][size.width] RGBA16F, of linear light that the particles bring; what it has
    /// outside of `columns` is undefined. `ramp` is a 1D texture. Half floats have eleven bits: enough for
    /// sums of hundreds of sprites, while millions of faint ones would be rounded away where a pixel is a
    /// thousand times brighter than one of them.
    GLuint draw(const scene::GlParticles& particles, const scene::Camera& camera, GLuint ramp,
                gl::PixelSize size, Columns columns);

  private:
    gl::Program program_;
    gl::VertexArray vertices_;
    gl::RenderTarget light_;
};

}  // namespace warpsieve::render
