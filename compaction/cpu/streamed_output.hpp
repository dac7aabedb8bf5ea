#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "cpu/simd_kernels.hpp"

/// Writing past the cache: an output longer than the cache would push out the input that is still to be read,
/// and every line of it would be read from memory before it is overwritten. Whole lines stored past the cache
/// cost neither, so items are gathered until there is a line of them.
namespace compaction::cpu {

/// Copies to `out` as many of the first items of `from` [num_items] as fill whole lines of it, and those
/// before its first whole line; returns how many. Asks for `next` meanwhile. Other threads see them after
/// publish_streamed_lines.
template <typename ItemT>
std::uint64_t stream_whole_lines(StreamLines* stream_lines, const ItemT* from, std::uint64_t num_items,
                                 ItemT* out, NextLines next = {}) {
    constexpr std::uint64_t line_items = line_bytes / sizeof(ItemT);
    const std::uint64_t past_line = reinterpret_cast<std::uintptr_t>(out) % line_bytes / sizeof(ItemT);
    const std::uint64_t head = past_line == 0 ? 0 : line_items - past_line;
    if (num_items < head) return 0;
    std::copy_n(from, head, out);
    const std::uint64_t num_lines = (num_items - head) / line_items;
    stream_lines(reinterpret_cast<std::byte*>(out + head), reinterpret_cast<const std::byte*>(from + head),
                 num_lines, next);
    return head + num_lines * line_items;
}

/// Copies `from` [num_items] to `out`; `past_cache`: whole lines of it past the cache, which other threads
/// see after publish_streamed_lines, while it asks for `next`.
template <typename ItemT>
void copy_items(const ItemT* from, std::uint64_t num_items, ItemT* out, bool past_cache,
                NextLines next = {}) {
    const std::uint64_t streamed =
        past_cache ? stream_whole_lines(kernels<Item>().stream_lines, from, num_items, out, next) : 0;
    std::copy_n(from + streamed, num_items - streamed, out + streamed);
}

/// Copies the kept items of `in` [num_items] to `out`, in order, whole lines past the cache; returns their
/// number. Writes nothing past the last of them. One pass. Other threads see them after
/// publish_streamed_lines.
template <typename ItemT>
std::uint64_t stream_kept(const Kernels<ItemT>& kernels, const ItemT* in, std::uint64_t num_items, Keep keep,
                          ItemT* out, Pace pace) {
    // What is gathered stays in the first-level cache until it leaves by the line.
    constexpr std::uint64_t piece_items = 8'192 / sizeof(ItemT);
    constexpr std::uint64_t capacity = piece_items + (2 * line_bytes + slack_bytes) / sizeof(ItemT);
    alignas(line_bytes) ItemT gathered[capacity];
    std::uint64_t num_gathered = 0;
    std::uint64_t num_written = 0;
    for (std::uint64_t i = 0; i < num_items; i += piece_items) {
        num_gathered += kernels.move_kept(in + i, std::min(piece_items, num_items - i), keep,
                                          gathered + num_gathered, capacity - num_gathered, pace);
        const std::uint64_t sent =
            stream_whole_lines(kernels.stream_lines, gathered, num_gathered, out + num_written);
        if (sent == 0) continue;
        // What does not fill a line waits for the items to come.
        num_gathered -= sent;
        num_written += sent;
        std::copy_n(gathered + sent, num_gathered, gathered);
    }
    std::copy_n(gathered, num_gathered, out + num_written);
    return num_written + num_gathered;
}

}  // namespace compaction::cpu
