#pragma once

#include "cuda/primitives/batch.cuh"
#include "cuda/primitives/warp.cuh"

namespace compaction::cuda {

/// How many items of each row are kept, by this lane's predecessors and by the warp, four rows to a word: a
/// row keeps at most 128 items of a warp, which fits a byte, so one scan serves four rows.
template <int Rows>
struct BatchRanks {
    static constexpr int rows_per_scan = 4;
    static constexpr int num_scans = (Rows + rows_per_scan - 1) / rows_per_scan;

    unsigned before[num_scans];  ///< kept by the lanes before this one
    unsigned in_row[num_scans];  ///< kept by the warp
    unsigned total;              ///< of all rows
};

template <typename ItemT, int Width, int Rows>
__device__ BatchRanks<Rows> rank_batch(const Batch<ItemT, Width, Rows>& batch, Predicate keep) {
    using Ranks = BatchRanks<Rows>;
    Ranks ranks;
    ranks.total = 0;
#pragma unroll
    for (int scan = 0; scan < Ranks::num_scans; ++scan) {
        unsigned mine = 0;
#pragma unroll
        for (int r = 0; r < Ranks::rows_per_scan && scan * Ranks::rows_per_scan + r < Rows; ++r) {
#pragma unroll
            for (int k = 0; k < Width; ++k) {
                mine += static_cast<unsigned>(keep(batch.item[scan * Ranks::rows_per_scan + r][k]))
                        << (8 * r);
            }
        }
        const unsigned inclusive = warp_inclusive_scan(mine);
        ranks.before[scan] = inclusive - mine;
        ranks.in_row[scan] = from_last_lane(inclusive);
#pragma unroll
        for (int r = 0; r < Ranks::rows_per_scan; ++r) ranks.total += ranks.in_row[scan] >> (8 * r) & 0xff;
    }
    return ranks;
}

/// Calls place(rank, item) for every kept item of this lane; ranks count the warp's kept items in the order
/// of the stream.
template <typename ItemT, int Width, int Rows, typename Place>
__device__ void place_kept(const Batch<ItemT, Width, Rows>& batch, const BatchRanks<Rows>& ranks,
                           Predicate keep, Place place) {
    unsigned row_start = 0;
#pragma unroll
    for (int row = 0; row < Rows; ++row) {
        const int scan = row / BatchRanks<Rows>::rows_per_scan;
        const int shift = row % BatchRanks<Rows>::rows_per_scan * 8;
        unsigned rank = row_start + (ranks.before[scan] >> shift & 0xff);
#pragma unroll
        for (int k = 0; k < Width; ++k) {
            const ItemT item = batch.item[row][k];
            if (keep(item)) place(rank++, item);
        }
        row_start += ranks.in_row[scan] >> shift & 0xff;
    }
}

}  // namespace compaction::cuda
