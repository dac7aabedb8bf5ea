#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "app/scene/particles.hpp"
#include "app/scene/slot_sample.hpp"

/// The only module that uses OpenGL and CUDA together.
namespace warpsieve::interop {

/// The CUDA device that can share buffers with the current OpenGL context. Where there is none (software
/// OpenGL, a remote display, another vendor's GPU), it is device 0.
struct InteropDevice {
    int device = 0;
    bool shared = false;
    std::string reason;  ///< why buffers cannot be shared
};

/// Needs a current OpenGL context. Never throws.
InteropDevice find_interop_device();

/// Slots in GPU memory, simulated by a kernel. With `device.shared` they are in OpenGL buffers.
/// Needs a current OpenGL context. Throws compaction::Error{out_of_memory, device_failure}.
std::unique_ptr<scene::Particles> make_gpu_particles(compaction::Engine& engine, std::uint64_t slots,
                                                     const InteropDevice& device);

/// Samples streams in GPU memory with kernels on the engine's stream; a sample arrives frames after its
/// request. Throws compaction::Error{out_of_memory, device_failure}.
std::unique_ptr<scene::SlotSampler> make_gpu_sampler(compaction::Engine& engine, std::uint64_t max_slots);

/// Launches a kernel that fails, to test the switch to the CPU engine.
void inject_device_fault(compaction::Engine& engine);

}  // namespace warpsieve::interop
