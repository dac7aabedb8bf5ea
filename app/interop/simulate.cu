#include "app/interop/simulate.hpp"

#include "app/scene/sources.hpp"
#include "compaction/cuda/check.hpp"

namespace warpsieve::interop {
namespace {

constexpr unsigned threads_per_block = 256;

template <typename Source>
__global__ void simulate_kernel(Source source, std::uint64_t slots, compaction::Item* handles,
                                scene::Position* positions) {
    const std::uint64_t i = std::uint64_t{blockIdx.x} * threads_per_block + threadIdx.x;
    if (i < slots) scene::simulate_slot(source, static_cast<std::uint32_t>(i), handles, positions);
}

__global__ void publish_kernel(const std::uint64_t* num_selected, scene::DrawCommand* command) {
    *command = scene::draw_command(static_cast<std::uint32_t>(*num_selected));
}

__global__ void store_out_of_bounds() {
    *reinterpret_cast<std::uint32_t*>(std::uintptr_t{64}) = 1;
}

}  // namespace

void launch_simulate(const scene::Frame& frame, compaction::Item* handles, scene::Position* positions,
                     cudaStream_t stream) {
    const auto blocks = static_cast<unsigned>((frame.slots + threads_per_block - 1) / threads_per_block);
    scene::visit_source(frame, [&](const auto& source) {
        simulate_kernel<<<blocks, threads_per_block, 0, stream>>>(source, frame.slots, handles, positions);
    });
    compaction::cuda::check_launch("simulate_kernel");
}

void launch_publish(const std::uint64_t* num_selected, scene::DrawCommand* command, cudaStream_t stream) {
    publish_kernel<<<1, 1, 0, stream>>>(num_selected, command);
    compaction::cuda::check_launch("publish_kernel");
}

void launch_fault(cudaStream_t stream) {
    store_out_of_bounds<<<1, 1, 0, stream>>>();
    compaction::cuda::check_launch("store_out_of_bounds");
}

}  // namespace warpsieve::interop
