#pragma once

#include "compaction/cuda/detail/unstamped.cuh"
#include "compaction/cuda/stamps.cuh"

/// Selections whose blocks record when they run. The stamps are part of the selector type, so this file
/// does not change the kernels of other selectors.
namespace compaction::cuda::detail {

/// A selector, and where the blocks of its kernel record their times.
template <typename SelectorT>
struct Stamped : SelectorT {
    Stamps stamps;

    /// See Stamps::on_grid.
    Stamped on_grid(unsigned blocks, unsigned threads) const {
        Stamped selector = *this;
        selector.stamps = stamps.on_grid(blocks, threads);
        return selector;
    }
};

/// The stamp of a block with this selector. Kernels find it by the type of their argument.
template <typename SelectorT>
__device__ BlockStamp stamp_block(const Stamped<SelectorT>& selector, BlockStart start) {
    return BlockStamp(selector.stamps, start);
}

template <typename SelectorT>
struct StampOf<Stamped<SelectorT>> {
    using type = BlockStamp;
};

}  // namespace compaction::cuda::detail
