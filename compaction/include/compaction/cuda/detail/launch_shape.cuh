#pragma once

#include <cstdint>

#include "compaction/host_device.hpp"

/// Apart from launch.cuh, which needs the CUDA runtime: kernels that NVRTC compiles have shapes, too.
namespace compaction::cuda::detail {

/// The launch shape of a kernel, for an input of any length.
struct LaunchShape {
    std::uint32_t tile_items;
    std::uint32_t threads;       ///< in each block
    std::uint32_t shared_bytes;  ///< dynamic shared memory of each block

    /// At least 1, since an empty input still needs a block to write its count.
    COMPACTION_HOST_DEVICE constexpr std::uint64_t num_tiles(std::uint64_t num_items) const {
        return num_items <= tile_items ? 1 : (num_items + tile_items - 1) / tile_items;
    }
};

}  // namespace compaction::cuda::detail
