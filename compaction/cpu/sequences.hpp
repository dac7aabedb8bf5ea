#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

#include "compaction/options.hpp"
#include "compaction/partition.hpp"
#include "compaction/predicate.hpp"
#include "cpu/simd_kernels.hpp"
#include "cpu/tuning.hpp"

/// How the CPU engine divides a stream into sequences: ordered, contiguous parts.
namespace compaction::cpu {

/// The option for the number of worker threads. It has the id of CUDA's threads per block.
inline constexpr Option worker_threads = Option::threads_per_block;

/// The highest legal values of `worker_threads` and Option::sequences.
inline constexpr std::uint32_t max_threads = 256;
inline constexpr std::uint32_t max_sequences = 65'536;

constexpr std::uint64_t ceil_div(std::uint64_t dividend, std::uint64_t divisor) {
    return (dividend + divisor - 1) / divisor;
}

/// The number of sequences for a stream that `threads` threads share. Sequences of long streams have
/// `sequence_bytes`. The number never decreases with the length, so the longest stream needs the most
/// metadata.
inline std::uint32_t automatic_sequences(std::uint64_t stream_bytes, std::uint32_t threads,
                                         std::uint64_t sequence_bytes = tuning::two_pass_sequence_bytes) {
    if (stream_bytes <= tuning::min_sequence_bytes) return 1;
    const std::uint64_t to_balance =
        std::min(tuning::sequences_per_thread * threads, stream_bytes / tuning::min_sequence_bytes);
    const std::uint64_t count = std::max(ceil_div(stream_bytes, sequence_bytes), to_balance);
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(count, max_sequences));
}

/// A stream divided into ordered sequences of equal length; the last ones may be shorter or empty. Sequences
/// begin at whole cache lines, so that no vector and no line belongs to two sequences.
template <typename ItemT>
struct Sequences {
    std::uint64_t num_items;  ///< in the stream
    std::uint64_t count;      ///< of sequences
    std::uint64_t length;     ///< of each sequence, in items

    Sequences(std::uint64_t items, std::uint64_t sequences)
        : num_items(items),
          count(sequences),
          length(ceil_div(ceil_div(items, sequences), line_items) * line_items) {}

    std::uint64_t begin(std::uint64_t sequence) const { return std::min(num_items, sequence * length); }
    std::uint64_t size(std::uint64_t sequence) const { return begin(sequence + 1) - begin(sequence); }

    Partition partition() const {
        return {.kind = PartKind::sequence,
                .num_items = num_items,
                .num_parts = count,
                .items_each = length,
                .unknown_because = {}};
    }

  private:
    static constexpr std::uint64_t line_items = line_bytes / sizeof(ItemT);
};

/// A stream that several threads compact, sequence by sequence.
template <typename ItemT>
struct SharedStream {
    const ItemT* in;
    ItemT* out;
    Predicate keep;
    Sequences<ItemT> sequences;
    bool bypasses_cache;  ///< whether the output is written with non-temporal stores

    const ItemT* begin(std::uint64_t sequence) const { return in + sequences.begin(sequence); }
    std::uint64_t size(std::uint64_t sequence) const { return sequences.size(sequence); }
};

/// Hands out the sequences of a stream in order.
class Tickets {
  public:
    /// Relaxed: a ticket carries no data but its number. look_back.hpp explains why waits end.
    std::uint64_t take() { return next_.fetch_add(1, std::memory_order_relaxed); }

  private:
    std::atomic<std::uint64_t> next_{0};
};

}  // namespace compaction::cpu
