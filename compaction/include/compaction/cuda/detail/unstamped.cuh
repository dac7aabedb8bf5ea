#pragma once

#include <cstdint>

#include "compaction/warp_role.hpp"

/// What kernels call to record when their blocks run. Without a Stamped selector (stamped.cuh), they record
/// nothing.
namespace compaction::cuda::detail {

enum class BlockStart { at_once, after_wait };

/// Records nothing.
struct NoStamp {
    __device__ void begin() const {}
    __device__ unsigned long long begin_time() const { return 0; }
    __device__ void note_begin(unsigned long long) const {}
    __device__ void add_selected(unsigned) const {}
    __device__ void add_ticket(std::uint64_t, unsigned) const {}
    __device__ void note_posted(std::uint64_t) const {}
    __device__ void note_summed(std::uint64_t) const {}
    __device__ void forget_parts() const {}
    __device__ unsigned long long role_begin_time() const { return 0; }
    __device__ void note_role_end(WarpRole, unsigned, unsigned, unsigned long long) const {}
};

/// The stamp of a block with this selector, which records from its construction to its destruction.
template <typename SelectorT>
__device__ NoStamp stamp_block(const SelectorT&, BlockStart) {
    return {};
}

/// The type of stamp of a selector's kernel.
template <typename SelectorT>
struct StampOf {
    using type = NoStamp;
};

}  // namespace compaction::cuda::detail
