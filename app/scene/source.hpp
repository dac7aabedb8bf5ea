#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "app/scene/attributes.hpp"
#include "app/scene/camera.hpp"
#include "app/scene/moment.hpp"
#include "workloads/stream_function.hpp"

namespace warpsieve::scene {

/// Describes a particle source to menus, camera and reports.
struct SourceInfo {
    std::string_view id;       ///< "fountain": unique; used by settings and command line
    const char* name;          ///< "Fountain"
    const char* meaning;       ///< tooltip
    bool has_patterns;         ///< a pattern of workloads chooses the kept items
    Viewpoint viewpoint;       ///< shows all of it
    bool has_picture = false;  ///< workloads::Pattern::picture chooses the kept items
};

/// The input of one frame's simulation.
struct Frame {
    const SourceInfo* source = nullptr;
    std::uint64_t slots = 0;
    Moment moment;
    workloads::StreamFunction stream{};  ///< for a source with patterns or a picture
    /// The table that `stream` points to.
    std::shared_ptr<const std::vector<std::uint64_t>> stream_table = nullptr;
};

/// A source is a class with
///
///     static constexpr SourceInfo info;
///     explicit Source(const Frame& frame);   // on the host: everything that does not depend on the slot
///     COMPACTION_HOST_DEVICE bool is_live(std::uint32_t slot) const;
///     COMPACTION_HOST_DEVICE Position position_of(std::uint32_t slot) const;   // of a live slot
///
/// Both functions depend on slot and frame alone. `is_live` uses integers only, so that all engines agree
/// exactly.
///
/// Simulates one slot on the host. On a GPU, a warp simulates its slots together (interop/simulate.cu).
template <typename Source>
void simulate_slot(const Source& source, std::uint32_t slot, compaction::Item* handles,
                   const ParticleArrays& particles) {
    const bool is_live = source.is_live(slot);
    handles[slot] = is_live ? handle_of(slot) : 0;
    if (is_live) store(particle_of(source, slot), slot, particles);
}

}  // namespace warpsieve::scene
