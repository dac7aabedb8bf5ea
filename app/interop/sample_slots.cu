#include "app/interop/kernels.hpp"

#include <algorithm>

#include "compaction/cuda/check.hpp"
#include "compaction/cuda/scan_counts.cuh"
#include "compaction/cuda/warp.cuh"

namespace warpsieve::interop {
namespace {

using namespace compaction::cuda;
using compaction::Item;
using scene::SlotCell;

constexpr unsigned threads = 256;

/// Counts the live slots in [begin, end) with a whole warp.
__device__ unsigned count_live(const Item* handles, std::uint64_t begin, std::uint64_t end) {
    unsigned live = 0;
    for (std::uint64_t i = begin + lane_index(); i < end; i += warp_size) live += handles[i] != 0;
    return warp_sum(live);
}

__global__ void count_leaves(SampleTask task, std::uint64_t num_leaves) {
    const std::uint64_t leaf = warp_in_grid();
    if (leaf >= num_leaves) return;
    const std::uint64_t begin = leaf * leaf_slots;
    const unsigned live = count_live(task.buffers.in, begin, min(begin + leaf_slots, task.slots));
    if (lane_index() == 0) task.leaf_counts[leaf] = live;
}

/// Launch one warp.
__global__ void rank_first_slot(SampleTask task) {
    const std::uint64_t leaf = task.window.first_slot / leaf_slots;
    const unsigned within = count_live(task.buffers.in, leaf * leaf_slots, task.window.first_slot);
    if (lane_index() != 0) return;
    task.figures->first_rank = task.leaf_ranks[leaf] + within;
    task.figures->kept = min(*task.buffers.num_selected, task.slots);
}

/// The items of the sparse buffer, by slot.
struct Slots {
    const Item* handles;
    const scene::Position* positions;
    std::uint64_t begin;
    std::uint64_t end;

    __device__ explicit Slots(const SampleTask& task)
        : handles(task.buffers.in),
          positions(task.buffers.positions),
          begin(task.window.first_slot),
          end(task.slots) {}

    __device__ bool holds_item(std::uint64_t i) const { return i < end && handles[i] != 0; }
    __device__ unsigned faults(std::uint64_t) const { return 0; }
    __device__ Item item(std::uint64_t i) const { return handles[i]; }
    __device__ std::uint8_t age(std::uint64_t i) const { return scene::quantised_age(positions[i].age); }
};

/// The items of the output, by index.
struct Output {
    const Item* items;
    const scene::Position* positions;
    std::uint64_t slots;
    std::uint64_t begin;
    std::uint64_t end;

    __device__ explicit Output(const SampleTask& task)
        : items(task.buffers.out),
          positions(task.buffers.positions),
          slots(task.slots),
          begin(scene::round_down_to_row(task.figures->first_rank, task.row_slots)),
          end(min(*task.buffers.num_selected, task.slots)) {}

