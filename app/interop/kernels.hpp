#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "app/scene/draw_command.hpp"
#include "app/scene/slot_sample.hpp"
#include "app/scene/source.hpp"

namespace warpsieve::interop {

/// Simulates every slot: writes its handle and its particle, or 0 and scene::no_particle() if it is empty.
/// handles, particles: [frame.slots] device memory. The table of frame.stream must be in device memory.
void launch_simulate(const scene::Frame& frame, compaction::Item* handles,
                     const scene::ParticleArrays& particles, cudaStream_t stream);

/// Writes the command that draws the first *num_selected handles.
void launch_publish(const std::uint64_t* num_selected, scene::DrawCommand* command, cudaStream_t stream);

/// Launches a kernel that stores out of bounds, which ends the context.
void launch_fault(cudaStream_t stream);

/// Slots per leaf. One warp counts a leaf.
inline constexpr std::uint64_t leaf_slots = 1024;

/// The counts of a sample: see the members of scene::SlotSample.
struct SampleFigures {
    std::uint64_t live;
    std::uint64_t kept;
    std::uint64_t first_rank;
    std::uint64_t found_output_index;
};

/// Input and output of a sample, all in device memory.
struct SampleTask {
    scene::FrameBuffers buffers;
    std::uint64_t slots;
    scene::SlotWindow window;
    std::uint32_t num_cells;  ///< cells of the window
    std::uint64_t row_slots;
    std::uint32_t wanted_handle;

    std::uint32_t* leaf_counts;  ///< [leaves] live slots of each leaf
    std::uint64_t* leaf_ranks;   ///< [leaves] live slots before each leaf

    SampleFigures* figures;
    scene::SlotCell* in;   ///< [num_cells]
    scene::SlotCell* out;  ///< [num_cells]
};

/// Enqueues the kernels that take the sample.
void launch_sample(const SampleTask& task, cudaStream_t stream);

}  // namespace warpsieve::interop
