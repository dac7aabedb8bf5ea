#pragma once

#include "compaction/cuda/detail/board.cuh"
#include "compaction/cuda/detail/lanes.cuh"

/// Short streams: every block compacts one tile, and all blocks are resident at once.
namespace compaction::cuda::detail {

inline constexpr unsigned shot_threads = 512;
inline constexpr unsigned shot_warps = shot_threads / warp_lanes;

template <typename ItemT, int Rows>
inline constexpr unsigned shot_items = shot_threads* vector_items<ItemT>* Rows;

/// What the tiles before this block's keep, in parts: the sum over the threads of the block is the answer.
__device__ inline unsigned sum_tiles_before(const Board& board, Tag tag) {
    unsigned mine = 0;
    for (unsigned tile = threadIdx.x; tile < blockIdx.x; tile += shot_threads) {
        StatusWord word = read_word(&board.shot[tile]);
        while (!has_tag(word, tag)) word = read_word(&board.shot[tile]);
        mine += count_in(word);
    }
    return mine;
}

/// Launched with as many blocks as there are tiles, all co-resident. A single block leaves the board alone.
/// Dynamic shared memory: a tile's items.
template <typename ItemT, int Rows, typename SelectorT, typename CountT>
__global__ void __launch_bounds__(shot_threads, 2)
    shot_kernel(Stream<ItemT> stream, Board* board, ItemT* out, CountT* num_selected, SelectorT keeps) {
    extern __shared__ uint4 shot_stage[];
    __shared__ unsigned warp_counts[shot_warps];
    __shared__ unsigned sums_before[shot_warps];
    __shared__ unsigned tally;  // arrived warps in the upper half, what they keep in the lower
    __shared__ Tag tag;
    constexpr int width = vector_items<ItemT>;
    auto* const stage = reinterpret_cast<WordsOf<sizeof(ItemT)>*>(shot_stage);

    const std::uint64_t first =
        (std::uint64_t{blockIdx.x} * shot_warps + warp()) * (Rows * warp_lanes * width);
    const bool inside = stream.holds(first, first + Rows * warp_lanes * width);
    const unsigned valid = valid_bits<ItemT, Rows>(stream, first, inside);
    uint4 rows[Rows];
    load_rows(rows, stream, first, inside);
    if (threadIdx.x == 0) {
        tally = 0;
        tag = gridDim.x > 1 ? read_word(&board->shots) + 1 : 0;
    }
    __syncthreads();  // the tally can be added to, and the tag is there; the loads are still under way

    const unsigned bits = kept_bits<ItemT>(rows, valid, first - stream.begin, keeps);
    const unsigned warp_count = add_over_lanes(__popc(bits));
    if (lane() == 0) {
        warp_counts[warp()] = warp_count;
        const unsigned before = atomicAdd_block(&tally, (1U << count_bits) + warp_count);
        // The last warp to arrive publishes at once.
        if (before >> count_bits == shot_warps - 1 && gridDim.x > 1) {
            const unsigned total = (before & ((1U << count_bits) - 1)) + warp_count;
            write_word(&board->shot[blockIdx.x], status_word(tag, total));
        }
    }
    __syncthreads();  // all counts are there

    const unsigned inclusive = scan_over_lanes(lane() < shot_warps ? warp_counts[lane()] : 0);
    const unsigned count = __shfl_sync(whole_warp, inclusive, warp_lanes - 1);
    const Ranks<Rows, width> ranks(bits);
    const unsigned warp_start = __shfl_sync(whole_warp, inclusive, warp()) - warp_count;
    const std::uint32_t to = shared_address(stage + warp_start);
    ranks.for_each_kept(bits, [&](unsigned rank, int row, int k) {
        store_shared(to + rank * static_cast<unsigned>(sizeof(ItemT)), words_in<sizeof(ItemT)>(rows[row], k));
    });
    const unsigned sum_before = add_over_lanes(sum_tiles_before(*board, tag));
    if (lane() == 0) sums_before[warp()] = sum_before;
    __syncthreads();  // the stage is complete and all sums are there

    const unsigned offset = add_over_lanes(lane() < shot_warps ? sums_before[lane()] : 0);
    write_lines<ItemT>(stage, count, out + offset);
    if (blockIdx.x == gridDim.x - 1 && threadIdx.x == 0) {
        *num_selected = static_cast<CountT>(offset + count);
        // Every block has published by now, and read the old number of shots before that.
        if (gridDim.x > 1) write_word(&board->shots, tag);
    }
}

}  // namespace compaction::cuda::detail
