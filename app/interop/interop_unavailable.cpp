// Replaces the interop in builds without the CUDA engine.
#include "app/interop/interop.hpp"
#include "compaction/error.hpp"

namespace warpsieve::interop {
namespace {

[[noreturn]] void refuse() {
    throw compaction::Error(compaction::ErrorCode::unavailable, "This build has no CUDA engine.");
}

}  // namespace

InteropDevice find_interop_device() {
    return {0, false, "This build has no CUDA engine."};
}

std::unique_ptr<scene::Particles> make_gpu_particles(compaction::Engine&, std::uint64_t,
                                                     const InteropDevice&) {
    refuse();
}

std::unique_ptr<scene::SlotSampler> make_gpu_sampler(compaction::Engine&, std::uint64_t) {
    refuse();
}

void inject_device_fault(compaction::Engine&) {
    refuse();
}

}  // namespace warpsieve::interop
