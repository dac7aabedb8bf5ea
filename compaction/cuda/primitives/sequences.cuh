#pragma once

#include <cstdint>

#include "compaction/cuda/detail/neighbours.cuh"
#include "compaction/partition.hpp"
#include "cuda/primitives/batch.cuh"

/// Work on sequences: ordered, contiguous, non-overlapping parts of the stream, one to a warp.
namespace compaction::cuda {

/// Cuts rows [0, num_rows) into sequences whose lengths differ by at most one row; the longer ones come
/// first.
struct Cut {
    std::uint64_t rows_each;
    std::uint64_t num_longer;

    Cut(std::uint64_t num_rows, unsigned num_sequences)
        : rows_each(num_rows / num_sequences), num_longer(num_rows % num_sequences) {}

    /// The same for an aligned stream of `num_items`, whose rows have `row_items` each.
    Partition partition(std::uint64_t num_items, unsigned num_sequences, unsigned row_items) const {
        return {PartKind::sequence, num_items, num_sequences, rows_each * row_items, num_longer,
                row_items,          {}};
    }

    /// Where sequence `s` begins; `s + 1` begins where it ends.
    __device__ std::uint64_t first_row(std::uint64_t s) const { return s * rows_each + min(s, num_longer); }
};

/// The batches of for_each_batch, those inside the stream from the last to the first: what is read last is
/// then what a pass that begins at the first finds in the L2 cache.
template <typename ItemT, int Width, int Rows, typename Visit>
__device__ void for_each_batch_backwards(const RowView<ItemT, Width>& rows, std::uint64_t first,
                                         std::uint64_t last, Visit visit) {
    const bool guarded_first = first == 0 && rows.begin > 0 && first < last;
    const std::uint64_t full_first = guarded_first ? first + Rows : first;
    const std::uint64_t full_last = min(last, rows.end / RowView<ItemT, Width>::row_items);
    const std::uint64_t num_full = full_last > full_first ? (full_last - full_first) / Rows : 0;
    for (std::uint64_t row = full_first + num_full * Rows; row < last; row += Rows)
        visit(rows.template load_guarded<Rows>(row, last));
    for (std::uint64_t i = num_full; i-- > 0;) visit(rows.template load_full<Rows>(full_first + i * Rows));
    if (guarded_first) visit(rows.template load_guarded<Rows>(first, last));
}

/// Count: how many items of each sequence, which must be fewer than 2^32, are kept. A warp has `Rows` rows in
/// flight, and reads backwards if the sequences are to be read again. The scan may be launched overlapping.
/// counts: [num_sequences].
template <typename ItemT, int Width, int Rows, bool Backwards = false>
__global__ void __launch_bounds__(max_threads_per_block, 1)
    count_sequences(RowView<ItemT, Width> rows, Cut cut, unsigned num_sequences, std::uint32_t* counts,
                    Predicate keep) {
    detail::let_next_launch_begin();
    for (unsigned s = warp_in_grid(); s < num_sequences; s += num_warps()) {
        unsigned kept = 0;
        const auto count = [&](const Batch<ItemT, Width, Rows>& batch) {
#pragma unroll
            for (int r = 0; r < Rows; ++r) {
#pragma unroll
                for (int k = 0; k < Width; ++k) kept += keep(batch.item[r][k]);
            }
        };
        if constexpr (Backwards) {
            for_each_batch_backwards<ItemT, Width, Rows>(rows, cut.first_row(s), cut.first_row(s + 1), count);
        } else {
            for_each_batch<ItemT, Width, Rows>(rows, cut.first_row(s), cut.first_row(s + 1), count);
        }
        kept = warp_sum(kept);
        if (lane_index() == 0) counts[s] = kept;
    }
}

/// A thread's N consecutive values of an array: read or written as 16-byte vectors where all N exist, one by
/// one at the end of the array, 0 past it. `first` is a multiple of N.
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

/// Prefix: where each sequence's output starts, and how many items are kept in all. One block of `Threads`
/// threads, which takes a turn for every Threads x CountsPerThread counts. It may be launched overlapping the
/// count, and the move overlapping it. counts, offsets: [num_sequences].
template <unsigned Threads, unsigned CountsPerThread>
__global__ void __launch_bounds__(Threads, 1)
    scan_in_one_block(const std::uint32_t* counts, unsigned num_sequences, std::uint64_t* offsets,
                      std::uint64_t* num_selected) {
    constexpr unsigned num_warps_in_block = Threads / warp_size;
    __shared__ std::uint64_t warp_prefixes[num_warps_in_block];
    detail::let_next_launch_begin();
    detail::wait_for_launch_before();
    std::uint64_t before_turn = 0;
    for (unsigned turn = 0; turn < num_sequences; turn += Threads * CountsPerThread) {
        const unsigned first = turn + threadIdx.x * CountsPerThread;
        std::uint32_t count[CountsPerThread];
        ThreadChunk<CountsPerThread>::load(counts, first, num_sequences, count);
        std::uint64_t mine = 0;
#pragma unroll
        for (unsigned i = 0; i < CountsPerThread; ++i) mine += count[i];
        const std::uint64_t inclusive = warp_inclusive_scan(mine);
        if (lane_index() == warp_size - 1) warp_prefixes[warp_in_block()] = inclusive;
        __syncthreads();  // every warp's total is there before the first warp scans them
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
        ThreadChunk<CountsPerThread>::store(offsets, first, num_sequences, offset);
        before_turn += warp_prefixes[num_warps_in_block - 1];
        __syncthreads();  // all have read the prefixes before the next turn's totals replace them
    }
    if (threadIdx.x == 0) *num_selected = before_turn;
}

}  // namespace compaction::cuda
