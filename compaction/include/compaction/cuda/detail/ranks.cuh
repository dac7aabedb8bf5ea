#pragma once

#include <cstdint>

#include "compaction/cuda/warp.cuh"

/// Ranks of kept items within a warp.
namespace compaction::cuda::detail {

/// How many items of each row are kept. A warp keeps at most 128 items of a row, which fits a byte, so one
/// scan serves four rows. All lanes of the warp call.
template <int Rows>
struct RowRanks {
    static constexpr int rows_per_scan = 4;
    static constexpr int num_scans = (Rows + rows_per_scan - 1) / rows_per_scan;

    /// Kept items in the lanes before this one, one byte for each row.
    unsigned before[static_cast<unsigned>(num_scans)];
    /// Kept items in all lanes, one byte for each row.
    unsigned in_row[static_cast<unsigned>(num_scans)];
    unsigned total = 0;  ///< kept items in all rows

    /// add_count(sum, row, shift): adds the number of items that this lane keeps in the row, shifted left by
    /// `shift`, to `sum`.
    template <typename AddT>
    __device__ explicit RowRanks(AddT add_count) {
#pragma unroll
        for (int scan = 0; scan < num_scans; ++scan) {
            unsigned lane_counts = 0;  // one byte for each row
#pragma unroll
            for (int r = 0; r < rows_per_scan && scan * rows_per_scan + r < Rows; ++r) {
                add_count(lane_counts, scan * rows_per_scan + r, 8 * r);
            }
            const unsigned inclusive = warp_inclusive_scan(lane_counts);
            before[scan] = inclusive - lane_counts;
            in_row[scan] = from_last_lane(inclusive);
#pragma unroll
            for (int r = 0; r < rows_per_scan; ++r) total += in_row[scan] >> 8 * r & 0xff;
        }
    }

    /// Calls visit(rank, row, k) for every item k of this lane's rows for which is_selected(row, k). Ranks
    /// count the kept items of the warp in the order of the stream.
    template <int Width, typename IsSelectedT, typename VisitT>
    __device__ void for_each_selected(IsSelectedT is_selected, VisitT visit) const {
        unsigned row_start = 0;
#pragma unroll
        for (int row = 0; row < Rows; ++row) {
            const int shift = row % rows_per_scan * 8;
            unsigned rank = row_start + (before[row / rows_per_scan] >> shift & 0xff);
#pragma unroll
            for (int k = 0; k < Width; ++k) {
                if (is_selected(row, k)) visit(rank++, row, k);
            }
            row_start += in_row[row / rows_per_scan] >> shift & 0xff;
        }
    }
};

/// Row ranks of the items whose bit is set: bit row * Width + k is item k of the vector in that row.
template <int Rows, int Width>
struct BitRanks : RowRanks<Rows> {
    unsigned bits;

    __device__ explicit BitRanks(unsigned kept)
        : RowRanks<Rows>([kept](unsigned& sum, int row, int shift) {
              sum += static_cast<unsigned>(__popc(kept >> row * Width & ((1U << Width) - 1))) << shift;
          }),
          bits(kept) {}

    template <typename VisitT>
    __device__ void for_each_selected(VisitT visit) const {
        RowRanks<Rows>::template for_each_selected<Width>(
            [this](int row, int k) { return bits >> (row * Width + k) & 1U; }, visit);
    }
};

}  // namespace compaction::cuda::detail
