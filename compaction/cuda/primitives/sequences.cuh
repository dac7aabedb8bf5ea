#pragma once

#include <cstdint>

#include "compaction/cuda/detail/ptx.cuh"
#include "compaction/cuda/stamps.cuh"
#include "compaction/partition.hpp"
#include "cuda/primitives/batch.cuh"
#include "cuda/primitives/shared_memory_scan.cuh"

/// Sequences: ordered, contiguous, non-overlapping parts of the stream, one for each warp.
namespace compaction::cuda {

/// Divides rows [0, num_rows) into sequences whose lengths differ by at most one row. The longer ones come
/// first. After CUB's GridEvenShare.
struct EvenShare {
    std::uint64_t rows_each;
    std::uint64_t num_longer;

    EvenShare(std::uint64_t num_rows, unsigned num_sequences)
        : rows_each(num_rows / num_sequences), num_longer(num_rows % num_sequences) {}

    /// The partition of an aligned stream of `num_items` items, in rows of `row_items`.
    Partition partition(std::uint64_t num_items, unsigned num_sequences, unsigned row_items) const {
        return {PartKind::sequence, num_items, num_sequences, rows_each * row_items, num_longer,
                row_items,          {}};
    }

    /// Describes which sequences the blocks of a launch process, whose warps take them in turn.
    template <typename ItemT, int Width>
    BlockParts block_parts(const RowView<ItemT, Width>& rows, unsigned num_sequences, unsigned warps_in_block,
                           bool counts_selected) const {
        return {.partition = partition(rows.end, num_sequences, rows.row_items),
                .lead = rows.begin,
                .parts_per_block = warps_in_block,
                .counts_selected = counts_selected};
    }

    /// The first row of sequence `s`, which is also the end of sequence `s` - 1.
    __device__ std::uint64_t first_row(std::uint64_t s) const { return s * rows_each + min(s, num_longer); }
};

/// Visits the batches of for_each_batch, in reverse order inside the stream. The first batches are then still
/// in the L2 cache when the next pass begins with them.
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

/// How the lanes of a warp add up their counts.
enum class LaneSum { by_shuffles, in_shared_memory };

/// Count: the number of kept items of each sequence, which has fewer than 2^32 items. A warp has `Rows`
/// rows in flight. It reads backwards if the sequences are read again later. The scan may be launched
/// overlapping. counts: [num_sequences].
template <typename ItemT, int Width, int Rows, bool Backwards = false, LaneSum Sum = LaneSum::by_shuffles>
__global__ void __launch_bounds__(max_threads_per_block, 1)
    count_sequences(RowView<ItemT, Width> rows, EvenShare share, unsigned num_sequences,
                    std::uint32_t* counts, Predicate keep, Stamps stamps) {
    const BlockStamp stamp(stamps);
    detail::trigger_dependent_launch();
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
            for_each_batch_backwards<ItemT, Width, Rows>(rows, share.first_row(s), share.first_row(s + 1),
                                                         count);
        } else {
            for_each_batch<ItemT, Width, Rows>(rows, share.first_row(s), share.first_row(s + 1), count);
        }
        if constexpr (Sum == LaneSum::by_shuffles) {
            kept = warp_sum(kept);
        } else {
            COMPACTION_SHARED(words, unsigned[max_threads_per_block]);
            kept = sum_in_shared_memory(kept, words + warp_in_block() * warp_size);
            __syncwarp();  // all lanes have read the sum before the next sequence overwrites it
        }
        if (lane_index() == 0) {
            counts[s] = kept;
            stamp.add_selected(kept);
        }
    }
}

}  // namespace compaction::cuda
