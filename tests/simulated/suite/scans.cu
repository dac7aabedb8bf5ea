// Prefix sums and compaction.
#include <cuda_runtime.h>

#include "suite.hpp"

/// Hillis and Steele, with two buffers.
__global__ void scan_two_buffers(const int* in, int* out, int n) {
    extern __shared__ int buffers[];
    int t = threadIdx.x;
    int from = 0, to = 1;
    buffers[t] = t > 0 ? in[t - 1] : 0;
    __syncthreads();
    for (int offset = 1; offset < n; offset *= 2) {
        buffers[to * n + t] = buffers[from * n + t] + (t >= offset ? buffers[from * n + t - offset] : 0);
        __syncthreads();
        from = to;
        to = 1 - to;
    }
    out[t] = buffers[from * n + t];
}
static std::vector<int> sums_before(const std::vector<int>& values) {
    std::vector<int> sums;
    int sum = 0;
    for (int value : values) {
        sums.push_back(sum);
        sum += value;
    }
    return sums;
}
SUITE_CASE(scan_two_buffers, "none") {
    std::vector<int> values = suite::counting<int>(128);
    suite::DeviceArray<int> in(values), out(128);
    scan_two_buffers<<<1, 128, 2 * 128 * sizeof(int)>>>(in.data(), out.data(), 128);
    return out.values() == sums_before(values);
}

/// One buffer, and no barrier between a round's reads and its writes.
__global__ void scan_one_buffer(const int* in, int* out) {
    __shared__ int sums[128];
    int t = threadIdx.x;
    sums[t] = t > 0 ? in[t - 1] : 0;
    for (int offset = 1; offset < 128; offset *= 2) {
        __syncthreads();
        int other = t >= offset ? sums[t - offset] : 0;
        sums[t] += other;
    }
    out[t] = sums[t];
}
SUITE_CASE(scan_one_buffer, "race in shared memory") {
    std::vector<int> values = suite::counting<int>(128);
    suite::DeviceArray<int> in(values), out(128);
    scan_one_buffer<<<1, 128>>>(in.data(), out.data());
    return out.values() == sums_before(values);
}

/// Blelloch's scan: up and down the tree, two items a thread, with padding against bank conflicts.
#define PADDED(i) ((i) + ((i) >> 5))
__global__ void scan_work_efficient(const int* in, int* out, int n) {
    extern __shared__ int tree[];
    int t = threadIdx.x;
    tree[PADDED(2 * t)] = in[2 * t];
    tree[PADDED(2 * t + 1)] = in[2 * t + 1];
    int offset = 1;
    for (int d = n >> 1; d > 0; d >>= 1) {
        __syncthreads();
        if (t < d) tree[PADDED(offset * (2 * t + 2) - 1)] += tree[PADDED(offset * (2 * t + 1) - 1)];
        offset *= 2;
    }
    if (t == 0) tree[PADDED(n - 1)] = 0;
    for (int d = 1; d < n; d *= 2) {
        offset >>= 1;
        __syncthreads();
        if (t < d) {
            int left = PADDED(offset * (2 * t + 1) - 1), right = PADDED(offset * (2 * t + 2) - 1);
            int swapped = tree[left];
            tree[left] = tree[right];
            tree[right] += swapped;
        }
    }
    __syncthreads();
    out[2 * t] = tree[PADDED(2 * t)];
    out[2 * t + 1] = tree[PADDED(2 * t + 1)];
}
SUITE_CASE(scan_work_efficient, "none") {
    std::vector<int> values = suite::counting<int>(256);
    suite::DeviceArray<int> in(values), out(256);
    scan_work_efficient<<<1, 128, PADDED(256) * sizeof(int)>>>(in.data(), out.data(), 256);
    return out.values() == sums_before(values);
}

/// Sums within segments of eight lanes.
__global__ void scan_segments(const int* in, int* out) {
    int sum = in[threadIdx.x];
    for (int offset = 1; offset < 8; offset *= 2) {
        int other = __shfl_up_sync(0xffffffff, sum, offset, 8);
        if (threadIdx.x % 8 >= offset) sum += other;
    }
    out[threadIdx.x] = sum;
}
SUITE_CASE(scan_segments, "none") {
    suite::DeviceArray<int> in(64, 1), out(64);
    scan_segments<<<1, 64>>>(in.data(), out.data());
    std::vector<int> sums = out.values();
    for (int i = 0; i < 64; ++i)
        if (sums[i] != i % 8 + 1) return false;
    return true;
}

/// Keeps the positive items, in any order: a ballot for each warp and one atomic addition.
__global__ void compact_by_ballots(const int* in, int* out, unsigned int* num_kept, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    bool keeps = i < n && in[i] > 0;
    unsigned int kept = __ballot_sync(0xffffffff, keeps);
    int lane = threadIdx.x & 31;
    unsigned int begin = 0;
    if (lane == 0) begin = atomicAdd(num_kept, __popc(kept));
    begin = __shfl_sync(0xffffffff, begin, 0);
    if (keeps) out[begin + __popc(kept & ((1u << lane) - 1))] = in[i];
}
SUITE_CASE(compact_by_ballots, "none") {
    std::vector<int> values;
    for (int i = 0; i < 300; ++i) values.push_back(i % 3 == 0 ? i + 1 : -i);
    suite::DeviceArray<int> in(values), out(100);
    suite::DeviceArray<unsigned int> num_kept(1);
    compact_by_ballots<<<5, 64>>>(in.data(), out.data(), num_kept.data(), 300);
    long long sum = 0;
    for (int kept : out.values()) sum += kept;
    return num_kept.front() == 100 && sum == 14950;
}
