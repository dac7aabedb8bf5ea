#pragma once

#include <algorithm>
#include <utility>

#include "simulated/device.hpp"

/// A kernel in a file that a program includes. Reports must name this file.
namespace compaction::simulated {

inline unsigned next_of(unsigned* count) {
    const unsigned before = *count;  // included read
    *count = before + 1;             // included write
    return before;
}

inline void number_lanes(unsigned* count, unsigned* out) {
    __syncwarp();
    out[threadIdx.x] = next_of(count);
}

/// The accesses are in functions of the standard library, which are inlined here.
inline void take_larger(unsigned* first, unsigned* second) {
    *first = std::max(*first, *second);  // included maximum
    std::swap(*first, *second);          // included swap
}

inline void vote_in_included_file(unsigned* out) {
    out[threadIdx.x] = __ballot_sync(0xffff, 1);  // included vote
}

}  // namespace compaction::simulated
