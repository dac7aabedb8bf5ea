#pragma once

#include "app/gl/object.hpp"
#include "app/gl/program.hpp"
#include "app/gl/render_target.hpp"
#include "app/render/look.hpp"
#include "app/scene/camera.hpp"
#include "app/scene/particles.hpp"

namespace warpsieve::render {

/// Draws particles with OpenGL: one indirect draw of points adds their light up in a floating-point picture.
/// The host never learns how many there were; nothing is read back and nothing waits.
class SpritePass {
  public:
    /// Throws compaction::Error{device_failure} with the shader log.
    SpritePass();

    /// The texture, [size.height][size.width], of linear light that the particles bring. `ramp` is a 1D
    /// texture.
    GLuint draw(const scene::GlParticles& particles, const scene::Camera& camera, GLuint ramp,
                gl::PixelSize size);

    /// Uploads the particles into buffers of its own first. The handles must be within the positions.
    GLuint draw(const scene::HostParticles& particles, const scene::Camera& camera, GLuint ramp,
                gl::PixelSize size);

  private:
    scene::GlParticles upload(const scene::HostParticles& particles);

    gl::Program program_;
    gl::VertexArray vertices_;
    gl::RenderTarget light_;
    gl::Buffer positions_;
    gl::Buffer handles_;
    gl::Buffer command_;
};

}  // namespace warpsieve::render
