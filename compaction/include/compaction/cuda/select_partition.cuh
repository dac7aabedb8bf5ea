#pragma once

#include <cub/device/device_partition.cuh>

#include "compaction/cuda/detail/architectures.cuh"
#include "compaction/cuda/detail/cub_dispatch.cuh"
#include "compaction/cuda/detail/in_place.cuh"

/// Partition: the selected items and the others, in one output or in two, or three parts in three outputs.
///
/// The kernels of select.cuh partition where pointers fit them. Otherwise a mask (detail/mask.cuh) selects
/// each part: for a length on the device, items without a default constructor, and two outputs. CUB, slow to
/// compile, serves the rest.
///
/// Arguments of all functions, besides those of select_iterators.cuh:
/// - out: [num_items]. The selected items are at its front, in order; the others are at its back, in reverse
///   order.
/// - selected_out: [*num_selected], and rejected_out: the length less *num_selected, instead of `out`. Both
/// are
///   in order and must not overlap each other. One of them may be null if its part is empty.
/// - first_out: [num_selected[0]], second_out: [num_selected[1]], and rest_out: the length less both, instead
///   of `out`. All are in order and must overlap neither each other nor num_selected. Those of empty parts
///   may be null.
/// - data: [num_items] device memory or an iterator, in the place of `in` and `out`: the input, which the
///   output replaces. The temporary storage then also holds num_items items, which are copied back, and
///   num_items is an integer.
/// - num_items: an integer from 0 to 2^40, or a `device_length`. With a `device_length`, `out` is filled up
///   to that length, which may be less than max_items.
/// - workspace: a SelectState after `reserve_for`, or a memory resource (select_workspace.cuh).
namespace compaction::cuda {

namespace detail {

/// Selects the items that a predicate rejects.
template <typename PredicateT>
struct NotIf {
    PredicateT predicate;

    template <typename ItemT>
    __device__ bool operator()(const ItemT& item) const {
        return !call_predicate(predicate, item);
    }
};

/// Selects the items that `first` rejects and `second` accepts.
template <typename FirstT, typename SecondT>
struct SecondIf {
    FirstT first;
    SecondT second;

    template <typename ItemT>
    __device__ bool operator()(const ItemT& item) const {
        return !call_predicate(first, item) && call_predicate(second, item);
    }
};

/// An output iterator that discards the number of selected items.
struct NoCount {
    __device__ NoCount& operator*() { return *this; }
    __device__ void operator=(std::uint64_t) {}
};

/// Writes the selected items backwards, from index `length` - 1 on.
template <typename InT, typename OutT, typename LengthT>
struct BackColumn : ItemColumn<InT, OutT> {
    using Items = ItemColumn<InT, OutT>;
    LengthT length;

