#pragma once

#include "compaction/cuda/detail/arrivals.cuh"
#include "compaction/cuda/detail/pipeline_scatter.cuh"

/// How the pipeline looks back (pipeline.cuh).
namespace compaction::cuda::detail {

#if COMPACTION_HAS_BULK_COPIES

/// The status words of the tiles between this block's previous tile and its next, spread over the
/// lanes.
struct StatusWindow {
    static constexpr int words_per_lane = max_pipeline_blocks / warp_size;
    StatusWord words[words_per_lane];

    __device__ static bool this_round(int i) { return lane_index() + i * warp_size < blockIdx.x; }
    __device__ static Tag tag_of(int i, Tag tag) { return this_round(i) ? tag : tag - 1; }
    __device__ static bool needed(int i, unsigned round) {
        const unsigned block = lane_index() + i * warp_size;
        return this_round(i) || (block > blockIdx.x && block < gridDim.x && round > 0);
    }

    /// All loads are in flight before the first word is tested.
    __device__ void load(const PipelineState& state, Tag tag) {
#pragma unroll
        for (int i = 0; i < words_per_lane; ++i) {
            words[i] =
                load_relaxed(&state.words[blockIdx.x % tile_state_copies][tag_of(i, tag) % pipeline_window]
                                         [lane_index() + i * warp_size]);
        }
    }
    __device__ bool complete(unsigned round, Tag tag) const {
        bool all = true;
#pragma unroll
        for (int i = 0; i < words_per_lane; ++i) {
            all = all && (!needed(i, round) || has_tag(words[i], tag_of(i, tag)));
        }
        return __all_sync(all_lanes, all);
    }
    __device__ unsigned sum(unsigned round) const {
        unsigned mine = 0;
#pragma unroll
        for (int i = 0; i < words_per_lane; ++i) mine += needed(i, round) ? count_in(words[i]) : 0;
        return warp_reduce_add(mine);
    }
};

/// Looks back: what the look-back warp does.
template <typename ItemT, int Chunks, int Slots, typename SelectorT, typename CountT>
struct LookBackBlock : ScatteringBlock<ItemT, Chunks, Slots, SelectorT, CountT> {
    using Base = ScatteringBlock<ItemT, Chunks, Slots, SelectorT, CountT>;
    using Base::num_selected;
    using Base::options;
    using Base::roles_of_tile;
    using Base::schedule;
    using Base::stamp;
    using Base::state;
    using Base::storage;

    /// The look-back warp initialises the barriers of whole tiles, maybe while the previous launch runs.
    __device__ void prepare_tiles() const {
        if (lane_index() < Slots) {
            storage.tally[lane_index()] = 0;
            init_barrier(shared_address(&storage.counted[lane_index()]), Chunks * warp_size);
            init_barrier(shared_address(&storage.placed[lane_index()]), 1);
        }
        if (lane_index() == 0) {
            storage.left_in = leaves_never;
            init_barrier(shared_address(&storage.started), 1);
        }
    }

    /// Waits for the counts that a round needs, and counts the polls. Returns false if the launch goes on by
    /// tickets instead.
    __device__ bool wait_for_counts(StatusWindow& window, unsigned round, Tag tag, unsigned& polls) const {
        while (!window.complete(round, tag)) {
            if (++polls % options.poll_limit == 0 && leaves_for_tickets(tag - round)) return false;
            window.load(state, tag);
        }
        return true;
    }

    /// After waiting too long: whether the launch goes on by tickets.
    __device__ bool leaves_for_tickets(Tag first_tag) const {
        const bool all_arrived = have_all_arrived(state, first_tag);
        __syncwarp();  // all lanes have read the course before
        if (lane_index() == 0) storage.course = choose_course(state, first_tag, all_arrived);
        __syncwarp();  // the course is written
        return storage.course != Course::pipeline;
    }

    /// Lets all warps leave the pipeline: the scatter warps, which own this round and the next, by a mark
    /// instead of the tile's start, and the count warps, because there is no further round to take. A count
    /// warp may wait for a chunk that nobody has requested; the scatter warp that leaves completes its phase.
    /// The tally keeps such a count from being published.
    __device__ void leave_in(unsigned first_round) const {
        const unsigned end = min(first_round + scatter_warps_per_chunk, schedule.num_rounds);
        for (unsigned round = first_round; round < end; ++round) {
            wait(shared_address(&storage.counted[round % Slots]), round / Slots % 2);
            __syncwarp();  // as in run_look_back_warp
        }
        // Atomic, as count warps of earlier rounds may read it now.
        if (lane_index() == 0) atomicCAS_block(&storage.left_in, leaves_never, first_round);
        if (lane_index() < Chunks) atomicMax_block(&storage.next_to_count[lane_index()], schedule.num_rounds);
        __syncwarp();  // no warp takes a chunk that was not requested
        for (unsigned round = first_round; round < end; ++round) {
            if (lane_index() != 0) continue;
            storage.tally[round % Slots] = tally_never_complete;
            storage.tile_start[round % Slots] = leave_pipeline;
            arrive(shared_address(&storage.placed[round % Slots]));
        }
    }

    /// `tag_in_lane_0`: the first tag of the launch.
    __device__ void run_look_back_warp(Tag tag_in_lane_0) const {
        const Tag first_tag = __shfl_sync(all_lanes, tag_in_lane_0, 0);
        if (lane_index() == 0) {
            arrive_at_pipeline(state, first_tag);
            storage.first_tag = first_tag;
            // Only this lane writes the tag, so it alone arrives for the other warps, which read it.
            arrive(shared_address(&storage.started));
        }
        wait_cycles(cycles_before_look_back);
        StatusWindow window;
        window.load(state, first_tag);
        if (lane_index() == 0) storage.course = course_at_arrival(state, first_tag);
        __syncwarp();  // the course is written
        if (storage.course != Course::pipeline) return leave_in(0);
        std::uint64_t kept_before = 0;  // valid in lane 0
        unsigned slot = 0;
        unsigned parity = 0;
        unsigned polls = 0;
        for (unsigned round = 0; round < schedule.num_rounds; ++round) {
            const Tag tag = first_tag + round;
            const auto begin = stamp.role_begins();
            if (!wait_for_counts(window, round, tag, polls)) return leave_in(round);
            if (round == 0 && polls < prompt_polls) trigger_dependent_launch();
            kept_before += window.sum(round);
            window.load(state, tag + 1);  // tested in the next round
            wait(shared_address(&storage.counted[slot]), parity);
            // All lanes have seen this phase before lane 0 lets the scatter warps go on. After that the next
            // phase may complete, and its parity would hide this one from a lane that still waits.
            __syncwarp();
            if (lane_index() == 0) {
                const unsigned own_count = storage.tile_count[slot];
                note("tile start", kept_before);
                storage.tile_start[slot] = kept_before;
                arrive(shared_address(&storage.placed[slot]));
                kept_before += own_count;
                if (round == schedule.num_rounds - 1 && blockIdx.x == gridDim.x - 1)
                    *num_selected = static_cast<CountT>(kept_before);
            }
            __syncwarp();  // the lanes test the next words together
            stamp.role_ends(WarpRole::look_back, round, round * roles_of_tile + 2 * Chunks, begin);
            if (++slot == Slots) slot = 0, parity ^= 1;
        }
    }
};

#endif

}  // namespace compaction::cuda::detail
