#pragma once

#include <memory>

#include "app/scene/particles.hpp"

/// The only room that sees OpenGL and CUDA together.
namespace warpsieve::interop {

/// The CUDA device that draws the current OpenGL context, so that buffers can be shared; device 0 with the
/// reason where there is none (software OpenGL, a remote display, another vendor's GPU).
struct InteropDevice {
    int device = 0;
    bool shared = false;
    std::string reason;
};

/// Needs a current OpenGL context. Never throws.
InteropDevice find_interop_device();

/// Slots in GPU memory, simulated by a kernel and, where `device.shared`, in buffers that OpenGL draws from.
/// Needs a current OpenGL context. Throws compaction::Error{out_of_memory, device_failure}.
std::unique_ptr<scene::Particles> make_gpu_particles(compaction::Engine& engine, std::uint64_t slots,
                                                     const InteropDevice& device);

/// Makes the GPU fail as a broken kernel would, to rehearse the hand-over to the CPU engine.
void rehearse_device_failure(compaction::Engine& engine);

}  // namespace warpsieve::interop
