#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "experiments/statistics.hpp"
#include "experiments/timeline.hpp"

namespace experiments {

/// What two contestants took on the same two frames, in microseconds: in one frame A ran first, in the other
/// B. Whoever runs second may find the input in the cache; added up over both frames, that touches both
/// alike.
struct Pair {
    float a_us = 0;
    float b_us = 0;
};

/// The pairs of two timelines whose frames take turns: A runs first in even frames, B in odd ones. A pair is
/// an even frame and an odd one, as near to each other as frames timed plainly in both timelines are. The
/// newest first, at most `most` of them, none with a frame from before `since`.
std::vector<Pair> pairs_of(const Timeline& a, const Timeline& b, std::uint64_t since, std::size_t most);

enum class Standing : std::uint8_t {
    warming_up,  ///< not enough pairs yet
    a_faster,
    b_faster,
    same,       ///< within 1 %, whatever the true ratio is
    ambiguous,  ///< the interval contains 1, and more than `same` allows
};

/// A's time over B's: above 1, B is faster.
struct PairedRatio {
    Standing standing = Standing::warming_up;
    std::size_t pairs = 0;
    double median = 0;
    Interval interval;  ///< of the median, at 95 %
};

/// Below this many pairs nothing is said.
inline constexpr std::size_t least_pairs = 30;

/// The median of the pairs' ratios with its interval. Pairs with a time that is not finite or not above 0 are
/// left out.
PairedRatio compare_pairs(std::span<const Pair> pairs);

/// "B 1.34× faster", "same within 1 %", "ambiguous: the interval contains 1", "warming up: 12 of 30 pairs".
std::string verdict_of(const PairedRatio& ratio);

/// "[1.32, 1.36]": of the slower's time over the faster's where one is faster, else of A's over B's. Empty
/// while warming up.
std::string interval_of(const PairedRatio& ratio);

}  // namespace experiments
