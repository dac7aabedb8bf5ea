#pragma once

#include "compaction/cuda/detail/ptx.cuh"
#include "compaction/cuda/detail/tile_state.cuh"

/// Decides whether the blocks of a pipeline launch wait for each other.
///
/// The pipeline ends only if all its blocks are resident at once, and CUDA does not promise that: other
/// kernels may hold multiprocessors for as long as they like, and a green context has only some of them. So
/// each block arrives when it starts. If a block has waited too long and not all blocks have arrived, the
/// launch falls back: the running blocks compact the input by tickets (ticketed.cuh), which needs only blocks
/// that run, and blocks that start later join them.
///
/// A block may arrive just when another lets the launch fall back, and then wait for blocks that have left
/// the pipeline. So a waiting block checks repeatedly. Some blocks may even complete the pipeline while
/// others take tickets: both write the same items to the same positions.
namespace compaction::cuda::detail {

/// Whether a block leaves the pipeline, and how.
enum class Fallback : unsigned {
    none,
    tickets,
    tickets_after_reset,  ///< this block resets the tickets first
};

/// Waits until the tickets of a launch are reset. The acquire makes the resets visible that the resetting
/// block wrote before its release.
__device__ inline void wait_for_tickets(const PipelineState& state, Tag first_tag) {
    while (load_acquire(&state.tickets_ready) != first_tag) {
    }
}

/// Registers a block. Needs no round trip. One thread calls.
__device__ inline void arrive_at_pipeline(PipelineState& state, Tag first_tag) {
    store_relaxed(&state.arrived[blockIdx.x], first_tag);
}

/// The fallback of a block that starts. One thread calls.
__device__ inline Fallback fallback_at_arrival(const PipelineState& state, Tag first_tag) {
    return load_relaxed(&state.fell_back) == first_tag ? Fallback::tickets : Fallback::none;
}

/// Whether all blocks have arrived. A warp calls.
__device__ inline bool have_all_arrived(const PipelineState& state, Tag first_tag) {
    bool all = true;
    for (unsigned block = lane_index(); block < gridDim.x; block += warp_size)
        all = all && load_relaxed(&state.arrived[block]) == first_tag;
    return __all_sync(all_lanes, all);
}

/// The fallback of a block that has waited too long. One thread calls.
///
/// `fell_back` may hold anything before the launch. Only blocks of the launch write it, and all write the
/// same value, so if the compare-and-swap fails, another block has already let the launch fall back.
__device__ inline Fallback decide_fallback(PipelineState& state, Tag first_tag, bool all_arrived) {
    const Tag fell_back = load_relaxed(&state.fell_back);
    if (fell_back == first_tag) return Fallback::tickets;
    if (all_arrived) return Fallback::none;
    const bool is_first = compare_and_swap_relaxed(&state.fell_back, fell_back, first_tag) == fell_back;
    return is_first ? Fallback::tickets_after_reset : Fallback::tickets;
}

}  // namespace compaction::cuda::detail
