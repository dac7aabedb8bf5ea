// The work-efficient scan in shared memory: a block scans a tile of two items per thread. The sums of the
// tiles are scanned in the same way and then added to the later tiles.
#include <bit>

#include "compaction/cuda/check.hpp"
#include "compaction/cuda/detail/device.cuh"
#include "compaction/cuda/detail/launch_kernel.cuh"
#include "compaction/cuda/stamps.cuh"
#include "compaction/cuda/warp.cuh"
#include "compaction/host_device.hpp"
#include "cuda/primitives/scans.hpp"
#include "cuda/support/stamps.hpp"

namespace compaction::cuda {
namespace {

constexpr unsigned num_banks = 32;

/// The index of leaf `i` in shared memory. The nodes of a level are a power of two apart; an unused word
/// after every 32 puts them into different banks.
COMPACTION_HOST_DEVICE constexpr unsigned padded_index(unsigned i) {
    return i + i / num_banks;
}

/// Sums the nodes of the tree in place, from the leaves, whose number is a power of two, to the root.
__device__ void sweep_tile_up(std::uint32_t* tree, unsigned num_leaves_in_tile) {
    unsigned distance = 1;
    for (unsigned nodes = num_leaves_in_tile / 2; nodes > 0; nodes /= 2) {
        __syncthreads();  // the level below, or the load, is complete before it is read
        for (unsigned node = threadIdx.x; node < nodes; node += blockDim.x) {
            const unsigned left = distance * (2 * node + 1) - 1;
            tree[padded_index(left + distance)] += tree[padded_index(left)];
        }
        distance *= 2;
    }
}

/// Passes the sum before each node down, from the root to the leaves.
__device__ void sweep_tile_down(std::uint32_t* tree, unsigned num_leaves_in_tile) {
    unsigned distance = num_leaves_in_tile;
    for (unsigned nodes = 1; nodes < num_leaves_in_tile; nodes *= 2) {
        distance /= 2;
        __syncthreads();  // the level above, or the cleared root, is complete before it is read
        for (unsigned node = threadIdx.x; node < nodes; node += blockDim.x) {
            const unsigned left = distance * (2 * node + 1) - 1;
            std::uint32_t& left_child = tree[padded_index(left)];
            std::uint32_t& right_child = tree[padded_index(left + distance)];
            const std::uint32_t left_sum = left_child;
            left_child = right_child;
            right_child += left_sum;
        }
    }
}

/// Scans each tile separately: block b takes items [b * tile, (b + 1) * tile). `out` may be `in`. sums:
/// [num_blocks], the sum of each tile, or null. Dynamic shared memory: the padded tree over the power of
/// two, num_leaves_in_tile, that the tile fits into.
__global__ void scan_tiles(const std::uint32_t* in, std::uint64_t num_items, std::uint32_t* out,
                           std::uint32_t* sums, unsigned num_leaves_in_tile, Stamps stamps) {
    const BlockStamp stamp(stamps);
    COMPACTION_DYNAMIC_SHARED(tree, 4, std::uint32_t);
    const unsigned tile_items = 2 * blockDim.x;
    const std::uint64_t first = std::uint64_t{blockIdx.x} * tile_items;
    const auto items_here = static_cast<unsigned>(min(num_items - first, std::uint64_t{tile_items}));
    for (unsigned i = threadIdx.x; i < num_leaves_in_tile; i += blockDim.x) {
        tree[padded_index(i)] = i < items_here ? in[first + i] : 0;
    }
    sweep_tile_up(tree, num_leaves_in_tile);
    if (threadIdx.x == 0) {
        // No barrier: this thread itself has written the root.
        std::uint32_t& root = tree[padded_index(num_leaves_in_tile - 1)];
        if (sums) sums[blockIdx.x] = root;
        root = 0;
    }
    sweep_tile_down(tree, num_leaves_in_tile);
    __syncthreads();  // the leaves are complete before other threads store them
    for (unsigned i = threadIdx.x; i < items_here; i += blockDim.x) {
        out[first + i] = tree[padded_index(i)];
    }
}

/// Adds the sum before its tile to each item. before: [num_blocks].
__global__ void add_before_tiles(std::uint32_t* values, std::uint64_t num_values, const std::uint32_t* before,
                                 Stamps stamps) {
    const BlockStamp stamp(stamps);
    const std::uint64_t first = std::uint64_t{blockIdx.x} * (2 * blockDim.x) + threadIdx.x;
    const std::uint32_t addend = before[blockIdx.x];
    if (first < num_values) values[first] += addend;
    if (first + blockDim.x < num_values) values[first + blockDim.x] += addend;
}

}  // namespace

void enqueue_tile_scan(const std::uint32_t* in, std::uint64_t num_items, std::uint32_t* out,
                       std::uint32_t* sums, unsigned threads_per_block, cudaStream_t stream,
                       const Stamps& stamps) {
    if (num_items == 0) return;
    const unsigned tile_items = tile_items_of(threads_per_block);
    const unsigned leaves = std::bit_ceil(tile_items);
    const std::size_t tree_bytes = (padded_index(leaves - 1) + 1) * sizeof(std::uint32_t);
    const TileLevels levels(num_items, tile_items);
    const auto num_tiles = [&](std::size_t level) {
        return static_cast<unsigned>(ceil_div(levels.num_items[level], tile_items));
    };
    const auto values_of = [&](std::size_t level) {
        return level == 0 ? out : sums + levels.sums_begin[level];
    };
    LaunchStamps launch_stamps(stamps);
    for (std::size_t level = 0; level < levels.num_levels; ++level) {
        const bool is_last = level + 1 == levels.num_levels;
        const bool ends_phase = levels.num_levels == 1;
        check(detail::launch(scan_tiles, {num_tiles(level), threads_per_block, tree_bytes, stream},
                             level == 0 ? in : values_of(level), levels.num_items[level], values_of(level),
                             is_last ? nullptr : values_of(level + 1), leaves,
                             ends_phase ? launch_stamps.last() : launch_stamps.next()),
              "scan_tiles");
    }
    for (std::size_t level = levels.num_levels - 1; level > 0; --level) {
        check(detail::launch(add_before_tiles, {num_tiles(level - 1), threads_per_block, 0, stream},
                             values_of(level - 1), levels.num_items[level - 1], values_of(level),
                             level == 1 ? launch_stamps.last() : launch_stamps.next()),
              "add_before_tiles");
    }
}

}  // namespace compaction::cuda
