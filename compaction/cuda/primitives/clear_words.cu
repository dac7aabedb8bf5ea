#include "cuda/primitives/clear_words.hpp"

#include "compaction/cuda/check.hpp"
#include "compaction/cuda/detail/launch_kernel.cuh"
#include "compaction/cuda/stamps.cuh"
#include "compaction/cuda/warp.cuh"

namespace compaction::cuda {
namespace {

constexpr unsigned threads_per_block = 256;

__global__ void clear_words(std::uint64_t* words, std::uint64_t num_words, Stamps stamps) {
    const BlockStamp stamp(stamps);
    const std::uint64_t i = thread_in_grid();
    if (i < num_words) words[i] = 0;
}

}  // namespace

void enqueue_clear(std::uint64_t* words, std::uint64_t num_words, cudaStream_t stream, const Stamps& stamps) {
    check(
        detail::launch(clear_words, {blocks_for(num_words, threads_per_block), threads_per_block, 0, stream},
                       words, num_words, stamps),
        "clear_words");
}

}  // namespace compaction::cuda
