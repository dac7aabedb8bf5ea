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
#include "app/scene/sparse_dense.hpp"
#include "app/settings/window_preferences.hpp"

namespace warpsieve::render {

/// The look of a cell of the sparse and dense scene.
struct CellLook {
    float share = 0;  ///< 0 to 1 along the ramp of the slots
    float light = 0;  ///< 0: the cell is empty
};

/// The cells of the sparse and dense scene on the GPU.
class CellsPass {
  public:
    /// Throws compaction::Error{device_failure} with the shader log.
    CellsPass();

    /// Uploads the layout of this frame and binds it for the shaders with sparse_dense.glsl.
    void begin(const scene::SparseDenseLayout& layout);

    /// Clears and binds the ranks of the cells' items, which rising_particles.comp writes.
    void begin_ranks();
    /// Finds looks and arcs from the ranks and from the particles' buffers, which must be bound. The host
    /// neither reads nor waits. Leaves arcs and looks bound.
    void find_looks();
    /// Uploads the looks of the host splat instead.
    void upload(std::span<const CellLook> looks);

    /// Blends the cells into the bound framebuffer and viewport: as light, or as ink on paper.
    void draw(const scene::Camera& camera, float aspect, Theme theme, GLuint slot_ramp);

    /// Removes the bindings.
    static void end();

  private:
    gl::Program cells_;
    std::optional<gl::Program> finding_looks_;  ///< compiled on first use
    gl::VertexArray no_vertices_;
    gl::Buffer layout_;
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

/// The sparse and dense scene for the host splat: does on the host what beads.comp, find_cell_looks.comp and
/// rising_particles.comp do on a GPU.
class HostSparseDense {
  public:
    /// Starts a frame with `num_kept` particles: no cell has an item yet.
    void begin(const scene::SparseDenseLayout& layout, std::size_t num_kept);

    /// Where the output's item `rank` is drawn. `source`: its position in the metres of the particle
    /// source.
    scene::Vector position(std::uint32_t rank, const scene::Position& source) const {
        return layout_.risen_position(rank, source);
    }
    /// The Batch::age of a particle, which selects its colour: that of its slot up to an age that differs
    /// between particles, then that of its age.
    float batch_age(std::uint32_t slot, float age) const {
        const float coloured_until =
            std::lerp(scene::SparseDenseLayout::slot_coloured, scene::SparseDenseLayout::risen,
                      scene::unit(scene::hash(scene::handle_of(slot))));
        return age < coloured_until ? splat_kernels::age_of_slot_colour(layout_.share_of(slot)) : age;
    }
    /// Records the rank of the item that a cell shows. Threads may call it concurrently.
    void record(std::uint32_t rank, std::uint32_t slot) {
        const std::uint32_t cell = layout_.sparse.cell_of(slot);
        const bool is_shown = shows_all_items_ || layout_.sparse.item_of(cell) == slot;
        // Atomic because a cell may have several items.
        if (cell < ranks_.size() && is_shown)
            std::atomic_ref(ranks_[cell]).store(rank + 1, std::memory_order_relaxed);
    }

    /// Finds the looks of the cells, and which cells have an arc. Call after all items are recorded.
    void finish(const scene::HostParticles& particles);
    std::span<const CellLook> looks() const { return looks_; }

    std::size_t num_arcs() const { return arcs_.size(); }
    /// Fills a batch with the beads of an arc.
    void gather_beads(std::size_t arc_index, splat_kernels::Batch& batch) const;

  private:
    struct Arc {
        std::uint32_t number;  ///< of the group of cells that share it
        std::uint32_t cell;    ///< of the sparse buffer, where it begins
        std::uint32_t rank;    ///< of the item of the dense array, where it ends
        float light;           ///< 0 to 1
    };
    void choose_arc(const scene::HostParticles& particles, std::uint32_t number);
    float age_of_cell(const scene::HostParticles& particles, std::uint32_t cell) const;

    scene::SparseDenseLayout layout_{};
    bool shows_all_items_ = false;      ///< otherwise a cell shows only its first slot
    std::vector<std::uint32_t> ranks_;  ///< rank of the item of each cell, plus 1; 0: not in the output
    std::vector<CellLook> looks_;
    std::vector<Arc> arcs_;
};

}  // namespace warpsieve::render
