#pragma once

#include <cub/device/device_partition.cuh>

#include "compaction/cuda/detail/delegate.cuh"

/// Partition: the selected items first, then the others. Passed to cub::DevicePartition, whose source takes
/// long to compile.
///
/// Arguments of all functions, beside those of select_iterators.cuh:
/// - out: [num_items]. The selected items are at its front, in order; the others are at its back, in reverse
///   order.
/// - num_items: an integer from 0 to 2^40. Lengths on the device are not supported.
/// - workspace: a SelectState after `reserve_for`, or a memory resource (select_workspace.cuh).
namespace compaction::cuda {

/// Partitions by a predicate.
template <typename InT, typename OutT, typename CountIteratorT, typename LengthT, typename PredicateT,
          typename = std::enable_if_t<std::is_integral_v<LengthT>>>
cudaError_t partition_if(void* temp, std::size_t& temp_bytes, InT in, OutT out, CountIteratorT num_selected,
                         LengthT num_items, PredicateT predicate, cudaStream_t stream = nullptr) {
    const std::uint64_t items = detail::as_length(num_items).max_items;
    return detail::delegate(
        temp, temp_bytes, in, num_selected, items, [&](void* storage, std::size_t& bytes) {
            return cub::DevicePartition::If(storage, bytes, in, out, num_selected,
                                            static_cast<std::int64_t>(items), predicate, stream);
        });
}

/// The same with a workspace.
template <typename WorkspaceT, typename InT, typename OutT, typename CountIteratorT, typename LengthT,
          typename PredicateT,
          typename = std::enable_if_t<detail::is_workspace<WorkspaceT> && std::is_integral_v<LengthT>>>
cudaError_t partition_if(WorkspaceT& workspace, InT in, OutT out, CountIteratorT num_selected,
                         LengthT num_items, PredicateT predicate, cudaStream_t stream = nullptr) {
    return detail::call_in(workspace, stream, [&](void* temp, std::size_t& bytes) {
        return partition_if(temp, bytes, in, out, num_selected, num_items, predicate, stream);
    });
}

/// Partitions by flags.
template <typename InT, typename FlagsT, typename OutT, typename CountIteratorT, typename LengthT,
          typename = std::enable_if_t<std::is_integral_v<LengthT>>>
cudaError_t partition_flagged(void* temp, std::size_t& temp_bytes, InT in, FlagsT flags, OutT out,
                              CountIteratorT num_selected, LengthT num_items, cudaStream_t stream = nullptr) {
    const std::uint64_t items = detail::as_length(num_items).max_items;
    return detail::delegate(
        temp, temp_bytes, in, num_selected, items, [&](void* storage, std::size_t& bytes) {
            return cub::DevicePartition::Flagged(storage, bytes, in, flags, out, num_selected,
                                                 static_cast<std::int64_t>(items), stream);
        });
}

/// The same with a workspace.
template <typename WorkspaceT, typename InT, typename FlagsT, typename OutT, typename CountIteratorT,
          typename LengthT,
          typename = std::enable_if_t<detail::is_workspace<WorkspaceT> && std::is_integral_v<LengthT>>>
cudaError_t partition_flagged(WorkspaceT& workspace, InT in, FlagsT flags, OutT out,
                              CountIteratorT num_selected, LengthT num_items, cudaStream_t stream = nullptr) {
    return detail::call_in(workspace, stream, [&](void* temp, std::size_t& bytes) {
        return partition_flagged(temp, bytes, in, flags, out, num_selected, num_items, stream);
    });
}

/// Partitions into three outputs, each in order: the items of `first`, those of `second` that are not of
/// `first`, and the rest. num_selected: [2], of the first and of the second output.
template <typename InT, typename FirstT, typename SecondT, typename RestT, typename CountIteratorT,
          typename LengthT, typename IsFirstT, typename IsSecondT,
          typename = std::enable_if_t<std::is_integral_v<LengthT>>>
cudaError_t partition_if(void* temp, std::size_t& temp_bytes, InT in, FirstT first_out, SecondT second_out,
                         RestT rest_out, CountIteratorT num_selected, LengthT num_items, IsFirstT is_first,
                         IsSecondT is_second, cudaStream_t stream = nullptr) {
    const std::uint64_t items = detail::as_length(num_items).max_items;
    return detail::delegate(
        temp, temp_bytes, in, num_selected, items, [&](void* storage, std::size_t& bytes) {
            return cub::DevicePartition::If(storage, bytes, in, first_out, second_out, rest_out, num_selected,
                                            static_cast<std::int64_t>(items), is_first, is_second, stream);
        });
}

/// The same with a workspace.
template <typename WorkspaceT, typename InT, typename FirstT, typename SecondT, typename RestT,
          typename CountIteratorT, typename LengthT, typename IsFirstT, typename IsSecondT,
          typename = std::enable_if_t<detail::is_workspace<WorkspaceT> && std::is_integral_v<LengthT>>>
cudaError_t partition_if(WorkspaceT& workspace, InT in, FirstT first_out, SecondT second_out, RestT rest_out,
                         CountIteratorT num_selected, LengthT num_items, IsFirstT is_first,
                         IsSecondT is_second, cudaStream_t stream = nullptr) {
    return detail::call_in(workspace, stream, [&](void* temp, std::size_t& bytes) {
        return partition_if(temp, bytes, in, first_out, second_out, rest_out, num_selected, num_items,
                            is_first, is_second, stream);
    });
}

}  // namespace compaction::cuda
