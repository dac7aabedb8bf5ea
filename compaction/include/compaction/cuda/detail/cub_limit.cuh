#pragma once

#include <cstdint>
#include <cub/version.cuh>

#include "compaction/cuda/detail/arguments.cuh"

namespace compaction::cuda::detail {

/// The longest stream for cub::DeviceSelect::If, Flagged, FlaggedIf and Unique, called here or by Thrust. CUB
/// divides longer streams into parts of 2^31 - 1 items, and counts the padding of the last tile of a part as
/// kept, in 32 bits. If nearly all items are kept, the sum overflows, and CUB before CCCL 3.1.3 writes
/// outside the output (NVIDIA/cccl, pull request 6641, 2025). This limit is lower by more than a tile, so CUB
/// does not divide the stream and no sum overflows.
inline constexpr std::uint64_t max_cub_select_items =
    CUB_VERSION < 300103 ? (std::uint64_t{1} << 31) - (std::uint64_t{1} << 15) : max_select_items;

}  // namespace compaction::cuda::detail
