#pragma once

#include <cstdint>

namespace compaction {

/// One operation that an algorithm submits to a GPU. Sizes and occupancy are set for kernels only.
struct Launch {
    /// The type of the operation.
    enum class Kind : std::uint8_t {
        kernel,  ///< a kernel launch
        fill,    ///< a memory fill
        copy,    ///< a memory copy
        other,   ///< anything else
    };

    Kind kind = Kind::kernel;             ///< the type of the operation
    std::uint64_t blocks = 0;             ///< blocks in the grid
    std::uint32_t threads_per_block = 0;  ///< threads in a block
    double occupancy = 0;                 ///< resident threads over the multiprocessor's maximum, 0 to 1
    double waves = 0;                     ///< blocks in the grid over blocks resident on the device
};

}  // namespace compaction
