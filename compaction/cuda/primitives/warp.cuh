#pragma once

#include <cstdint>

/// What the 32 lanes of a warp do together. All lanes of the warp must call.
namespace compaction::cuda {

inline constexpr unsigned warp_size = 32;
inline constexpr unsigned all_lanes = 0xffffffffU;
inline constexpr unsigned max_threads_per_block = 1024;
inline constexpr unsigned max_blocks_per_grid = 0x7fffffffU;  ///< in the first dimension

__device__ inline unsigned lane_index() {
    return threadIdx.x % warp_size;
}
__device__ inline unsigned warp_in_block() {
    return threadIdx.x / warp_size;
}
__device__ inline unsigned warps_per_block() {
    return blockDim.x / warp_size;
}
__device__ inline unsigned warp_in_grid() {
    return blockIdx.x * warps_per_block() + warp_in_block();
}
__device__ inline unsigned num_warps() {
    return gridDim.x * warps_per_block();
}

/// A bit for every lane before this one: `__popc(ballot & lanes_below())` ranks a lane among those that
/// voted.
__device__ inline unsigned lanes_below() {
    return (1U << lane_index()) - 1;
}

/// Where the kept items of a lane stand among those of the warp.
struct WarpRank {
    unsigned before;  ///< kept by the lanes before this one
    unsigned total;   ///< kept by the warp
};

/// Ranks what the lanes keep, each of which holds `Width` consecutive items: one ballot for each of them,
/// none of which waits for another. Source: Harris and Garland 2011, "Optimizing Parallel Prefix Operations
/// for the Fermi Architecture", GPU Computing Gems Jade Edition, chapter 3.
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

/// The sum over the warp, on every lane. Source: the butterfly of shuffles that replaced shared-memory
/// reductions (Luitjens 2014, "Faster Parallel Reductions on Kepler").
template <typename T>
__device__ inline T warp_sum(T value) {
#pragma unroll
    for (unsigned distance = warp_size / 2; distance > 0; distance /= 2) {
        value += __shfl_xor_sync(all_lanes, value, distance);
    }
    return value;
}

/// The sum over this lane and the lanes before it. Source: Hillis and Steele 1986, one step per power of two.
template <typename T>
__device__ inline T warp_inclusive_scan(T value) {
    const unsigned lane = lane_index();
#pragma unroll
    for (unsigned distance = 1; distance < warp_size; distance *= 2) {
        const T before = __shfl_up_sync(all_lanes, value, distance);
        if (lane >= distance) value += before;
    }
    return value;
}

/// The value of the last lane, on every lane: after an inclusive scan, the total.
template <typename T>
__device__ inline T from_last_lane(T value) {
    return __shfl_sync(all_lanes, value, warp_size - 1);
}

}  // namespace compaction::cuda
