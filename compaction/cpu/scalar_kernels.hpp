#pragma once

#include <cstdint>
#include <cstring>

#include "compaction/predicate.hpp"
#include "cpu/simd_kernels.hpp"

namespace compaction::cpu::scalar {

/// The plain loop, with a branch per item.
template <typename ItemT>
std::uint64_t append_selected(const ItemT* in, std::uint64_t num_items, Predicate keep, ItemT* out) {
    std::uint64_t kept = 0;
    for (std::uint64_t i = 0; i < num_items; ++i) {
        if (keep(in[i])) out[kept++] = in[i];
    }
    return kept;
}

/// Appends up to `max_items` without a branch on their values: dropped items are stored to a dummy variable.
template <std::uint64_t max_items, typename ItemT>
std::uint64_t append_few(const ItemT* in, std::uint64_t num_items, Predicate keep, ItemT* out) {
    ItemT aside;
    ItemT* next = out;
#pragma GCC unroll 8
    for (std::uint64_t i = 0; i < max_items; ++i) {
        if (i == num_items) break;
        const bool is_selected = keep(in[i]);
        *(is_selected ? next : &aside) = in[i];
        next += is_selected;
    }
    return static_cast<std::uint64_t>(next - out);
}

// Item-wise kernels without a branch on item values: each item is stored at the output position, which
// advances only if the item is kept.

template <typename ItemT>
std::uint64_t count_selected(const ItemT* in, std::uint64_t num_items, Predicate keep, LoopParameters) {
    std::uint64_t kept = 0;
    for (std::uint64_t i = 0; i < num_items; ++i) kept += keep(in[i]);
    return kept;
}

template <typename ItemT>
std::uint64_t move_selected(const ItemT* in, std::uint64_t num_items, Predicate keep, ItemT* out,
                            std::uint64_t room, LoopParameters) {
    std::uint64_t moved = 0;
    for (std::uint64_t i = 0; i < num_items && moved < room; ++i) {
        out[moved] = in[i];
        moved += keep(in[i]);
    }
    return moved;
}

template <typename ItemT>
Buffered select_into_buffer(const ItemT* in, std::uint64_t num_items, Predicate keep, ItemT* out,
                            std::uint64_t room, LoopParameters) {
    Buffered gathered;
    while (gathered.num_read < num_items && gathered.num_selected < room) {
        const ItemT& item = in[gathered.num_read++];
        out[gathered.num_selected] = item;
        gathered.num_selected += keep(item);
    }
    return gathered;
}

template <typename ItemT>
std::uint64_t compact(const ItemT* in, std::uint64_t num_items, Predicate keep, ItemT* out,
                      LoopParameters = {}) {
    // Skip dropped items at the end. Every other dropped item is then overwritten by a kept one, and nothing
    // is stored past the last.
    while (num_items > 0 && !keep(in[num_items - 1])) --num_items;
    std::uint64_t moved = 0;
    for (std::uint64_t i = 0; i < num_items; ++i) {
        out[moved] = in[i];
        moved += keep(in[i]);
    }
    return moved;
}

// Plain stores instead of stores that bypass the cache.

template <typename ItemT>
std::uint64_t stream_selected(const ItemT* in, std::uint64_t num_items, Predicate keep, ItemT* out,
                              LoopParameters) {
    return compact(in, num_items, keep, out);
}

inline void stream_lines(std::byte* to, const std::byte* from, std::uint64_t num_lines, NextLines) {
    if (num_lines > 0) std::memcpy(to, from, num_lines * line_bytes);
}

}  // namespace compaction::cpu::scalar
