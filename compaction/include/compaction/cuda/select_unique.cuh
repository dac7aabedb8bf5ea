#pragma once

#include <algorithm>
#include <cstdint>
#include <cub/device/device_select.cuh>
#include <cuda/std/functional>

#include "compaction/cuda/detail/architectures.cuh"
#include "compaction/cuda/detail/cub_dispatch.cuh"
#include "compaction/cuda/detail/in_place.cuh"
#include "compaction/cuda/detail/select_masked.cuh"

/// The first item of every run of equal items.
///
/// The kernels of select.cuh serve `unique` by == where pointers fit them. Otherwise a mask (detail/mask.cuh)
/// serves a length on the device, a padded output and items without a default constructor. It also serves
/// `unique` by another equality or of more than max_cub_select_items items (detail/cub_limit.cuh), and
/// `unique_by_key` with many keys behind pointers. CUB, whose source takes long to compile, serves all
/// others.
///
/// Arguments of all functions, besides those of select_iterators.cuh:
/// - data: [num_items] device memory or an iterator: input and output of `unique` in place. num_selected is
///   then device memory.
/// - equal: a `__device__` function object that compares an item with the one before it in the input. May be
///   left out: the stream is then the next argument, as in CUB.
/// - workspace: a SelectState after `reserve_for`, or a memory resource (select_workspace.cuh).
///
/// Other than in place, no output may overlap an input: runs are compared in the input.
namespace compaction::cuda {

namespace detail {

using DefaultEqual = ::cuda::std::equal_to<>;

/// Whether the argument for the equality is a stream. An integer, such as the literal 0 or NULL, counts as a
/// stream, as in CUB.
template <typename EqualT>
inline constexpr bool is_stream = std::is_convertible_v<EqualT, cudaStream_t> || std::is_integral_v<EqualT>;

/// The equality of a call that may have passed a stream instead.
template <typename EqualT>
auto equality_of([[maybe_unused]] const EqualT& equal) {
    if constexpr (is_stream<EqualT>) {
        return DefaultEqual{};
    } else {
        return equal;
    }
}
template <typename EqualT>
cudaStream_t stream_of([[maybe_unused]] const EqualT& equal, cudaStream_t stream) {
    if constexpr (std::is_integral_v<EqualT>) {
        return reinterpret_cast<cudaStream_t>(static_cast<std::uintptr_t>(equal));
    } else if constexpr (is_stream<EqualT>) {
        return equal;
    } else {
        return stream;
    }
}

}  // namespace detail

inline namespace COMPACTION_ARCHITECTURES {

/// Copies the first item of every run.
template <typename InT, typename OutT, typename CountIteratorT, typename LengthT,
          typename EqualT = detail::DefaultEqual,
          typename = std::enable_if_t<detail::is_length<LengthT> && !detail::is_length<CountIteratorT>>>
cudaError_t unique(void* temp, std::size_t& temp_bytes, InT in, OutT out, CountIteratorT num_selected,
                   LengthT num_items, EqualT equal = {}, cudaStream_t stream = nullptr) {
    const auto length = detail::as_length(num_items);
    const auto compare = detail::equality_of(equal);
    const cudaStream_t resolved_stream = detail::stream_of(equal, stream);
    using CompareT = std::remove_const_t<decltype(compare)>;
    const auto by_mask = [&](std::size_t& needed) {
        return detail::select_masked(temp, needed, detail::MarkUnique<InT, CompareT>{in, compare}, length,
                                     num_selected, resolved_stream, detail::ItemColumn<InT, OutT>{in, out});
    };
    const auto by_cub_or_mask = [&](std::size_t& needed) {
        if constexpr (!detail::fits_cub<InT>) {
            return by_mask(needed);
        } else {
            if (length.max_items > detail::max_cub_select_items) return by_mask(needed);
            if (temp && detail::begins_within(out, length, in)) return cudaErrorInvalidValue;
            return detail::cub_dispatch(
                temp, needed, num_selected, length.max_items,
                [&](void* storage, std::size_t& bytes) {
                    return cub::DeviceSelect::Unique(storage, bytes, in, out, num_selected,
                                                     static_cast<std::int64_t>(length.max_items),
                                                     resolved_stream);
                },
                in);
        }
    };
    // Only == uses the kernels of select.cuh: in relocatable code, what another equality calls might need
    // more registers than they have.
    if constexpr (detail::needs_mask<OutT, LengthT> || !std::is_same_v<CompareT, detail::DefaultEqual>) {
        return by_mask(temp_bytes);
    } else {
        auto from = detail::unwrap(in);
        auto to = detail::unwrap(out);
        auto count = detail::unwrap(num_selected);
        if (temp && length.max_items > 0 && detail::is_null(to)) return cudaErrorInvalidValue;
        using SelectorT = detail::FirstOfRun<detail::ItemOf<InT>, CompareT>;
        if constexpr (detail::types_have_fast_path<decltype(from), decltype(to), decltype(count),
                                                   SelectorT>() &&
                      detail::is_vector_item<detail::ItemOf<InT>>) {
            return detail::select_fast_or_other(temp, temp_bytes, from, to, count, length.max_items,
                                                SelectorT{from, compare}, resolved_stream, by_cub_or_mask);
        } else {
            return by_cub_or_mask(temp_bytes);
        }
    }
}

/// Overload with a workspace instead of temporary storage.
template <typename WorkspaceT, typename InT, typename OutT, typename CountIteratorT, typename LengthT,
          typename EqualT = detail::DefaultEqual,
          typename = std::enable_if_t<detail::is_workspace<WorkspaceT> && detail::is_length<LengthT> &&
                                      !detail::is_length<CountIteratorT>>>
cudaError_t unique(WorkspaceT&& workspace, InT in, OutT out, CountIteratorT num_selected, LengthT num_items,
                   EqualT equal = {}, cudaStream_t stream = nullptr) {
    const cudaStream_t resolved_stream = detail::stream_of(equal, stream);
    return detail::call_in(workspace, resolved_stream, [&](void* temp, std::size_t& bytes) {
        return compaction::cuda::unique(temp, bytes, in, out, num_selected, num_items,
                                        detail::equality_of(equal), resolved_stream);
    });
}

/// Keeps the first item of every run, in place. Items of 4, 8 or 16 bytes behind a pointer, compared by ==,
/// need no further array if their type is aligned to their size and the host knows the length. Otherwise the
/// temporary storage also holds num_items items, which are copied back.
template <typename DataT, typename CountIteratorT, typename LengthT, typename EqualT = detail::DefaultEqual,
          typename = std::enable_if_t<detail::is_length<LengthT> && !detail::is_length<CountIteratorT>>>
cudaError_t unique(void* temp, std::size_t& temp_bytes, DataT data, CountIteratorT num_selected,
                   LengthT num_items, EqualT equal = {}, cudaStream_t stream = nullptr) {
    const auto compare = detail::equality_of(equal);
    const cudaStream_t resolved_stream = detail::stream_of(equal, stream);
    auto array = detail::unwrap(data);
    auto* const count = detail::unwrap(num_selected);
    const std::uint64_t max_items = detail::as_length(num_items).max_items;
    using Item = detail::ItemOf<DataT>;
    using Array = decltype(array);
    using Compare = std::remove_const_t<decltype(compare)>;
    using Selector = detail::FirstOfRun<Item, Compare>;
    if constexpr (!detail::is_device_length<LengthT> && std::is_same_v<Compare, detail::DefaultEqual> &&
                  detail::types_have_fast_path<Array, Array, decltype(count), Selector>() &&
                  detail::is_vector_item<Item> && detail::is_aligned_select_item<Item>) {
        const Item* const in = array;
        return detail::select_with_storage(temp, temp_bytes, in, array, count, max_items,
                                           detail::InPlace<Selector>{{in, compare}}, resolved_stream);
    } else {
        return detail::call_and_copy_back(
            temp, temp_bytes, array, max_items, device_length(count, max_items), resolved_stream,
            [&](void* storage, std::size_t& bytes, Item* firsts) {
                return compaction::cuda::unique(storage, bytes, array, firsts, count, num_items, compare,
                                                resolved_stream);
            });
    }
}

/// Overload with a workspace instead of temporary storage.
template <typename WorkspaceT, typename DataT, typename CountIteratorT, typename LengthT,
          typename EqualT = detail::DefaultEqual,
          typename = std::enable_if_t<detail::is_workspace<WorkspaceT> && detail::is_length<LengthT> &&
                                      !detail::is_length<CountIteratorT>>>
cudaError_t unique(WorkspaceT&& workspace, DataT data, CountIteratorT num_selected, LengthT num_items,
                   EqualT equal = {}, cudaStream_t stream = nullptr) {
    const cudaStream_t resolved_stream = detail::stream_of(equal, stream);
    return detail::call_in(workspace, resolved_stream, [&](void* temp, std::size_t& bytes) {
        return compaction::cuda::unique(temp, bytes, data, num_selected, num_items,
                                        detail::equality_of(equal), resolved_stream);
    });
}

/// Copies the first key of every run of equal keys, and the value that belongs to it.
template <typename KeysT, typename ValuesT, typename KeysOutT, typename ValuesOutT, typename CountIteratorT,
          typename LengthT, typename EqualT = detail::DefaultEqual,
          typename = std::enable_if_t<detail::is_length<LengthT>>>
cudaError_t unique_by_key(void* temp, std::size_t& temp_bytes, KeysT keys, ValuesT values, KeysOutT keys_out,
                          ValuesOutT values_out, CountIteratorT num_selected, LengthT num_items,
                          EqualT equal = {}, cudaStream_t stream = nullptr) {
    const auto length = detail::as_length(num_items);
    const auto compare = detail::equality_of(equal);
    const cudaStream_t resolved_stream = detail::stream_of(equal, stream);
    const auto by_mask = [&](std::size_t& needed, const auto& num_keys) {
        using MarkT = detail::MarkUnique<KeysT, std::remove_const_t<decltype(compare)>>;
        return detail::select_masked(temp, needed, MarkT{keys, compare}, num_keys, num_selected,
                                     resolved_stream, detail::ItemColumn<KeysT, KeysOutT>{keys, keys_out},
                                     detail::ItemColumn<ValuesT, ValuesOutT>{values, values_out});
    };
    if constexpr (detail::needs_mask<KeysOutT, LengthT> || detail::is_padded<ValuesOutT> ||
                  !detail::fits_cub<KeysT, ValuesT>) {
        return by_mask(temp_bytes, length);
    } else {
        if (temp && (detail::begins_within(keys_out, length, keys, values) ||
                     detail::begins_within(values_out, length, keys, values)))
            return cudaErrorInvalidValue;
        const auto by_cub = [&](std::size_t& needed) {
            return detail::cub_dispatch(
                temp, needed, num_selected, length.max_items,
                [&](void* storage, std::size_t& bytes) {
                    return cub::DeviceSelect::UniqueByKey(
                        storage, bytes, keys, values, keys_out, values_out, num_selected,
                        static_cast<std::int64_t>(length.max_items), compare, resolved_stream);
                },
                keys, values);
        };
        if constexpr (detail::is_faster_keyed_by_mask<KeysT, KeysOutT, ValuesT, ValuesOutT>()) {
            // CUB takes more keys than the count can hold. The storage suffices for as many as it can hold.
            const std::uint64_t counted = std::min(length.max_items, detail::max_counted<CountIteratorT>());
            const bool fits_mask = length.max_items >= detail::min_masked_keys && length.max_items == counted;
            return detail::call_fast_or_other(
                temp, temp_bytes, fits_mask,
                [&](std::size_t& needed) { return by_mask(needed, detail::as_length(counted)); }, by_cub);
        } else {
            return by_cub(temp_bytes);
        }
    }
}

/// Overload with a workspace instead of temporary storage.
template <typename WorkspaceT, typename KeysT, typename ValuesT, typename KeysOutT, typename ValuesOutT,
          typename CountIteratorT, typename LengthT, typename EqualT = detail::DefaultEqual,
          typename = std::enable_if_t<detail::is_workspace<WorkspaceT> && detail::is_length<LengthT>>>
cudaError_t unique_by_key(WorkspaceT&& workspace, KeysT keys, ValuesT values, KeysOutT keys_out,
                          ValuesOutT values_out, CountIteratorT num_selected, LengthT num_items,
                          EqualT equal = {}, cudaStream_t stream = nullptr) {
    const cudaStream_t resolved_stream = detail::stream_of(equal, stream);
    return detail::call_in(workspace, resolved_stream, [&](void* temp, std::size_t& bytes) {
        return compaction::cuda::unique_by_key(temp, bytes, keys, values, keys_out, values_out, num_selected,
                                               num_items, detail::equality_of(equal), resolved_stream);
    });
}

}  // namespace COMPACTION_ARCHITECTURES

}  // namespace compaction::cuda
