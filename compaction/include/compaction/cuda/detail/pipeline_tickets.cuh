#pragma once

#include "compaction/cuda/detail/arrivals.cuh"
#include "compaction/cuda/detail/pipeline_storage.cuh"
#include "compaction/cuda/detail/ticketed.cuh"

/// How a block of the pipeline goes on by tickets (arrivals.cuh).
namespace compaction::cuda::detail {

#if COMPACTION_HAS_BULK_COPIES

/// Compacts the stream by tickets after all warps of the block have left the pipeline. A function of its own,
/// so that it takes no registers from the pipeline.
template <typename ItemT, typename StorageT, typename SelectorT, typename CountT>
__device__ COMPACTION_NOINLINE_IN_KERNEL void go_on_by_tickets(StreamView<ItemT> stream, unsigned num_rounds,
                                                               PipelineState& state, std::uint32_t* tickets,
                                                               ItemT* out, CountT* num_selected,
                                                               SelectorT selector, StorageT& storage,
                                                               TicketedStorage& ticketed) {
    constexpr auto most_rows = static_cast<int>(
        sizeof storage.slots / (num_ticketed_stages * ticketed_items<ItemT, 1> * sizeof(ItemT)));
    constexpr int rows = most_rows < many_rows ? most_rows : many_rows;
    static_assert(rows >= few_rows, "the tickets have room for no more tiles");
    constexpr unsigned tile_items = ticketed_items<ItemT, rows>;
    const auto num_tiles = static_cast<unsigned>((stream.end + tile_items - 1) / tile_items);
    // Chunks that are still on their way would overwrite what tickets keep in the slots. These rounds were
    // requested, or their phases completed without.
    constexpr unsigned slots = StorageT::slots_per_chunk;
    const unsigned end = min(num_rounds, storage.left_in + scatter_warps_per_chunk + slots);
    if (threadIdx.x < StorageT::chunks * slots && threadIdx.x % slots < end) {
        const unsigned slot = threadIdx.x % slots;
        const unsigned last_round = end - 1 - (end - 1 - slot) % slots;
        wait(shared_address(&storage.filled[threadIdx.x / slots][slot]), last_round / slots % 2);
    }
    if (storage.course == Course::tickets_after_reset) {
        for (unsigned i = threadIdx.x; i <= num_tiles; i += StorageT::num_threads) tickets[i] = 0;
        __syncthreads();  // all tickets are reset
        if (threadIdx.x == 0) store_release(&state.tickets_ready, storage.first_tag);
    } else if (threadIdx.x == 0) {
        wait_for_tickets(state, storage.first_tag);
    }
    __syncthreads();  // the tickets are ready
    compact_by_tickets<ItemT, rows, StorageT::num_threads / warp_size>(
        stream, num_tiles, TicketState{tickets}, out, num_selected, selector, NoStamp{}, storage.slots,
        ticketed);
}

#endif

}  // namespace compaction::cuda::detail
