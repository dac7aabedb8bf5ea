#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "compaction/cuda/detail/architectures.cuh"
#include "compaction/cuda/detail/select_masked.cuh"
#include "compaction/cuda/select_workspace.cuh"

/// Positions of the selected items, in order.
///
/// Arguments of all functions, besides those of select.cuh:
/// - in, flags: [num_items] device memory or an iterator, with items of any trivially copyable type; out:
///   [*num_selected] device memory, an iterator, or `padded` (select_length.cuh); num_selected: [1] device
///   memory or an iterator. They must not overlap.
/// - num_items: 0 to 2^40, or a `device_length`.
/// - workspace: a SelectState after `reserve_for`, or a memory resource (select_workspace.cuh).
///
/// Positions are converted to the type of the output's items; the caller chooses one that holds them. With
/// items behind a pointer, and positions of 4 or 8 bytes behind another, they are written by the kernels of
/// select.cuh, which read the input once. All other calls also write and read one bit for each item, and
/// enqueue two kernels, or three for long streams, whose blocks never wait for each other.
namespace compaction::cuda {

namespace detail {

/// The type of positions behind an output iterator; 64 bits if the iterator does not define it.
template <typename OutT, typename = void>
struct IndexOf {
    using type = std::uint64_t;
};
template <typename OutT>
struct IndexOf<OutT, std::enable_if_t<std::is_integral_v<ItemOf<OutT>>>> {
    using type = ItemOf<OutT>;
};
template <typename IteratorT, typename FillT>
struct IndexOf<PaddedOutput<IteratorT, FillT>> : IndexOf<IteratorT> {};

/// Whether the kernels of select.cuh can write the positions.
template <typename InT, typename OutT, typename CountIteratorT, typename LengthT>
constexpr bool positions_have_fast_path() {
    if constexpr (std::is_pointer_v<InT> && std::is_pointer_v<OutT> && !points_to_volatile<InT> &&
                  !points_to_volatile<OutT> && counts_in_integer<CountIteratorT>() &&
                  !is_device_length<LengthT>) {
        using Index = ItemOf<OutT>;
        return std::is_trivially_copyable_v<ItemOf<InT>> && std::is_integral_v<Index> &&
               (sizeof(Index) == 4 || sizeof(Index) == 8);
    } else {
        return false;
    }
}

}  // namespace detail

inline namespace COMPACTION_ARCHITECTURES {

/// Writes the positions of the items for which `predicate` returns true: torch.nonzero, and with a padded
/// output torch.nonzero_static.
template <typename InT, typename OutT, typename CountIteratorT, typename LengthT, typename PredicateT>
cudaError_t indices_if(void* temp, std::size_t& temp_bytes, InT in, OutT out, CountIteratorT num_selected,
                       LengthT num_items, PredicateT predicate, cudaStream_t stream = nullptr) {
    const auto length = detail::as_length(num_items);
    const auto select_by_mask = [&](std::size_t& bytes) {
        const detail::IndexColumn<typename detail::IndexOf<OutT>::type, OutT> column{out};
        return detail::select_masked(temp, bytes, detail::MarkIf{in, predicate}, length, num_selected, stream,
                                     column);
    };
    if constexpr (detail::positions_have_fast_path<InT, OutT, CountIteratorT, LengthT>()) {
        using Item = detail::ItemOf<InT>;
        using Index = detail::ItemOf<OutT>;
        const auto select_fast = [&](const auto* from, auto* to, const auto& selector) {
            const auto select = [&](std::size_t& bytes) {
                return detail::select_with_storage(
                    temp, bytes, from, to, num_selected, length.max_items,
                    detail::PositionsOf<std::decay_t<decltype(selector)>>{selector}, stream);
            };
            return detail::call_fast_or_other(
                temp, temp_bytes, detail::values_have_fast_path(from, to, num_selected, length.max_items),
                select, select_by_mask);
        };
        if constexpr (sizeof(Item) == sizeof(Index)) {
            const Item* const from = in;
            return select_fast(from, reinterpret_cast<Item*>(out),
                               detail::ByPredicate<PredicateT>{predicate});
        } else {
            // What the kernels write for an item has the item's size. Items of another size are passed as
            // flags.
            using Word = std::conditional_t<sizeof(Index) == 4, std::uint32_t, std::uint64_t>;
            const Word* const no_items = nullptr;
            const detail::ByFlagIf<Item, PredicateT> selector{in, predicate};
            return select_fast(no_items, reinterpret_cast<Word*>(out), selector);
        }
    } else {
        return select_by_mask(temp_bytes);
    }
}

/// Overload with a workspace instead of temporary storage.
template <typename WorkspaceT, typename InT, typename OutT, typename CountIteratorT, typename LengthT,
          typename PredicateT, typename = std::enable_if_t<detail::is_workspace<WorkspaceT>>>
cudaError_t indices_if(WorkspaceT&& workspace, InT in, OutT out, CountIteratorT num_selected,
                       LengthT num_items, PredicateT predicate, cudaStream_t stream = nullptr) {
    return detail::call_in(workspace, stream, [&](void* temp, std::size_t& bytes) {
        return compaction::cuda::indices_if(temp, bytes, in, out, num_selected, num_items, predicate, stream);
    });
}

/// Writes the positions of the flags that are set.
template <typename FlagsT, typename OutT, typename CountIteratorT, typename LengthT>
cudaError_t indices_flagged(void* temp, std::size_t& temp_bytes, FlagsT flags, OutT out,
                            CountIteratorT num_selected, LengthT num_items, cudaStream_t stream = nullptr) {
    return compaction::cuda::indices_if(temp, temp_bytes, flags, out, num_selected, num_items,
                                        detail::IsSet{}, stream);
}

/// Overload with a workspace instead of temporary storage.
template <typename WorkspaceT, typename FlagsT, typename OutT, typename CountIteratorT, typename LengthT,
          typename = std::enable_if_t<detail::is_workspace<WorkspaceT>>>
cudaError_t indices_flagged(WorkspaceT&& workspace, FlagsT flags, OutT out, CountIteratorT num_selected,
                            LengthT num_items, cudaStream_t stream = nullptr) {
    return compaction::cuda::indices_if(workspace, flags, out, num_selected, num_items, detail::IsSet{},
                                        stream);
}

}  // namespace COMPACTION_ARCHITECTURES

}  // namespace compaction::cuda
