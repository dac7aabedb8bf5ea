#pragma once

#include "compaction/cuda/detail/launch_kernel.cuh"
#include "cuda/relocatable/append_tile.hpp"

/// Launches the kernels of append_tile.cu on the simulated GPU.
namespace compaction::cuda {

extern "C" {
void append_tile_4(TileToAppend<Item> tile);
void append_tile_8(TileToAppend<Item8> tile);
void append_tile_16(TileToAppend<Item16> tile);
}

namespace relocatable {

template <typename ItemT>
using AppendKernel = void (*)(TileToAppend<ItemT>);

inline AppendKernel<Item> kernel_for(Item) {
    return append_tile_4;
}
inline AppendKernel<Item8> kernel_for(Item8) {
    return append_tile_8;
}
inline AppendKernel<Item16> kernel_for(Item16) {
    return append_tile_16;
}

template <typename ItemT>
class AppendTile {
  public:
    cudaError_t launch(const TileToAppend<ItemT>& first, unsigned threads, cudaStream_t stream) const {
        return detail::launch(kernel_for(ItemT{}),
                              {.blocks = 1, .threads = threads, .shared_bytes = 0, .stream = stream}, first);
    }
};

/// The simulated GPU has no graphs.
inline bool is_being_captured(cudaStream_t) {
    return false;
}

}  // namespace relocatable
}  // namespace compaction::cuda
