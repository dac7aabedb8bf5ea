#pragma once

#include <atomic>
#include <cstdint>

#include "compaction/predicate.hpp"
#include "cpu/sequences.hpp"

namespace compaction::cpu {

/// A stream that several threads compact, sequence by sequence.
template <typename ItemT>
struct SharedStream {
    const ItemT* in;
    ItemT* out;
    Predicate keep;
    Sequences<ItemT> sequences;
    bool past_cache;  ///< whether to write the output past the cache

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
