// Kernels that launch themselves: one block appends the kept items of a tile to the output, and then launches
// the kernel for the next tile. Tail launches begin when the previous launch has ended, so tiles run in
// order, and the length of the output is the only state that they share.
//
// Such kernels are relocatable code, which compaction/CMakeLists.txt links to a separate image.
//
// Source: NVIDIA, CUDA C++ Programming Guide 13.0, "The Tail Launch Stream".
#include "cuda/relocatable/append_tile.hpp"

#include <cstdint>

#include "compaction/cuda/detail/device.cuh"
#include "compaction/cuda/stamps.cuh"
#include "compaction/cuda/warp.cuh"
#include "cuda/relocatable/tail_launch.cuh"

namespace compaction::cuda {
namespace {

template <typename ItemT>
using AppendKernel = void (*)(TileToAppend<ItemT>);

/// Launches `self` for the tile that begins at `first_row`, unless the stream ends before it. One thread
/// calls.
template <typename ItemT>
__device__ void launch_next(AppendKernel<ItemT> self, TileToAppend<ItemT> tile, std::uint64_t first_row) {
    const std::uint64_t num_rows = tile.rows.num_rows();
    if (first_row >= num_rows) return;
    const std::uint64_t rows_each = first_row - tile.first_row;
    const bool is_last = num_rows - first_row <= rows_each;
    tile.stamps = tile.stamps.of_next_launch(first_row / rows_each, is_last);
    tile.first_row = first_row;
    relocatable::launch_when_ended(self, blockDim.x, tile);
}

template <typename ItemT>
__device__ void append_tile(const TileToAppend<ItemT>& tile, AppendKernel<ItemT> self) {
    constexpr int rows_of_warp = rows_per_batch<ItemT, 1>;
    const BlockStamp stamp(tile.stamps);
    COMPACTION_SHARED(selected_by_warp, unsigned[warp_size]);
    const std::uint64_t length_before = tile.first_row == 0 ? 0 : *tile.num_selected;
    std::uint64_t length = length_before;
    std::uint64_t first_row = tile.first_row;
    for (unsigned i = 0; i < tile.batches_per_warp && first_row < tile.rows.num_rows(); ++i) {
        // Load
        const std::uint64_t row = first_row + warp_in_block() * rows_of_warp;
        const bool inside = (row + rows_of_warp) * warp_size <= tile.rows.end;
        const auto batch =
            inside ? tile.rows.load_full(row) : tile.rows.load_guarded(row, tile.rows.num_rows());
        // Classify
        unsigned votes[rows_of_warp];
        unsigned num_kept = 0;
#pragma unroll
        for (int r = 0; r < rows_of_warp; ++r) {
            votes[r] = __ballot_sync(all_lanes, tile.keep(batch.item[r][0]));
            num_kept += __popc(votes[r]);
        }
        if (lane_index() == 0) selected_by_warp[warp_in_block()] = num_kept;
        __syncthreads();  // all counts are written, and every thread has read the length of the output
        // Prefix
        const unsigned warp_count = lane_index() < warps_per_block() ? selected_by_warp[lane_index()] : 0;
        std::uint64_t position = length + warp_sum(lane_index() < warp_in_block() ? warp_count : 0);
        length += warp_sum(warp_count);
        // Scatter
#pragma unroll
        for (int r = 0; r < rows_of_warp; ++r) {
            if (votes[r] >> lane_index() & 1U)
                tile.out[position + __popc(votes[r] & lanes_below())] = batch.item[r][0];
            position += __popc(votes[r]);
        }
        __syncthreads();  // the next batch overwrites the counts
        first_row += warps_per_block() * rows_of_warp;
    }
    if (threadIdx.x == 0) {
        stamp.add_selected(static_cast<unsigned>(length - length_before));
        *tile.num_selected = length;
        launch_next(self, tile, first_row);
    }
}

}  // namespace

extern "C" __global__ void __launch_bounds__(max_threads_per_block) append_tile_4(TileToAppend<Item> tile) {
    append_tile(tile, append_tile_4);
}

extern "C" __global__ void __launch_bounds__(max_threads_per_block) append_tile_8(TileToAppend<Item8> tile) {
    append_tile(tile, append_tile_8);
}

extern "C" __global__ void __launch_bounds__(max_threads_per_block)
    append_tile_16(TileToAppend<Item16> tile) {
    append_tile(tile, append_tile_16);
}

}  // namespace compaction::cuda
