#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "compaction/predicate.hpp"

/// What one thread does to a part of a stream. Each kernel is compiled for every SIMD instruction set of the
/// architecture; the best one that the processor has is chosen when the program runs.
namespace compaction::cpu {

inline constexpr std::size_t line_bytes = 64;

/// No step of a loop stores more at once, on any instruction set whose vectors have up to 256 bytes: an
/// output with this much room after its last item is filled without care for its end.
inline constexpr std::size_t slack_bytes = 1024;

/// Up to here Kernels::compact takes care to be quick from the first item on.
inline constexpr std::size_t short_bytes = 8'192;

/// Cache lines of an input that is read soon.
struct NextLines {
    const std::byte* begin = nullptr;
    std::uint64_t count = 0;
};

/// Copies `num_lines` cache lines past the cache, to `to`, aligned to a line, and meanwhile asks for as many
/// of `next`: memory would have nothing to read else. Other threads see them after publish_streamed_lines.
using StreamLines = void(std::byte* to, const std::byte* from, std::uint64_t num_lines, NextLines next);

/// How a kernel goes through its input.
struct Pace {
    unsigned vectors_per_step = 4;  ///< 1, 2 or 4: vectors handled per step of the loop
    bool reads_ahead = false;  ///< asks for lines well before it needs them: for input that lies in memory
};

/// How far a kernel went.
struct Gathered {
    std::uint64_t num_read = 0;
    std::uint64_t num_kept = 0;
};

/// The kernels for one type of items. They allocate nothing and wait for nobody.
template <typename ItemT>
struct Kernels {
    /// How many of `in` [num_items] are kept. One pass.
    std::uint64_t (*count_kept)(const ItemT* in, std::uint64_t num_items, Predicate keep, Pace pace);

    /// Copies the kept items of `in` [num_items] to `out` [room], in order, and returns their number, which
    /// must not be over `room`. May write anything to out[number .. room), and nothing past it: with `room`
    /// equal to the number, parts can be moved side by side. Stops reading when `room` items are found. One
    /// pass.
    std::uint64_t (*move_kept)(const ItemT* in, std::uint64_t num_items, Predicate keep, ItemT* out,
                               std::uint64_t room, Pace pace);

    /// Copies the kept items of the first of `in` [num_items] to `out` [room], in order: of as many as there
    /// surely is room for, up to all. May write anything to the rest of `out`, which lies in the first level
    /// of the cache. One pass.
    Gathered (*gather_kept)(const ItemT* in, std::uint64_t num_items, Predicate keep, ItemT* out,
                            std::uint64_t room, Pace pace);

    /// Copies the kept items of `in` [num_items] to `out`, in order, and returns their number, not known
    /// beforehand. Writes nothing past the last of them. One pass.
    std::uint64_t (*compact)(const ItemT* in, std::uint64_t num_items, Predicate keep, ItemT* out, Pace pace);

    /// The same, whole lines past the cache: other threads see them after publish_streamed_lines.
    std::uint64_t (*stream_kept)(const ItemT* in, std::uint64_t num_items, Predicate keep, ItemT* out,
                                 Pace pace);

    StreamLines* stream_lines;
};

/// The kernels of the best instruction set, for Item, Item8 and Item16. They stay the same while the program
/// runs.
template <typename ItemT>
const Kernels<ItemT>& kernels();

template <>
const Kernels<Item>& kernels();
template <>
const Kernels<Item8>& kernels();
template <>
const Kernels<Item16>& kernels();

/// Orders the lines that this thread has streamed before what it writes from now on: they are outside the
/// order that the processor otherwise keeps, so this has to come before any sign to other threads.
void publish_streamed_lines();

/// The instruction set chosen, as Highway calls it: "AVX3" (which is AVX-512), "AVX2", "NEON".
std::string_view simd_target();

/// Keeps kernels() to the instruction set of that name, for comparisons. To be called before kernels().
/// Throws Error{invalid_option} that lists those that this processor has.
void keep_to_simd_target(std::string_view name);

}  // namespace compaction::cpu
