#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "compaction/cuda/stamps.hpp"

namespace compaction::cuda {

/// Sets words to 0, enqueued on `stream`. A kernel instead of cudaMemsetAsync, so that it belongs to the
/// phase that it begins. words: [num_words], device memory.
void enqueue_clear(std::uint64_t* words, std::uint64_t num_words, cudaStream_t stream, const Stamps& stamps);

}  // namespace compaction::cuda
