#include "app/interop/kernels.hpp"

#include "app/scene/sources.hpp"
#include "compaction/cuda/check.hpp"
#include "compaction/cuda/warp.cuh"

namespace warpsieve::interop {
namespace {

using namespace compaction::cuda;

constexpr unsigned threads_per_block = 256;
/// Several slots for each lane: a warp first lists the live ones, so that few lanes idle while particles are
/// computed.
constexpr unsigned slots_per_warp = 4 * warp_size;
constexpr unsigned slots_per_block = threads_per_block / warp_size * slots_per_warp;

template <typename Source>
__global__ void simulate_kernel(Source source, std::uint64_t slots, compaction::Item* handles,
                                scene::ParticleArrays particles) {
    __shared__ std::uint32_t live_of_block[slots_per_block];
    __shared__ scene::Particle particles_of_block[slots_per_block];
    std::uint32_t* const live = live_of_block + warp_in_block() * slots_per_warp;
    scene::Particle* const own = particles_of_block + warp_in_block() * slots_per_warp;
    const std::uint64_t first = std::uint64_t{warp_in_grid()} * slots_per_warp;

    unsigned num_live = 0;
#pragma unroll
    for (unsigned offset = lane_index(); offset < slots_per_warp; offset += warp_size) {
        const std::uint64_t i = first + offset;
        const auto slot = static_cast<std::uint32_t>(i);
        const bool is_live = i < slots && source.is_live(slot);
        if (i < slots) handles[i] = is_live ? scene::handle_of(slot) : 0;
        const unsigned lanes = __ballot_sync(all_lanes, is_live);
        if (is_live) {
            live[num_live + __popc(lanes & lanes_below())] = offset;
        } else {
            own[offset] = scene::no_particle();
        }
        num_live += __popc(lanes);
    }
    // Lanes read slots that other lanes have listed.
    __syncwarp();
    for (unsigned i = lane_index(); i < num_live; i += warp_size)
        own[live[i]] = scene::particle_of(source, static_cast<std::uint32_t>(first + live[i]));
    // Lanes store particles that other lanes have computed.
    __syncwarp();
    // Empty slots too: partial line writes cost a read.
#pragma unroll
    for (unsigned offset = lane_index(); offset < slots_per_warp; offset += warp_size)
        if (first + offset < slots) scene::store(own[offset], first + offset, particles);
}

__global__ void publish_kernel(const std::uint64_t* num_selected, scene::DrawCommand* command) {
    *command = scene::draw_command(static_cast<std::uint32_t>(*num_selected));
}

__global__ void store_out_of_bounds() {
    *reinterpret_cast<std::uint32_t*>(std::uintptr_t{64}) = 1;
}

}  // namespace

void launch_simulate(const scene::Frame& frame, compaction::Item* handles,
                     const scene::ParticleArrays& particles, cudaStream_t stream) {
    const unsigned blocks = blocks_for(frame.slots, slots_per_block);
    scene::visit_source(frame, [&](const auto& source) {
        simulate_kernel<<<blocks, threads_per_block, 0, stream>>>(source, frame.slots, handles, particles);
    });
    check_launch("simulate_kernel");
}

void launch_publish(const std::uint64_t* num_selected, scene::DrawCommand* command, cudaStream_t stream) {
    publish_kernel<<<1, 1, 0, stream>>>(num_selected, command);
    check_launch("publish_kernel");
}

void launch_fault(cudaStream_t stream) {
    store_out_of_bounds<<<1, 1, 0, stream>>>();
    check_launch("store_out_of_bounds");
}

}  // namespace warpsieve::interop
