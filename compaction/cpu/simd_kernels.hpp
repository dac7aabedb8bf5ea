#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "compaction/predicate.hpp"

/// Single-threaded kernels. Each is compiled for every SIMD instruction set of the architecture; the best one
/// that the processor has is chosen at run time.
namespace compaction::cpu {

/// The size of a cache line.
inline constexpr std::size_t line_bytes = 64;

/// One step of a kernel stores at most this many bytes, with vectors of up to 256 bytes. With this much
/// memory after the last item, a kernel needs no special case for the end of the output.
inline constexpr std::size_t slack_bytes = 1024;

/// Cache lines of input to prefetch.
struct NextLines {
    const std::byte* begin = nullptr;
    std::uint64_t count = 0;
};

/// Copies `num_lines` cache lines to `to`, aligned to a line, bypassing the cache. Meanwhile prefetches up to
/// as many lines of `next`, because memory would otherwise be idle. Other threads see the lines after
/// publish_streamed_lines.
using StreamLines = void(std::byte* to, const std::byte* from, std::uint64_t num_lines, NextLines next);

/// How the loop of a kernel reads its input.
struct LoopParameters {
    unsigned vectors_per_step = 4;  ///< vectors per iteration: 1, 2 or 4
    bool prefetches = false;        ///< whether to use software prefetches
};

/// The progress of select_into_buffer.
struct Buffered {
    std::uint64_t num_read = 0;      ///< items read
    std::uint64_t num_selected = 0;  ///< how many of these are kept
};

/// The kernels for one item type. They never allocate and never wait.
template <typename ItemT>
struct Kernels {
    /// Returns how many items of `in` [num_items] are kept. One pass.
    std::uint64_t (*count_selected)(const ItemT* in, std::uint64_t num_items, Predicate keep,
                                    LoopParameters parameters);

    /// Copies the kept items of `in` [num_items] to `out` [room], in order, and returns their number. The
    /// caller ensures that at most `room` items are kept, so reading may stop at kept item number `room`. The
    /// rest of `out` is undefined afterwards; nothing is written past it, so adjacent parts can be moved in
    /// parallel. One pass.
    std::uint64_t (*move_selected)(const ItemT* in, std::uint64_t num_items, Predicate keep, ItemT* out,
                                   std::uint64_t room, LoopParameters parameters);

    /// Copies kept items of `in` [num_items] to `out` [room], in order, until the room may not suffice for
    /// another step or the input ends. The rest of `out` is undefined afterwards. `out` should lie in the
    /// first-level cache. One pass.
    Buffered (*select_into_buffer)(const ItemT* in, std::uint64_t num_items, Predicate keep, ItemT* out,
                                   std::uint64_t room, LoopParameters parameters);

    /// Copies the kept items of `in` [num_items] to `out`, in order, and returns their number. Writes nothing
    /// past the last of them. One pass.
    std::uint64_t (*compact)(const ItemT* in, std::uint64_t num_items, Predicate keep, ItemT* out,
                             LoopParameters parameters);

    /// Like `compact`, but writes whole lines that bypass the cache; other threads see them after
    /// publish_streamed_lines.
    std::uint64_t (*stream_selected)(const ItemT* in, std::uint64_t num_items, Predicate keep, ItemT* out,
                                     LoopParameters parameters);

    /// Copies cache lines, bypassing the cache.
    StreamLines* stream_lines;
};

/// The kernels of the best instruction set, for Item, Item8 and Item16.
template <typename ItemT>
const Kernels<ItemT>& kernels();

template <>
const Kernels<Item>& kernels();
template <>
const Kernels<Item8>& kernels();
template <>
const Kernels<Item16>& kernels();

/// Orders this thread's stores that bypass the cache before its later stores. Call before signalling other
/// threads, because the processor does not order such stores by itself.
void publish_streamed_lines();

/// Highway's name of the chosen instruction set: "AVX3" (which is AVX-512), "AVX2", "NEON".
std::string_view simd_target();

/// Restricts kernels() to one instruction set, for comparisons. Call before kernels(). Throws
/// Error{invalid_option} if this processor lacks it; the message lists those it has.
void use_only_simd_target(std::string_view name);

}  // namespace compaction::cpu
