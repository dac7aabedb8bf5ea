#pragma once

#include <cstdint>

#include "compaction/cuda/detail/ptx.cuh"
#include "compaction/cuda/detail/tile_state.cuh"

/// Decides whether the blocks of a pipeline launch wait for each other.
///
/// The pipeline ends only if all its blocks are resident at once, and CUDA does not promise that: other
/// kernels may hold multiprocessors for as long as they like, and a green context has only some of them. So
/// each block signs in when it starts. A block that has waited too long closes the launch to the pipeline
/// unless all blocks have signed in; then the blocks that run compact the stream by tickets (ticketed.cuh),
/// which needs only blocks that run, and blocks that start later join them.
///
/// One word decides, so all blocks learn the same. A block of the pipeline may have written output before;
/// tickets write the same items to the same places.
namespace compaction::cuda::detail {

/// PipelineState::arrivals: rounds of earlier launches, whether this launch goes by tickets, arrived blocks.
inline constexpr unsigned arrivals_bits = 16;
inline constexpr std::uint64_t by_tickets = std::uint64_t{1} << (arrivals_bits - 1);

__device__ inline Tag rounds_in(std::uint64_t arrivals) {
    return arrivals >> arrivals_bits;
}
__device__ inline unsigned blocks_in(std::uint64_t arrivals) {
    return static_cast<unsigned>(arrivals & (by_tickets - 1));
}

/// How a block goes on.
enum class Course : unsigned {
    pipeline,
    tickets,
    tickets_after_reset,  ///< this block resets the tickets first
};

/// Waits until the tickets of a launch are reset; what the resetting block wrote before is then visible.
__device__ inline void wait_for_tickets(const PipelineState& state, Tag first_tag) {
    while (load_acquire(&state.tickets_ready) != first_tag) {
    }
}

/// Signs a block in, after it has read the number of rounds. Returns the word before. One thread calls.
__device__ inline std::uint64_t arrive_at_pipeline(PipelineState& state) {
    return fetch_add_relaxed(&state.arrivals, 1);
}

/// The course of a launch when a block arrived, from what arrive_at_pipeline returned. The last block to
/// arrive, hence after all others have read the number of rounds, raises it for the next launch.
__device__ inline Course course_at_arrival(PipelineState& state, std::uint64_t before, unsigned num_rounds) {
    const bool goes_by_tickets = (before & by_tickets) != 0;
    if (goes_by_tickets) wait_for_tickets(state, rounds_in(before) + 1);
    if (blocks_in(before) == gridDim.x - 1) {
        // Whoever reads the new number afterwards sees in `tickets_ready` which course was taken.
        fetch_add_acq_rel(&state.arrivals,
                          (std::uint64_t{num_rounds} << arrivals_bits) - gridDim.x - (before & by_tickets));
    }
    return goes_by_tickets ? Course::tickets : Course::pipeline;
}

/// The course of a launch after a block has waited too long. One thread calls.
__device__ inline Course choose_course(PipelineState& state, Tag rounds_before) {
    std::uint64_t arrivals = load_acquire(&state.arrivals);
    while (rounds_in(arrivals) == rounds_before && blocks_in(arrivals) < gridDim.x &&
           (arrivals & by_tickets) == 0) {
        const std::uint64_t before =
            compare_and_swap_relaxed(&state.arrivals, arrivals, arrivals | by_tickets);
        if (before == arrivals) return Course::tickets_after_reset;
        arrivals = load_acquire(&state.arrivals);
    }
    if (rounds_in(arrivals) == rounds_before)
        return (arrivals & by_tickets) != 0 ? Course::tickets : Course::pipeline;
    return load_relaxed(&state.tickets_ready) == rounds_before + 1 ? Course::tickets : Course::pipeline;
}

}  // namespace compaction::cuda::detail
