// Cooperative groups: any group as a parameter, the grid, scans, labels, shuffles of structures.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include <cuda_runtime.h>

#include "suite.hpp"

namespace cg = cooperative_groups;

/// The sum of a group of any kind, by a tree in shared memory.
template <bool Waits>
__device__ int sum_of_group(cg::thread_group g, int* temp, int value) {
    int rank = g.thread_rank();
    for (int i = g.size() / 2; i > 0; i /= 2) {
        temp[rank] = value;
        if (Waits) g.sync();
        if (rank < i) value += temp[rank + i];
        g.sync();
    }
    return value;
}
template <bool Waits>
__global__ void sum_by_groups(const int* in, int* sum_of_blocks, int* sum_of_tiles) {
    extern __shared__ int temp[];
    cg::thread_block block = cg::this_thread_block();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int sum = sum_of_group<Waits>(block, temp, in[i]);
    if (block.thread_rank() == 0) atomicAdd(sum_of_blocks, sum);
    cg::thread_group warp = cg::tiled_partition(block, 32);
    cg::thread_group tile = cg::tiled_partition(warp, 4);
    sum = sum_of_group<Waits>(tile, temp + threadIdx.x / 4 * 4, in[i]);
    if (tile.thread_rank() == 0) atomicAdd(sum_of_tiles, sum);
}
template <bool Waits>
static bool run_sum_by_groups() {
    suite::DeviceArray<int> in(suite::counting<int>(256)), sums(2);
    sum_by_groups<Waits><<<2, 128, 128 * sizeof(int)>>>(in.data(), sums.data(), sums.data() + 1);
    return sums.values() == std::vector<int>{255 * 128, 255 * 128};
}
SUITE_CASE(sum_by_groups, "none") {
    return run_sum_by_groups<true>();
}
SUITE_CASE(sum_by_groups_without_sync, "race in shared memory") {
    return run_sum_by_groups<false>();
}

/// Heat spreads along a rod, a step between two barriers of the grid.
template <bool Waits>
__global__ void spread_heat(float* now, float* next, int n, int steps) {
    cg::grid_group grid = cg::this_grid();
    for (int step = 0; step < steps; ++step) {
        for (int i = grid.thread_rank(); i < n; i += grid.size()) {
            float left = i > 0 ? now[i - 1] : now[i];
            float right = i < n - 1 ? now[i + 1] : now[i];
            next[i] = now[i] + 0.25f * (left - 2 * now[i] + right);
        }
        if (Waits) grid.sync();
        float* swapped = now;
        now = next;
        next = swapped;
    }
}
template <bool Waits>
static bool run_spread_heat() {
    int n = 200, steps = 4;
    std::vector<float> rod(n);
    rod[100] = 256;
    suite::DeviceArray<float> now(rod), next(n);
    float *a = now.data(), *b = next.data();
    void* arguments[] = {&a, &b, &n, &steps};
    suite::check(
        cudaLaunchCooperativeKernel((void*)spread_heat<Waits>, dim3(3), dim3(64), arguments, 0, nullptr));
    suite::check(cudaDeviceSynchronize());
    for (int step = 0; step < steps; ++step) {
        const std::vector<float> old = rod;
        for (int i = 1; i < n - 1; ++i) rod[i] = old[i] + 0.25f * (old[i - 1] - 2 * old[i] + old[i + 1]);
    }
    return now.values() == rod;
}
SUITE_CASE(spread_heat, "none") {
    return run_spread_heat<true>();
}
SUITE_CASE(spread_heat_without_sync, "race in global memory") {
    return run_spread_heat<false>();
}
SUITE_CASE(spread_heat_in_ordinary_launch, "wrong launch") {
    suite::DeviceArray<float> now(200), next(200);
    spread_heat<true><<<3, 64>>>(now.data(), next.data(), 200, 2);
    return true;
}

/// Only the first block waits for the grid.
__global__ void sync_in_first_block(int* out) {
    if (blockIdx.x == 0) cg::this_grid().sync();
    out[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}
SUITE_CASE(sync_of_grid_in_one_block, "waits without end") {
    suite::DeviceArray<int> out(64);
    int* data = out.data();
    void* arguments[] = {&data};
    suite::check(cudaLaunchCooperativeKernel(sync_in_first_block, 2, 32, arguments));
    return true;
}

/// The largest of a warp and its position, in one structure of 16 bytes.
struct Largest {
    double value;
    int index;
};
__global__ void find_largest(const double* in, int* index) {
    cg::thread_block_tile<32> warp = cg::tiled_partition<32>(cg::this_thread_block());
    Largest mine = {in[threadIdx.x], static_cast<int>(threadIdx.x)};
    for (int offset = 16; offset > 0; offset /= 2) {
        Largest other = warp.shfl_down(mine, offset);
        if (other.value > mine.value) mine = other;
    }
    if (warp.thread_rank() == 0) index[warp.meta_group_rank()] = mine.index;
}
SUITE_CASE(find_largest, "none") {
    std::vector<double> values;
    for (int i = 0; i < 64; ++i) values.push_back(i * 37 % 64);
    suite::DeviceArray<double> in(values);
    suite::DeviceArray<int> index(2);
    find_largest<<<1, 64>>>(in.data(), index.data());
    for (int warp = 0; warp < 2; ++warp)
        for (int i = 0; i < 32; ++i)
            if (values[warp * 32 + i] > values[index.values()[warp]]) return false;
    return true;
}

/// Each lane packs its items behind those of the lanes before it; lanes with the same key count together.
__global__ void pack_and_count(const int* sizes, int* packed, int* counts) {
    auto tile = cg::tiled_partition<16>(cg::this_thread_block());
    int size = sizes[threadIdx.x];
    int begin = cg::exclusive_scan(tile, size);
    int end = cg::inclusive_scan(tile, size, cg::plus<int>());
    int largest = cg::reduce(tile, end, cg::greater<int>());
    for (int i = begin; i < end; ++i) packed[tile.meta_group_rank() * 48 + i] = threadIdx.x;
    cg::coalesced_group same = cg::labeled_partition(tile, size);
    if (same.thread_rank() == 0) atomicAdd(&counts[size], same.size());
    cg::coalesced_group halves = cg::binary_partition(tile, tile.thread_rank() < 8);
    if (halves.thread_rank() == 0) atomicAdd(&counts[5], largest == 24 && halves.size() == 8);
}
SUITE_CASE(pack_and_count, "none") {
    std::vector<int> values(64);
    for (int i = 0; i < 64; ++i) values[i] = i % 4;
    suite::DeviceArray<int> sizes(values), packed(192, -1), counts(6);
    pack_and_count<<<1, 64>>>(sizes.data(), packed.data(), counts.data());
    return counts.values() == std::vector<int>{16, 16, 16, 16, 0, 8} && packed.values()[23] == 15 &&
           packed.values()[24] == -1;
}
