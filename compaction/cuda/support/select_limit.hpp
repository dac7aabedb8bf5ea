#pragma once

#include <cstdint>

namespace compaction::cuda {

/// The longest stream for CUB's DeviceSelect, here and inside Thrust. It cuts longer streams into
/// partitions of 2^31 - 1 items, ranks them in 32 bits and counts the padding of each last tile as kept. If
/// nearly all items are kept, the sum overflows, and CCCL 3.0 writes outside the output (found by memcheck
/// at 2^32 items, all kept). This limit is lower by more than any tile, so no stream is cut and no sum
/// overflows.
inline constexpr std::uint64_t max_select_items = (std::uint64_t{1} << 31) - (std::uint64_t{1} << 15);

}  // namespace compaction::cuda
