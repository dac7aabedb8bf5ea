#pragma once

#include "compaction/cuda/detail/pipeline_look_back.cuh"
#include "compaction/cuda/detail/pipeline_tickets.cuh"

/// Persistent pipeline, for long streams on Hopper and later: one block for each multiprocessor, with
/// specialised warps.
///
/// Block b compacts tiles b, b + grid, b + 2 grid, ...; its k-th tile is its round k. A tile is cut
/// into chunks, fewer of them in the last round. Each chunk has a few slots in shared memory, which bulk
/// copies fill.
/// - A *count warp* counts a chunk as soon as it arrives, up to `Slots` rounds before it is written out.
///   The last count warp of a tile publishes the tile's count.
/// - The *look-back warp* adds up the counts that the other blocks have published since this block's
///   previous tile. That is one hop: no block publishes later because it waits for another.
/// - A *scatter warp* ranks a chunk, packs the kept items within its slot, stores them, many with a bulk
///   copy, and requests the next chunk for the slot. Each chunk has two, which take alternate rounds. While
///   it waits for the count of its round, it counts later ones.
///
/// All blocks must be resident at once. Where they are not, the launch goes on by tickets (arrivals.cuh).
namespace compaction::cuda::detail {

#if COMPACTION_HAS_BULK_COPIES

/// A block of the pipeline with all its warps.
template <typename ItemT, int Chunks, int Slots, typename SelectorT, typename CountT>
struct Pipeline : LookBackBlock<ItemT, Chunks, Slots, SelectorT, CountT> {
    using Base = LookBackBlock<ItemT, Chunks, Slots, SelectorT, CountT>;
    using Base::count_chunk;
    using Base::request_first_chunks;
    using Base::scatter_round;
    using Base::schedule;
    using Base::storage;
    using Base::take_next;
    using Base::take_while_waiting;

    __device__ Tag wait_for_first_tag() const {
        wait(shared_address(&storage.started), 0);
        return storage.first_tag;
    }

    /// A scatter warp (turn < scatter_warps_per_chunk) or a count warp. Counting is in one place, because the
    /// code of a costly predicate may fill the instruction cache.
    __device__ void run_warp(unsigned chunk, unsigned turn) const {
        const bool scatters = turn < scatter_warps_per_chunk;
        if (scatters) request_first_chunks(chunk, turn);
        const Tag first_tag = wait_for_first_tag();
        unsigned own_round = turn;
        while (!scatters || own_round < schedule.num_rounds) {
            unsigned round;
            if (scatters ? take_while_waiting(own_round, chunk, round) : take_next(chunk, round)) {
                count_chunk(round, chunk, first_tag);
            } else if (scatters && scatter_round(own_round, chunk)) {
                own_round += scatter_warps_per_chunk;
            } else {
                return;
            }
        }
    }
};

#endif

/// Launched with at most one block for each multiprocessor. Dynamic shared memory: a PipelineStorage. May
/// start while the previous launch runs.
template <typename ItemT, int Chunks, int Slots, typename SelectorT, typename CountT>
__global__ void __launch_bounds__(PipelineStorage<Chunks, Slots>::num_threads, 1)
    pipeline_kernel(StreamView<ItemT> stream, TileSchedule schedule, TileState* state,
                    PipelineOptions options, ItemT* out, CountT* num_selected, SelectorT selector) {
    static_assert(Chunks * chunk_items<ItemT> <= max_tile_items);
#if COMPACTION_HAS_BULK_COPIES
    COMPACTION_DYNAMIC_SHARED(pipeline_storage, 128, std::byte);
    COMPACTION_SHARED(ticketed, TicketedStorage);
    auto& storage = *reinterpret_cast<PipelineStorage<Chunks, Slots>*>(pipeline_storage);
    const auto& stamp = stamp_block(selector, BlockStart::after_wait);
    const Pipeline<ItemT, Chunks, Slots, SelectorT, CountT> pipeline{
        stream, schedule, state->pipeline, options, out, num_selected, selector, stamp, storage};
    constexpr unsigned look_back_warp = (scatter_warps_per_chunk + 1) * Chunks;
    if (warp_in_block() == look_back_warp) pipeline.prepare_tiles();
    if (warp_in_block() < Chunks) pipeline.prepare_chunk(warp_in_block());
    wait_for_previous_launch();
    stamp.begin();
    Tag first_tag = 0;
    if (warp_in_block() == look_back_warp && lane_index() == 0)
        first_tag = first_tag_of_launch(state->pipeline.rounds, options.tags, schedule.num_rounds);
    if (warp_in_block() < Chunks) pipeline.request_chunk(0, warp_in_block(), false);
    __syncthreads();  // all barriers are initialised
    if (warp_in_block() < look_back_warp) {
        pipeline.run_warp(warp_in_block() % Chunks, warp_in_block() / Chunks);
    } else {
        pipeline.run_look_back_warp(first_tag);
    }
    __syncthreads();  // all warps have left the pipeline
    if (storage.course != Course::pipeline)
        go_on_by_tickets(stream, schedule.num_rounds, state->pipeline, options.tickets, out, num_selected,
                         selector, storage, ticketed);
#endif
}

}  // namespace compaction::cuda::detail
