#pragma once

#include "compaction/cuda/detail/pipeline_count.cuh"
#include "compaction/cuda/detail/ranks.cuh"

/// How the pipeline writes out (pipeline.cuh).
namespace compaction::cuda::detail {

#if COMPACTION_HAS_BULK_COPIES

/// Writes chunks out: what scatter warps do.
template <typename ItemT, int Chunks, int Slots, typename SelectorT, typename CountT>
struct ScatteringBlock : CountingBlock<ItemT, Chunks, Slots, SelectorT, CountT> {
    using Base = CountingBlock<ItemT, Chunks, Slots, SelectorT, CountT>;
    using Base::chunks_in;
    using Base::first_item;
    using Base::items;
    using Base::out;
    using Base::read_rows;
    using Base::request_chunk;
    using Base::roles_of_tile;
    using Base::schedule;
    using Base::stamp;
    using Base::storage;
    using Base::stream;
    using Base::wait_for_chunk;
    using Base::width;

    using Rows = uint4[chunk_rows];
    using Ranks = BitRanks<chunk_rows, width>;
    /// So few items leave with one or a few stores of the warp.
    static constexpr unsigned few_items = items / sparse_divisor;
    static_assert(few_items % warp_size == 0);

    /// The first scatter warp of a chunk prefetches a part of round 0 and initialises the chunk's barriers,
    /// maybe while the previous launch runs.
    __device__ void prepare_chunk(unsigned chunk) const {
        const std::uint64_t first = first_item(0, chunk);
        if (lane_index() == 0 && chunk < chunks_in(0) && stream.contains(first, first + items))
            prefetch_to_l2(stream.base + first, prefetched_bytes);
        if (lane_index() == 0) storage.next_to_count[chunk] = 0;
        if (lane_index() < Slots) {
            init_barrier(shared_address(&storage.filled[chunk][lane_index()]), warp_size);
            fence_barrier_init();
        }
        __syncwarp();  // all lanes arrive at barriers that other lanes initialised
    }

    __device__ void request_first_chunks(unsigned chunk, unsigned turn) const {
        for (unsigned round = turn == 0 ? scatter_warps_per_chunk : turn; round < Slots;
             round += scatter_warps_per_chunk) {
            if (round >= initial_rounds && round < schedule.num_rounds)
                wait(shared_address(&storage.filled[chunk][round - initial_rounds]), 0);
            request_chunk(round, chunk, false);
        }
    }

    /// Writes the tile's chunk out and requests the next chunk for its slot. Returns false if the warp leaves
    /// the pipeline instead.
    __device__ bool scatter_round(unsigned round, unsigned chunk) const {
        const unsigned slot = round % Slots;
        wait(shared_address(&storage.counted[slot]), round / Slots % 2);
        const auto begin = stamp.role_begins();
        wait_for_chunk(round, chunk);  // counted implies arrived, so this returns at once
        uint4 rows[chunk_rows];
        if constexpr (!writes_positions<SelectorT>) read_rows(rows, chunk, slot);
        const unsigned bits = storage.kept[slot][chunk][lane_index()];
        const BitRanks<chunk_rows, width> ranks(bits);
        const unsigned before = warp_reduce_add(
            lane_index() < chunk ? storage.chunk_count[round % (2 * Slots)][lane_index()] : 0);
        const bool few = ranks.total < few_items;
        if (few ? !scatter_few(round, chunk, rows, ranks, before)
                : !scatter_many(round, chunk, rows, ranks, before)) {
            if (round + Slots < schedule.num_rounds) arrive(shared_address(&storage.filled[chunk][slot]));
            return false;
        }
        __syncwarp();  // the copy engine has read the slot, and so have all lanes
        request_chunk(round + Slots, chunk, few);
        stamp.role_ends(WarpRole::scatter, round, round * roles_of_tile + Chunks + chunk, begin);
        return true;
    }

    /// Waits until it is known where the tile's output begins. Returns false if the warp leaves the pipeline.
    __device__ bool wait_for_place(unsigned round, std::uint64_t& tile_start) const {
        wait(shared_address(&storage.placed[round % Slots]), round / Slots % 2);
        tile_start = storage.tile_start[round % Slots];
        return tile_start != leave_pipeline;
    }

