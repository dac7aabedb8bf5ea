#pragma once

#include <atomic>
#include <cstdint>
#include <optional>

namespace compaction::cpu {

/// How many items the sequences before a given one keep, learned from a word of each while all are at work.
///
/// Why nobody waits for ever: sequences are taken in order by ticket, and a thread announces the count of
/// every ticket it holds before it waits for anybody. So it only ever waits for other threads to finish
/// counting, or to write what they count, and that waits for nothing: it takes no lock, no memory and no
/// task. A holder is a thread that runs, or that the operating system will run again; oneTBB cannot put it
/// aside, because no holder calls oneTBB before it has moved its sequences. It does not matter how many of
/// the takers oneTBB runs at a time: a single one takes all tickets and finds every word before its own
/// complete.
///
/// Why relaxed order is enough: a word carries the whole of what it tells, state and number in one atomic
/// store, and nothing else is read on the strength of it. A thread writes to its own part of the output,
/// whose place follows from the numbers alone. The end of the parallel loop orders everything before what the
/// caller does next.
///
/// Source: Merrill and Garland (2016), section 4.
class LookBack {
  public:
    /// words: [count], which it clears and needs while it lives.
    LookBack(std::uint64_t* words, std::uint64_t count);

    /// Says that `sequence` keeps `kept` items. To be called as soon as that is known, once for each
    /// sequence.
    void announce(std::uint64_t sequence, std::uint64_t kept);

    /// The same where it is known how many all sequences up to and with `sequence` keep: neither announce nor
    /// exclusive_prefix is called then.
    void announce_inclusive(std::uint64_t sequence, std::uint64_t kept_so_far);

    /// How many items all sequences before `sequence` keep, if each of these has been announced. Does not
    /// wait.
    std::optional<std::uint64_t> prefix_if_known(std::uint64_t sequence) const;

    /// How many items all sequences before `sequence` keep; `kept` is what was announced for it. Waits until
    /// each of these has been announced. To be called once for each sequence, after announce.
    std::uint64_t exclusive_prefix(std::uint64_t sequence, std::uint64_t kept);

    /// How many items all sequences keep, when exclusive_prefix or announce_inclusive was called for all.
    std::uint64_t total() const;

  private:
    /// Adds up the words before `sequence`, each as `look` gives it, back to one that counts all before;
    /// nothing where one of them is empty.
    template <typename Look>
    std::optional<std::uint64_t> sum_before(std::uint64_t sequence, const Look& look) const;

    std::uint64_t word_of(std::uint64_t sequence) const;

    /// The same once it is announced.
    std::uint64_t wait_for(std::uint64_t sequence) const;

    std::uint64_t* words_;
    std::uint64_t count_;
};

}  // namespace compaction::cpu
