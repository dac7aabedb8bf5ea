// What links in place of the interop where the CUDA engine was not built.
#include "app/interop/gpu_particles.hpp"
#include "app/interop/gpu_sampler.hpp"
#include "compaction/error.hpp"

namespace warpsieve::interop {
namespace {

[[noreturn]] void refuse() {
    throw compaction::Error(compaction::ErrorCode::unavailable, "The CUDA engine is not in this build.");
}

}  // namespace

InteropDevice find_interop_device() {
    return {0, false, "The CUDA engine is not in this build."};
}

std::unique_ptr<scene::Particles> make_gpu_particles(compaction::Engine&, std::uint64_t,
                                                     const InteropDevice&) {
    refuse();
}

std::unique_ptr<scene::SlotSampler> make_gpu_sampler(compaction::Engine&, std::uint64_t) {
    refuse();
}

void rehearse_device_failure(compaction::Engine&) {
    refuse();
}

}  // namespace warpsieve::interop
