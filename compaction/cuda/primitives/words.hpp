#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "compaction/cuda/stamps.hpp"

/// Clears or sums arrays of words.
namespace compaction::cuda {

/// Sets words to 0, enqueued on `stream`. Launches a kernel instead of cudaMemsetAsync, because only kernels
/// record stamps: its time then counts in the phase. words: [num_words], device memory.
void enqueue_clear(std::uint64_t* words, std::uint64_t num_words, cudaStream_t stream, const Stamps& stamps);

/// *total = counts[0] + ... + counts[num_counts - 1], in 64 bits, enqueued on `stream`; neither allocates
/// nor synchronises. counts: [num_counts], total: [1], device memory.
void enqueue_sum(const std::uint32_t* counts, std::uint64_t num_counts, std::uint64_t* total,
                 cudaStream_t stream, const Stamps& stamps);

}  // namespace compaction::cuda
