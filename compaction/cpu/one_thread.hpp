#pragma once

#include <cstdint>

#include "compaction/options.hpp"
#include "cpu/caches.hpp"
#include "cpu/scalar_kernels.hpp"
#include "cpu/streamed_output.hpp"

namespace compaction::cpu {

/// Up to here choosing a layout and setting up vectors takes longer than going item by item.
inline constexpr std::uint64_t tiny_items = 64;

/// Copies the kept items of `in` [num_items] to `out`, in order, and returns their number. Writes nothing
/// past the last of them. For up to tiny_items, so quickly that the plain loop is no better whatever is kept.
/// Not inlined, so that the way here stays short.
template <typename ItemT>
[[gnu::noinline]] std::uint64_t compact_tiny(const ItemT* in, std::uint64_t num_items, Keep keep,
                                             ItemT* out) {
    // It looks for the last kept item, and the processor guesses once where that is.
    constexpr std::uint64_t worth_a_wrong_guess = 4;
    if (num_items >= worth_a_wrong_guess) return scalar::compact(in, num_items, keep, out);
    // No branch at all on what is kept.
    ItemT unwanted;
    std::uint64_t kept = 0;
    for (std::uint64_t i = 0; i < num_items; ++i) {
        const bool is_kept = keep(in[i]);
        *(is_kept ? out + kept : &unwanted) = in[i];
        kept += is_kept;
    }
    return kept;
}

/// Whether nothing is asked of how a stream is shared out, so that a tiny one need not be.
inline bool leaves_sharing_open(const Options& asked) {
    return asked[Option::threads_per_block] == automatic && asked[Option::sequences] == automatic;
}

/// Copies the kept items of `in` [num_items] to `out`, in order, on the calling thread, and returns their
/// number. Writes nothing past the last of them. One pass; past the cache where the output might not fit
/// in there.
template <typename ItemT>
std::uint64_t compact_on_one_thread(const Kernels<ItemT>& kernels, const ItemT* in, std::uint64_t num_items,
                                    Keep keep, ItemT* out, unsigned vectors_per_step, const Caches& caches) {
    const std::uint64_t bytes = num_items * sizeof(ItemT);
    const Pace pace{vectors_per_step, caches.are_far_from(bytes, 1)};
    if (!caches.are_exceeded_by(bytes, bytes)) return kernels.compact(in, num_items, keep, out, pace);
    const std::uint64_t kept = stream_kept(kernels, in, num_items, keep, out, pace);
    publish_streamed_lines();
    return kept;
}

}  // namespace compaction::cpu
