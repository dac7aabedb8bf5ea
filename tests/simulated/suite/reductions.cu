// Sums of arrays.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include <cuda_runtime.h>

#include "suite.hpp"

namespace cg = cooperative_groups;

#define BLOCK 128

/// The tree of a textbook, in shared memory.
__global__ void sum_tree(const float* in, float* out) {
    __shared__ float partial[BLOCK];
    unsigned int t = threadIdx.x;
    partial[t] = in[blockIdx.x * blockDim.x + t];
    __syncthreads();
    for (unsigned int stride = blockDim.x / 2; stride > 0; stride >>= 1) {
        if (t < stride) partial[t] += partial[t + stride];
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = partial[0];
}
SUITE_CASE(sum_tree, "none") {
    suite::DeviceArray<float> in(512, 1.0f), out(4);
    sum_tree<<<4, BLOCK>>>(in.data(), out.data());
    return out.values() == std::vector<float>(4, 128.0f);
}

/// The same with the barrier of the loop forgotten.
__global__ void sum_tree_without_barrier(const float* in, float* out) {
    __shared__ float partial[BLOCK];
    unsigned int t = threadIdx.x;
    partial[t] = in[blockIdx.x * blockDim.x + t];
    __syncthreads();
    for (unsigned int stride = blockDim.x / 2; stride > 0; stride >>= 1) {
        if (t < stride) partial[t] += partial[t + stride];
    }
    if (t == 0) out[blockIdx.x] = partial[0];
}
SUITE_CASE(sum_tree_without_barrier, "race in shared memory") {
    suite::DeviceArray<float> in(512, 1.0f), out(4);
    sum_tree_without_barrier<<<4, BLOCK>>>(in.data(), out.data());
    return out.values() == std::vector<float>(4, 128.0f);
}

/// The last warp without barriers, as it was written before the lanes of a warp could part.
__global__ void sum_last_warp_volatile(const int* in, int* out) {
    extern __shared__ int sums[];
    unsigned int t = threadIdx.x;
    sums[t] = in[t];
    __syncthreads();
    if (t < 64) sums[t] += sums[t + 64];
    __syncthreads();
    if (t < 32) {
        volatile int* s = sums;
        s[t] += s[t + 32];
        s[t] += s[t + 16];
        s[t] += s[t + 8];
        s[t] += s[t + 4];
        s[t] += s[t + 2];
        s[t] += s[t + 1];
    }
    if (t == 0) *out = sums[0];
}
SUITE_CASE(sum_last_warp_volatile, "race in shared memory") {
    suite::DeviceArray<int> in(BLOCK, 1), out(1);
    sum_last_warp_volatile<<<1, BLOCK, BLOCK * sizeof(int)>>>(in.data(), out.data());
    return out.front() == BLOCK;
}

/// The same as it has to be written today.
__global__ void sum_last_warp_syncwarp(const int* in, int* out) {
    extern __shared__ int sums[];
    unsigned int t = threadIdx.x;
    sums[t] = in[t];
    __syncthreads();
    if (t < 64) sums[t] += sums[t + 64];
    __syncthreads();
    if (t < 32) {
        int v = sums[t] + sums[t + 32];
        for (int offset = 16; offset > 0; offset /= 2) {
            sums[t] = v;
            __syncwarp();
            v += sums[(t + offset) % 32];
            __syncwarp();
        }
        if (t == 0) *out = v;
    }
}
SUITE_CASE(sum_last_warp_syncwarp, "none") {
    suite::DeviceArray<int> in(BLOCK, 1), out(1);
    sum_last_warp_syncwarp<<<1, BLOCK, BLOCK * sizeof(int)>>>(in.data(), out.data());
    return out.front() == BLOCK;
}

__inline__ __device__ float warp_sum(float value) {
    for (int offset = warpSize / 2; offset > 0; offset /= 2)
        value += __shfl_down_sync(0xffffffff, value, offset);
    return value;
}
/// Shuffles in each warp, then the first warp adds the sums of all; a grid-stride loop and an atomic
/// addition.
__global__ void sum_by_shuffles(const float* in, float* out, int n) {
    __shared__ float sums[32];
    float value = 0.0f;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) value += in[i];
    value = warp_sum(value);
    int lane = threadIdx.x % warpSize;
    int warp = threadIdx.x / warpSize;
    if (lane == 0) sums[warp] = value;
    __syncthreads();
    value = threadIdx.x < blockDim.x / warpSize ? sums[lane] : 0.0f;
    if (warp == 0) value = warp_sum(value);
    if (threadIdx.x == 0) atomicAdd(out, value);
}
SUITE_CASE(sum_by_shuffles, "none") {
    suite::DeviceArray<float> in(1000, 1.0f), out(1);
    sum_by_shuffles<<<3, BLOCK>>>(in.data(), out.data(), 1000);
    return out.front() == 1000.0f;
}

