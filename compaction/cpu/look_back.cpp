#include "cpu/look_back.hpp"

#include <hwy/cache_control.h>

#include <algorithm>
#include <thread>

#include "cpu/tuning.hpp"

namespace compaction::cpu {
namespace {

// The two lowest bits of a word are its state: whether the number counts the sequence's own kept items
// (aggregate) or also those of all earlier sequences (inclusive).
constexpr std::uint64_t state_mask = 3;
constexpr std::uint64_t empty = 0;
constexpr std::uint64_t aggregate = 1;
constexpr std::uint64_t inclusive = 2;
constexpr unsigned state_bits = 2;

void write(std::uint64_t& word, std::uint64_t number, std::uint64_t state) {
    std::atomic_ref(word).store(number << state_bits | state, std::memory_order_relaxed);
}

}  // namespace

LookBack::LookBack(std::uint64_t* words, std::uint64_t count) : words_(words), count_(count) {
    std::fill_n(words, count, empty);
}

void LookBack::announce(std::uint64_t sequence, std::uint64_t kept) {
    write(words_[sequence], kept, sequence == 0 ? inclusive : aggregate);
}

void LookBack::announce_inclusive(std::uint64_t sequence, std::uint64_t kept_so_far) {
    write(words_[sequence], kept_so_far, inclusive);
}

std::optional<std::uint64_t> LookBack::prefix_if_known(std::uint64_t sequence) const {
    return sum_before(sequence, [this](std::uint64_t earlier) { return word_of(earlier); });
}

std::uint64_t LookBack::exclusive_prefix(std::uint64_t sequence, std::uint64_t kept) {
    const std::uint64_t before =
        *sum_before(sequence, [this](std::uint64_t earlier) { return wait_for(earlier); });
    write(words_[sequence], before + kept, inclusive);
    return before;
}

std::uint64_t LookBack::total() const {
    return words_[count_ - 1] >> state_bits;
}

template <typename Look>
std::optional<std::uint64_t> LookBack::sum_before(std::uint64_t sequence, const Look& look) const {
    std::uint64_t before = 0;
    for (std::uint64_t earlier = sequence; earlier-- > 0;) {
        const std::uint64_t word = look(earlier);
        if ((word & state_mask) == empty) return std::nullopt;
        before += word >> state_bits;
        if ((word & state_mask) == inclusive) break;
    }
    return before;
}

std::uint64_t LookBack::word_of(std::uint64_t sequence) const {
    return std::atomic_ref(words_[sequence]).load(std::memory_order_relaxed);
}

std::uint64_t LookBack::wait_for(std::uint64_t sequence) const {
    // Yield in a long wait: the thread that must write the word may need this processor.
    for (unsigned polls = 0;; ++polls) {
        const std::uint64_t word = word_of(sequence);
        if ((word & state_mask) != empty) return word;
        if (polls < tuning::polls_before_yield) {
            hwy::Pause();
        } else {
            std::this_thread::yield();
        }
    }
}

}  // namespace compaction::cpu
