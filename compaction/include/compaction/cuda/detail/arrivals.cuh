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

/// The word of a launch: rounds of earlier launches, whether this launch goes by tickets, arrived blocks. It
/// is PipelineState::arrivals or the counter of a slot.
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

/// What is added to the rounds in the word to make tags.
__device__ inline Tag tag_offset(const LaunchTags& tags) {
    return tags.source == LaunchTags::Source::slot ? tags.base : 0;
}

/// The word of a launch before the block signs in. One thread calls.
__device__ inline std::uint64_t read_arrivals(PipelineState& state, const LaunchTags& tags) {
    return load_relaxed(counter_of(tags, state.arrivals));
}

/// The tag of a launch's first round, from what read_arrivals returned.
__device__ inline Tag first_tag_in(std::uint64_t arrivals, const LaunchTags& tags) {
    if (tags.source == LaunchTags::Source::host) return tags.base + 1;
    return tag_offset(tags) + rounds_in(arrivals) + 1;
}

/// Signs a block in. Returns the word before. `found`: what read_arrivals returned. One thread calls.
///
/// Where the host gives the tags, the word may hold anything before the first block arrives. The host has
/// taken `base` for this word alone, so a word that does not begin with it is not of this launch. Only blocks
/// of this launch write it, so a compare-and-swap that fails has found it set.
__device__ inline std::uint64_t arrive_at_pipeline(PipelineState& state, const LaunchTags& tags,
                                                   std::uint64_t found) {
    std::uint64_t* const word = counter_of(tags, state.arrivals);
    if (tags.source == LaunchTags::Source::host) {
        const std::uint64_t none_arrived = tags.base << arrivals_bits;
        if (rounds_in(found) != tags.base && compare_and_swap_relaxed(word, found, none_arrived + 1) == found)
            return none_arrived;
    }
    return fetch_add_relaxed(word, 1);
}

/// The course of a launch when a block arrived, from what arrive_at_pipeline returned. The last block to
/// arrive, hence after all others have read the number of rounds, raises it for the next launch.
__device__ inline Course course_at_arrival(PipelineState& state, const LaunchTags& tags, Tag first_tag,
                                           std::uint64_t before, unsigned num_rounds) {
    const bool goes_by_tickets = (before & by_tickets) != 0;
    if (goes_by_tickets) wait_for_tickets(state, first_tag);
    if (blocks_in(before) == gridDim.x - 1) {
        // Whoever reads the new number afterwards sees in `tickets_ready` which course was taken.
        fetch_add_acq_rel(counter_of(tags, state.arrivals),
                          (std::uint64_t{num_rounds} << arrivals_bits) - gridDim.x - (before & by_tickets));
    }
    return goes_by_tickets ? Course::tickets : Course::pipeline;
}

/// The course of a launch after a block has waited too long. One thread calls.
__device__ inline Course choose_course(PipelineState& state, const LaunchTags& tags, Tag first_tag) {
    std::uint64_t* const word = counter_of(tags, state.arrivals);
    const Tag rounds_before = first_tag - 1 - tag_offset(tags);
    std::uint64_t arrivals = load_acquire(word);
    while (rounds_in(arrivals) == rounds_before && blocks_in(arrivals) < gridDim.x &&
           (arrivals & by_tickets) == 0) {
        const std::uint64_t before = compare_and_swap_relaxed(word, arrivals, arrivals | by_tickets);
        if (before == arrivals) return Course::tickets_after_reset;
        arrivals = load_acquire(word);
    }
    if (rounds_in(arrivals) == rounds_before)
        return (arrivals & by_tickets) != 0 ? Course::tickets : Course::pipeline;
    return load_relaxed(&state.tickets_ready) == first_tag ? Course::tickets : Course::pipeline;
}

}  // namespace compaction::cuda::detail
