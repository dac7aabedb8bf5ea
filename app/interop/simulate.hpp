#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "app/scene/fountain.hpp"

namespace warpsieve::interop {

/// What glDrawElementsIndirect reads. Source: OpenGL 4.5 core specification, section 10.4.
struct DrawElementsIndirectCommand {
    std::uint32_t count;
    std::uint32_t instance_count;
    std::uint32_t first_index;
    std::int32_t base_vertex;
    std::uint32_t base_instance;
};

/// Ages every slot: handles[slot] becomes the slot's handle or 0, positions[slot] is written where the slot is live.
/// handles, positions: [slots] device memory.
void launch_simulate(const scene::Moment& moment, std::uint64_t slots, compaction::Item* handles,
                     scene::Position* positions, cudaStream_t stream);

/// Makes the command draw the first *num_selected handles; handle 1 is vertex 0.
void launch_publish(const std::uint64_t* num_selected, DrawElementsIndirectCommand* command, cudaStream_t stream);

/// A kernel that traps.
void launch_trap(cudaStream_t stream);

}  // namespace warpsieve::interop
