#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "app/scene/draw_command.hpp"
#include "app/scene/source.hpp"

namespace warpsieve::interop {

/// Ages every slot: handles[slot] becomes the slot's handle or 0, positions[slot] is written where the slot
/// is live. handles, positions: [frame.slots] device memory; so are the run ends of frame.stream.
void launch_simulate(const scene::Frame& frame, compaction::Item* handles, scene::Position* positions,
                     cudaStream_t stream);

/// Makes the command draw the first *num_selected handles, whichever of its two parts OpenGL follows.
void launch_publish(const std::uint64_t* num_selected, scene::DrawCommand* command, cudaStream_t stream);

/// A kernel that traps.
void launch_trap(cudaStream_t stream);

}  // namespace warpsieve::interop
