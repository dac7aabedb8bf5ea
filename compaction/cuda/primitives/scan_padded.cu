// The scans of Gilbert's project, in a copy of the input that is padded to a power of two with zeros, before
// and after each of her optimisations. Launches separate the levels, and within a level no thread reads what
// another writes, so no kernel here needs a barrier.
// Source: Gilbert, "CUDA Stream Compaction" (CIS 565), "Optimizations (extra credit)".
#include <bit>
#include <utility>

#include "compaction/cuda/check.hpp"
#include "compaction/cuda/detail/device.cuh"
#include "compaction/cuda/detail/launch_kernel.cuh"
#include "compaction/cuda/stamps.cuh"
#include "compaction/cuda/warp.cuh"
#include "cuda/primitives/scans.hpp"
#include "cuda/support/stamps.hpp"

namespace compaction::cuda {
namespace {

/// padded: [num_padded], the input and zeros behind it.
__global__ void pad(const std::uint32_t* in, std::uint64_t num_items, std::uint32_t* padded,
                    std::uint64_t num_padded, Stamps stamps) {
    const BlockStamp stamp(stamps);
    const std::uint64_t k = thread_in_grid();
    if (k < num_padded) padded[k] = k < num_items ? in[k] : 0;
}

/// Copies the words [begin, end).
__global__ void copy_words(const std::uint32_t* from, std::uint32_t* to, std::uint64_t begin,
                           std::uint64_t end, Stamps stamps) {
    const BlockStamp stamp(stamps);
    const std::uint64_t k = begin + thread_in_grid();
    if (k < end) to[k] = from[k];
}

/// Computes one level with a thread for each item from `first` on. The threads of items before `distance` do
/// nothing.
__global__ void add_in_level(const std::uint32_t* from, std::uint32_t* to, std::uint64_t num_padded,
                             std::uint64_t distance, std::uint64_t first, Stamps stamps) {
    const BlockStamp stamp(stamps);
    const std::uint64_t k = first + thread_in_grid();
    if (k >= distance && k < num_padded) {
        const std::uint32_t sum = from[k - distance] + from[k];
        detail::note("sum", sum);
        to[k] = sum;
    }
}

/// Shifts by one item, with 0 in front, and drops the padding.
__global__ void shift_without_padding(const std::uint32_t* inclusive, std::uint32_t* out,
                                      std::uint64_t num_items, Stamps stamps) {
    const BlockStamp stamp(stamps);
    const std::uint64_t k = thread_in_grid();
    if (k < num_items) out[k] = k > 0 ? inclusive[k - 1] : 0;
}

/// A level of the tree, as a kernel argument. `distance` is 2^level; PowersOnDevice computes it again.
struct PaddedLevel {
    std::uint64_t num_padded;
    std::uint64_t distance;
    unsigned level;
    bool all_threads;