    /// Packs the kept items of a chunk within its slot.
    __device__ void pack(std::uint32_t from, unsigned round, unsigned chunk, const Rows& rows,
                         const Ranks& ranks) const {
        const std::uint64_t position = first_item(round, chunk) - stream.begin;
        __syncwarp();  // all lanes have read the chunk before it is overwritten
        ranks.for_each_kept([&](unsigned rank, int row, int k) {
            store_shared(from + rank * static_cast<unsigned>(sizeof(ItemT)),
                         output_words<ItemT, SelectorT>(rows[row], position, row, k));
        });
    }

    /// Stores the kept items of a chunk, or returns false. They are in registers, in the order of the output,
    /// before the tile's place is known: what follows is the end of the last round for all blocks.
    __device__ bool scatter_few(unsigned round, unsigned chunk, const Rows& rows, const Ranks& ranks,
                                unsigned before) const {
        constexpr unsigned most = few_items / warp_size;
        using Words = WordsOf<sizeof(ItemT)>;
        const std::uint32_t from = shared_address(storage.slots[chunk][round % Slots]);
        pack(from, round, chunk, rows, ranks);
        __syncwarp();  // all lanes have packed their items
        Words words[most];
#pragma unroll
        for (unsigned k = 0; k < most; ++k) {
            // Without a test: there is room, and what is not an item is not stored.
            const unsigned i = lane_index() + k * warp_size;
            load_shared(words[k], from + i * static_cast<unsigned>(sizeof(ItemT)));
        }
        std::uint64_t tile_start;
        if (!wait_for_place(round, tile_start)) return false;
        auto* const to = reinterpret_cast<Words*>(out + tile_start + before);
#pragma unroll
        for (unsigned k = 0; k < most; ++k) {
            const unsigned i = lane_index() + k * warp_size;
            if (i < ranks.total) to[i] = words[k];
        }
        fence_for_copies();  // what this lane has read of the slot comes before the next chunk
        return true;
    }

    /// Stores the kept items of a chunk by a bulk copy, or returns false.
    __device__ bool scatter_many(unsigned round, unsigned chunk, const Rows& rows, const Ranks& ranks,
                                 unsigned before) const {
        std::uint64_t tile_start;
        if (!wait_for_place(round, tile_start)) return false;
        ItemT* const to = out + tile_start + before;
        // Packed at the output's own phase within a line, so that whole vectors here are whole vectors
        // there.
        const std::uint32_t phase = reinterpret_cast<std::uintptr_t>(to) % line_bytes;
        const std::uint32_t from = shared_address(storage.slots[chunk][round % Slots]) + phase;
        pack(from, round, chunk, rows, ranks);
        store_chunk(to, from, ranks.total);
        if (lane_index() == 0) commit_stores();
        if (lane_index() == 0) wait_stores_read<0>();
        return true;
    }

    /// One bulk copy of the aligned middle; the items before and after it one by one.
    __device__ void store_chunk(ItemT* to, std::uint32_t from, unsigned count) const {
        fence_for_copies();
        __syncwarp();  // all lanes have packed their items
        const unsigned misaligned = from / sizeof(ItemT) % width;
        const unsigned head = min(count, misaligned == 0 ? 0 : width - misaligned);
        const unsigned middle = (count - head) / width * width;
        if (lane_index() == 0 && middle > 0) {
            store_bulk(to + head, from + head * static_cast<unsigned>(sizeof(ItemT)),
                       middle * static_cast<unsigned>(sizeof(ItemT)));
        }
        if constexpr (width > 1) {
            const unsigned i = lane_index() < head ? lane_index() : lane_index() + middle;
            if (i < count) {
                WordsOf<sizeof(ItemT)> words;
                load_shared(words, from + i * static_cast<unsigned>(sizeof(ItemT)));
                reinterpret_cast<WordsOf<sizeof(ItemT)>*>(to)[i] = words;
            }
        }
    }
};

#endif

}  // namespace compaction::cuda::detail
