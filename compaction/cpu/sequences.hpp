#pragma once

#include <algorithm>
#include <cstdint>

#include "compaction/partition.hpp"

/// How the CPU engine cuts a stream into ordered, contiguous parts: its sequences.
namespace compaction::cpu {

inline constexpr std::uint32_t max_threads = 256;
inline constexpr std::uint32_t max_sequences = 65'536;

/// In short streams sequences are shorter than usual, so that every thread gets some, down to this.
inline constexpr std::uint64_t min_sequence_bytes = 32'768;

/// Up to here waking threads costs more than it saves: the calling thread does it all.
inline constexpr std::uint64_t one_thread_bytes = 524'288;

constexpr std::uint64_t divide_up(std::uint64_t items, std::uint64_t parts) {
    return (items + parts - 1) / parts;
}

/// The number of sequences for a stream of that length shared by `threads` threads, where they are usually
/// `sequence_bytes` long. It never falls as streams grow, so the longest stream needs the most metadata.
inline std::uint32_t automatic_sequences(std::uint64_t stream_bytes, std::uint32_t threads,
                                         std::uint64_t sequence_bytes = 65'536) {
    constexpr std::uint64_t sequences_per_thread = 4;
    if (stream_bytes <= min_sequence_bytes) return 1;
    const std::uint64_t to_balance =
        std::min(sequences_per_thread * threads, stream_bytes / min_sequence_bytes);
    const std::uint64_t count = std::max(divide_up(stream_bytes, sequence_bytes), to_balance);
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(count, max_sequences));
}

/// A stream cut into `parts` ordered parts of equal length; the last may be shorter, or empty in a short
/// stream. Parts begin at whole cache lines, so that no vector and no line belongs to two of them.
template <typename ItemT>
struct Sequences {
    std::uint64_t num_items;
    std::uint64_t count;
    std::uint64_t length;

    Sequences(std::uint64_t items, std::uint64_t parts)
        : num_items(items),
          count(parts),
          length(divide_up(divide_up(items, parts), line_items) * line_items) {}

    std::uint64_t begin(std::uint64_t sequence) const { return std::min(num_items, sequence * length); }
    std::uint64_t size(std::uint64_t sequence) const { return begin(sequence + 1) - begin(sequence); }

    Partition partition() const { return {PartKind::sequence, num_items, count, length, 0, 0, {}}; }

  private:
    static constexpr std::uint64_t line_items = 64 / sizeof(ItemT);
};

}  // namespace compaction::cpu
