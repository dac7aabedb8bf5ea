#pragma once

#include <cstdint>

#include "compaction/cuda/detail/architectures.cuh"
#include "compaction/cuda/detail/device.cuh"
#include "compaction/cuda/detail/ptx.cuh"
#include "compaction/cuda/stamps.cuh"
#include "compaction/cuda/warp.cuh"

/// An exclusive scan of counts by a single block, for metadata that is short compared with the stream.
namespace compaction::cuda {

namespace detail {

/// N consecutive values of an array, read or written by one thread: with 16-byte vectors where all N exist,
/// one by one at the end of the array. Values past the end read as 0. `first` is a multiple of N.
template <unsigned N>
struct ThreadChunk {
    static constexpr bool vectors = N % 4 == 0;

    __device__ static void load(const std::uint32_t* values, unsigned first, unsigned size,
                                std::uint32_t (&chunk)[N]) {
        if (vectors && first + N <= size) {
#pragma unroll
            for (unsigned i = 0; i + 4 <= N; i += 4) {
                const uint4 four = reinterpret_cast<const uint4&>(values[first + i]);
                chunk[i] = four.x;
                chunk[i + 1] = four.y;
                chunk[i + 2] = four.z;
                chunk[i + 3] = four.w;
            }
        } else {
#pragma unroll
            for (unsigned i = 0; i < N; ++i) chunk[i] = first + i < size ? values[first + i] : 0;
        }
    }

    __device__ static void store(std::uint64_t* values, unsigned first, unsigned size,
                                 const std::uint64_t (&chunk)[N]) {
        if (vectors && first + N <= size) {
#pragma unroll
            for (unsigned i = 0; i + 2 <= N; i += 2) {
                reinterpret_cast<ulonglong2&>(values[first + i]) = {chunk[i], chunk[i + 1]};
            }
        } else {
#pragma unroll
            for (unsigned i = 0; i < N; ++i) {
                if (first + i < size) values[first + i] = chunk[i];
            }
        }
    }
};

}  // namespace detail

inline namespace COMPACTION_ARCHITECTURES {

/// offsets[i] = counts[0] + ... + counts[i - 1], *total = the sum of all counts.
///
/// Launched with one block of `Threads` threads, which loops over the array in steps of Threads x
/// CountsPerThread counts. counts, offsets: [num_counts], total: [1], device memory, not overlapping; counts
/// and offsets are aligned to 16 bytes. The kernel waits for the previous launch and triggers the next one,
/// so it may be launched with LaunchConfig::overlapping if it was compiled for sm_90 or later. `stamps`:
/// where its block records its times.
template <unsigned Threads, unsigned CountsPerThread>
__global__ void __launch_bounds__(Threads, 1)
    scan_in_one_block(const std::uint32_t* counts, unsigned num_counts, std::uint64_t* offsets,
                      std::uint64_t* total, Stamps stamps = {}) {
    const BlockStamp stamp(stamps, BlockStart::after_wait);
    constexpr unsigned num_warps_in_block = Threads / warp_size;
    COMPACTION_SHARED(warp_prefixes, std::uint64_t[num_warps_in_block]);
    detail::trigger_dependent_launch();
    detail::wait_for_previous_launch();
    stamp.begin();
    std::uint64_t before_turn = 0;
    for (unsigned turn = 0; turn < num_counts; turn += Threads * CountsPerThread) {
        const unsigned first = turn + threadIdx.x * CountsPerThread;
        std::uint32_t count[CountsPerThread];
        detail::ThreadChunk<CountsPerThread>::load(counts, first, num_counts, count);
        std::uint64_t mine = 0;
#pragma unroll
        for (unsigned i = 0; i < CountsPerThread; ++i) mine += count[i];
        const std::uint64_t inclusive = warp_inclusive_scan(mine);
        if (lane_index() == warp_size - 1) warp_prefixes[warp_in_block()] = inclusive;
        __syncthreads();  // every warp's total is written before the first warp scans them
        if (warp_in_block() == 0) {
            const bool has_warp = lane_index() < num_warps_in_block;
            const std::uint64_t prefix = warp_inclusive_scan(has_warp ? warp_prefixes[lane_index()] : 0);
            if (has_warp) warp_prefixes[lane_index()] = prefix;
        }
        __syncthreads();  // the totals have become inclusive prefixes
        std::uint64_t offset[CountsPerThread];
        offset[0] =
            before_turn + inclusive - mine + (warp_in_block() > 0 ? warp_prefixes[warp_in_block() - 1] : 0);
#pragma unroll
        for (unsigned i = 1; i < CountsPerThread; ++i) offset[i] = offset[i - 1] + count[i - 1];
        detail::ThreadChunk<CountsPerThread>::store(offsets, first, num_counts, offset);
        before_turn += warp_prefixes[num_warps_in_block - 1];
        __syncthreads();  // all have read the prefixes before the next turn overwrites them
    }
    if (threadIdx.x == 0) *total = before_turn;
}

}  // namespace COMPACTION_ARCHITECTURES

}  // namespace compaction::cuda
