#pragma once

#include <cstdint>

#include "compaction/options.hpp"
#include "cpu/scalar_kernels.hpp"
#include "cpu/streamed_output.hpp"

namespace compaction::cpu {

/// Up to here choosing a layout and setting up vectors takes longer than going item by item.
inline constexpr std::uint64_t tiny_items = 64;

/// Whether nothing is asked of how a stream is shared out, so that a tiny one need not be.
inline bool leaves_sharing_open(const Options& asked) {
    return asked[Option::threads_per_block] == automatic && asked[Option::sequences] == automatic;
}

/// Copies the kept items of `in` [num_items] to `out`, in order, on the calling thread, and returns their
/// number. Writes nothing past the last of them. One pass; past the cache where the output might be longer
/// than it.
template <typename ItemT>
std::uint64_t compact_on_one_thread(const Kernels<ItemT>& kernels, const ItemT* in, std::uint64_t num_items,
                                    Keep keep, ItemT* out, unsigned vectors_per_step,
                                    std::uint64_t cache_bytes) {
    if (!goes_past_cache(num_items * sizeof(ItemT), cache_bytes)) {
        return kernels.compact(in, num_items, keep, out, vectors_per_step);
    }
    const std::uint64_t kept = stream_kept(kernels, in, num_items, keep, out, vectors_per_step);
    publish_streamed_lines();
    return kept;
}

}  // namespace compaction::cpu
