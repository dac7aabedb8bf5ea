#pragma once

#include <cstdint>

#include "compaction/host_device.hpp"

namespace warpsieve::scene {

/// How many particles there are to draw, as OpenGL reads it from a buffer: the GPU that counted them says so
/// to the GPU that draws them, and the host need not know. One buffer serves both ways of drawing: an
/// indirect draw of points, and behind it an indirect dispatch of compute shaders. Source: OpenGL 4.5 core
/// specification, sections 10.4 (DrawElementsIndirectCommand) and 19 (DispatchIndirectCommand).
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

/// Where in the buffer glDispatchComputeIndirect finds its part.
inline constexpr std::intptr_t dispatch_offset_bytes = 5 * sizeof(std::uint32_t);

/// Threads of one group, as splat.comp declares them.
inline constexpr std::uint32_t particles_per_group = 256;
/// The most that OpenGL guarantees; beyond it each thread takes several particles.
inline constexpr std::uint32_t most_groups = 65535;

/// Draws the first `num_kept` handles. Handles count from 1 and vertices from 0, hence base_vertex -1.
COMPACTION_HOST_DEVICE constexpr DrawCommand draw_command(std::uint32_t num_kept) {
    const std::uint32_t wanted_groups =
        num_kept / particles_per_group + (num_kept % particles_per_group != 0);
    return {num_kept, 1, 0, -1, 0, wanted_groups < most_groups ? wanted_groups : most_groups, 1, 1};
}

}  // namespace warpsieve::scene