    __device__ void store(std::uint64_t rank, unsigned part, const typename Items::Loaded& loaded) {
        Items::store(length.num_items() - 1 - rank, part, loaded);
    }
    /// Items are stored backwards, so this counts from the end of a line.
    __device__ unsigned into_line(std::uint64_t rank) const {
        constexpr unsigned line_parts = parts_of_line<OutT, Items::parts>();
        return (line_parts - Items::into_line(length.num_items() - rank)) % line_parts;
    }
};

/// Whether an address is a multiple of the size of an item.
template <typename ItemT>
bool is_item_aligned(const ItemT* items) {
    return reinterpret_cast<std::uintptr_t>(items) % sizeof(ItemT) == 0;
}

inline namespace COMPACTION_ARCHITECTURES {

/// Partitions by a predicate on `marks`, up to a length on the device. The count is written last, because it
/// may share memory with the length. `rejected`: the column of the rejected items.
template <typename MarksT, typename InT, typename OutT, typename RejectedT, typename CountIteratorT,
          typename LengthT, typename PredicateT>
cudaError_t partition_masked(void* temp, std::size_t& temp_bytes, MarksT marks, InT in, OutT out,
                             const RejectedT& rejected, CountIteratorT num_selected, const LengthT& length,
                             PredicateT predicate, cudaStream_t stream) {
    const ItemColumn<InT, OutT> selected{in, out};
    if (cannot_count<CountIteratorT>(length) || (temp && is_null(num_selected))) return cudaErrorInvalidValue;
    if (temp && are_invalid_columns(length, marks, selected, rejected)) return cudaErrorInvalidValue;
    const cudaError_t error = select_masked(temp, temp_bytes, MarkIf{marks, NotIf<PredicateT>{predicate}},
                                            length, NoCount{}, stream, rejected);
    if (error || !temp) return error;
    return select_masked(temp, temp_bytes, MarkIf{marks, predicate}, length, num_selected, stream, selected);
}

/// Partitions by the kernels of select.cuh if the arguments fit them, else by `other(temp_bytes)`. The
/// rejected items go forwards from `rejected` on, or backwards from the item before it.
template <bool Backwards, typename InT, typename OutT, typename CountIteratorT, typename SelectorT,
          typename OtherT>
cudaError_t partition_fast_or_other(void* temp, std::size_t& temp_bytes, InT in, OutT out,
                                    [[maybe_unused]] OutT rejected, CountIteratorT num_selected,
                                    std::uint64_t num_items, [[maybe_unused]] const SelectorT& selector,
                                    cudaStream_t stream, OtherT other) {
    if constexpr (types_have_fast_path<InT, OutT, CountIteratorT, SelectorT>() &&
                  is_vector_item<ItemOf<OutT>>) {
        using Item = ItemOf<OutT>;
        if (temp && !is_item_aligned(rejected)) return other(temp_bytes);
        return select_fast_or_other(temp, temp_bytes, in, out, num_selected, num_items,
                                    Partitioned<SelectorT, Item, Backwards>{selector, rejected}, stream,
                                    other);
    } else {
        return other(temp_bytes);
    }
}

/// Partitions into one output. `call(storage, bytes, num_items)` calls CUB. It is generic, so that CUB is
/// compiled only where it is called.
template <typename InT, typename MarksT, typename OutT, typename CountIteratorT, typename LengthT,
          typename PredicateT, typename SelectorT, typename CallT>
cudaError_t partition_into_one(void* temp, std::size_t& temp_bytes, InT in, MarksT marks, OutT out,
                               CountIteratorT num_selected, LengthT num_items, PredicateT predicate,
                               const SelectorT& selector, cudaStream_t stream, [[maybe_unused]] CallT call) {
    const auto length = as_length(num_items);
    const std::uint64_t items = length.max_items;
    const auto by_cub_or_mask = [&](std::size_t& needed) {
        if constexpr (is_device_length<LengthT> || !fits_cub<InT, MarksT>) {
            using Length = std::remove_const_t<decltype(length)>;
            return partition_masked(temp, needed, marks, in, out,
                                    BackColumn<InT, OutT, Length>{{in, out}, length}, num_selected, length,
                                    predicate, stream);
        } else {
            return cub_dispatch(
                temp, needed, num_selected, items,
                [&](void* storage, std::size_t& bytes) {
                    return call(storage, bytes, static_cast<std::int64_t>(items));
                },
                in, marks, out);
        }
    };
    if constexpr (is_device_length<LengthT>) {
        return by_cub_or_mask(temp_bytes);
    } else {
        if (temp && ((items > 0 && is_null(out)) || begins_within(out, length, in, marks) ||
                     range_of(num_selected, 1).overlaps(range_of(out, items))))
            return cudaErrorInvalidValue;
        OutT end = out;
        if constexpr (std::is_pointer_v<OutT>) end = out ? out + items : out;
        return partition_fast_or_other</*Backwards=*/true>(temp, temp_bytes, in, out, end, num_selected,
                                                           items, selector, stream, by_cub_or_mask);
    }
}

/// Partitions into two outputs.
template <typename InT, typename MarksT, typename OutT, typename RejectedT, typename CountIteratorT,
          typename LengthT, typename PredicateT, typename SelectorT>
cudaError_t partition_into_two(void* temp, std::size_t& temp_bytes, InT in, MarksT marks, OutT out,
                               RejectedT rejected, CountIteratorT num_selected, LengthT num_items,
                               PredicateT predicate, const SelectorT& selector, cudaStream_t stream) {
    const auto length = as_length(num_items);
    if (temp && (begins_within(out, length, in, marks) || begins_within(rejected, length, in, marks) ||
                 range_of(rejected, 1).overlaps(range_of(out, 1)) ||
                 range_of(rejected, 1).overlaps(range_of(num_selected, 1))))
        return cudaErrorInvalidValue;
    const auto by_mask = [&](std::size_t& needed) {
        return partition_masked(temp, needed, marks, in, out, ItemColumn<InT, RejectedT>{in, rejected},
                                num_selected, length, predicate, stream);
    };
    if constexpr (is_device_length<LengthT> || !std::is_same_v<OutT, RejectedT>) {
        return by_mask(temp_bytes);
    } else {
        return partition_fast_or_other</*Backwards=*/false>(temp, temp_bytes, in, out, rejected, num_selected,
                                                            length.max_items, selector, stream, by_mask);
    }
}

/// Partitions in place: `call(temp, temp_bytes, out)` partitions `data` into `out`, which is copied back.
template <typename LengthT, typename DataT, typename CallT>
cudaError_t partition_in_place(void* temp, std::size_t& temp_bytes, const DataT& data,
                               [[maybe_unused]] LengthT num_items, cudaStream_t stream, CallT call) {
    static_assert(!is_device_length<LengthT>, "a partition in place needs a length that the host knows");
    const HostLength length = as_length(num_items);
    return call_and_copy_back(temp, temp_bytes, unwrap(data), length.max_items, length, stream, call);
}

/// Partitions into three parts. num_selected[0] is written last.
template <typename InT, typename FirstT, typename SecondT, typename RestT, typename CountIteratorT,
          typename LengthT, typename IsFirstT, typename IsSecondT>
cudaError_t partition_masked(void* temp, std::size_t& temp_bytes, InT in, FirstT first_out,
                             SecondT second_out, RestT rest_out, CountIteratorT num_selected,
                             const LengthT& length, IsFirstT is_first, IsSecondT is_second,
                             cudaStream_t stream) {
    const ItemColumn<InT, FirstT> first{in, first_out};
    const ItemColumn<InT, SecondT> second{in, second_out};
    const ItemColumn<InT, RestT> rest{in, rest_out};
    if (cannot_count<CountIteratorT>(length) || (temp && is_null(num_selected))) return cudaErrorInvalidValue;
    if (temp && are_invalid_columns(length, in, first, second, rest)) return cudaErrorInvalidValue;
    using IsRest = SecondIf<IsFirstT, NotIf<IsSecondT>>;
    cudaError_t error = select_masked(temp, temp_bytes, MarkIf{in, IsRest{is_first, {is_second}}}, length,
                                      NoCount{}, stream, rest);
    if (error || !temp) return error;
    error = select_masked(temp, temp_bytes, MarkIf{in, SecondIf<IsFirstT, IsSecondT>{is_first, is_second}},
                          length, num_selected + 1, stream, second);
    if (error) return error;
    return select_masked(temp, temp_bytes, MarkIf{in, is_first}, length, num_selected, stream, first);
}

/// Whether an output of a partition into three begins in the input, in another output or in the counts, or a
/// count is in the input. How much of an output is written is unknown here, so only its first item counts.
template <typename InT, typename CountIteratorT, typename... OutsT>
bool are_invalid_outputs(InT in, CountIteratorT num_selected, std::uint64_t num_items, OutsT... outs) {
    const Range arrays[]{range_of(in, num_items), range_of(num_selected, 2), range_of(outs, 1)...};
    for (const Range& array : arrays)
        for (const Range& other : arrays)
            if (&other != &array && array.overlaps(other)) return true;
    return false;
}

/// Partitions into three outputs by the kernels of select.cuh if the arguments fit them, else by
/// `other(temp_bytes)`.
template <typename InT, typename FirstT, typename SecondT, typename RestT, typename CountIteratorT,
          typename IsFirstT, typename IsSecondT, typename OtherT>
cudaError_t partition_into_three(void* temp, std::size_t& temp_bytes, InT in, FirstT first_out,
                                 [[maybe_unused]] SecondT second_out, [[maybe_unused]] RestT rest_out,
                                 CountIteratorT num_selected, std::uint64_t num_items,
                                 [[maybe_unused]] IsFirstT is_first, [[maybe_unused]] IsSecondT is_second,
                                 cudaStream_t stream, OtherT other) {
    if (temp && are_invalid_outputs(in, num_selected, num_items, first_out, second_out, rest_out))
        return cudaErrorInvalidValue;
    if constexpr (std::is_pointer_v<FirstT> && std::is_same_v<SecondT, FirstT> &&
                  std::is_same_v<RestT, FirstT>) {
        using Item = std::remove_pointer_t<FirstT>;
        if (temp && !is_item_aligned(second_out)) return other(temp_bytes);
        const TwoParts<ByPredicate<IsFirstT>, ByPredicate<IsSecondT>, Item> selector{
            {is_first}, {is_second}, second_out};
        return partition_fast_or_other</*Backwards=*/false>(temp, temp_bytes, in, first_out, rest_out,
                                                            num_selected, num_items, selector, stream, other);
    } else {
        return other(temp_bytes);
    }
}

}  // namespace COMPACTION_ARCHITECTURES

}  // namespace detail

inline namespace COMPACTION_ARCHITECTURES {

/// Partitions by a predicate.
template <typename InT, typename OutT, typename CountIteratorT, typename LengthT, typename PredicateT,
          typename = std::enable_if_t<detail::is_length<LengthT>>>
cudaError_t partition_if(void* temp, std::size_t& temp_bytes, InT in, OutT out, CountIteratorT num_selected,
                         LengthT num_items, PredicateT predicate, cudaStream_t stream = nullptr) {
    return detail::partition_into_one(
        temp, temp_bytes, detail::unwrap(in), detail::unwrap(in), detail::unwrap(out),
        detail::unwrap(num_selected), num_items, predicate, detail::ByPredicate<PredicateT>{predicate},
        stream, [&](void* storage, std::size_t& bytes, auto items) {
            return cub::DevicePartition::If(storage, bytes, in, out, num_selected, items, predicate, stream);
        });
}

/// Overload with a workspace instead of temporary storage.
template <typename WorkspaceT, typename InT, typename OutT, typename CountIteratorT, typename LengthT,
          typename PredicateT,
          typename = std::enable_if_t<detail::is_workspace<WorkspaceT> && detail::is_length<LengthT>>>
cudaError_t partition_if(WorkspaceT&& workspace, InT in, OutT out, CountIteratorT num_selected,
                         LengthT num_items, PredicateT predicate, cudaStream_t stream = nullptr) {
    return detail::call_in(workspace, stream, [&](void* temp, std::size_t& bytes) {
        return compaction::cuda::partition_if(temp, bytes, in, out, num_selected, num_items, predicate,
                                              stream);
    });
}

/// Partitions by a predicate, in place.
template <typename DataT, typename CountIteratorT, typename LengthT, typename PredicateT,
          typename = std::enable_if_t<detail::is_length<LengthT> && !detail::is_length<CountIteratorT>>>
cudaError_t partition_if(void* temp, std::size_t& temp_bytes, DataT data, CountIteratorT num_selected,
                         LengthT num_items, PredicateT predicate, cudaStream_t stream = nullptr) {
    return detail::partition_in_place<LengthT>(
        temp, temp_bytes, data, num_items, stream, [&](void* storage, std::size_t& bytes, auto* out) {
            return compaction::cuda::partition_if(storage, bytes, data, out, num_selected, num_items,
                                                  predicate, stream);
        });
}

/// Overload with a workspace instead of temporary storage.
template <typename WorkspaceT, typename DataT, typename CountIteratorT, typename LengthT, typename PredicateT,
          typename = std::enable_if_t<detail::is_workspace<WorkspaceT> && detail::is_length<LengthT> &&
                                      !detail::is_length<CountIteratorT>>>
cudaError_t partition_if(WorkspaceT&& workspace, DataT data, CountIteratorT num_selected, LengthT num_items,
                         PredicateT predicate, cudaStream_t stream = nullptr) {
    return detail::call_in(workspace, stream, [&](void* temp, std::size_t& bytes) {
        return compaction::cuda::partition_if(temp, bytes, data, num_selected, num_items, predicate, stream);
    });
}

/// Partitions by flags.
template <typename InT, typename FlagsT, typename OutT, typename CountIteratorT, typename LengthT,
          typename = std::enable_if_t<detail::is_length<LengthT> && !detail::is_length<CountIteratorT>>>
cudaError_t partition_flagged(void* temp, std::size_t& temp_bytes, InT in, FlagsT flags, OutT out,
                              CountIteratorT num_selected, LengthT num_items, cudaStream_t stream = nullptr) {
    return detail::partition_into_one(
        temp, temp_bytes, detail::unwrap(in), detail::unwrap(flags), detail::unwrap(out),
        detail::unwrap(num_selected), num_items, detail::IsSet{}, detail::by_flag(detail::unwrap(flags)),
        stream, [&](void* storage, std::size_t& bytes, auto items) {
            return cub::DevicePartition::Flagged(storage, bytes, in, flags, out, num_selected, items, stream);
        });
}

/// Overload with a workspace instead of temporary storage.
template <typename WorkspaceT, typename InT, typename FlagsT, typename OutT, typename CountIteratorT,
          typename LengthT,
          typename = std::enable_if_t<detail::is_workspace<WorkspaceT> && detail::is_length<LengthT> &&
                                      !detail::is_length<CountIteratorT>>>
cudaError_t partition_flagged(WorkspaceT&& workspace, InT in, FlagsT flags, OutT out,
                              CountIteratorT num_selected, LengthT num_items, cudaStream_t stream = nullptr) {
    return detail::call_in(workspace, stream, [&](void* temp, std::size_t& bytes) {
        return compaction::cuda::partition_flagged(temp, bytes, in, flags, out, num_selected, num_items,
                                                   stream);
    });
}

/// Partitions by flags, in place.
template <typename DataT, typename FlagsT, typename CountIteratorT, typename LengthT,
          typename = std::enable_if_t<detail::is_length<LengthT> && !detail::is_length<CountIteratorT>>>
cudaError_t partition_flagged(void* temp, std::size_t& temp_bytes, DataT data, FlagsT flags,
                              CountIteratorT num_selected, LengthT num_items, cudaStream_t stream = nullptr) {
    return detail::partition_in_place<LengthT>(
        temp, temp_bytes, data, num_items, stream, [&](void* storage, std::size_t& bytes, auto* out) {
            return compaction::cuda::partition_flagged(storage, bytes, data, flags, out, num_selected,
                                                       num_items, stream);
        });
}

/// Overload with a workspace instead of temporary storage.
template <typename WorkspaceT, typename DataT, typename FlagsT, typename CountIteratorT, typename LengthT,
          typename = std::enable_if_t<detail::is_workspace<WorkspaceT> && detail::is_length<LengthT> &&
                                      !detail::is_length<CountIteratorT>>>
cudaError_t partition_flagged(WorkspaceT&& workspace, DataT data, FlagsT flags, CountIteratorT num_selected,
                              LengthT num_items, cudaStream_t stream = nullptr) {
    return detail::call_in(workspace, stream, [&](void* temp, std::size_t& bytes) {
        return compaction::cuda::partition_flagged(temp, bytes, data, flags, num_selected, num_items, stream);
    });
}

/// Partitions by a predicate into two outputs.
template <typename InT, typename OutT, typename RejectedT, typename CountIteratorT, typename LengthT,
          typename PredicateT, typename = std::enable_if_t<detail::is_length<LengthT>>>
cudaError_t partition_if(void* temp, std::size_t& temp_bytes, InT in, OutT selected_out,
                         RejectedT rejected_out, CountIteratorT num_selected, LengthT num_items,
                         PredicateT predicate, cudaStream_t stream = nullptr) {
    return detail::partition_into_two(temp, temp_bytes, detail::unwrap(in), detail::unwrap(in),
                                      detail::unwrap(selected_out), detail::unwrap(rejected_out),
                                      detail::unwrap(num_selected), num_items, predicate,
                                      detail::ByPredicate<PredicateT>{predicate}, stream);
}

/// Overload with a workspace instead of temporary storage.
template <typename WorkspaceT, typename InT, typename OutT, typename RejectedT, typename CountIteratorT,
          typename LengthT, typename PredicateT,
          typename = std::enable_if_t<detail::is_workspace<WorkspaceT> && detail::is_length<LengthT>>>
cudaError_t partition_if(WorkspaceT&& workspace, InT in, OutT selected_out, RejectedT rejected_out,
                         CountIteratorT num_selected, LengthT num_items, PredicateT predicate,
                         cudaStream_t stream = nullptr) {
    return detail::call_in(workspace, stream, [&](void* temp, std::size_t& bytes) {
        return compaction::cuda::partition_if(temp, bytes, in, selected_out, rejected_out, num_selected,
                                              num_items, predicate, stream);
    });
}

/// Partitions by flags into two outputs.
template <typename InT, typename FlagsT, typename OutT, typename RejectedT, typename CountIteratorT,
          typename LengthT,
          typename = std::enable_if_t<detail::is_length<LengthT> && !detail::is_length<CountIteratorT>>>
cudaError_t partition_flagged(void* temp, std::size_t& temp_bytes, InT in, FlagsT flags, OutT selected_out,
                              RejectedT rejected_out, CountIteratorT num_selected, LengthT num_items,
                              cudaStream_t stream = nullptr) {
    return detail::partition_into_two(temp, temp_bytes, detail::unwrap(in), detail::unwrap(flags),
                                      detail::unwrap(selected_out), detail::unwrap(rejected_out),
                                      detail::unwrap(num_selected), num_items, detail::IsSet{},
                                      detail::by_flag(detail::unwrap(flags)), stream);
}

/// Overload with a workspace instead of temporary storage.
template <typename WorkspaceT, typename InT, typename FlagsT, typename OutT, typename RejectedT,
          typename CountIteratorT, typename LengthT,
          typename = std::enable_if_t<detail::is_workspace<WorkspaceT> && detail::is_length<LengthT> &&
                                      !detail::is_length<CountIteratorT>>>
cudaError_t partition_flagged(WorkspaceT&& workspace, InT in, FlagsT flags, OutT selected_out,
                              RejectedT rejected_out, CountIteratorT num_selected, LengthT num_items,
                              cudaStream_t stream = nullptr) {
    return detail::call_in(workspace, stream, [&](void* temp, std::size_t& bytes) {
        return compaction::cuda::partition_flagged(temp, bytes, in, flags, selected_out, rejected_out,
                                                   num_selected, num_items, stream);
    });
}

/// Partitions into three outputs, each in order: the items for which is_first returns true, the others for
/// which is_second returns true, and the rest. num_selected: [2], of the first and of the second output.
template <typename InT, typename FirstT, typename SecondT, typename RestT, typename CountIteratorT,
          typename LengthT, typename IsFirstT, typename IsSecondT,
          typename = std::enable_if_t<detail::is_length<LengthT>>>
cudaError_t partition_if(void* temp, std::size_t& temp_bytes, InT in, FirstT first_out, SecondT second_out,
                         RestT rest_out, CountIteratorT num_selected, LengthT num_items, IsFirstT is_first,
                         IsSecondT is_second, cudaStream_t stream = nullptr) {
    if constexpr (detail::is_device_length<LengthT> || !detail::fits_cub<InT>) {
        return detail::partition_masked(temp, temp_bytes, in, first_out, second_out, rest_out, num_selected,
                                        detail::as_length(num_items), is_first, is_second, stream);
    } else {
        const std::uint64_t items = detail::as_length(num_items).max_items;
        const auto by_cub = [&](std::size_t& needed) {
            return detail::cub_dispatch(
                temp, needed, num_selected, items,
                [&](void* storage, std::size_t& bytes) {
                    return cub::DevicePartition::If(storage, bytes, in, first_out, second_out, rest_out,
                                                    num_selected, static_cast<std::int64_t>(items), is_first,
                                                    is_second, stream);
                },
                in);
        };
        return detail::partition_into_three(temp, temp_bytes, detail::unwrap(in), detail::unwrap(first_out),
                                            detail::unwrap(second_out), detail::unwrap(rest_out),
                                            detail::unwrap(num_selected), items, is_first, is_second, stream,
                                            by_cub);
    }
}

/// Overload with a workspace instead of temporary storage.
template <typename WorkspaceT, typename InT, typename FirstT, typename SecondT, typename RestT,
          typename CountIteratorT, typename LengthT, typename IsFirstT, typename IsSecondT,
          typename = std::enable_if_t<detail::is_workspace<WorkspaceT> && detail::is_length<LengthT>>>
cudaError_t partition_if(WorkspaceT&& workspace, InT in, FirstT first_out, SecondT second_out, RestT rest_out,
                         CountIteratorT num_selected, LengthT num_items, IsFirstT is_first,
                         IsSecondT is_second, cudaStream_t stream = nullptr) {
    return detail::call_in(workspace, stream, [&](void* temp, std::size_t& bytes) {
        return compaction::cuda::partition_if(temp, bytes, in, first_out, second_out, rest_out, num_selected,
                                              num_items, is_first, is_second, stream);
    });
}

}  // namespace COMPACTION_ARCHITECTURES

}  // namespace compaction::cuda
