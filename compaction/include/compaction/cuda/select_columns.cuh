#pragma once

#include "compaction/cuda/detail/architectures.cuh"
#include "compaction/cuda/detail/select_masked.cuh"
#include "compaction/cuda/select_workspace.cuh"

/// Selection of the same rows from several arrays. The flags or items that decide are read once and become a
/// mask of one bit for each row; every column then reads the mask and its own selected items.
///
/// Arguments of all functions, besides those of select.cuh:
/// - flags, in: [num_items] device memory or an iterator; num_selected: [1] device memory or an iterator. No
///   output may overlap an input or another output.
/// - num_items: 0 to 2^40, or a `device_length` (select_length.cuh).
/// - columns: the results of `column`, one for each array. They are kernel parameters, so all together may
///   have at most 32,764 bytes, about two thousand pairs of pointers. In practice, compile time sets a lower
///   limit.
/// - workspace: a SelectState after `reserve_for`, or a memory resource (select_workspace.cuh).
///
/// Enqueues two kernels, or three for long streams, and one more for each padded output.
namespace compaction::cuda {

/// Pairs an array with the destination of its selected items. in: [num_items] device memory or an iterator,
/// with items of any trivially copyable type; out: [*num_selected] device memory, an iterator, or `padded`.
template <typename InT, typename OutT>
detail::ItemColumn<InT, OutT> column(InT in, OutT out) {
    return {in, out};
}

inline namespace COMPACTION_ARCHITECTURES {

/// Selects the rows whose flag is set.
template <typename FlagsT, typename CountIteratorT, typename LengthT, typename... InsT, typename... OutsT>
cudaError_t select_columns(void* temp, std::size_t& temp_bytes, FlagsT flags, CountIteratorT num_selected,
                           LengthT num_items, cudaStream_t stream,
                           const detail::ItemColumn<InsT, OutsT>&... columns) {
    return detail::select_masked(temp, temp_bytes, detail::MarkIf{flags, detail::IsSet{}},
                                 detail::as_length(num_items), num_selected, stream, columns...);
}

/// Overload with a workspace instead of temporary storage.
template <typename WorkspaceT, typename FlagsT, typename CountIteratorT, typename LengthT, typename... InsT,
          typename... OutsT, typename = std::enable_if_t<detail::is_workspace<WorkspaceT>>>
cudaError_t select_columns(WorkspaceT&& workspace, FlagsT flags, CountIteratorT num_selected,
                           LengthT num_items, cudaStream_t stream,
                           const detail::ItemColumn<InsT, OutsT>&... columns) {
    return detail::call_in(workspace, stream, [&](void* temp, std::size_t& bytes) {
        return compaction::cuda::select_columns(temp, bytes, flags, num_selected, num_items, stream,
                                                columns...);
    });
}

/// Selects the rows for whose item of `in` the predicate returns true. `in` may be a zip of several columns.
template <typename InT, typename CountIteratorT, typename LengthT, typename PredicateT, typename... InsT,
          typename... OutsT>
cudaError_t select_columns_if(void* temp, std::size_t& temp_bytes, InT in, CountIteratorT num_selected,
                              LengthT num_items, PredicateT predicate, cudaStream_t stream,
                              const detail::ItemColumn<InsT, OutsT>&... columns) {
    return detail::select_masked(temp, temp_bytes, detail::MarkIf{in, predicate},
                                 detail::as_length(num_items), num_selected, stream, columns...);
}

/// Overload with a workspace instead of temporary storage.
template <typename WorkspaceT, typename InT, typename CountIteratorT, typename LengthT, typename PredicateT,
          typename... InsT, typename... OutsT, typename = std::enable_if_t<detail::is_workspace<WorkspaceT>>>
cudaError_t select_columns_if(WorkspaceT&& workspace, InT in, CountIteratorT num_selected, LengthT num_items,
                              PredicateT predicate, cudaStream_t stream,
                              const detail::ItemColumn<InsT, OutsT>&... columns) {
    return detail::call_in(workspace, stream, [&](void* temp, std::size_t& bytes) {
        return compaction::cuda::select_columns_if(temp, bytes, in, num_selected, num_items, predicate,
                                                   stream, columns...);
    });
}

}  // namespace COMPACTION_ARCHITECTURES

}  // namespace compaction::cuda
