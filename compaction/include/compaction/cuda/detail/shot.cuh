#pragma once

#include "compaction/cuda/detail/board.cuh"
#include "compaction/cuda/detail/lanes.cuh"

/// Short streams: every block compacts one tile.
///
/// Source: Smith, Levien and Owens 2025, "Decoupled Fallback: A Portable Single-Pass GPU Scan", for a block
/// that counts another's tile itself where it has waited long: so the shot ends in whatever order its blocks
/// run.
namespace compaction::cuda::detail {

/// How a shot is cut into tiles, and how they are written.
template <unsigned Threads, int Rows, unsigned WordsEach, bool Staged>
struct ShotForm {
    static constexpr unsigned threads = Threads;  ///< to a block
    static constexpr unsigned warps = threads / warp_lanes;
    static constexpr int rows = Rows;                  ///< vectors that a thread holds
    static constexpr unsigned words_each = WordsEach;  ///< status words that a thread looks at, at most
    static constexpr unsigned most_blocks = threads * words_each;
    /// Whether a tile is put together in shared memory first, and written in whole lines.
    static constexpr bool staged = Staged;
    static_assert(most_blocks <= max_shot_blocks);
};

/// The fewer warps to a multiprocessor, the sooner its instructions are through; the more, the shorter each
/// warp's part. Measured on an H200, docs/notes/single_pass_on_h200.md.
using SmallShot = ShotForm<256, 2, 1, false>;
using MiddleShot = ShotForm<512, 2, 1, true>;
using LargeShot = ShotForm<512, 4, 1, true>;
using LargestShot = ShotForm<256, 8, 3, true>;

template <typename ItemT, typename FormT>
inline constexpr unsigned shot_items = FormT::threads* FormT::rows* vector_items<ItemT>;

/// How often a word is looked at before its tile is counted here: about 50 ms. Cards run blocks in their
/// order, so it does not happen; but they need not.
inline constexpr unsigned shot_patience = 1U << 16;

/// What a shot depends on beside its stream.
struct ShotTerms {
    bool after_reset = false;  ///< the launch before only resets the board: the input can be read already
    unsigned patience = shot_patience;
};

/// Calls for the whole vectors of a tile into the L2 cache, by one thread.
template <typename ItemT, typename FormT>
__device__ void call_tile_into_cache(const Stream<ItemT>& stream, unsigned tile) {
    const std::uint64_t first = std::uint64_t{tile} * shot_items<ItemT, FormT>;
    const std::uint64_t last = min(first + shot_items<ItemT, FormT>, stream.end);
    const auto vectors = static_cast<unsigned>((last - first) / vector_items<ItemT>);
    if (vectors > 0) call_into_cache(stream.base + first, vectors * vector_bytes);
}

/// What a tile keeps, found out by one thread.
template <typename ItemT, typename FormT, typename SelectorT>
__device__ __noinline__ unsigned count_tile(const Stream<ItemT>& stream, unsigned tile,
                                            const SelectorT& keeps) {
    const std::uint64_t first = std::uint64_t{tile} * shot_items<ItemT, FormT>;
    const std::uint64_t last = min(first + shot_items<ItemT, FormT>, stream.end);
    unsigned count = 0;
    for (std::uint64_t i = max(first, stream.begin); i < last; ++i) {
        if (keeps(stream.base[i], i - stream.begin)) ++count;
    }
    return count;
}

/// What the tiles before this block's keep, in parts: the sum over the threads of the block is the answer.
template <typename ItemT, typename FormT, typename SelectorT>
__device__ unsigned sum_tiles_before(const Stream<ItemT>& stream, const ShotBoard& board, Tag tag,
                                     unsigned patience, const SelectorT& keeps) {
    const StatusWord* const words = board.words[blockIdx.x % board_copies] + threadIdx.x;
    StatusWord seen[FormT::words_each];
#pragma unroll
    for (unsigned i = 0; i < FormT::words_each; ++i) {  // all under way before the first is looked at
        const bool wanted = threadIdx.x + i * FormT::threads < blockIdx.x;
        seen[i] = wanted ? read_word(words + i * FormT::threads) : status_word(tag, 0);
    }
    unsigned sum = 0;
    unsigned missing = 0;
#pragma unroll
    for (unsigned i = 0; i < FormT::words_each; ++i) {
        for (unsigned looks = 0; !has_tag(seen[i], tag) && looks < patience; ++looks)
            seen[i] = read_word(words + i * FormT::threads);
        if (has_tag(seen[i], tag))
            sum += count_in(seen[i]);
        else
            missing |= 1U << i;
    }
    for (; missing != 0; missing &= missing - 1) {
        const unsigned i = static_cast<unsigned>(__ffs(static_cast<int>(missing))) - 1;
        sum += count_tile<ItemT, FormT>(stream, threadIdx.x + i * FormT::threads, keeps);
    }
    return sum;
}

/// Launched with as many blocks as there are tiles; a single one leaves the board alone. Overlapping: perhaps
/// while the launch before still runs; a kernel of its own, since others are slower for as much as that
/// question. Dynamic shared memory: a tile's items, if the form is staged.
template <typename ItemT, typename FormT, bool Overlapping, typename SelectorT, typename CountT>
__global__ void __launch_bounds__(FormT::threads)
    shot_kernel(Stream<ItemT> stream, ShotTerms terms, Board* board, ItemT* out, CountT* num_selected,
                SelectorT keeps) {
    using Words = WordsOf<sizeof(ItemT)>;
    constexpr int rows_each = FormT::rows;
    constexpr int width = vector_items<ItemT>;
    extern __shared__ uint4 shot_stage[];
    __shared__ unsigned warp_counts[FormT::warps];
    __shared__ unsigned sums_before[FormT::warps];
    __shared__ Tag shared_tag;

    // The next launch is let in when the count is out, as its blocks would only be in the way before; but at
    // once where it is to call for long tiles meanwhile.
    constexpr bool lets_in_at_once = Overlapping && FormT::rows >= 4;
    if constexpr (Overlapping) {
        if (threadIdx.x == 0) call_tile_into_cache<ItemT, FormT>(stream, blockIdx.x);
    }
    if (!terms.after_reset) wait_for_launch_before();
    if constexpr (lets_in_at_once) let_next_launch_begin();
    constexpr unsigned warp_items = rows_each * warp_lanes * width;
    const unsigned first = (blockIdx.x * FormT::warps + warp()) * warp_items;
    const bool whole = stream.holds(std::uint64_t{blockIdx.x} * shot_items<ItemT, FormT>,
                                    std::uint64_t{blockIdx.x + 1} * shot_items<ItemT, FormT>);
    uint4 rows[rows_each];
    load_rows(rows, stream, first, whole);
    const std::uint64_t place = first - stream.begin;
    // The flags, if there are any, are called for while the items are under way.
    keeps.prefetch(place, stream.end - stream.begin, warp_items);
    if (terms.after_reset) wait_for_launch_before();
    if (threadIdx.x == 0) shared_tag = gridDim.x > 1 ? arrive_at_shot(board->shot) : 0;
    const unsigned bits =
        whole ? kept_bits<ItemT>(rows, place, keeps)
              : kept_bits<ItemT>(rows, valid_bits<ItemT, rows_each>(stream, first, false), place, keeps);
    const unsigned warp_count = add_over_lanes(__popc(bits));
    if (lane() == 0) warp_counts[warp()] = warp_count;
    __syncthreads();  // all counts are there, and the tag

    const unsigned counted = lane() < FormT::warps ? warp_counts[lane()] : 0;
    const unsigned count = add_over_lanes(counted);
    const Tag tag = shared_tag;
    if (threadIdx.x == 0 && gridDim.x > 1)
        publish(board->shot.words[0], max_shot_blocks, blockIdx.x, status_word(tag, count));
    if constexpr (!lets_in_at_once) let_next_launch_begin();
    const unsigned warp_start = add_over_lanes(lane() < warp() ? counted : 0);
    const Ranks<rows_each, width> ranks(bits);
    auto* const stage = reinterpret_cast<Words*>(shot_stage);
    if constexpr (FormT::staged) {
        const std::uint32_t to = shared_address(stage + warp_start);
        ranks.for_each_kept(bits, [&](unsigned rank, int row, int k) {
            store_shared(to + rank * static_cast<unsigned>(sizeof(ItemT)),
                         words_in<sizeof(ItemT)>(rows[row], k));
        });
    }
    const unsigned sum_before =
        add_over_lanes(sum_tiles_before<ItemT, FormT>(stream, board->shot, tag, terms.patience, keeps));
    if (lane() == 0) sums_before[warp()] = sum_before;
    __syncthreads();  // all sums are there, and the stage is complete

    const unsigned offset = add_over_lanes(lane() < FormT::warps ? sums_before[lane()] : 0);
    if constexpr (FormT::staged) {
        write_lines<FormT::threads>(stage, count, out + offset);
    } else {
        auto* const to = reinterpret_cast<Words*>(out) + (offset + warp_start);
        ranks.for_each_kept(
            bits, [&](unsigned rank, int row, int k) { to[rank] = words_in<sizeof(ItemT)>(rows[row], k); });
    }
    if (blockIdx.x == gridDim.x - 1 && threadIdx.x == 0) *num_selected = static_cast<CountT>(offset + count);
}

}  // namespace compaction::cuda::detail
