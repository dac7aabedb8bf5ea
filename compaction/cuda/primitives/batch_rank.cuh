#pragma once

#include "compaction/cuda/detail/ranks.cuh"
#include "cuda/primitives/batch.cuh"

namespace compaction::cuda {

/// Ranks the kept items of a warp's batch. All lanes call.
template <typename ItemT, int Width, int Rows>
__device__ detail::RowRanks<Rows> rank_batch(const Batch<ItemT, Width, Rows>& batch, Predicate keep) {
    return detail::RowRanks<Rows>([&](unsigned& sum, int row, int shift) {
#pragma unroll
        for (int k = 0; k < Width; ++k) sum += static_cast<unsigned>(keep(batch.item[row][k])) << shift;
    });
}

/// Calls visit(rank, item) for every kept item of this lane. Ranks count the kept items of the warp in the
/// order of the stream.
template <typename ItemT, int Width, int Rows, typename VisitT>
__device__ void for_each_selected(const Batch<ItemT, Width, Rows>& batch, const detail::RowRanks<Rows>& ranks,
                                  Predicate keep, VisitT visit) {
    ranks.template for_each_selected<Width>(
        [&](int row, int k) { return keep(batch.item[row][k]); },
        [&](unsigned rank, int row, int k) { visit(rank, batch.item[row][k]); });
}

}  // namespace compaction::cuda
