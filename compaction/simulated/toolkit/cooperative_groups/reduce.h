#pragma once

#include <algorithm>

#include <cooperative_groups.h>

/// Stands in for the toolkit's header of this name.
namespace cooperative_groups {

template <typename T>
struct plus {
    T operator()(const T& a, const T& b) const { return a + b; }
};
template <typename T>
struct less {
    T operator()(const T& a, const T& b) const { return std::min(a, b); }
};
template <typename T>
struct greater {
    T operator()(const T& a, const T& b) const { return std::max(a, b); }
};
template <typename T>
struct bit_and {
    T operator()(const T& a, const T& b) const { return a & b; }
};
template <typename T>
struct bit_or {
    T operator()(const T& a, const T& b) const { return a | b; }
};
template <typename T>
struct bit_xor {
    T operator()(const T& a, const T& b) const { return a ^ b; }
};

/// Combines the values of all lanes of the group, in the order of their ranks.
template <typename T, typename OperatorT>
T reduce(const lane_group& group, T value, OperatorT combine, const Site& site = Site::current()) {
    T all = group.shfl(value, 0, site);
    for (unsigned rank = 1; rank < group.num_threads(); ++rank)
        all = combine(all, group.shfl(value, rank, site));
    return all;
}

}  // namespace cooperative_groups
