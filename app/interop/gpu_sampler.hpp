#pragma once

#include <memory>

#include "app/scene/slot_sample.hpp"
#include "compaction/engine.hpp"

namespace warpsieve::interop {

/// Samples streams in GPU memory with kernels on the engine's stream; a sample arrives frames after its
/// request. Throws compaction::Error{out_of_memory, device_failure}.
std::unique_ptr<scene::SlotSampler> make_gpu_sampler(compaction::Engine& engine, std::uint64_t max_slots);

}  // namespace warpsieve::interop
