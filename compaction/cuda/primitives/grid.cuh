#pragma once

#include <cstdint>

namespace compaction::cuda {

__device__ inline std::uint64_t thread_in_grid() {
    return std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
}

/// The blocks that give each of `num_threads` a thread.
inline unsigned blocks_for(std::uint64_t num_threads, unsigned threads_per_block) {
    return static_cast<unsigned>((num_threads + threads_per_block - 1) / threads_per_block);
}

}  // namespace compaction::cuda
