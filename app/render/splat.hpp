#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "app/gl/context.hpp"
#include "app/render/particle_style.hpp"
#include "app/render/sparse_dense.hpp"
#include "app/scene/camera.hpp"
#include "app/scene/particles.hpp"

namespace warpsieve::render {

/// The sparse and dense scene of a frame, and the colours of the slots.
struct SparseDenseInput {
    const scene::SparseDenseLayout& layout;
    const Ramp& slot_ramp;
};

/// Draws particles with host threads into host memory: each thread sums its particles in its own accumulator;
/// the sums are blurred into soft sprites and tone-mapped.
///
/// Passes over the data: handles and positions once. Allocates when the size changes or a new thread joins.
class Splatter {
  public:
    Splatter();
    ~Splatter();

    /// Returns the tone-mapped picture, [size.height][size.width] RGBA8, bottom row first, alpha undefined;
    /// valid until the next call. Only `columns` are complete. Handles must be within the positions.
    /// With `sparse_dense`, particles rise from the dense array, and beads flow along the arcs to it.
    std::span<const std::uint32_t> draw(const scene::HostParticles& particles, const scene::Camera& camera,
                                        const Ramp& ramp, gl::PixelSize size, Columns columns,
                                        const SparseDenseInput* sparse_dense = nullptr,
                                        bool with_bloom = true);

    /// The looks of the cells, of the last sparse and dense frame.
    std::span<const CellLook> cell_looks() const;

  private:
    struct Implementation;
    std::unique_ptr<Implementation> implementation_;
};

}  // namespace warpsieve::render
