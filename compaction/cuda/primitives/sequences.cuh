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
        return {.kind = PartKind::sequence,
                .num_items = num_items,
                .num_parts = num_sequences,
                .items_each = rows_each * row_items,
                .num_longer = num_longer,
                .longer_by = row_items,
                .unknown_because = {}};
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

/// Visits the same batches as for_each_batch, the full ones in reverse order. The first batches are then
/// still in the L2 cache when the next pass begins with them.
template <typename ItemT, int Width, int Rows, typename Visit>
__device__ void for_each_batch_backwards(const RowView<ItemT, Width>& rows, std::uint64_t first_row,
                                         std::uint64_t end_row, Visit visit) {
    const bool first_is_guarded = first_row == 0 && rows.begin > 0 && first_row < end_row;
    const std::uint64_t full_begin = first_is_guarded ? first_row + Rows : first_row;
    const std::uint64_t full_end = min(end_row, rows.end / RowView<ItemT, Width>::row_items);
    const std::uint64_t num_full = full_end > full_begin ? (full_end - full_begin) / Rows : 0;
    for (std::uint64_t row = full_begin + num_full * Rows; row < end_row; row += Rows)
        visit(rows.template load_guarded<Rows>(row, end_row));
    for (std::uint64_t i = num_full; i-- > 0;) visit(rows.template load_full<Rows>(full_begin + i * Rows));
    if (first_is_guarded) visit(rows.template load_guarded<Rows>(first_row, end_row));
}

/// How the lanes of a warp add up their counts.
enum class LaneSum { by_shuffles, in_shared_memory };

/// Count: the number of kept items of each sequence, which has fewer than 2^32 items. A warp has `Rows`
/// rows in flight. `Backwards` pays off if the sequences are read again later. The launch of the scan may
/// overlap. counts: [num_sequences].
template <typename ItemT, int Width, int Rows, bool Backwards = false, LaneSum Sum = LaneSum::by_shuffles>
__global__ void __launch_bounds__(max_threads_per_block, 1)
    count_sequences(RowView<ItemT, Width> rows, EvenShare share, unsigned num_sequences,
                    std::uint32_t* counts, Predicate keep, Stamps stamps) {
    const BlockStamp stamp(stamps);
    detail::trigger_dependent_launch();
    for (unsigned s = warp_in_grid(); s < num_sequences; s += num_warps()) {
        unsigned num_kept = 0;
        const auto count = [&](const Batch<ItemT, Width, Rows>& batch) {
#pragma unroll
            for (int r = 0; r < Rows; ++r) {
#pragma unroll
                for (int k = 0; k < Width; ++k) num_kept += keep(batch.item[r][k]);
            }
        };
        if constexpr (Backwards) {
            for_each_batch_backwards<ItemT, Width, Rows>(rows, share.first_row(s), share.first_row(s + 1),
                                                         count);
        } else {
            for_each_batch<ItemT, Width, Rows>(rows, share.first_row(s), share.first_row(s + 1), count);
        }
        if constexpr (Sum == LaneSum::by_shuffles) {
            num_kept = warp_sum(num_kept);
        } else {
            COMPACTION_SHARED(words, unsigned[max_threads_per_block]);
            num_kept = sum_in_shared_memory(num_kept, words + warp_in_block() * warp_size);
            __syncwarp();  // all lanes have read the sum before the next sequence overwrites it
        }
        if (lane_index() == 0) {
            counts[s] = num_kept;
            stamp.add_selected(num_kept);
        }
    }
}

}  // namespace compaction::cuda
