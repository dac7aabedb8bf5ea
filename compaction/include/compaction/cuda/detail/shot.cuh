#pragma once

#include "compaction/cuda/detail/board.cuh"
#include "compaction/cuda/detail/lanes.cuh"

/// Short streams: every block compacts one tile.
///
/// Source: Smith, Levien and Owens 2025, "Decoupled Fallback: A Portable Single-Pass GPU Scan", for a block
/// that counts another's tile itself where it has waited long: so the shot ends in whatever order its blocks
/// run.
namespace compaction::cuda::detail {

inline constexpr unsigned shot_threads = 512;
inline constexpr unsigned shot_warps = shot_threads / warp_lanes;

template <typename ItemT, int Rows>
inline constexpr unsigned shot_items = shot_threads* vector_items<ItemT>* Rows;

/// How often a word is looked at before its tile is counted here: about 50 ms. Cards run blocks in their
/// order, so it does not happen; but they need not.
inline constexpr unsigned shot_patience = 1U << 16;

/// What a shot depends on beside its stream.
struct ShotTerms {
    bool after_reset = false;  ///< the launch before only resets the board: the input can be read already
    unsigned patience = shot_patience;
};

/// What a tile keeps, found out by one thread.
template <typename ItemT, int Rows, typename SelectorT>
__device__ __noinline__ unsigned count_tile(const Stream<ItemT>& stream, unsigned tile,
                                            const SelectorT& keeps) {
    const std::uint64_t first = std::uint64_t{tile} * shot_items<ItemT, Rows>;
    const std::uint64_t last = min(first + shot_items<ItemT, Rows>, stream.end);
    unsigned count = 0;
    for (std::uint64_t i = max(first, stream.begin); i < last; ++i) {
        if (keeps(stream.base[i], i - stream.begin)) ++count;
    }
    return count;
}

/// What the tiles before this block's keep, in parts: the sum over the threads of the block is the answer.
template <typename ItemT, int Rows, typename SelectorT>
__device__ unsigned sum_tiles_before(const Stream<ItemT>& stream, const ShotBoard& board, Tag tag,
                                     unsigned patience, const SelectorT& keeps) {
    const StatusWord* const words = board.words[blockIdx.x % board_copies];
    unsigned mine = 0;
    for (unsigned tile = threadIdx.x; tile < blockIdx.x; tile += shot_threads) {
        StatusWord word = read_word(&words[tile]);
        for (unsigned looks = 0; !has_tag(word, tag) && looks < patience; ++looks)
            word = read_word(&words[tile]);
        mine += has_tag(word, tag) ? count_in(word) : count_tile<ItemT, Rows>(stream, tile, keeps);
    }
    return mine;
}

/// Launched with as many blocks as there are tiles; a single one leaves the board alone. Dynamic shared
/// memory: a tile's items.
template <typename ItemT, int Rows, typename SelectorT, typename CountT>
__global__ void __launch_bounds__(shot_threads, 2)
    shot_kernel(Stream<ItemT> stream, ShotTerms terms, Board* board, ItemT* out, CountT* num_selected,
                SelectorT keeps) {
    extern __shared__ uint4 shot_stage[];
    __shared__ unsigned warp_counts[shot_warps];
    __shared__ unsigned sums_before[shot_warps];
    __shared__ unsigned tally;  // arrived warps in the upper half, what they keep in the lower
    __shared__ Tag tag;
    constexpr int width = vector_items<ItemT>;
    auto* const stage = reinterpret_cast<WordsOf<sizeof(ItemT)>*>(shot_stage);

    let_next_launch_begin();
    if (!terms.after_reset) wait_for_launch_before();
    const std::uint64_t first =
        (std::uint64_t{blockIdx.x} * shot_warps + warp()) * (Rows * warp_lanes * width);
    const bool inside = stream.holds(first, first + Rows * warp_lanes * width);
    const unsigned valid = valid_bits<ItemT, Rows>(stream, first, inside);
    uint4 rows[Rows];
    load_rows(rows, stream, first, inside);
    if (terms.after_reset) wait_for_launch_before();
    if (threadIdx.x == 0) {
        tally = 0;
        tag = gridDim.x > 1 ? arrive_at_shot(board->shot) : 0;
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
            publish(board->shot.words[0], max_shot_blocks, blockIdx.x, status_word(tag, total));
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
    const unsigned sum_before =
        add_over_lanes(sum_tiles_before<ItemT, Rows>(stream, board->shot, tag, terms.patience, keeps));
    if (lane() == 0) sums_before[warp()] = sum_before;
    __syncthreads();  // the stage is complete and all sums are there

    const unsigned offset = add_over_lanes(lane() < shot_warps ? sums_before[lane()] : 0);
    write_lines<ItemT>(stage, count, out + offset);
    if (blockIdx.x == gridDim.x - 1 && threadIdx.x == 0) *num_selected = static_cast<CountT>(offset + count);
}

}  // namespace compaction::cuda::detail
