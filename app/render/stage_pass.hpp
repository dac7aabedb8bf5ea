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

    /// Clears and binds the ranks of the cells' first items, which stage_particles.comp notes.
    void begin_ranks();
    /// Finds looks and arcs from the ranks and from the particles' buffers, which must be bound. The host
    /// neither reads nor waits. Leaves arcs and looks bound.
    void find_looks();
    /// Takes the looks of the host splat instead.
    void upload(std::span<const CellLook> looks);

    /// Blends the cells into the bound framebuffer and viewport: as light, or as ink on paper.
    void draw(const scene::Camera& camera, float aspect, Theme theme, GLuint slot_ramp);

    /// Removes the bindings.
    static void end();

  private:
    gl::Program cells_;
    std::optional<gl::Program> finding_looks_;  ///< compiled on first use
    gl::VertexArray no_vertices_;
    gl::Buffer stage_buffer_;
    gl::Buffer arcs_;
    gl::Buffer ranks_;
    gl::Buffer looks_;
    std::uint32_t num_sparse_ = 0;
    std::uint32_t num_dense_ = 0;
};

}  // namespace warpsieve::render
