#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "experiments/statistics.hpp"
#include "experiments/timeline.hpp"

namespace experiments {

/// Times of A and B over the same two frames, in microseconds: A ran first in one frame, B in the other. The
/// second to run may find the input in the cache; adding both frames cancels this advantage.
struct Pair {
    float a_us = 0;
    float b_us = 0;
};

/// Pairs up two timelines in which A runs first in even frames and B in odd ones. Each pair joins an even
/// frame with the nearest odd one; both timelines have both frames. Newest first, at most `max_count` pairs,
/// none with a frame before `since`.
std::vector<Pair> pairs_of(const Timeline& a, const Timeline& b, std::uint64_t since, std::size_t max_count);

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
};

/// Pairs required for a verdict.
inline constexpr std::size_t min_pairs = 30;

/// The median ratio of the pairs with its interval. Skips pairs with a time that is not finite and positive.
PairedRatio compare_pairs(std::span<const Pair> pairs);

/// "B 1.34× faster", "same within 1 %", "no significant difference", "warming up: 12 of 30 pairs".
std::string verdict_of(const PairedRatio& ratio);

/// "[1.32, 1.36]": the interval of the slower time over the faster if one is faster, otherwise of A over B.
/// Empty while warming up.
std::string interval_of(const PairedRatio& ratio);

}  // namespace experiments
