#include "app/render/staged_particles.hpp"

#include <algorithm>
#include <cmath>

namespace warpsieve::render {
namespace {

float smooth(float low, float high, float x) {
    const float t = std::clamp((x - low) / (high - low), 0.0F, 1.0F);
    return t * t * (3 - 2 * t);
}

}  // namespace

void StagedParticles::begin(const scene::TwoStage& stage) {
    stage_ = stage;
    ranks_.assign(stage.sparse.cells, 0);
    looks_.resize(stage.sparse.cells + stage.dense.cells);
    arcs_.clear();
    arcs_.reserve(scene::TwoStage::most_arcs);
}

void StagedParticles::finish(const scene::HostParticles& particles) {
    const scene::CellField& sparse = stage_.sparse;
    const scene::CellField& dense = stage_.dense;
    for (std::uint32_t cell = 0; cell < sparse.cells; ++cell) {
        const float share = static_cast<float>(cell) / static_cast<float>(sparse.cells);
        const bool lit = ranks_[cell] != 0;
        looks_[cell] = {share,
                        lit ? scene::cell_light(particles.attributes.position[cell << sparse.bits].age) : 0};
    }
    for (std::uint32_t cell = 0; cell < dense.cells; ++cell) {
        const std::size_t item = std::size_t{cell} << dense.bits;
        CellLook& look = looks_[sparse.cells + cell];
        look = {};
        if (item < particles.handles.size()) look = {stage_.share_of(particles.handles[item] - 1), 1};
    }
    for (std::uint32_t arc = 0; arc * scene::TwoStage::cells_per_arc < sparse.cells; ++arc)
        choose_arc(particles, arc);
}

/// The live cell of the group with the largest hash: it stays the same until it dies.
void StagedParticles::choose_arc(const scene::HostParticles& particles, std::uint32_t number) {
    const std::uint32_t first = number * scene::TwoStage::cells_per_arc;
    const std::uint32_t end = std::min(first + scene::TwoStage::cells_per_arc, stage_.sparse.cells);
    std::uint32_t best = 0;
    Arc arc{number, 0, 0, 0};
    for (std::uint32_t cell = first; cell < end; ++cell) {
        const std::uint32_t key = scene::hash(cell) | 1U;
        if (ranks_[cell] == 0 || key <= best) continue;
        best = key;
        arc.cell = cell;
    }
    if (best == 0) return;
    arc.rank = ranks_[arc.cell] - 1;
    const float age = particles.attributes.position[arc.cell << stage_.sparse.bits].age;
    arc.light = smooth(0, 0.06F, age) * (1 - smooth(0.92F, 1, age));
    arcs_.push_back(arc);
}

void StagedParticles::gather_beads(std::size_t arc, splat_kernels::Batch& batch) const {
    const Arc& ends = arcs_[arc];
    const scene::Vector from = stage_.sparse.centre(ends.cell);
    const scene::Vector to = stage_.dense.place(ends.rank);
    const float colour = splat_kernels::age_of_slot_colour(static_cast<float>(ends.cell) /
                                                           static_cast<float>(stage_.sparse.cells));
    for (std::uint32_t i = 0; i < scene::TwoStage::beads_per_arc; ++i) {
        const scene::Bead bead = scene::bead(ends.number, i, stage_.seconds);
        const scene::Vector place = scene::arc_point(from, to, bead.t);
        batch.x[i] = place.x;
        batch.y[i] = place.y;
        batch.z[i] = place.z;
        batch.age[i] = colour;
        batch.light[i] = bead.light * ends.light;
    }
}

}  // namespace warpsieve::render
