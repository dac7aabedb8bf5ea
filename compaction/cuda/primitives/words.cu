#include "cuda/primitives/words.hpp"

#include <algorithm>

#include "compaction/cuda/check.hpp"
#include "compaction/cuda/detail/launch_kernel.cuh"
#include "compaction/cuda/stamps.cuh"
#include "compaction/cuda/warp.cuh"
#include "cuda/support/stamps.hpp"

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

namespace {

constexpr unsigned sum_threads = 256;
constexpr unsigned counts_per_thread = 8;
constexpr unsigned max_sum_blocks = 1024;

/// One atomic addition per warp. Integer sums do not depend on the order of the warps.
__global__ void __launch_bounds__(sum_threads)
    sum_counts(const std::uint32_t* counts, std::uint64_t num_counts, unsigned long long* total,
               Stamps stamps) {
    const BlockStamp stamp(stamps);
    const std::uint64_t num_threads = std::uint64_t{gridDim.x} * blockDim.x;
    unsigned long long sum = 0;
    for (std::uint64_t i = thread_in_grid(); i < num_counts; i += num_threads) sum += counts[i];
    sum = warp_sum(sum);
    if (lane_index() == 0 && sum > 0) atomicAdd(total, sum);
}

}  // namespace

void enqueue_sum(const std::uint32_t* counts, std::uint64_t num_counts, std::uint64_t* total,
                 cudaStream_t stream, const Stamps& stamps) {
    LaunchStamps launch_stamps(stamps);
    if (num_counts == 0) return enqueue_clear(total, /*num_words=*/1, stream, launch_stamps.last());
    enqueue_clear(total, /*num_words=*/1, stream, launch_stamps.next());
    const unsigned blocks = std::min(max_sum_blocks, blocks_for(num_counts, sum_threads * counts_per_thread));
    static_assert(sizeof(*total) == sizeof(unsigned long long));
    check(detail::launch(sum_counts, {blocks, sum_threads, 0, stream}, counts, num_counts,
                         reinterpret_cast<unsigned long long*>(total), launch_stamps.last()),
          "sum_counts");
}

}  // namespace compaction::cuda
