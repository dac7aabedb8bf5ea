#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "experiments/statistics.hpp"

namespace experiments {

/// Whether a round runs the algorithms in reverse order: one of the rounds 2k and 2k + 1 does, chosen at
/// random. With an order that repeats, work that also repeats would slow the same algorithm each time.
bool runs_in_reverse(std::uint64_t round);

/// A random even number to count rounds from. The order is a function of the round's number: if all runs
/// counted from 0, what the order favours by chance would be the same in all of them.
std::uint64_t random_first_round();

/// The time of an algorithm in one round, in microseconds. All algorithms run in each round, one after the
/// other.
struct RoundTime {
    std::uint64_t round = 0;
    float us = 0;
};

/// Mean times of A and B over the same two rounds, in microseconds: one of them ran in reverse, so that A was
/// before B in one and after it in the other. The second to run may find the input in the cache; the mean
/// cancels this advantage.
struct Pair {
    float a_us = 0;
    float b_us = 0;
};

/// Pairs up two series, each with its oldest time first. Each pair joins a round with the nearest one of the
/// opposite order, if both series have both rounds. Newest first, at most `max_pairs`.
std::vector<Pair> pairs_of(std::span<const RoundTime> a, std::span<const RoundTime> b);

/// Older pairs do not count, so that the figures follow a change: two rounds for each, ten seconds at 60 Hz.
inline constexpr std::size_t max_pairs = 300;

/// The summary of one series by its pairs, without the cost of running first or second. `n` counts times, two
/// for each pair.
Summary summarise_pairs(std::span<const RoundTime> times);

enum class Comparison : std::uint8_t {
    warming_up,  ///< not enough pairs yet
    a_faster,
    b_faster,
    same,       ///< the whole interval is within 1 %
    ambiguous,  ///< the interval contains 1 and exceeds 1 %
};

/// A's time over B's: above 1, B is faster.
struct PairedRatio {
    Comparison comparison = Comparison::warming_up;
    std::size_t pairs = 0;
    double median = 0;
    Interval interval;  ///< 95 % interval of the median

    bool known() const { return comparison != Comparison::warming_up; }
};

/// Pairs required for a verdict.
inline constexpr std::size_t min_pairs = 30;

/// The median ratio of the pairs with its interval. The pairs must be in the order of time, forwards or
/// backwards, because the interval accounts for their autocorrelation. Skips pairs with a time that is not
/// finite and positive.
PairedRatio compare_pairs(std::span<const Pair> pairs);

/// Makes the summaries of A and B say what their ratio says: the one with the smaller median stays, the other
/// is scaled. A median of ratios is not the ratio of two medians; the former counts, because each pair
/// cancels the machine's drift. Changes nothing before the ratio is known.
void apply_ratio(const PairedRatio& ratio, Summary& a_us, Summary& b_us);

/// "B 1.34× faster", "same within 1 %", "no significant difference", "warming up: 12 of 30 pairs".
std::string verdict_of(const PairedRatio& ratio);

/// "[1.32, 1.36]": the interval of the slower time over the faster if one is faster, otherwise of A over B.
/// Empty while warming up.
std::string interval_of(const PairedRatio& ratio);

}  // namespace experiments
