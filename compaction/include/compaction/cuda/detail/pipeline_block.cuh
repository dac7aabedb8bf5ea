#pragma once

#include "compaction/cuda/detail/pipeline_storage.cuh"
#include "compaction/cuda/detail/ptx.cuh"
#include "compaction/cuda/detail/selectors.cuh"
#include "compaction/cuda/detail/stamped.cuh"

/// Chunks of the pipeline: where they lie, and how they come to shared memory (pipeline.cuh).
namespace compaction::cuda::detail {

#if COMPACTION_HAS_BULK_COPIES

/// A block of the pipeline, and what all its warps do with chunks.
template <typename ItemT, int Chunks, int Slots, typename SelectorT, typename CountT>
struct PipelineBlock {
    using Storage = PipelineStorage<Chunks, Slots>;
    static constexpr int width = vector_items<ItemT>;
    static constexpr unsigned items = chunk_items<ItemT>;
    /// Each chunk of a tile is counted and scattered, and one warp looks back.
    static constexpr unsigned roles_of_tile = 2 * Chunks + 1;

    StreamView<ItemT> stream;
    TileSchedule schedule;
    PipelineState& state;
    PipelineOptions options;
    ItemT* out;
    CountT* num_selected;
    const SelectorT& selector;
    const typename StampOf<SelectorT>::type& stamp;
    Storage& storage;

    __device__ unsigned chunks_in(unsigned round) const {
        return round == schedule.num_rounds - 1 ? schedule.last_chunks : Chunks;
    }

    __device__ std::uint64_t first_item(unsigned round, unsigned chunk) const {
        return (std::uint64_t{round} * gridDim.x * Chunks + blockIdx.x * chunks_in(round) + chunk) * items;
    }

    /// A scatter warp requests a chunk of that round: lane 0 starts the copy; the other lanes arrive to
    /// release the slot. `sparse`: the previous chunk kept little.
    __device__ void request_chunk(unsigned round, unsigned chunk, bool sparse) const {
        if (round >= schedule.num_rounds) return;
        const unsigned slot = round % Slots;
        const std::uint32_t filled = shared_address(&storage.filled[chunk][slot]);
        const std::uint64_t first = first_item(round, chunk);
        const bool has_items = chunk < chunks_in(round);
        if (has_items) selector.prefetch(first - stream.begin, stream.end - stream.begin, items);
        if (lane_index() != 0 || !has_items) return arrive(filled);
        const std::uint32_t to = shared_address(storage.slots[chunk][slot]);
        const std::uint64_t policy =
            sparse || SelectorT::reads_memory ? evict_first_policy() : evict_normal_policy();
        const std::uint64_t last = first + items;
        if (stream.contains(first, last)) {
            const auto bytes = static_cast<unsigned>((last - first) * sizeof(ItemT));
            arrive_and_expect(filled, bytes);
            load_bulk(to, stream.base + first, bytes, filled, policy);
        } else {
            request_partial_chunk(first, last, to, filled, policy);
        }
    }

    /// At an end of the stream: whole vectors by a bulk copy, the few items beside them one by one, and
    /// nothing outside the stream.
    __device__ void request_partial_chunk(std::uint64_t first, std::uint64_t last, std::uint32_t to,
                                          std::uint32_t filled, std::uint64_t policy) const {
        using Words = WordsOf<sizeof(ItemT)>;
        const auto* const source = reinterpret_cast<const Words*>(stream.base) + first;
        const auto begin = static_cast<unsigned>(min(max(stream.begin, first), last) - first);
        const auto end = static_cast<unsigned>(max(first, min(stream.end, last)) - first);
        const unsigned whole_begin = min((begin + width - 1) / width * width, end);
        const unsigned whole_end = max(end / width * width, whole_begin);
        for (unsigned i = begin; i < whole_begin; ++i) store_shared(to + i * sizeof(Words), source[i]);
        for (unsigned i = whole_end; i < end; ++i) store_shared(to + i * sizeof(Words), source[i]);
        const unsigned bytes = (whole_end - whole_begin) * static_cast<unsigned>(sizeof(Words));
        arrive_and_expect(filled, bytes);
        if (bytes > 0)
            load_bulk(to + whole_begin * sizeof(Words), source + whole_begin, bytes, filled, policy);
    }

    /// Reads so many rows of a chunk, from `first_row` on.
    template <int Rows>
    __device__ void read_rows(uint4 (&rows)[Rows], unsigned chunk, unsigned slot, int first_row = 0) const {
        const std::uint32_t from = shared_address(storage.slots[chunk][slot]) +
                                   (first_row * warp_size + lane_index()) * vector_bytes;
#pragma unroll
        for (int r = 0; r < Rows; ++r) load_shared(rows[r], from + r * warp_size * vector_bytes);
    }

    /// Waits until the chunk has arrived. The copy engine's writes are then visible to this lane.
    __device__ void wait_for_chunk(unsigned round, unsigned chunk) const {
        wait(shared_address(&storage.filled[chunk][round % Slots]), round / Slots % 2);
    }
};

#endif

}  // namespace compaction::cuda::detail
