#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "app/render/splat_kernels.hpp"
#include "app/render/stage_pass.hpp"
#include "app/scene/particles.hpp"
#include "app/scene/two_stage.hpp"

namespace warpsieve::render {

/// The two-stage scene for the host splat: what the compute shaders stage_*.comp do, by host threads.
class StagedParticles {
  public:
    /// Starts a frame: no cell has an item yet.
    void begin(const scene::TwoStage& stage);

    /// Fills a batch with the handles [begin, begin + count) of the output and notes the first items of
    /// cells. Threads may call it at once, for different handles.
    void gather(const scene::HostParticles& particles, std::size_t begin, std::size_t count,
                splat_kernels::Batch& batch);

    /// Once all handles are gathered: how the cells look, and which have an arc.
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

    scene::TwoStage stage_{};
    std::vector<std::uint32_t> ranks_;  ///< of the first item of each cell, plus 1; 0: not in the output
    std::vector<CellLook> looks_;
    std::vector<Arc> arcs_;
};

}  // namespace warpsieve::render
