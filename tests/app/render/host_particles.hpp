#pragma once

#include <span>

#include "app/scene/particles.hpp"

namespace warpsieve {

/// Particles at these positions ([slots]) for tests; `handles`: the kept ones. This is where a new attribute
/// gets its values.
inline scene::HostParticles host_particles(std::span<const scene::Position> positions,
                                           std::span<const compaction::Item> handles) {
    return {{.position = positions}, handles};
}

}  // namespace warpsieve
