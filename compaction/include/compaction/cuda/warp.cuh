#pragma once

#include <cstdint>

#include "compaction/host_device.hpp"

/// Positions in a grid and the collective operations of a warp. For one-dimensional grids and blocks of
/// whole warps. All lanes of a warp must call a collective operation.
namespace compaction::cuda {

/// Threads of a warp.
inline constexpr unsigned warp_size = 32;
inline constexpr unsigned all_lanes = 0xffffffffU;  ///< the mask of a whole warp
/// The largest block that CUDA allows.
inline constexpr unsigned max_threads_per_block = 1024;
inline constexpr unsigned max_blocks_per_grid = 0x7fffffffU;  ///< in the first dimension

/// Lane of this thread in its warp, 0 to 31.
__device__ inline unsigned lane_index() {
    return threadIdx.x % warp_size;
}
/// Index of this warp in its block.
__device__ inline unsigned warp_in_block() {
    return threadIdx.x / warp_size;
}
/// Warps of a block.
__device__ inline unsigned warps_per_block() {
    return blockDim.x / warp_size;
}
/// Index of this warp in the grid.
__device__ inline unsigned warp_in_grid() {
    return blockIdx.x * warps_per_block() + warp_in_block();
}
/// Warps of the grid.
__device__ inline unsigned num_warps() {
    return gridDim.x * warps_per_block();
}
/// Index of this thread in the grid.
__device__ inline std::uint64_t thread_in_grid() {
    return std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
}

/// The smallest number of blocks that have at least `num_threads` threads in all.
COMPACTION_HOST_DEVICE inline unsigned blocks_for(std::uint64_t num_threads, unsigned threads_per_block) {
    return static_cast<unsigned>((num_threads + threads_per_block - 1) / threads_per_block);
}

/// A bit for each lane below this one: `__popc(ballot & lanes_below())` is the rank of a lane among those
/// that voted true.
__device__ inline unsigned lanes_below() {
    return (1U << lane_index()) - 1;
}

/// The sum over the warp, on every lane.
/// Source: Luitjens 2014, "Faster Parallel Reductions on Kepler" (shuffles instead of shared memory).
template <typename T>
__device__ inline T warp_sum(T value) {
#pragma unroll
    for (unsigned distance = warp_size / 2; distance > 0; distance /= 2) {
        value += __shfl_xor_sync(all_lanes, value, distance);
    }
    return value;
}

/// The sum of 32-bit values over the warp, on every lane; one instruction from sm_80 on.
__device__ inline unsigned warp_reduce_add(unsigned value) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    return __reduce_add_sync(all_lanes, value);
#else
    return warp_sum(value);
#endif
}

/// The sum over this lane and the lanes before it, in one step for each power of two.
/// Source: Hillis and Steele 1986, "Data Parallel Algorithms".
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
