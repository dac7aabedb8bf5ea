#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <type_traits>

#include "compaction/cuda/detail/rows.cuh"

/// Readable errors for calls that match no function of select.cuh. The ellipses make every other function a
/// better match, so the functions of select_iterators.cuh take precedence if that header is included.
namespace compaction::cuda {

class SelectState;

namespace detail {

template <typename ItemT>
constexpr cudaError_t explain_mismatch() {
    static_assert(std::is_trivially_copyable_v<ItemT>,
                  "items are moved as bits: their type must be trivially copyable");
    static_assert(!std::is_volatile_v<ItemT>,
                  "select.cuh takes no volatile items: include select_iterators.cuh");
    static_assert(!std::is_trivially_copyable_v<ItemT> || is_select_item<ItemT>,
                  "select.cuh takes items of 1 or 2 bytes or a multiple of 4 up to 28: include "
                  "select_iterators.cuh for others");
    static_assert(!is_select_item<ItemT> || is_aligned_select_item<ItemT>,
                  "select.cuh takes items that are aligned to the largest power of two that divides their "
                  "size: declare the type with alignas, or include select_iterators.cuh");
    static_assert(!is_aligned_select_item<ItemT>,
                  "the arguments match no overload: see select.cuh for their order");
    return cudaErrorInvalidValue;
}

}  // namespace detail

template <typename ItemT>
cudaError_t select_if(void*, std::size_t&, const ItemT*, ItemT*, ...) {
    return detail::explain_mismatch<ItemT>();
}
template <typename ItemT>
cudaError_t select_if(SelectState&, const ItemT*, ItemT*, ...) {
    return detail::explain_mismatch<ItemT>();
}
template <typename ItemT, typename FlagT>
cudaError_t select_flagged(void*, std::size_t&, const ItemT*, const FlagT*, ItemT*, ...) {
    return detail::explain_mismatch<ItemT>();
}
template <typename ItemT, typename FlagT>
cudaError_t select_flagged(SelectState&, const ItemT*, const FlagT*, ItemT*, ...) {
    return detail::explain_mismatch<ItemT>();
}
template <typename ItemT, typename FlagT>
cudaError_t select_flagged_if(void*, std::size_t&, const ItemT*, const FlagT*, ItemT*, ...) {
    return detail::explain_mismatch<ItemT>();
}
template <typename ItemT, typename FlagT>
cudaError_t select_flagged_if(SelectState&, const ItemT*, const FlagT*, ItemT*, ...) {
    return detail::explain_mismatch<ItemT>();
}

}  // namespace compaction::cuda
