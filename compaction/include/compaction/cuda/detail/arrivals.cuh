#pragma once

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
/// A block may sign in while another closes the launch, and wait for blocks that have left. So a block that
/// waits asks again and again. Some blocks may even end in the pipeline while others take tickets: both write
/// the same items to the same places.
namespace compaction::cuda::detail {

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

/// Signs a block in. No block waits for an answer. One thread calls.
__device__ inline void arrive_at_pipeline(PipelineState& state, Tag first_tag) {
    store_relaxed(&state.arrived[blockIdx.x], first_tag);
}

/// The course when a block starts. One thread calls.
__device__ inline Course course_at_arrival(const PipelineState& state, Tag first_tag) {
    return load_relaxed(&state.closed) == first_tag ? Course::tickets : Course::pipeline;
}

/// Whether all blocks have signed in. A warp calls.
__device__ inline bool have_all_arrived(const PipelineState& state, Tag first_tag) {
    bool all = true;
    for (unsigned block = lane_index(); block < gridDim.x; block += warp_size)
        all = all && load_relaxed(&state.arrived[block]) == first_tag;
    return __all_sync(all_lanes, all);
}

/// The course after a block has waited too long. One thread calls.
///
/// `closed` may hold anything before the launch. Only blocks of the launch write it, and all write the same,
/// so a compare-and-swap that fails has found the launch closed.
__device__ inline Course choose_course(PipelineState& state, Tag first_tag, bool all_arrived) {
    const Tag closed = load_relaxed(&state.closed);
    if (closed == first_tag) return Course::tickets;
    if (all_arrived) return Course::pipeline;
    const bool closes = compare_and_swap_relaxed(&state.closed, closed, first_tag) == closed;
    return closes ? Course::tickets_after_reset : Course::tickets;
}

}  // namespace compaction::cuda::detail
