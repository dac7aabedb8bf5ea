// Scans that launch a kernel for each level and keep all data in global memory. Launches separate the
// levels, and within a level no thread reads what another writes, so no kernel here needs a barrier.
#include <bit>
#include <utility>

#include "compaction/cuda/check.hpp"
#include "compaction/cuda/detail/launch_kernel.cuh"
#include "compaction/cuda/stamps.cuh"
#include "compaction/cuda/warp.cuh"
#include "cuda/primitives/scans.hpp"
#include "cuda/support/stamps.hpp"

namespace compaction::cuda {
namespace {

// --- Naive ---

/// One level of Hillis and Steele's scan: to[k] = from[k] + from[k - distance], for k in [first,
/// num_items); items before `distance` are copied.
__global__ void add_at_distance(const std::uint32_t* from, std::uint32_t* to, std::uint64_t num_items,
                                std::uint64_t distance, std::uint64_t first, Stamps stamps) {
    const std::uint64_t k = first + thread_in_grid();
    const std::uint32_t before = k >= distance && k < num_items ? from[k - distance] : 0;
    const std::uint32_t item = k < num_items ? from[k] : 0;
    const BlockStamp stamp(stamps);
    if (k < num_items) to[k] = before + item;
}

/// Makes an inclusive scan exclusive: shifts it by one item, with 0 in front.
__global__ void shift_right(const std::uint32_t* inclusive, std::uint32_t* exclusive, std::uint64_t num_items,
                            Stamps stamps) {
    const std::uint64_t k = thread_in_grid();
    const std::uint32_t before = k > 0 && k < num_items ? inclusive[k - 1] : 0;
    const BlockStamp stamp(stamps);
    if (k < num_items) exclusive[k] = before;
}

// --- Work-efficient ---

/// A level of the tree. The children of a node are 2^log_distance leaves apart, and a node is stored in the
/// word of its right child. Every 2^thread_shift-th thread has a node; the others are idle.
struct TreeLevel {
    std::uint64_t num_nodes;
    unsigned log_distance;
    unsigned thread_shift;

