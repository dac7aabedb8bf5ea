#include "app/interop/simulate.hpp"

#include "cuda/support/check.hpp"

namespace warpsieve::interop {
namespace {

constexpr unsigned threads_per_block = 256;

__global__ void simulate_kernel(scene::Moment moment, std::uint64_t slots, compaction::Item* handles,
                                scene::Position* positions) {
    const std::uint64_t i = std::uint64_t{blockIdx.x} * threads_per_block + threadIdx.x;
    if (i >= slots) return;
    const auto slot = static_cast<std::uint32_t>(i);
    const scene::SlotCycle cycle = scene::cycle_of(slot, moment);
    const bool live = scene::is_live(cycle, moment);
    handles[i] = live ? scene::handle_of(slot) : 0;
    if (live) positions[i] = scene::position_of(slot, cycle, moment);
}

__global__ void publish_kernel(const std::uint64_t* num_selected, scene::DrawCommand* command) {
    *command = scene::draw_command(static_cast<std::uint32_t>(*num_selected));
}

__global__ void trap_kernel() {
    __trap();
}

}  // namespace

void launch_simulate(const scene::Moment& moment, std::uint64_t slots, compaction::Item* handles,
                     scene::Position* positions, cudaStream_t stream) {
    const auto blocks = static_cast<unsigned>((slots + threads_per_block - 1) / threads_per_block);
    simulate_kernel<<<blocks, threads_per_block, 0, stream>>>(moment, slots, handles, positions);
    compaction::cuda::check_launch("simulate_kernel");
}

void launch_publish(const std::uint64_t* num_selected, scene::DrawCommand* command, cudaStream_t stream) {
    publish_kernel<<<1, 1, 0, stream>>>(num_selected, command);
    compaction::cuda::check_launch("publish_kernel");
}

void launch_trap(cudaStream_t stream) {
    trap_kernel<<<1, 1, 0, stream>>>();
    compaction::cuda::check_launch("trap_kernel");
}

}  // namespace warpsieve::interop
