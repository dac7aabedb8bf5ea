#pragma once

#include <array>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "app/gl/object.hpp"
#include "app/gl/pixels.hpp"
#include "app/gl/program.hpp"
#include "app/render/splat_kernels.hpp"
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
class CellsPass {
  public:
    /// Throws compaction::Error{device_failure} with the shader log.
    CellsPass();

    /// Uploads the layout of this frame and binds it for the shaders with stage.glsl.
    void begin(const scene::TwoStageLayout& stage);

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

/// The homography from pixels (x to the right, y upwards) to columns and rows of a field, column-major. The
/// third coordinate is positive in front of the camera.
std::array<float, 9> cells_of_pixels(const scene::CellField& field, const scene::Matrix& view_projection,
                                     gl::PixelSize size);

/// The two-stage scene for the host splat: what the compute shaders stage_*.comp do, by host threads.
class HostTwoStage {
  public:
    /// Starts a frame: no cell has an item yet.
    void begin(const scene::TwoStageLayout& stage);

    /// Where the particle of the output's item `rank` is drawn; `source`: where its source puts it.
    scene::Vector place(std::uint32_t rank, const scene::Position& source) const {
        return stage_.risen_position(rank, source);
    }
    /// Its Batch::age: young particles have the colour of their slot.
    float colour(std::uint32_t slot, float age) const {
        const float coloured_until =
            std::lerp(scene::TwoStageLayout::slot_coloured, scene::TwoStageLayout::risen,
                      scene::unit(scene::hash(scene::handle_of(slot))));
        return age < coloured_until ? splat_kernels::age_of_slot_colour(stage_.share_of(slot)) : age;
    }
    /// Records the rank of a cell's first item. Threads may call it at once.
    void record(std::uint32_t rank, std::uint32_t slot) {
        const std::uint32_t within_cell = (1U << stage_.sparse.bits) - 1;
        const std::uint32_t cell = slot >> stage_.sparse.bits;
        // Atomic because an incorrect output may contain an item twice.
        if ((slot & within_cell) == 0 && cell < ranks_.size())
            std::atomic_ref(ranks_[cell]).store(rank + 1, std::memory_order_relaxed);
    }

    /// Call once all items are recorded: finds how the cells look, and which have an arc.
    void finish(const scene::HostParticles& particles);
    std::span<const CellLook> looks() const { return looks_; }

    std::size_t num_arcs() const { return arcs_.size(); }
    /// Fills a batch with the beads of an arc.
    void gather_beads(std::size_t arc, splat_kernels::Batch& batch) const;

  private:
    struct Arc {
        std::uint32_t number;
        std::uint32_t cell;
        std::uint32_t rank;
        float light;
    };
    void choose_arc(const scene::HostParticles& particles, std::uint32_t number);

    scene::TwoStageLayout stage_{};
    std::vector<std::uint32_t> ranks_;  ///< of the first item of each cell, plus 1; 0: not in the output
    std::vector<CellLook> looks_;
    std::vector<Arc> arcs_;
};

}  // namespace warpsieve::render
