#pragma once

#include <cstdint>

#include "compaction/cuda/detail/selectors.cuh"
#include "compaction/cuda/select_length.cuh"

namespace compaction::cuda::detail {

/// Keeps the items that another selector keeps. The input is an iterator instead of an array.
template <typename IteratorT, typename SelectorT>
struct FromIterator : SelectorT {
    IteratorT in;

    /// Works on a copy of the iterator, since its operators may not be const.
    __device__ ItemOf<IteratorT> item(std::uint64_t position) const {
        IteratorT own_in = in;
        return own_in[static_cast<DifferenceOf<IteratorT>>(position)];
    }
};

template <typename IteratorT, typename SelectorT>
inline constexpr bool reads_iterator<FromIterator<IteratorT, SelectorT>> = true;

}  // namespace compaction::cuda::detail
