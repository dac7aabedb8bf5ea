#pragma once

#include "compaction/cuda/detail/agent_pipeline.cuh"
#include "compaction/cuda/detail/architectures.cuh"
#include "compaction/cuda/detail/ticketed.cuh"

/// The kernel of the pipeline, and how its blocks fall back to tickets.
namespace compaction::cuda::detail {

/// The pipeline's chunks and stages for a selector.
template <typename SelectorT>
inline constexpr int chunks_for = SelectorT::reads_memory ? few_pipeline_chunks : pipeline_chunks;
template <typename SelectorT>
inline constexpr int stages_for = SelectorT::reads_memory ? few_pipeline_stages : pipeline_stages;

#if COMPACTION_HAS_BULK_COPIES

/// Compacts the input by tickets after all warps of the block have left the pipeline. Not inlined, so that it
/// takes no registers from the pipeline.
template <typename ItemT, typename StorageT, typename SelectorT, typename CountT>
__device__ COMPACTION_NOINLINE void fall_back_to_tickets(AlignedSpan<ItemT> input, unsigned num_rounds,
                                                         PipelineState& state, std::uint32_t* tickets,
                                                         ItemT* out, CountT* num_selected, SelectorT selector,
                                                         StorageT& storage, TicketedStorage<>& ticketed) {
    constexpr auto max_rows = static_cast<int>(
        sizeof storage.buffers / (num_ticketed_stages * ticketed_items<ItemT, 1> * sizeof(ItemT)));
    // The more rows a tile has, the fewer tiles there are, and the fewer words of `tickets` they need.
    constexpr int rows = max_rows < many_rows ? max_rows : many_rows;
    static_assert(rows >= few_rows, "a TicketState has room for no more than the tiles of few_rows rows");
    constexpr unsigned tile_items = ticketed_items<ItemT, rows>;
    const auto num_tiles = static_cast<unsigned>((input.end + tile_items - 1) / tile_items);
    // Chunks that are still on their way would overwrite the tiles that tickets keep in the buffers, so wait
    // for the last round before `end` in each stage. Each scatter warp of a chunk leaves the pipeline at one
    // of the first abandoned rounds. Until then, it requests after each of its rounds the one that is
    // `stages` later; when it leaves, it completes the phase of that round without a request.
    constexpr unsigned stages = StorageT::stages;
    const unsigned end = min(num_rounds, storage.first_abandoned_round + scatter_warps_per_chunk + stages);
    if (threadIdx.x < StorageT::chunks * stages && threadIdx.x % stages < end) {
        const unsigned stage = threadIdx.x % stages;
        const unsigned last_round_in_stage = end - 1 - (end - 1 - stage) % stages;
        const RingPosition<stages> at(last_round_in_stage);
        wait(shared_address(&storage.filled[threadIdx.x / stages][at.stage]), at.parity);
    }
    if (storage.fallback == Fallback::tickets_after_reset) {
        for (unsigned i = threadIdx.x; i <= num_tiles; i += StorageT::num_threads) tickets[i] = 0;
        __syncthreads();  // all tickets are reset
        if (threadIdx.x == 0) store_release(&state.tickets_ready, storage.first_tag);
    } else if (threadIdx.x == 0) {
        wait_for_tickets(state, storage.first_tag);
    }
    __syncthreads();  // the tickets are ready
    compact_by_tickets<ItemT, rows, StorageT::num_threads / warp_size>(input, num_tiles, TicketState{tickets},
                                                                       out, num_selected, selector, NoStamp{},
                                                                       storage.buffers, ticketed);
}

#endif

inline namespace COMPACTION_ARCHITECTURES {

/// Launched with at most one block for each multiprocessor. Dynamic shared memory: a PipelineStorage. May
/// start while the previous launch runs.
template <typename ItemT, int Chunks, int Stages, typename SelectorT, typename CountT>
__global__ void __launch_bounds__(PipelineStorage<Chunks, Stages>::num_threads, 1)
    pipeline_kernel(AlignedSpan<ItemT> input, TileSchedule schedule, TileState* state,
                    PipelineOptions options, ItemT* out, CountT* num_selected, SelectorT selector) {
    static_assert(Chunks * chunk_items<ItemT> <= max_tile_items);
#if COMPACTION_HAS_BULK_COPIES
    COMPACTION_DYNAMIC_SHARED(pipeline_storage, 128, std::byte);
    COMPACTION_SHARED(ticketed, TicketedStorage<>);
    auto& storage = *reinterpret_cast<PipelineStorage<Chunks, Stages>*>(pipeline_storage);
    const auto& stamp = stamp_block(selector, BlockStart::after_wait);
    const AgentPipeline<ItemT, Chunks, Stages, SelectorT, CountT> agent{
        input, schedule, state->pipeline, options, out, num_selected, selector, stamp, storage};
    agent.run();
    if (storage.fallback != Fallback::none) {
        stamp.forget_parts();
        fall_back_to_tickets(input, schedule.num_rounds, state->pipeline, options.tickets, out, num_selected,
                             selector, storage, ticketed);
    }
#endif
}

}  // namespace COMPACTION_ARCHITECTURES

}  // namespace compaction::cuda::detail
