#pragma once

#include <algorithm>
#include <cstdint>

namespace warpsieve::plots {

/// What an axis counts, which decides how its values are written.
enum class Counts : std::uint8_t {
    number,      ///< 128, 0.5
    items,       ///< 2^20, 65,536; ticks at powers of two
    time_us,     ///< 12.5 µs, 1.2 ms
    share,       ///< 37 %, of a value from 0 to 1
    per_second,  ///< 1.2 G/s
    gb_s,        ///< 620 GB/s
};

/// The smallest and the largest value on an axis.
struct Range {
    double low = 0;
    double high = 0;
    bool empty = true;

    void include(double value) {
        low = empty ? value : std::min(low, value);
        high = empty ? value : std::max(high, value);
        empty = false;
    }
};

}  // namespace warpsieve::plots
