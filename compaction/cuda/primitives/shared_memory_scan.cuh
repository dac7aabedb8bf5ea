#pragma once

#include <cstdint>

#include "compaction/cuda/detail/device.cuh"
#include "compaction/cuda/stamps.cuh"
#include "compaction/cuda/warp.cuh"

/// Sums and scans in shared memory, in steps of doubled distance, as they were written before GPUs had
/// ballots and shuffles. The code of 2009 relied on the lockstep of a warp; here barriers order its steps, as
/// every GPU since 2017 needs.
///
/// Source: Billeter, Olsson, Assarsson 2009, chag::pp, `Unit::reduce` and `Unit::prefix`.
namespace compaction::cuda {

/// The threads that add up together: a warp.
struct WarpUnit {
    static constexpr unsigned size = warp_size;
    __device__ static unsigned index() { return lane_index(); }
    __device__ static void barrier() {
        __syncwarp();  // the words of the step before are written, or read, before the next step
    }
};

/// The threads that add up together: a block of `Threads` threads, a power of two.
template <unsigned Threads>
struct BlockUnit {
    static constexpr unsigned size = Threads;
    __device__ static unsigned index() { return threadIdx.x; }
    __device__ static void barrier() {
        __syncthreads();  // the words of the step before are written, or read, before the next step
    }
};

/// The words of shared memory that a scan by the unit needs. The first third stays zero, so that no thread
/// branches.
template <typename Unit>
inline constexpr unsigned scan_words = Unit::size / 2 + Unit::size;

/// The sum over the warp, on every lane. words: [warp_size] shared memory of this warp; do not reuse it
/// without a barrier.
__device__ inline unsigned sum_in_shared_memory(unsigned value, unsigned* words) {
    const unsigned lane = lane_index();
    words[lane] = value;
#pragma unroll
    for (unsigned distance = warp_size / 2; distance > 0; distance /= 2) {
        WarpUnit::barrier();
        if (lane < distance) words[lane] += words[lane + distance];
    }
    WarpUnit::barrier();
    return words[0];
}

template <typename T>
struct SumBefore {
    T before;  ///< the sum over the threads before this one
    T total;   ///< the sum over all threads of the unit
};

/// All threads of the unit call. words: [scan_words<Unit>] shared memory of this unit.
template <typename Unit, typename T>
__device__ SumBefore<T> scan_in_shared_memory(T value, T* words) {
    const unsigned own_word = Unit::size / 2 + Unit::index();
    words[Unit::index()] = 0;
    Unit::barrier();
    words[own_word] = value;
#pragma unroll
    for (unsigned distance = 1; distance < Unit::size; distance *= 2) {
        Unit::barrier();
        const T before = words[own_word - distance];
        Unit::barrier();
        words[own_word] += before;
    }
    Unit::barrier();
    const SumBefore<T> sum{words[own_word - 1], words[scan_words<Unit> - 1]};
    Unit::barrier();
    return sum;
}

/// offsets[i] = counts[0] + ... + counts[i - 1], *total = the sum of all counts. Launched with one block of
/// `Threads` threads, which loops over the array. counts, offsets: [num_counts], total: [1], not overlapping.
template <unsigned Threads>
__global__ void __launch_bounds__(Threads, 1)
    scan_counts_in_shared_memory(const std::uint32_t* counts, unsigned num_counts, std::uint64_t* offsets,
                                 std::uint64_t* total, Stamps stamps) {
    const BlockStamp stamp(stamps);
    using Unit = BlockUnit<Threads>;
    COMPACTION_SHARED(words, std::uint64_t[scan_words<Unit>]);
    std::uint64_t before_turn = 0;
    for (unsigned turn = 0; turn < num_counts; turn += Threads) {
        const unsigned i = turn + threadIdx.x;
        const std::uint64_t count = i < num_counts ? counts[i] : 0;
        const auto sum = scan_in_shared_memory<Unit>(count, words);
        if (i < num_counts) offsets[i] = before_turn + sum.before;
        before_turn += sum.total;
    }
    if (threadIdx.x == 0) *total = before_turn;
}

}  // namespace compaction::cuda
