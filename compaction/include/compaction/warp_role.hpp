#pragma once

#include <cstdint>

namespace compaction {

/// The work of a warp in a warp-specialised kernel.
enum class WarpRole : std::uint8_t {
    all,        ///< the whole block, or a kernel whose warps all do the same
    count,      ///< counts the kept items of a chunk
    look_back,  ///< adds up the counts of earlier tiles
    scatter,    ///< writes the kept items and requests the next chunk
};

}  // namespace compaction
