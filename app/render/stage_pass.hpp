#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "app/gl/object.hpp"
#include "app/gl/program.hpp"
#include "app/scene/camera.hpp"
#include "app/scene/particles.hpp"
#include "app/scene/two_stage.hpp"
#include "app/settings/window_preferences.hpp"

namespace warpsieve::render {

/// How a cell of the two-stage scene looks.
struct CellLook {
    float share = 0;  ///< along the ramp of the slots
    float light = 0;  ///< 0: a hole
};

/// The cells of the two-stage scene on the GPU.
class StagePass {
  public:
    /// Throws compaction::Error{device_failure} with the shader log.
    StagePass();

    /// Uploads the layout of this frame and binds it for the shaders with stage.glsl.
    void begin(const scene::TwoStage& stage);

    /// Finds looks and arcs from the particles' buffers. One pass over the kept handles; the host neither
    /// reads nor waits. Leaves the storage blocks of handles and arcs bound.
    void find(const scene::GlParticles& particles);
    /// Takes the looks of the host splat instead.
    void upload(std::span<const CellLook> looks);

    /// Blends the cells into the bound framebuffer and viewport: as light, or as ink on paper.
    void draw(const scene::Camera& camera, float aspect, Theme theme, GLuint slot_ramp);

    /// Removes the bindings.
    static void end();

  private:
    struct Finding {
        gl::Program ranks;
        gl::Program looks;
    };

    gl::Program cells_;
    std::optional<Finding> finding_;  ///< compiled on first use
    gl::VertexArray no_vertices_;
    gl::Buffer stage_buffer_;
    gl::Buffer arcs_;
    gl::Buffer ranks_;
    gl::Buffer looks_;
    std::uint32_t num_sparse_ = 0;
    std::uint32_t num_dense_ = 0;
};

}  // namespace warpsieve::render
