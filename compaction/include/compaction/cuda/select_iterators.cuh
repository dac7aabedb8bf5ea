#pragma once

#include <cub/device/device_select.cuh>

#include "compaction/cuda/detail/architectures.cuh"
#include "compaction/cuda/detail/cub_dispatch.cuh"
#include "compaction/cuda/detail/in_place.cuh"
#include "compaction/cuda/select.cuh"

/// select_if, select_flagged and select_flagged_if for everything that CUB takes: iterators, items of any
/// trivially copyable type, an output of another type than the input, and selection in place. Also lengths on
/// the device and padded outputs (select_length.cuh).
///
/// The calls of select.cuh stay as they are. A call that fits them is compacted by their kernels, also with
/// contiguous iterators, with another iterator as input whose items have the type of the output's, or with
/// zip iterators over arrays as input and output; also in place, if the items have 4, 8 or 16 bytes. A mask
/// (detail/mask.cuh) serves a length on the device, a padded output, items of 32 bytes or more behind
/// pointers, and other items that have no default constructor. Everything else is passed to
/// cub::DeviceSelect, whose source takes long to compile. docs/reference/select.md has the table.
///
/// Arguments of all functions, besides those of select.cuh:
/// - in, flags: iterators that a GPU can read at [0, num_items); out: [*num_selected], assignable from an
///   item; num_selected: an iterator to one number.
/// - data: instead of `in` and `out`, for selection in place: [num_items], or [max_items] where the length is
///   on the device. The items after *num_selected are unspecified.
/// - num_items: an integer from 0 to 2^40, or a `device_length`. Where a CUB older than CCCL 3.1.3 selects in
///   place, at most 2^31 - 2^15: with more items, it may write outside the array.
/// - workspace: a SelectState, or a memory resource (select_workspace.cuh). A SelectState needs `reserve` for
///   the kernels of select.cuh, which write to another array, and `reserve_for` for the others.
namespace compaction::cuda {

inline namespace COMPACTION_ARCHITECTURES {

/// Selects by a predicate.
template <typename InT, typename OutT, typename CountIteratorT, typename LengthT, typename PredicateT,
          typename = std::enable_if_t<detail::is_length<LengthT>>>
cudaError_t select_if(void* temp, std::size_t& temp_bytes, InT in, OutT out, CountIteratorT num_selected,
                      LengthT num_items, PredicateT predicate, cudaStream_t stream = nullptr) {
    return detail::select_any(
        temp, temp_bytes, detail::unwrap(in), detail::unwrap(out), detail::unwrap(num_selected), num_items,
        detail::MarkIf{detail::unwrap(in), predicate}, detail::ByPredicate<PredicateT>{predicate}, stream,
        [&](void* storage, std::size_t& bytes, auto from, auto to, auto count, std::int64_t items) {
            return cub::DeviceSelect::If(storage, bytes, from, to, count, items, predicate, stream);
        });
}

/// Overload with a workspace instead of temporary storage.
template <typename WorkspaceT, typename InT, typename OutT, typename CountIteratorT, typename LengthT,
          typename PredicateT,
          typename = std::enable_if_t<detail::is_workspace<WorkspaceT> && detail::is_length<LengthT>>>
cudaError_t select_if(WorkspaceT&& workspace, InT in, OutT out, CountIteratorT num_selected,
                      LengthT num_items, PredicateT predicate, cudaStream_t stream = nullptr) {
    return detail::select_in_workspace(
        workspace, detail::unwrap(in), detail::unwrap(out), detail::unwrap(num_selected), num_items,
        detail::ByPredicate<PredicateT>{predicate}, stream, [&](void* temp, std::size_t& bytes) {
            return compaction::cuda::select_if(temp, bytes, in, out, num_selected, num_items, predicate,
                                               stream);
        });
}

/// Selects in place by a predicate.
template <typename DataT, typename CountIteratorT, typename LengthT, typename PredicateT,
          typename = std::enable_if_t<detail::is_length<LengthT>>>
cudaError_t select_if(void* temp, std::size_t& temp_bytes, DataT data, CountIteratorT num_selected,
                      LengthT num_items, PredicateT predicate, cudaStream_t stream = nullptr) {
    const auto items = static_cast<std::int64_t>(detail::as_length(num_items).max_items);
    return detail::select_in_place(temp, temp_bytes, detail::unwrap(data), detail::MarkIf{data, predicate},
                                   detail::ByPredicate<PredicateT>{predicate}, detail::unwrap(num_selected),
                                   num_items, stream, [&](void* storage, auto& bytes) {
                                       return cub::DeviceSelect::If(storage, bytes, data, num_selected, items,
                                                                    predicate, stream);
                                   });
}

/// Overload with a workspace instead of temporary storage.
template <typename WorkspaceT, typename DataT, typename CountIteratorT, typename LengthT, typename PredicateT,
          typename = std::enable_if_t<detail::is_workspace<WorkspaceT> && detail::is_length<LengthT>>>
cudaError_t select_if(WorkspaceT&& workspace, DataT data, CountIteratorT num_selected, LengthT num_items,
                      PredicateT predicate, cudaStream_t stream = nullptr) {
    return detail::call_in(workspace, stream, [&](void* temp, std::size_t& bytes) {
        return compaction::cuda::select_if(temp, bytes, data, num_selected, num_items, predicate, stream);
    });
}

/// Selects by flags.
template <typename InT, typename FlagsT, typename OutT, typename CountIteratorT, typename LengthT,
          typename = std::enable_if_t<detail::is_length<LengthT> && !detail::is_length<CountIteratorT>>>
cudaError_t select_flagged(void* temp, std::size_t& temp_bytes, InT in, FlagsT flags, OutT out,
                           CountIteratorT num_selected, LengthT num_items, cudaStream_t stream = nullptr) {
    const auto marks = detail::unwrap(flags);
    return detail::select_any(
        temp, temp_bytes, detail::unwrap(in), detail::unwrap(out), detail::unwrap(num_selected), num_items,
        detail::MarkIf{marks, detail::IsSet{}}, detail::by_flag(marks), stream,
        [&](void* storage, std::size_t& bytes, auto from, auto to, auto count, std::int64_t items) {
            return cub::DeviceSelect::Flagged(storage, bytes, from, marks, to, count, items, stream);
        });
}

/// Overload with a workspace instead of temporary storage.
template <typename WorkspaceT, typename InT, typename FlagsT, typename OutT, typename CountIteratorT,
          typename LengthT,
          typename = std::enable_if_t<detail::is_workspace<WorkspaceT> && detail::is_length<LengthT> &&
                                      !detail::is_length<CountIteratorT>>>
cudaError_t select_flagged(WorkspaceT&& workspace, InT in, FlagsT flags, OutT out,
                           CountIteratorT num_selected, LengthT num_items, cudaStream_t stream = nullptr) {
    return detail::select_in_workspace(
        workspace, detail::unwrap(in), detail::unwrap(out), detail::unwrap(num_selected), num_items,
        detail::by_flag(detail::unwrap(flags)), stream, [&](void* temp, std::size_t& bytes) {
            return compaction::cuda::select_flagged(temp, bytes, in, flags, out, num_selected, num_items,
                                                    stream);
        });
}

/// Selects in place by flags.
template <typename DataT, typename FlagsT, typename CountIteratorT, typename LengthT,
          typename = std::enable_if_t<detail::is_length<LengthT>>>
cudaError_t select_flagged(void* temp, std::size_t& temp_bytes, DataT data, FlagsT flags,
                           CountIteratorT num_selected, LengthT num_items, cudaStream_t stream = nullptr) {
    const auto items = static_cast<std::int64_t>(detail::as_length(num_items).max_items);
    return detail::select_in_place(
        temp, temp_bytes, detail::unwrap(data), detail::MarkIf{flags, detail::IsSet{}},
        detail::by_flag(detail::unwrap(flags)), detail::unwrap(num_selected), num_items, stream,
        [&](void* storage, auto& bytes) {
            return cub::DeviceSelect::Flagged(storage, bytes, data, flags, num_selected, items, stream);
        });
}

/// Overload with a workspace instead of temporary storage.
template <typename WorkspaceT, typename DataT, typename FlagsT, typename CountIteratorT, typename LengthT,
          typename = std::enable_if_t<detail::is_workspace<WorkspaceT> && detail::is_length<LengthT>>>
cudaError_t select_flagged(WorkspaceT&& workspace, DataT data, FlagsT flags, CountIteratorT num_selected,
                           LengthT num_items, cudaStream_t stream = nullptr) {
    return detail::call_in(workspace, stream, [&](void* temp, std::size_t& bytes) {
        return compaction::cuda::select_flagged(temp, bytes, data, flags, num_selected, num_items, stream);
    });
}

/// Selects the items for whose flag the predicate returns true.
template <typename InT, typename FlagsT, typename OutT, typename CountIteratorT, typename LengthT,
          typename PredicateT, typename = std::enable_if_t<detail::is_length<LengthT>>>
cudaError_t select_flagged_if(void* temp, std::size_t& temp_bytes, InT in, FlagsT flags, OutT out,
                              CountIteratorT num_selected, LengthT num_items, PredicateT predicate,
                              cudaStream_t stream = nullptr) {
    const auto marks = detail::unwrap(flags);
    return detail::select_any(
        temp, temp_bytes, detail::unwrap(in), detail::unwrap(out), detail::unwrap(num_selected), num_items,
        detail::MarkIf{marks, predicate}, detail::by_flag_if(marks, predicate), stream,
        [&](void* storage, std::size_t& bytes, auto from, auto to, auto count, std::int64_t items) {
            return cub::DeviceSelect::FlaggedIf(storage, bytes, from, marks, to, count, items, predicate,
                                                stream);
        });
}

/// Overload with a workspace instead of temporary storage.
template <typename WorkspaceT, typename InT, typename FlagsT, typename OutT, typename CountIteratorT,
          typename LengthT, typename PredicateT,
          typename = std::enable_if_t<detail::is_workspace<WorkspaceT> && detail::is_length<LengthT>>>
cudaError_t select_flagged_if(WorkspaceT&& workspace, InT in, FlagsT flags, OutT out,
                              CountIteratorT num_selected, LengthT num_items, PredicateT predicate,
                              cudaStream_t stream = nullptr) {
    return detail::select_in_workspace(
        workspace, detail::unwrap(in), detail::unwrap(out), detail::unwrap(num_selected), num_items,
        detail::by_flag_if(detail::unwrap(flags), predicate), stream, [&](void* temp, std::size_t& bytes) {
            return compaction::cuda::select_flagged_if(temp, bytes, in, flags, out, num_selected, num_items,
                                                       predicate, stream);
        });
}

/// Selects in place by flags and a predicate.
template <typename DataT, typename FlagsT, typename CountIteratorT, typename LengthT, typename PredicateT,
          typename = std::enable_if_t<detail::is_length<LengthT>>>
cudaError_t select_flagged_if(void* temp, std::size_t& temp_bytes, DataT data, FlagsT flags,
                              CountIteratorT num_selected, LengthT num_items, PredicateT predicate,
                              cudaStream_t stream = nullptr) {
    const auto items = static_cast<std::int64_t>(detail::as_length(num_items).max_items);
    return detail::select_in_place(
        temp, temp_bytes, detail::unwrap(data), detail::MarkIf{flags, predicate},
        detail::by_flag_if(detail::unwrap(flags), predicate), detail::unwrap(num_selected), num_items, stream,
        [&](void* storage, auto& bytes) {
            return cub::DeviceSelect::FlaggedIf(storage, bytes, data, flags, num_selected, items, predicate,
                                                stream);
        });
}

/// Overload with a workspace instead of temporary storage.
template <typename WorkspaceT, typename DataT, typename FlagsT, typename CountIteratorT, typename LengthT,
          typename PredicateT,
          typename = std::enable_if_t<detail::is_workspace<WorkspaceT> && detail::is_length<LengthT>>>
cudaError_t select_flagged_if(WorkspaceT&& workspace, DataT data, FlagsT flags, CountIteratorT num_selected,
                              LengthT num_items, PredicateT predicate, cudaStream_t stream = nullptr) {
    return detail::call_in(workspace, stream, [&](void* temp, std::size_t& bytes) {
        return compaction::cuda::select_flagged_if(temp, bytes, data, flags, num_selected, num_items,
                                                   predicate, stream);
    });
}

}  // namespace COMPACTION_ARCHITECTURES

}  // namespace compaction::cuda
