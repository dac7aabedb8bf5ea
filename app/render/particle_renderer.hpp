#pragma once

#include <cstdint>
#include <memory>

#include "app/gl/context.hpp"
#include "app/render/columns.hpp"
#include "app/scene/camera.hpp"
#include "app/scene/particles.hpp"

namespace warpsieve::render {

/// Who draws the particles. All make the same picture but for fine grain.
enum class Method : std::uint8_t {
    automatic,  ///< host splat where OpenGL is software; elsewhere sprites for few slots, else compute splat
    sprites,    ///< points that OpenGL rasterises and blends
    compute_splat,  ///< sums of integers, made by compute shaders
    host_splat,     ///< sums of integers, made by host threads; particles that OpenGL holds become sprites
};

/// Draws the kept particles: soft additive sprites coloured by age on near-black, tone-mapped. A GPU that
/// rasterises slowly is spared the sprites of many slots; on software OpenGL host threads are some thirty
/// times faster.
class ParticleRenderer {
  public:
    /// Compiles the shaders. Needs a current context. Throws compaction::Error with the shader log.
    explicit ParticleRenderer(const gl::ContextInfo& context, Method method = Method::automatic);
    ~ParticleRenderer();

    /// Draws into `framebuffer`, inside `viewport` (pixels, y down from the top of a window `window` large),
    /// and there only `columns` of it, and leaves blending and scissors off and that framebuffer bound with
    /// the whole window as its viewport. Throws compaction::Error with the shader log where the first use of
    /// the compute splat cannot compile it.
    void draw(const scene::DrawableParticles& particles, const scene::Camera& camera, Theme theme,
              unsigned framebuffer, gl::PixelSize window, gl::Rectangle viewport, Columns columns);

  private:
    struct Implementation;
    std::unique_ptr<Implementation> implementation_;
};

}  // namespace warpsieve::render
