#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "cpu/simd_kernels.hpp"

/// Writes that bypass the cache. An output larger than the cache evicts input that is still to be read, and
/// each of its lines is read from memory before it is overwritten. Non-temporal stores of whole lines avoid
/// both, so callers gather items into lines first.
namespace compaction::cpu {

/// Copies `from` [num_items] to `out`. With `bypasses_cache`, writes whole lines with non-temporal stores and
/// prefetches `next` meanwhile; other threads see these lines after publish_streamed_lines.
template <typename ItemT>
void copy_items(const ItemT* from, std::uint64_t num_items, ItemT* out, bool bypasses_cache,
                NextLines next = {}) {
    constexpr std::uint64_t line_items = line_bytes / sizeof(ItemT);
    const std::uint64_t items_into_line = reinterpret_cast<std::uintptr_t>(out) % line_bytes / sizeof(ItemT);
    const std::uint64_t num_before_line = items_into_line == 0 ? 0 : line_items - items_into_line;
    std::uint64_t copied = 0;
    if (bypasses_cache && num_items >= num_before_line) {
        const std::uint64_t num_lines = (num_items - num_before_line) / line_items;
        std::copy_n(from, num_before_line, out);
        // stream_lines copies bytes, so the kernels of any item type serve.
        kernels<Item>().stream_lines(reinterpret_cast<std::byte*>(out + num_before_line),
                                     reinterpret_cast<const std::byte*>(from + num_before_line), num_lines,
                                     next);
        copied = num_before_line + num_lines * line_items;
    }
    std::copy_n(from + copied, num_items - copied, out + copied);
}

/// Copies the kept items of `in` [num_items], already counted as `num_selected`, to `out`, in order.
/// `bypasses_cache` as for copy_items.
template <typename ItemT>
void copy_selected_items(const Kernels<ItemT>& kernels, const ItemT* in, std::uint64_t num_items,
                         Predicate keep, ItemT* out, std::uint64_t num_selected, bool bypasses_cache,
                         LoopParameters parameters) {
    if (bypasses_cache) {
        kernels.stream_selected(in, num_items, keep, out, parameters);
    } else {
        kernels.move_selected(in, num_items, keep, out, num_selected, parameters);
    }
}

}  // namespace compaction::cpu
