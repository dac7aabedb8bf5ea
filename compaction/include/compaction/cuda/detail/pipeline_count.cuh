#pragma once

#include "compaction/cuda/detail/pipeline_block.cuh"

/// How the pipeline counts (pipeline.cuh).
namespace compaction::cuda::detail {

#if COMPACTION_HAS_BULK_COPIES

/// Counts chunks: what count warps do, and scatter warps while they wait.
template <typename ItemT, int Chunks, int Slots, typename SelectorT, typename CountT>
struct CountingBlock : PipelineBlock<ItemT, Chunks, Slots, SelectorT, CountT> {
    using Base = PipelineBlock<ItemT, Chunks, Slots, SelectorT, CountT>;
    using Base::chunks_in;
    using Base::first_item;
    using Base::read_rows;
    using Base::roles_of_tile;
    using Base::schedule;
    using Base::selector;
    using Base::stamp;
    using Base::state;
    using Base::storage;
    using Base::stream;
    using Base::wait_for_chunk;

    static constexpr unsigned items = Base::items;

    /// One bit for each item of the chunk that is kept. Whole chunks skip the bounds test of each item:
    /// with a small keep fraction, the instructions of the count warps limit the speed.
    __device__ unsigned kept_in(unsigned round, unsigned chunk) const {
        if (chunk >= chunks_in(round)) return 0;
        const unsigned slot = round % Slots;
        const std::uint64_t first = first_item(round, chunk);
        const std::uint64_t position = first - stream.begin;
        if (stream.contains(first, first + items)) {
            unsigned bits = 0;
            // Not told how often to unroll, the compiler unrolls all of it unless the predicate is long: its
            // code would not fit the instruction cache.
            for (int row = 0; row < chunk_rows; row += counted_rows) {
                uint4 rows[counted_rows];
                read_rows(rows, chunk, slot, row);
                bits |= kept_bits<ItemT>(rows, position, selector, row);
            }
            return bits;
        }
        uint4 rows[chunk_rows];
        read_rows(rows, chunk, slot);
        const unsigned valid = valid_bits<ItemT, chunk_rows>(stream, first, false);
        return kept_bits<ItemT>(rows, valid, position, selector);
    }

    /// A count warp takes the next round of its chunk and waits until it has arrived. Returns whether it has:
    /// where the block leaves the pipeline, the phase of a chunk that nobody has requested completes, too.
    __device__ bool take_next(unsigned chunk, unsigned& round) const {
        round = lane_index() == 0 ? atomicAdd_block(&storage.next_to_count[chunk], 1U) : 0;
        round = __shfl_sync(all_lanes, round, 0);
        if (round >= schedule.num_rounds) return false;
        wait_for_chunk(round, chunk);
        return round < *static_cast<const volatile unsigned*>(&storage.left_in) + Slots;
    }

    /// A scatter warp whose own round is not counted yet takes a later one, if one has arrived that no warp
    /// has taken: with a costly predicate, counting limits the speed. Returns whether it did.
    __device__ bool take_while_waiting(unsigned own_round, unsigned chunk, unsigned& round) const {
        bool taken = false;
        round = 0;
        // One lane decides for all: the lanes could see different states of a barrier.
        if (lane_index() == 0 &&
            !is_complete(shared_address(&storage.counted[own_round % Slots]), own_round / Slots % 2)) {
            round = *static_cast<const volatile unsigned*>(&storage.next_to_count[chunk]);
            // All rounds up to this warp's previous one have arrived. A barrier's parity tells one phase
            // from the next alone, so the round must be within `Slots` of these.
            taken = round < schedule.num_rounds && round + scatter_warps_per_chunk <= own_round + Slots &&
                    is_complete(shared_address(&storage.filled[chunk][round % Slots]), round / Slots % 2) &&
                    atomicCAS_block(&storage.next_to_count[chunk], round, round + 1) == round;
        }
        if (!__shfl_sync(all_lanes, taken, 0)) return false;
        round = __shfl_sync(all_lanes, round, 0);
        // Returns at once; all lanes call, for the visibility.
        wait_for_chunk(round, chunk);
        return true;
    }

    /// Counts a chunk that has arrived.
    __device__ void count_chunk(unsigned round, unsigned chunk, Tag first_tag) const {
        const unsigned slot = round % Slots;
        const auto begin = stamp.role_begins();
        const unsigned bits = kept_in(round, chunk);
        storage.kept[slot][chunk][lane_index()] = bits;
        const unsigned count = warp_reduce_add(__popc(bits));
        if (lane_index() == 0) {
            storage.chunk_count[round % (2 * Slots)][chunk] = count;
            add_to_tally(slot, count, first_tag + round);
        }
        arrive(shared_address(&storage.counted[slot]));
        stamp.role_ends(WarpRole::count, round, round * roles_of_tile + chunk, begin);
    }

    /// Adds the count of a chunk; the last count warp of a tile publishes the tile at once. One lane calls.
    __device__ void add_to_tally(unsigned slot, unsigned count, Tag tag) const {
        const unsigned before = atomicAdd_block(&storage.tally[slot], (1U << count_bits) + count);
        if (before >> count_bits != Chunks - 1) return;
        const unsigned total = (before & ((1U << count_bits) - 1)) + count;
        publish(state.words[0][tag % pipeline_window], pipeline_window * max_pipeline_blocks, blockIdx.x,
                status_word(tag, total));
        storage.tile_count[slot] = total;
        *static_cast<volatile unsigned*>(&storage.tally[slot]) = 0;  // relaxed, as the additions are
    }
};

#endif

}  // namespace compaction::cuda::detail
