#pragma once

#include <cstdint>
#include <string_view>

#include "app/scene/camera.hpp"
#include "app/scene/moment.hpp"
#include "workloads/stream_function.hpp"

namespace warpsieve::scene {

/// A source of particles as menus, camera and reports know it.
struct SourceInfo {
    std::string_view id;  ///< "fountain": unique, what settings and command line take
    const char* name;     ///< "Fountain"
    const char* meaning;  ///< for the tooltip
    bool has_patterns;    ///< what is kept is one of workloads' patterns; elsewhere the live fraction says
    Viewpoint viewpoint;  ///< from where all of it is seen
};

/// All that the slots of one frame follow from.
struct Frame {
    const SourceInfo* source = nullptr;
    std::uint64_t slots = 0;
    Moment moment;
    workloads::StreamFunction stream{};  ///< what is kept, for a source with patterns
};

/// A source is a class with
///
///     static constexpr SourceInfo info;
///     explicit Source(const Frame& frame);   // on the host: what does not depend on the slot
///     COMPACTION_HOST_DEVICE bool place(std::uint32_t slot, Position& position) const;
///
/// where `place` says whether the slot holds a particle, and writes `position` only where it does. It follows
/// from slot and frame alone, with integers deciding who lives, so that all engines agree to the last handle.
template <typename Source>
COMPACTION_HOST_DEVICE void simulate_slot(const Source& source, std::uint32_t slot, compaction::Item* handles,
                                          Position* positions) {
    handles[slot] = source.place(slot, positions[slot]) ? handle_of(slot) : 0;
}

}  // namespace warpsieve::scene
