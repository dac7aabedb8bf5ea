#pragma once

#include <cstdint>

namespace compaction {

/// One piece of work that an algorithm gives a GPU.
struct Launch {
    enum class Kind : std::uint8_t { kernel, fill, copy, other };

    Kind kind = Kind::kernel;
    // The rest is told of kernels alone.
    std::uint64_t blocks = 0;
    std::uint32_t threads_per_block = 0;
    double occupancy = 0;  ///< threads that a multiprocessor can hold of it, over the most it holds of any
    double waves = 0;      ///< blocks of the launch over those that the device holds at once
};

}  // namespace compaction
