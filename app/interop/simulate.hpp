#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "app/scene/draw_command.hpp"
#include "app/scene/source.hpp"

namespace warpsieve::interop {

/// Simulates every slot: writes its handle and its particle, or 0 and scene::no_particle() if it is empty.
/// handles, particles: [frame.slots] device memory. The run ends of frame.stream must be in device memory.
void launch_simulate(const scene::Frame& frame, compaction::Item* handles,
                     const scene::ParticleArrays& particles, cudaStream_t stream);

/// Writes the command that draws the first *num_selected handles, for both ways of drawing.
void launch_publish(const std::uint64_t* num_selected, scene::DrawCommand* command, cudaStream_t stream);

/// Launches a kernel that stores out of bounds, which ends the context.
void launch_fault(cudaStream_t stream);

}  // namespace warpsieve::interop
