#pragma once

#include <memory>

#include "app/gl/context.hpp"
#include "app/panels/interface.hpp"
#include "app/scene/camera.hpp"
#include "app/scene/particles.hpp"

namespace warpsieve::render {

/// Draws the kept particles: soft additive sprites coloured by age on near-black, tone-mapped. On software
/// OpenGL host threads splat them into one texture instead, which is some thirty times faster there.
class ParticleRenderer {
  public:
    /// Compiles the shaders. Needs a current context. Throws compaction::Error with the shader log.
    explicit ParticleRenderer(const gl::ContextInfo& context);
    ~ParticleRenderer();

    /// Draws into `framebuffer`, inside `viewport` (pixels, y down from the top of a window `window` large),
    /// and leaves blending off and that framebuffer bound with the whole window as its viewport.
    void draw(const scene::DrawableParticles& particles, const scene::Camera& camera, Theme theme,
              unsigned framebuffer, gl::PixelSize window, panels::Rectangle viewport);

  private:
    struct Implementation;
    std::unique_ptr<Implementation> implementation_;
};

}  // namespace warpsieve::render