/// A dot product with cooperative groups.
__global__ void dot_product(const double* a, const double* b, double* out, int n) {
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<32> tile = cg::tiled_partition<32>(block);
    __shared__ double sums[BLOCK / 32];
    double product = 0.0;
    for (int i = block.thread_rank(); i < n; i += block.size()) product += a[i] * b[i];
    product = cg::reduce(tile, product, cg::plus<double>());
    if (tile.thread_rank() == 0) sums[tile.meta_group_rank()] = product;
    block.sync();
    if (block.thread_rank() == 0) {
        for (int i = 1; i < BLOCK / 32; ++i) product += sums[i];
        *out = product;
    }
}
SUITE_CASE(dot_product, "none") {
    suite::DeviceArray<double> a(500, 2.0), b(500, 0.5), out(1);
    dot_product<<<1, BLOCK>>>(a.data(), b.data(), out.data(), 500);
    return out.front() == 500.0;
}

__device__ unsigned int blocks_done = 0;

/// The last block to finish adds the sums of all blocks.
template <bool Fences>
__global__ void sum_last_block(const int* in, volatile int* partial, int* out) {
    __shared__ bool is_last;
    int sum = __syncthreads_count(in[blockIdx.x * blockDim.x + threadIdx.x]);
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = sum;
        if (Fences) __threadfence();
        unsigned int ticket = atomicInc(&blocks_done, gridDim.x - 1);
        is_last = ticket == gridDim.x - 1;
    }
    __syncthreads();
    if (is_last && threadIdx.x == 0) {
        if (Fences) __threadfence();
        int total = 0;
        for (unsigned int i = 0; i < gridDim.x; ++i) total += partial[i];
        *out = total;
    }
}
static bool run_last_block(void (*kernel)(const int*, volatile int*, int*)) {
    unsigned int zero = 0;
    suite::check(cudaMemcpyToSymbol(blocks_done, &zero, sizeof(zero)));
    suite::DeviceArray<int> in(8 * 64, 1), partial(8), out(1);
    kernel<<<8, 64>>>(in.data(), partial.data(), out.data());
    return out.front() == 512;
}
SUITE_CASE(sum_last_block, "none") {
    return run_last_block(sum_last_block<true>);
}
SUITE_CASE(sum_last_block_without_fence, "missing fence") {
    return run_last_block(sum_last_block<false>);
}

__device__ unsigned int parts_done = 0;

/// All threads of the last block add the sums, and one resets the counter by a plain store.
template <bool Fences, bool LastResets>
__global__ void sum_in_last_block(const int* in, int* partial, int* out) {
    __shared__ bool is_last;
    unsigned int t = threadIdx.x;
    int sum = __syncthreads_count(in[blockIdx.x * blockDim.x + t]);
    if (t == 0) {
        partial[blockIdx.x] = sum;
        if (Fences) __threadfence();
        is_last = atomicAdd(&parts_done, 1u) == gridDim.x - 1;
    }
    __syncthreads();
    if (is_last) {
        if (Fences) __threadfence();
        if (t < gridDim.x) atomicAdd(out, partial[t]);
    }
    if (t == 0 && (LastResets ? is_last : blockIdx.x == 0)) parts_done = 0;
}
static bool run_in_last_block(void (*kernel)(const int*, int*, int*)) {
    unsigned int zero = 0;
    suite::check(cudaMemcpyToSymbol(parts_done, &zero, sizeof(zero)));
    suite::DeviceArray<int> in(8 * 64, 1), partial(8), out(1);
    kernel<<<8, 64>>>(in.data(), partial.data(), out.data());
    kernel<<<8, 64>>>(in.data(), partial.data(), out.data());
    return out.front() == 1024;
}
SUITE_CASE(sum_in_last_block, "none") {
    return run_in_last_block(sum_in_last_block<true, true>);
}
SUITE_CASE(sum_in_last_block_without_fence, "missing fence") {
    return run_in_last_block(sum_in_last_block<false, true>);
}
SUITE_CASE(sum_in_last_block_reset_by_first, "race in global memory") {
    return run_in_last_block(sum_in_last_block<true, false>);
}