    /// Calls visit(left child, right child) for the node of this thread, if it has one.
    template <typename Visit>
    __device__ void visit_node(Visit visit) const {
        const std::uint64_t thread = thread_in_grid();
        const std::uint64_t idle_bits = (std::uint64_t{1} << thread_shift) - 1;
        const std::uint64_t node = thread >> thread_shift;
        if ((thread & idle_bits) != 0 || node >= num_nodes) return;
        const std::uint64_t distance = std::uint64_t{1} << log_distance;
        const std::uint64_t left = (node << (log_distance + 1)) + distance - 1;
        visit(left, left + distance);
    }
};

/// Up-sweep, first level: reads the input, padded with zeros, into the tree.
__global__ void load_leaves(const std::uint32_t* in, std::uint64_t num_items, std::uint32_t* tree,
                            TreeLevel level, Stamps stamps) {
    const BlockStamp stamp(stamps);
    level.visit_node([=](std::uint64_t left, std::uint64_t right) {
        const std::uint32_t left_item = left < num_items ? in[left] : 0;
        const std::uint32_t right_item = right < num_items ? in[right] : 0;
        tree[left] = left_item;
        tree[right] = left_item + right_item;
    });
}

/// Up-sweep: stores the sum of its children in each node.
__global__ void sweep_up(std::uint32_t* tree, TreeLevel level, Stamps stamps) {
    const BlockStamp stamp(stamps);
    level.visit_node([=](std::uint64_t left, std::uint64_t right) { tree[right] += tree[left]; });
}

__global__ void clear_root(std::uint32_t* root, Stamps stamps) {
    const BlockStamp stamp(stamps);
    *root = 0;
}

/// Down-sweep: the left child gets the sum before the node; the right child gets that plus the left sum.
__global__ void sweep_down(std::uint32_t* tree, TreeLevel level, Stamps stamps) {
    const BlockStamp stamp(stamps);
    level.visit_node([=](std::uint64_t left, std::uint64_t right) {
        const std::uint32_t left_sum = tree[left];
        const std::uint32_t before = tree[right];
        tree[left] = before;
        tree[right] = before + left_sum;
    });
}

/// Down-sweep, last level: writes the leaves to the output, without the padding.
__global__ void store_leaves(const std::uint32_t* tree, std::uint32_t* out, std::uint64_t num_items,
                             TreeLevel level, Stamps stamps) {
    const BlockStamp stamp(stamps);
    level.visit_node([=](std::uint64_t left, std::uint64_t right) {
        const std::uint32_t before = tree[right];
        if (left < num_items) out[left] = before;
        if (right < num_items) out[right] = before + tree[left];
    });
}

}  // namespace

void enqueue_naive_scan(const std::uint32_t* in, std::uint64_t num_items, std::uint32_t* out,
                        std::uint32_t* scratch, LevelThreads launched, unsigned threads_per_block,
                        cudaStream_t stream, const Stamps& stamps) {
    if (num_items == 0) return;
    LaunchStamps launch_stamps(stamps);
    const unsigned num_levels = num_naive_levels(num_items);
    const std::uint32_t* from = in;
    // Levels write to the two buffers in turn. The last level writes to `scratch`, because `shift_right` then
    // reads it and writes `out`.
    std::uint32_t* to = num_levels % 2 == 1 ? scratch : out;
    std::uint32_t* other = num_levels % 2 == 1 ? out : scratch;
    for (unsigned level = 0; level < num_levels; ++level) {
        const std::uint64_t distance = std::uint64_t{1} << level;
        const std::uint64_t first = launched == LevelThreads::working ? first_item_to_write(distance) : 0;
        check(detail::launch(add_at_distance,
                             {blocks_for(num_items - first, threads_per_block), threads_per_block, 0, stream},
                             from, to, num_items, distance, first, launch_stamps.next()),
              "add_at_distance");
        from = to;
        std::swap(to, other);
    }
    check(
        detail::launch(shift_right, {blocks_for(num_items, threads_per_block), threads_per_block, 0, stream},
                       from, out, num_items, launch_stamps.last()),
        "shift_right");
}

void enqueue_work_efficient_scan(const std::uint32_t* in, std::uint64_t num_items, std::uint32_t* out,
                                 std::uint32_t* tree, LevelThreads launched, unsigned threads_per_block,
                                 cudaStream_t stream, const Stamps& stamps) {
    if (num_items == 0) return;
    LaunchStamps launch_stamps(stamps);
    const std::uint64_t leaves = num_leaves(num_items);
    const auto num_levels = static_cast<unsigned>(std::bit_width(leaves) - 1);
    const auto level_at = [&](unsigned log_distance) {
        const bool all = launched == LevelThreads::all;
        return TreeLevel{leaves >> (log_distance + 1), log_distance, all ? log_distance + 1 : 0};
    };
    const auto blocks = [&](const TreeLevel& level) {
        return blocks_for(launched == LevelThreads::all ? leaves : level.num_nodes, threads_per_block);
    };
    const TreeLevel bottom = level_at(0);
    check(detail::launch(load_leaves, {blocks(bottom), threads_per_block, 0, stream}, in, num_items, tree,
                         bottom, launch_stamps.next()),
          "load_leaves");
    for (unsigned i = 1; i < num_levels; ++i) {
        const TreeLevel level = level_at(i);
        check(detail::launch(sweep_up, {blocks(level), threads_per_block, 0, stream}, tree, level,
                             launch_stamps.next()),
              "sweep_up");
    }
    check(detail::launch(clear_root, {1, 1, 0, stream}, tree + leaves - 1, launch_stamps.next()),
          "clear_root");
    for (unsigned i = num_levels - 1; i > 0; --i) {
        const TreeLevel level = level_at(i);
        check(detail::launch(sweep_down, {blocks(level), threads_per_block, 0, stream}, tree, level,
                             launch_stamps.next()),
              "sweep_down");
    }
    check(detail::launch(store_leaves, {blocks(bottom), threads_per_block, 0, stream}, tree, out, num_items,
                         bottom, launch_stamps.last()),
          "store_leaves");
}

}  // namespace compaction::cuda