    __device__ bool holds_item(std::uint64_t i) const { return i < end; }
    __device__ unsigned faults(std::uint64_t i) const {
        if (i >= end) return 0;
        const Item item = items[i];
        unsigned faults = item == 0 || item > slots ? unsigned{scene::no_slot} : 0U;
        if (i > 0 && item <= items[i - 1]) faults |= scene::out_of_order;
        return faults;
    }
    __device__ Item item(std::uint64_t i) const { return items[i]; }
    __device__ std::uint8_t age(std::uint64_t i) const {
        const Item item = items[i];
        return item != 0 && item <= slots ? scene::quantised_age(positions[item - 1].age) : 0;
    }
};

/// A warp reads 32 items at a time: several cells, or part of a larger cell.
template <typename Stream>
__global__ void fill_cells(SampleTask task, SlotCell* cells) {
    const Stream stream(task);
    const unsigned each = task.window.slots_per_cell;
    const unsigned cells_per_row = each < warp_size ? warp_size / each : 1;
    const unsigned rows_per_cell = each < warp_size ? 1 : each / warp_size;
    const std::uint64_t first_cell = std::uint64_t{warp_in_grid()} * cells_per_row;
    if (first_cell >= task.num_cells) return;
    const unsigned bits_each = each < warp_size ? each : warp_size;
    const unsigned shift = lane_index() % cells_per_row * bits_each;
    const unsigned own_bits = (bits_each == warp_size ? all_lanes : (1U << bits_each) - 1) << shift;

    unsigned num_items = 0;
    unsigned faults = 0;
    std::uint64_t first = stream.end;
    for (unsigned row = 0; row < rows_per_cell; ++row) {
        const std::uint64_t start = stream.begin + first_cell * each + row * warp_size;
        const std::uint64_t i = start + lane_index();
        const unsigned found = stream.faults(i);
        const unsigned held = __ballot_sync(all_lanes, stream.holds_item(i)) & own_bits;
        const unsigned disordered = __ballot_sync(all_lanes, found & scene::out_of_order) & own_bits;
        const unsigned invalid = __ballot_sync(all_lanes, found & scene::no_slot) & own_bits;
        if (num_items == 0 && held != 0) first = start + __ffs(static_cast<int>(held)) - 1;
        num_items += __popc(held);
        faults |=
            (disordered ? unsigned{scene::out_of_order} : 0U) | (invalid ? unsigned{scene::no_slot} : 0U);
    }
    const std::uint64_t index = first_cell + lane_index();
    if (lane_index() >= cells_per_row || index >= task.num_cells) return;
    SlotCell cell;
    if (num_items > 0) {
        cell.first_handle = stream.item(first);
        cell.items = static_cast<std::uint16_t>(num_items);
        cell.age = stream.age(first);
        cell.faults = static_cast<std::uint8_t>(faults);
    }
    cells[index] = cell;
}

__global__ void find_item(SampleTask task) {
    const std::uint64_t end = min(*task.buffers.num_selected, task.slots);
    const std::uint64_t stride = std::uint64_t{gridDim.x} * blockDim.x;
    static_assert(sizeof(unsigned long long) == sizeof(std::uint64_t));
    for (std::uint64_t i = thread_in_grid(); i < end; i += stride) {
        if (task.buffers.out[i] != task.wanted_handle) continue;
        atomicMin(reinterpret_cast<unsigned long long*>(&task.figures->found_output_index), i);
    }
}

}  // namespace

void launch_sample(const SampleTask& task, cudaStream_t stream) {
    const auto num_leaves = static_cast<unsigned>((task.slots + leaf_slots - 1) / leaf_slots);
    const auto blocks = [](std::uint64_t warps) { return blocks_for(warps * warp_size, threads); };
    check(cudaMemsetAsync(task.figures, 0xff, sizeof(SampleFigures), stream), "cudaMemsetAsync of a sample");
    count_leaves<<<blocks(num_leaves), threads, 0, stream>>>(task, num_leaves);
    check_launch("count_leaves");
    constexpr unsigned scan_threads = 1024;
    scan_in_one_block<scan_threads, 8>
        <<<1, scan_threads, 0, stream>>>(task.leaf_counts, num_leaves, task.leaf_ranks, &task.figures->live);
    check_launch("scan_in_one_block");
    rank_first_slot<<<1, warp_size, 0, stream>>>(task);
    check_launch("rank_first_slot");
    const unsigned cells_per_warp =
        task.window.slots_per_cell < warp_size ? warp_size / task.window.slots_per_cell : 1;
    const unsigned cell_blocks = blocks((task.num_cells + cells_per_warp - 1) / cells_per_warp);
    fill_cells<Slots><<<cell_blocks, threads, 0, stream>>>(task, task.in);
    check_launch("fill_cells of slots");
    fill_cells<Output><<<cell_blocks, threads, 0, stream>>>(task, task.out);
    check_launch("fill_cells of the output");
    if (task.wanted_handle == 0) return;
    constexpr unsigned max_blocks = 1024;
    find_item<<<std::min(blocks_for(task.slots, threads), max_blocks), threads, 0, stream>>>(task);
    check_launch("find_item");
}

}  // namespace warpsieve::interop