    /// Calls visit(left child, right child) for the node of this thread, if it has one.
    template <bool PowersOnDevice, typename Visit>
    __device__ void visit_node(Visit visit) const {
        // Rounded, because pow() may return slightly less than the integer.
        const std::uint64_t child_distance =
            PowersOnDevice ? static_cast<std::uint64_t>(pow(2.0, static_cast<double>(level)) + 0.5)
                           : distance;
        const std::uint64_t thread = thread_in_grid();
        if (all_threads && thread % (2 * child_distance) != 0) return;
        const std::uint64_t first = all_threads ? thread : thread * 2 * child_distance;
        if (first < num_padded) visit(first + child_distance - 1, first + 2 * child_distance - 1);
    }
};

template <bool PowersOnDevice>
__global__ void sweep_level_up(std::uint32_t* tree, PaddedLevel level, Stamps stamps) {
    const BlockStamp stamp(stamps);
    level.visit_node<PowersOnDevice>([=](std::uint64_t left, std::uint64_t right) {
        tree[right] += tree[left];
        detail::note("sum", tree[right]);
    });
}

template <bool PowersOnDevice>
__global__ void sweep_level_down(std::uint32_t* tree, PaddedLevel level, Stamps stamps) {
    const BlockStamp stamp(stamps);
    level.visit_node<PowersOnDevice>([=](std::uint64_t left, std::uint64_t right) {
        const std::uint32_t left_sum = tree[left];
        tree[left] = tree[right];
        tree[right] += left_sum;
        detail::note("sum", tree[right]);
    });
}

__global__ void clear_word(std::uint32_t* word, Stamps stamps) {
    const BlockStamp stamp(stamps);
    *word = 0;
}

/// Copies the tree to the host, clears its root there, and copies it back. The work is ordered on the stream,
/// so the caller does not wait.
void clear_root_on_host(std::uint32_t* tree, std::uint32_t* host, std::uint64_t num_padded,
                        cudaStream_t stream) {
    const std::size_t bytes = num_padded * sizeof(std::uint32_t);
    check(cudaMemcpyAsync(host, tree, bytes, cudaMemcpyDeviceToHost, stream), "cudaMemcpyAsync of the tree");
    check(cudaLaunchHostFunc(
              stream, [](void* root) { *static_cast<std::uint32_t*>(root) = 0; }, host + num_padded - 1),
          "cudaLaunchHostFunc");
    check(cudaMemcpyAsync(tree, host, bytes, cudaMemcpyHostToDevice, stream), "cudaMemcpyAsync of the tree");
}

}  // namespace

void enqueue_padded_naive_scan(const std::uint32_t* in, std::uint64_t num_items, std::uint32_t* out,
                               std::uint32_t* scratch, LevelThreads launched, unsigned threads_per_block,
                               cudaStream_t stream, const Stamps& stamps) {
    if (num_items == 0) return;
    LaunchStamps launch_stamps(stamps);
    const std::uint64_t num_padded = num_leaves(num_items);
    const auto blocks = [=](std::uint64_t threads) { return blocks_for(threads, threads_per_block); };
    std::uint32_t* from = scratch;
    std::uint32_t* to = scratch + num_padded;
    check(detail::launch(pad, {blocks(num_padded), threads_per_block, 0, stream}, in, num_items, from,
                         num_padded, launch_stamps.next()),
          "pad");
    for (std::uint64_t distance = 1; distance < num_padded; distance *= 2) {
        const std::uint64_t first_to_add = launched == LevelThreads::working ? distance : 0;
        const std::uint64_t first_to_write = first_item_to_write(distance);
        // No thread adds to the items before `distance`. Some of them are not in both buffers yet.
        check(detail::launch(copy_words, {blocks(distance - first_to_write), threads_per_block, 0, stream},
                             from, to, first_to_write, distance, launch_stamps.next()),
              "copy_words");
        check(detail::launch(add_in_level, {blocks(num_padded - first_to_add), threads_per_block, 0, stream},
                             from, to, num_padded, distance, first_to_add, launch_stamps.next()),
              "add_in_level");
        std::swap(from, to);
    }
    check(detail::launch(shift_without_padding, {blocks(num_items), threads_per_block, 0, stream}, from, out,
                         num_items, launch_stamps.last()),
          "shift_without_padding");
}

void enqueue_padded_work_efficient_scan(const std::uint32_t* in, std::uint64_t num_items, std::uint32_t* out,
                                        std::uint32_t* tree, std::uint32_t* host,
                                        const PaddedScanVariant& variant, unsigned threads_per_block,
                                        cudaStream_t stream, const Stamps& stamps) {
    if (num_items == 0) return;
    LaunchStamps launch_stamps(stamps);
    const std::uint64_t num_padded = num_leaves(num_items);
    const auto num_levels = static_cast<unsigned>(std::bit_width(num_padded) - 1);
    const bool all_threads = variant.launched == LevelThreads::all;
    const auto blocks = [=](std::uint64_t threads) { return blocks_for(threads, threads_per_block); };
    const auto sweep = [&](auto* kernel, unsigned i, const char* name) {
        const PaddedLevel level{num_padded, std::uint64_t{1} << i, i, all_threads};
        const std::uint64_t threads = all_threads ? num_padded : num_padded / (2 * level.distance);
        check(detail::launch(kernel, {blocks(threads), threads_per_block, 0, stream}, tree, level,
                             launch_stamps.next()),
              name);
    };
    const auto up = variant.calls_pow ? sweep_level_up<true> : sweep_level_up<false>;
    const auto down = variant.calls_pow ? sweep_level_down<true> : sweep_level_down<false>;
    check(detail::launch(pad, {blocks(num_padded), threads_per_block, 0, stream}, in, num_items, tree,
                         num_padded, launch_stamps.next()),
          "pad");
    for (unsigned i = 0; i < num_levels; ++i) sweep(up, i, "sweep_level_up");
    if (variant.clears_root_on_host) {
        clear_root_on_host(tree, host, num_padded, stream);
    } else {
        check(detail::launch(clear_word, {1, 1, 0, stream}, tree + num_padded - 1, launch_stamps.next()),
              "clear_word");
    }
    for (unsigned i = num_levels; i-- > 0;) sweep(down, i, "sweep_level_down");
    check(detail::launch(copy_words, {blocks(num_items), threads_per_block, 0, stream}, tree, out,
                         /*begin=*/0, num_items, launch_stamps.last()),
          "copy_words");
}

}  // namespace compaction::cuda
