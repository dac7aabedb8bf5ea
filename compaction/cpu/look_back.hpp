#pragma once

#include <atomic>
#include <cstdint>
#include <optional>

namespace compaction::cpu {

/// Decoupled look-back: finds how many items all earlier sequences keep, from one status word per sequence,
/// while other threads are still counting.
///
/// Why every wait ends: threads take sequences in order by ticket, and announce the count of every ticket
/// they hold before they wait. So a thread waits only for others that are counting or writing, and these need
/// no lock, memory or task. A thread that holds a ticket is running or will be scheduled again; oneTBB cannot
/// suspend it, because it does not call oneTBB before its sequences are moved. The number of workers that
/// oneTBB runs at a time does not matter: a single one takes all tickets and finds every earlier word
/// complete.
///
/// Why relaxed order is enough: one atomic store writes state and number together, and readers use no other
/// data. A thread writes to its own part of the output, whose offset follows from these numbers. The end of
/// the parallel loop orders all writes before the caller continues.
///
/// Source: Merrill and Garland (2016), section 4.
class LookBack {
  public:
    /// words: [count]; cleared here, must outlive the object.
    LookBack(std::uint64_t* words, std::uint64_t count);

    /// Publishes that `sequence` keeps `kept` items. Call once per sequence, as soon as the count is known.
    void announce(std::uint64_t sequence, std::uint64_t kept);

    /// Publishes how many items all sequences up to and including `sequence` keep. Call it instead of
    /// announce and exclusive_prefix.
    void announce_inclusive(std::uint64_t sequence, std::uint64_t kept_so_far);

    /// How many items all sequences before `sequence` keep; nullopt if one is not announced. Does not wait.
    std::optional<std::uint64_t> prefix_if_known(std::uint64_t sequence) const;

    /// How many items all sequences before `sequence` keep. Waits until each of these is announced, then
    /// publishes the sum that includes `kept`, the announced count of `sequence`. Call once per sequence,
    /// after announce.
    std::uint64_t exclusive_prefix(std::uint64_t sequence, std::uint64_t kept);

    /// How many items all sequences keep. Call after exclusive_prefix or announce_inclusive for every
    /// sequence.
    std::uint64_t total() const;

  private:
    /// Adds up the words before `sequence`, back to one with an inclusive count. `look` loads a word; returns
    /// nullopt if any is empty.
    template <typename Look>
    std::optional<std::uint64_t> sum_before(std::uint64_t sequence, const Look& look) const;

    std::uint64_t word_of(std::uint64_t sequence) const;

    /// Waits until the word is not empty.
    std::uint64_t wait_for(std::uint64_t sequence) const;

    std::uint64_t* words_;
    std::uint64_t count_;
};

}  // namespace compaction::cpu
