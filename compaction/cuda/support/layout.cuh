#pragma once

#include "compaction/cuda/warp.cuh"
#include "compaction/options.hpp"

namespace compaction::cuda {

/// The most blocks that an option may ask for.
inline constexpr unsigned max_blocks = 65'536;

/// Every number of blocks, for kernels that accept any.
inline LegalRange every_grid_size() {
    return {Option::blocks, 1, max_blocks};
}

/// Every block of whole warps, for kernels that accept any.
inline LegalRange every_block_size() {
    return {Option::threads_per_block, warp_size, max_threads_per_block, LegalRange::Spacing::multiples,
            warp_size};
}

/// `options` with `option` set to `value` if it is automatic.
inline Options with_default(Options options, Option option, std::uint32_t value) {
    if (options[option] == automatic) options[option] = value;
    return options;
}

}  // namespace compaction::cuda
