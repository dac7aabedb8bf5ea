#pragma once

#include "app/gl/object.hpp"
#include "app/gl/program.hpp"
#include "app/gl/render_target.hpp"
#include "app/render/particle_style.hpp"
#include "app/scene/camera.hpp"
#include "app/scene/particles.hpp"

namespace warpsieve::render {

/// Draws particles as points: one indirect draw accumulates their light in a floating-point render target.
/// The host reads nothing back and never waits.
class SpritePass {
  public:
    /// Throws compaction::Error{device_failure} with the shader log.
    SpritePass();

    /// Returns the texture of linear light, [size.height][size.width] RGBA16F, undefined outside of
    /// `columns`. `ramp`: a 1D texture. The 11-bit significand suffices for hundreds of sprites per pixel,
    /// but not for millions: faint ones would be rounded away.
    GLuint draw(const scene::GlParticles& particles, const scene::Camera& camera, GLuint ramp,
                gl::PixelSize size, Columns columns);

  private:
    gl::Program program_;
    gl::VertexArray vertices_;
    gl::RenderTarget light_;
};

}  // namespace warpsieve::render
