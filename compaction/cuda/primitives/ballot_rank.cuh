#pragma once

#include "compaction/cuda/warp.cuh"

/// Ranks kept items by ballots, within a warp and within a block, like the block-wise algorithms of 2013 to
/// 2015.
///
/// Source: Harris and Garland 2011, "Optimizing Parallel Prefix Operations for the Fermi Architecture", GPU
/// Computing Gems Jade Edition, chapter 3, for ranks by ballot; Hughes et al. 2013, "InK-Compact", for one
/// ballot per bit.
namespace compaction::cuda {

/// The rank of a lane's kept items within its warp.
struct WarpRank {
    unsigned before;  ///< kept items in the lanes before this one
    unsigned total;   ///< kept items in the warp
};

/// Ranks the kept items of lanes that hold `Width` consecutive items each, with one independent ballot for
/// each item of a lane. All lanes of the warp call.
template <int Width>
__device__ WarpRank rank_in_warp(const bool (&kept)[Width]) {
    WarpRank rank{0, 0};
#pragma unroll
    for (int k = 0; k < Width; ++k) {
        const unsigned ballot = __ballot_sync(all_lanes, kept[k]);
        rank.before += __popc(ballot & lanes_below());
        rank.total += __popc(ballot);
    }
    return rank;
}

/// The sum over the lanes before this one of values up to MaxValue, with one ballot per bit.
template <unsigned MaxValue>
__device__ unsigned ballot_exclusive_scan(unsigned value) {
    unsigned sum = 0;
#pragma unroll
    for (unsigned bit = 1; bit <= MaxValue; bit *= 2) {
        sum += bit * __popc(__ballot_sync(all_lanes, value & bit) & lanes_below());
    }
    return sum;
}

/// The number of items kept by the threads of the block before this one, each of which holds `Width`
/// consecutive items. All threads of the block call. warp_starts: [warp_size] shared memory; synchronise
/// before you reuse it.
template <int Width>
__device__ unsigned block_rank(const bool (&kept)[Width], unsigned* warp_starts) {
    const WarpRank rank = rank_in_warp(kept);
    if (lane_index() == 0) warp_starts[warp_in_block()] = rank.total;
    __syncthreads();  // every warp's total is written before the first warp scans them
    if (warp_in_block() == 0) {
        const bool has_warp = lane_index() < warps_per_block();
        const unsigned start =
            ballot_exclusive_scan<warp_size * Width>(has_warp ? warp_starts[lane_index()] : 0);
        if (has_warp) warp_starts[lane_index()] = start;
    }
    __syncthreads();  // every warp's start has replaced its total
    return warp_starts[warp_in_block()] + rank.before;
}

}  // namespace compaction::cuda
