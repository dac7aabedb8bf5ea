#pragma once

#include <cstdint>

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

/// Records nothing.
struct NoStamp {
    __device__ void begin() const {}
    __device__ unsigned long long begin_time() const { return 0; }
    __device__ void note_begin(unsigned long long) const {}
    __device__ void add_selected(unsigned) const {}
    __device__ void add_ticket(std::uint64_t, unsigned) const {}
    __device__ void note_posted(std::uint64_t) const {}
    __device__ void note_summed(std::uint64_t) const {}
    __device__ void forget_parts() const {}
    __device__ unsigned long long role_begin_time() const { return 0; }
    __device__ void note_role_end(WarpRole, unsigned, unsigned, unsigned long long) const {}
};

/// The stamp of a block with this selector, which records from its construction to its destruction.
template <typename SelectorT>
__device__ NoStamp stamp_block(const SelectorT&, BlockStart) {
    return {};
}
template <typename SelectorT>
__device__ BlockStamp stamp_block(const Stamped<SelectorT>& selector, BlockStart start) {
    return BlockStamp(selector.stamps, start);
}

/// The type of stamp of a selector's kernel.
template <typename SelectorT>
struct StampOf {
    using type = NoStamp;
};
template <typename SelectorT>
struct StampOf<Stamped<SelectorT>> {
    using type = BlockStamp;
};

}  // namespace compaction::cuda::detail
