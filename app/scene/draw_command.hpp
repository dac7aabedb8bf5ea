#pragma once

#include <cstdint>

#include "compaction/host_device.hpp"

namespace warpsieve::scene {

/// The number of particles to draw, in a buffer that OpenGL reads, so that the host need not know it. One
/// buffer serves both ways of drawing: the command of an indirect draw of points comes first, that of an
/// indirect compute dispatch second.
/// Source: OpenGL 4.5 core specification, sections 10.4 (DrawElementsIndirectCommand) and 19
/// (DispatchIndirectCommand).
struct DrawCommand {
    std::uint32_t count;
    std::uint32_t instance_count;
    std::uint32_t first_index;
    std::int32_t base_vertex;
    std::uint32_t base_instance;

    std::uint32_t groups_x;
    std::uint32_t groups_y;
    std::uint32_t groups_z;
};

/// Offset of the dispatch, for glDispatchComputeIndirect.
inline constexpr std::intptr_t dispatch_offset_bytes = 5 * sizeof(std::uint32_t);

/// Threads per group in splat.comp.
inline constexpr std::uint32_t particles_per_group = 256;
/// The maximum that OpenGL guarantees. With more particles, each thread processes several.
inline constexpr std::uint32_t max_groups = 65535;

/// Draws the first `num_kept` handles. base_vertex is -1: handles start at 1, vertices at 0.
COMPACTION_HOST_DEVICE constexpr DrawCommand draw_command(std::uint32_t num_kept) {
    const std::uint32_t needed_groups =
        num_kept / particles_per_group + (num_kept % particles_per_group != 0);
    return {.count = num_kept,
            .instance_count = 1,
            .first_index = 0,
            .base_vertex = -1,
            .base_instance = 0,
            .groups_x = needed_groups < max_groups ? needed_groups : max_groups,
            .groups_y = 1,
            .groups_z = 1};
}

}  // namespace warpsieve::scene
