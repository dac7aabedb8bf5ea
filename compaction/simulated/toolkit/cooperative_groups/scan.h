#pragma once

#include <cooperative_groups/reduce.h>

/// Stands in for the toolkit's header of this name.
namespace cooperative_groups {

/// Combines the values of the lanes up to the caller, in the order of their ranks.
template <typename T, typename OperatorT = plus<T>>
T inclusive_scan(const lane_group& group, T value, OperatorT combine = {},
                 const Site& site = Site::current()) {
    for (unsigned distance = 1; distance < group.num_threads(); distance *= 2) {
        const T before = group.shfl_up(value, distance, site);
        if (group.thread_rank() >= distance) value = combine(before, value);
    }
    return value;
}
/// Combines the values of the lanes before the caller; T() for the first.
template <typename T, typename OperatorT = plus<T>>
T exclusive_scan(const lane_group& group, T value, OperatorT combine = {},
                 const Site& site = Site::current()) {
    const T before = group.shfl_up(inclusive_scan(group, value, combine, site), 1, site);
    return group.thread_rank() > 0 ? before : T();
}

}  // namespace cooperative_groups
