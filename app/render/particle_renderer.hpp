#pragma once

#include <cstdint>
#include <memory>

#include "app/gl/context.hpp"
#include "app/render/particle_style.hpp"
#include "app/scene/camera.hpp"
#include "app/scene/memory_scene.hpp"
#include "app/scene/particles.hpp"
#include "app/scene/source.hpp"
#include "app/scene/sparse_dense.hpp"
#include "app/settings/window_preferences.hpp"

namespace warpsieve::render {

/// How particles are drawn. All methods make the same picture except for fine grain.
enum class Method : std::uint8_t {
    automatic,  ///< host splat on software OpenGL; otherwise sprites for few slots, compute splat for many
    sprites,    ///< points, rasterised and blended
    compute_splat,  ///< integer sums by compute shaders
    host_splat,     ///< integer sums by host threads; particles in OpenGL buffers become sprites
};

/// Draws the kept particles: soft additive sprites coloured by age, tone-mapped.
class ParticleRenderer {
  public:
    /// Compiles the shaders. Needs a current context. Throws compaction::Error with the shader log.
    explicit ParticleRenderer(const gl::ContextInfo& context, Method method = Method::automatic);
    ~ParticleRenderer();

    /// Draws `columns` of `viewport` into `framebuffer`. `window`: size of the framebuffer.
    /// `sparse_dense`: the sparse and dense scene, or null for the particles alone; sprites always draw the
    /// particles alone. `frame`: the frame of the particles; draws them as streaks from their positions in
    /// the previous frame. Null: without streaks. `texture`: RGBA8, the texture of `framebuffer`; if it is
    /// given, compute shaders write to it directly, which avoids a copy. Leaves blending and scissor test
    /// off, `framebuffer` bound and the OpenGL viewport on the whole window. Throws compaction::Error with
    /// the shader log if the compute splat does not compile.
    void draw(const scene::DrawableParticles& particles, const scene::Camera& camera, Theme theme,
              unsigned framebuffer, gl::PixelSize window, gl::Rectangle viewport, Columns columns,
              const scene::SparseDenseLayout* sparse_dense = nullptr, const scene::Frame* frame = nullptr,
              unsigned texture = 0);

    /// Draws the memory of a compaction into `columns` of `viewport`: at rest over the picture of draw(), in
    /// motion on a plain ground. Leaves the same state as draw().
    void draw_memory(const scene::MemoryScene& memory, const scene::Camera& camera, Theme theme,
                     unsigned framebuffer, gl::PixelSize window, gl::Rectangle viewport, Columns columns);

    /// Switches the bloom of bright cores on or off. It is on by default; without it, drawing is faster.
    void set_bloom(bool enabled);

  private:
    struct Implementation;
    std::unique_ptr<Implementation> implementation_;
};

}  // namespace warpsieve::render
