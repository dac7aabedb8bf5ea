#pragma once

#include <cstdint>

namespace compaction::cuda {

/// The longest stream that CUB's DeviceSelect is given, here and beneath Thrust. It cuts longer streams into
/// partitions of 2^31 - 1 items, ranks them in 32 bits and counts what pads the last tile of each as kept:
/// where nearly all items are kept the sum overflows, and CCCL 3.0 writes outside the output (seen by
/// memcheck at 2^32 items, all kept). Shorter by more than any tile, no stream is cut and no sum overflows.
inline constexpr std::uint64_t max_select_items = (std::uint64_t{1} << 31) - (std::uint64_t{1} << 15);

}  // namespace compaction::cuda
