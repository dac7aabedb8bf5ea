#pragma once

#include <cuda_runtime_api.h>
#include <thrust/type_traits/unwrap_contiguous_iterator.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "compaction/cuda/detail/architectures.cuh"
#include "compaction/cuda/detail/cub_limit.cuh"
#include "compaction/cuda/detail/from_iterator.cuh"
#include "compaction/cuda/detail/select_masked.cuh"
#include "compaction/cuda/detail/zipped_columns.cuh"
#include "compaction/cuda/select_workspace.cuh"

/// The choice between the kernels of select.cuh and CUB.
namespace compaction::cuda::detail {

/// Converts a contiguous iterator, such as that of a thrust::device_vector, to a pointer; returns any other
/// iterator unchanged.
template <typename IteratorT>
auto unwrap(const IteratorT& iterator) {
    if constexpr (std::is_pointer_v<IteratorT>) {
        return iterator;  // Thrust would call an operator & of the items.
    } else {
        return thrust::try_unwrap_contiguous_iterator(iterator);
    }
}
template <typename IteratorT, typename FillT>
PaddedOutput<IteratorT, FillT> unwrap(const PaddedOutput<IteratorT, FillT>& output) {
    return output;
}

/// The iterators behind a zip iterator, or the iterator alone, in a tuple; contiguous ones as pointers.
template <typename IteratorT>
auto columns_behind(const IteratorT& iterator) {
    if constexpr (is_zip<IteratorT>) {
        return ::cuda::std::apply(
            [](const auto&... columns) { return ::cuda::std::make_tuple(unwrap(columns)...); },
            iterator.get_iterator_tuple());
    } else {
        return ::cuda::std::make_tuple(iterator);
    }
}

/// Whether a column behind a zip iterator has no array or, as an output, begins within an input. An output
/// may be null, as nothing may be selected.
template <typename LengthT, typename InT, typename OutT, typename MarksT>
bool are_invalid_zips(const LengthT& length, const InT& in, const OutT& out, const MarksT& marks) {
    if (length.max_items == 0) return false;
    return ::cuda::std::apply(
        [&](const auto&... from) {
            const auto begins_within_input = [&](const auto& to) {
                return begins_within(to, length, from..., marks);
            };
            return (is_null(from) || ...) ||
                   ::cuda::std::apply([&](const auto&... to) { return (begins_within_input(to) || ...); },
                                      columns_behind(out));
        },
        columns_behind(in));
}

/// Whether a call has to select by a mask: CUB takes neither a length in device memory nor a padded output.
template <typename OutT, typename LengthT>
inline constexpr bool needs_mask = is_device_length<LengthT> || is_padded<OutT>;

/// Whether CUB takes the items behind the iterators: it makes arrays of them. A mask takes any item.
template <typename... IteratorsT>
inline constexpr bool fits_cub = (std::is_default_constructible_v<ItemOf<IteratorsT>> && ...);

/// Whether a mask is faster than CUB at any length: for items of 32 bytes or more.
template <typename InT, typename OutT>
constexpr bool is_faster_by_mask() {
    if constexpr (moves_bits<InT, OutT>()) {
        return sizeof(ItemOf<InT>) >= 32;
    } else {
        return false;
    }
}

/// Whether a mask is faster than CUB for many keys with values: for keys and values of 4 bytes or more, whose
/// bits are moved.
template <typename KeysT, typename KeysOutT, typename ValuesT, typename ValuesOutT>
constexpr bool is_faster_keyed_by_mask() {
    if constexpr (moves_bits<KeysT, KeysOutT>() && moves_bits<ValuesT, ValuesOutT>()) {
        return sizeof(ItemOf<KeysT>) >= 4 && sizeof(ItemOf<ValuesT>) >= 4;
    } else {
        return false;
    }
}

/// Placeholder for the selector of a call that select.cuh has no selector for.
struct NoSelector {};

/// Whether select.cuh has a selector for flags behind this iterator.
template <typename MarksT>
inline constexpr bool has_selector = std::is_pointer_v<MarksT> && !points_to_volatile<MarksT>;

/// The selector of select.cuh for these flags; NoSelector if there is none for the iterator.
template <typename MarksT>
auto by_flag([[maybe_unused]] const MarksT& marks) {
    if constexpr (has_selector<MarksT>) {
        return ByFlag<ItemOf<MarksT>>{marks};
    } else {
        return NoSelector{};
    }
}
template <typename MarksT, typename PredicateT>
auto by_flag_if([[maybe_unused]] const MarksT& marks, [[maybe_unused]] const PredicateT& predicate) {
    if constexpr (has_selector<MarksT>) {
        return ByFlagIf<ItemOf<MarksT>, PredicateT>{marks, predicate};
    } else {
        return NoSelector{};
    }
}

/// Whether the arguments are pointers to types that the kernels of select.cuh accept.
template <typename InT, typename OutT, typename CountIteratorT, typename SelectorT>
constexpr bool types_have_fast_path() {
    if constexpr (std::is_pointer_v<InT> && std::is_pointer_v<OutT> &&
                  !std::is_same_v<SelectorT, NoSelector>) {
        using Item = std::remove_pointer_t<OutT>;
        return std::is_same_v<std::remove_const_t<std::remove_pointer_t<InT>>, Item> &&
               is_select_item<Item> && counts_in_integer<CountIteratorT>();
    } else {
        return false;
    }
}

/// Whether the kernels of select.cuh can read the items through the iterator: they have the type of the
/// output's items, and the output is an array.
template <typename InT, typename OutT, typename CountIteratorT, typename SelectorT>
constexpr bool iterator_has_fast_path() {
    if constexpr (!std::is_pointer_v<InT> && std::is_pointer_v<OutT> &&
                  !std::is_same_v<SelectorT, NoSelector>) {
        using Item = std::remove_pointer_t<OutT>;
        return std::is_same_v<ItemOf<InT>, Item> && is_select_item<Item> &&
               std::is_default_constructible_v<Item> && counts_in_integer<CountIteratorT>();
    } else {
        return false;
    }
}

/// Whether the kernels of select.cuh can move the columns behind two zip iterators.
template <typename InT, typename OutT, typename CountIteratorT, typename SelectorT>
constexpr bool columns_have_fast_path() {
    if constexpr (is_zip<InT> && is_zip<OutT> && !std::is_same_v<SelectorT, NoSelector>) {
        return fit_columns<decltype(columns_behind(std::declval<InT>())),
                           decltype(columns_behind(std::declval<OutT>()))>() &&
               counts_in_integer<CountIteratorT>();
    } else {
        return false;
    }
}

inline namespace COMPACTION_ARCHITECTURES {

/// Calls CUB by `call(temp, temp_bytes)`, after the checks that CUB leaves to its caller. `arrays`: those
/// that CUB accesses even if it selects nothing.
template <typename CountIteratorT, typename CallT, typename... ArraysT>
cudaError_t cub_dispatch(void* temp, std::size_t& temp_bytes, const CountIteratorT& num_selected,
                         std::uint64_t num_items, CallT call, const ArraysT&... arrays) {
    if (num_items > max_select_items) return cudaErrorInvalidValue;
    if (temp && (is_null(num_selected) || (num_items > 0 && (is_null(arrays) || ...))))
        return cudaErrorInvalidValue;
    // CUB stops at an error that an earlier call left, and returns it as its own, also for a size of storage.
    cudaGetLastError();
    return call(temp, temp_bytes);
}

/// For types that fit select.cuh: selects by it if the values of the arguments fit it as well, else by
/// `other(temp_bytes)`.
template <typename ItemT, typename CountT, typename SelectorT, typename OtherT>
cudaError_t select_fast_or_other(void* temp, std::size_t& temp_bytes, const ItemT* in, ItemT* out,
                                 CountT* num_selected, std::uint64_t num_items, const SelectorT& selector,
                                 cudaStream_t stream, OtherT other) {
    // CUB takes inputs with more items than the count can hold. The storage still suffices for the longest
    // input that select.cuh takes, so that its size never shrinks as the input grows.
    const std::uint64_t max_fast_items = std::min(num_items, max_items_for<CountT>);
    const auto select = [&](std::size_t& bytes) {
        return select_with_storage(temp, bytes, in, out, num_selected, max_fast_items, selector, stream);
    };
    return call_fast_or_other(temp, temp_bytes, values_have_fast_path(in, out, num_selected, num_items),
                              select, other);
}

/// Selects the columns behind two zip iterators by select.cuh if the values of the arguments fit it, else by
/// `other(temp_bytes)`.
template <typename InT, typename OutT, typename CountT, typename SelectorT, typename OtherT>
cudaError_t select_columns_or_other(void* temp, std::size_t& temp_bytes, const InT& in, const OutT& out,
                                    CountT* num_selected, std::uint64_t num_items, const SelectorT& selector,
                                    cudaStream_t stream, OtherT other) {
    const auto from = columns_behind(in);
    using Elements = ElementsBehind<std::decay_t<decltype(from)>>;
    const auto columns = make_zipped_columns<ItemOf<InT>>(
        selector, from, columns_behind(out), Elements{},
        std::make_index_sequence<::cuda::std::tuple_size<std::decay_t<decltype(from)>>::value>{});
    using Item = typename decltype(columns)::Item;
    if (temp && !are_aligned_columns(columns)) return other(temp_bytes);
    return select_fast_or_other(temp, temp_bytes, static_cast<const Item*>(nullptr),
                                static_cast<Item*>(nullptr), num_selected, num_items, columns, stream, other);
}

/// Selects by a mask where CUB is unable, slow or wrong; else by select.cuh if the arguments fit; else by
/// `call(temp, temp_bytes, in, out, num_selected, num_items)`, which calls CUB. `mark` sets the
/// bits of the mask, `selector` makes the same selection in select.cuh. `call` is generic, so that CUB is
/// compiled only where it is called.
template <typename InT, typename OutT, typename CountIteratorT, typename LengthT, typename MarkT,
          typename SelectorT, typename CallT>
cudaError_t select_any(void* temp, std::size_t& temp_bytes, InT in, OutT out, CountIteratorT num_selected,
                       LengthT num_items, const MarkT& mark, [[maybe_unused]] const SelectorT& selector,
                       cudaStream_t stream, [[maybe_unused]] CallT call) {
    const auto length = as_length(num_items);
    if constexpr (is_zip<InT> || is_zip<OutT>) {
        if (temp && are_invalid_zips(length, in, out, mark.in)) return cudaErrorInvalidValue;
    }
    const auto by_mask = [&](void* storage, std::size_t& bytes) {
        return select_masked(storage, bytes, mark, length, num_selected, stream,
                             ItemColumn<InT, OutT>{in, out});
    };
    if constexpr (needs_mask<OutT, LengthT> || is_faster_by_mask<InT, OutT>()) {
        return by_mask(temp, temp_bytes);
    } else {
        const std::uint64_t item_count = length.max_items;
        const auto by_cub_or_mask = [&](std::size_t& needed) {
            if constexpr (fits_cub<InT, decltype(mark.in)>) {
                if (item_count > max_cub_select_items) return by_mask(temp, needed);
                if (temp && begins_within(out, length, in, mark.in)) return cudaErrorInvalidValue;
                return cub_dispatch(
                    temp, needed, num_selected, item_count,
                    [&](void* storage, std::size_t& bytes) {
                        return call(storage, bytes, in, out, num_selected,
                                    static_cast<std::int64_t>(item_count));
                    },
                    in, mark.in);
            } else {
                return by_mask(temp, needed);
            }
        };
        if constexpr (types_have_fast_path<InT, OutT, CountIteratorT, SelectorT>()) {
            return select_fast_or_other(temp, temp_bytes, in, out, num_selected, item_count, selector, stream,
                                        by_cub_or_mask);
        }
        if constexpr (iterator_has_fast_path<InT, OutT, CountIteratorT, SelectorT>()) {
            const ItemOf<OutT>* const no_array = nullptr;
            return select_fast_or_other(temp, temp_bytes, no_array, out, num_selected, item_count,
                                        FromIterator<InT, SelectorT>{selector, in}, stream, by_cub_or_mask);
        }
        if constexpr (columns_have_fast_path<InT, OutT, CountIteratorT, SelectorT>()) {
            return select_columns_or_other(temp, temp_bytes, in, out, num_selected, item_count, selector,
                                           stream, by_cub_or_mask);
        }
        return by_cub_or_mask(temp_bytes);
    }
}

/// Dispatches with a workspace: select.cuh uses a SelectState directly. `call_with_storage(temp,
/// temp_bytes)` calls the overload of the public function that takes temporary storage.
template <typename WorkspaceT, typename InT, typename OutT, typename CountIteratorT, typename LengthT,
          typename SelectorT, typename CallT>
cudaError_t select_in_workspace(WorkspaceT& workspace, [[maybe_unused]] InT in, [[maybe_unused]] OutT out,
                                [[maybe_unused]] CountIteratorT num_selected,
                                [[maybe_unused]] LengthT num_items,
                                [[maybe_unused]] const SelectorT& selector, cudaStream_t stream,
                                CallT call_with_storage) {
    if constexpr (std::is_same_v<WorkspaceT, SelectState> && !needs_mask<OutT, LengthT> &&
                  types_have_fast_path<InT, OutT, CountIteratorT, SelectorT>()) {
        const std::uint64_t item_count = as_length(num_items).max_items;
        if (values_have_fast_path(in, out, num_selected, item_count))
            return select_with_state(workspace, in, out, num_selected, item_count, selector, 0, stream);
    }
    return call_in(workspace, stream, call_with_storage);
}

}  // namespace COMPACTION_ARCHITECTURES

}  // namespace compaction::cuda::detail
