#pragma once

#include <cstdint>

#include "compaction/cuda/stamps.hpp"
#include "compaction/predicate.hpp"
#include "cuda/primitives/batch.cuh"

/// The kernels of append_tile.cu, which launch themselves. They are in the image `append_tile.fatbin` by
/// these names: append_tile_4, append_tile_8 and append_tile_16, by the bytes of an item.
namespace compaction::cuda {

/// The argument of such a kernel: a tile, and the stream that it is a part of. The kernel runs with one
/// block.
template <typename ItemT>
struct TileToAppend {
    RowView<ItemT, 1> rows;       ///< the whole stream
    std::uint64_t first_row;      ///< the first row of the tile
    unsigned batches_per_warp;    ///< at least 1
    ItemT* out;                   ///< [num_items], device memory
    std::uint64_t* num_selected;  ///< length of the output; written by the first tile, advanced by the others
    Predicate keep;
    Stamps stamps;
};

}  // namespace compaction::cuda
