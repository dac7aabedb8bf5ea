// Lanes of a warp: votes, shuffles, matches, code without barriers.
#include <cooperative_groups.h>

#include <cuda_runtime.h>

#include "suite.hpp"

namespace cg = cooperative_groups;

/// Lanes read what their neighbours wrote.
template <bool Waits>
__global__ void rotate_in_warp(int* out) {
    __shared__ int values[32];
    int lane = threadIdx.x;
    values[lane] = lane;
    if (Waits) __syncwarp();
    out[lane] = values[(lane + 1) % 32];
}
static bool run_rotate(void (*kernel)(int*)) {
    suite::DeviceArray<int> out(32);
    kernel<<<1, 32>>>(out.data());
    return out.front() == 1 && out.values().back() == 0;
}
SUITE_CASE(rotate_in_warp, "none") {
    return run_rotate(rotate_in_warp<true>);
}
SUITE_CASE(rotate_in_warp_without_sync, "race in shared memory") {
    return run_rotate(rotate_in_warp<false>);
}

/// A vote is taken for a barrier.
__global__ void vote_as_barrier(int* out) {
    __shared__ int values[32];
    values[threadIdx.x] = threadIdx.x;
    __any_sync(0xffffffff, 1);
    out[threadIdx.x] = values[31 - threadIdx.x];
}
SUITE_CASE(vote_as_barrier, "race in shared memory") {
    suite::DeviceArray<int> out(32);
    vote_as_barrier<<<1, 32>>>(out.data());
    return out.front() == 31;
}

/// A ballot of all lanes in a branch that half of them take.
__global__ void ballot_in_branch(unsigned int* out) {
    if (threadIdx.x < 16) out[threadIdx.x] = __ballot_sync(0xffffffff, threadIdx.x % 2);
}
SUITE_CASE(ballot_in_branch, "wrong mask") {
    suite::DeviceArray<unsigned int> out(32);
    ballot_in_branch<<<1, 32>>>(out.data());
    return true;
}

/// A shuffle whose mask is right but reads a lane outside it.
__global__ void shuffle_from_outside(int* out) {
    if (threadIdx.x < 16) out[threadIdx.x] = __shfl_down_sync(0x0000ffff, static_cast<int>(threadIdx.x), 1);
}
SUITE_CASE(shuffle_from_outside, "shuffle from a lane outside the mask") {
    suite::DeviceArray<int> out(16);
    shuffle_from_outside<<<1, 32>>>(out.data());
    for (int i = 0; i < 15; ++i)
        if (out.values()[i] != i + 1) return false;
    return out.values()[15] == 15 || out.values()[15] == 16;
}

/// A block of 48 threads, whose second warp has only 16 lanes.
__global__ void sum_of_part_of_warp(int* out) {
    int value = 1;
    for (int offset = 16; offset > 0; offset /= 2) value += __shfl_xor_sync(0xffffffff, value, offset);
    if (threadIdx.x % 32 == 0) out[threadIdx.x / 32] = value;
}
SUITE_CASE(sum_of_part_of_warp, "wrong mask") {
    suite::DeviceArray<int> out(2);
    sum_of_part_of_warp<<<1, 48>>>(out.data());
    return true;
}

/// Counts equal keys with one atomic addition for each key in a warp.
__global__ void count_keys_by_match(const int* keys, int* counts) {
    int key = keys[blockIdx.x * blockDim.x + threadIdx.x];
    unsigned int same = __match_any_sync(0xffffffff, key);
    if (__ffs(same) - 1 == threadIdx.x % 32) atomicAdd(&counts[key], __popc(same));
}
SUITE_CASE(count_keys_by_match, "none") {
    std::vector<int> values;
    for (int i = 0; i < 128; ++i) values.push_back(i * i % 4);
    suite::DeviceArray<int> keys(values), counts(4);
    count_keys_by_match<<<2, 64>>>(keys.data(), counts.data());
    return counts.values() == std::vector<int>{64, 64, 0, 0};
}

/// Lanes of a branch elect a leader, which adds for all.
__global__ void aggregate_by_activemask(int* counter, int* places) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t % 3 != 0) return;
    unsigned int active = __activemask();
    int leader = __ffs(active) - 1;
    unsigned int lane = threadIdx.x % 32;
    int begin = 0;
    if (lane == leader) begin = atomicAdd(counter, __popc(active));
    begin = __shfl_sync(active, begin, leader);
    atomicAdd(&places[begin + __popc(active & ((1u << lane) - 1))], 1);
}
SUITE_CASE(aggregate_by_activemask, "none") {
    suite::DeviceArray<int> counter(1), places(43);
    aggregate_by_activemask<<<2, 64>>>(counter.data(), places.data());
    return counter.front() == 43 && places.values() == std::vector<int>(43, 1);
}

/// The same by a coalesced group.
__global__ void aggregate_by_group(int* counter, int* places) {
    if (threadIdx.x % 2) return;
    cg::coalesced_group active = cg::coalesced_threads();
    int begin = 0;
    if (active.thread_rank() == 0) begin = atomicAdd(counter, static_cast<int>(active.size()));
    begin = active.shfl(begin, 0);
    atomicAdd(&places[begin + active.thread_rank()], 1);
}
SUITE_CASE(aggregate_by_group, "none") {
    suite::DeviceArray<int> counter(1), places(64);
    aggregate_by_group<<<2, 64>>>(counter.data(), places.data());
    return counter.front() == 64 && places.values() == std::vector<int>(64, 1);
}

/// Bitonic sort of 32 keys by shuffles.
__global__ void sort_in_warp(int* keys) {
    int key = keys[threadIdx.x];
    int lane = threadIdx.x;
    for (int size = 2; size <= 32; size *= 2) {
        for (int stride = size / 2; stride > 0; stride /= 2) {
            int other = __shfl_xor_sync(0xffffffff, key, stride);
            bool ascending = (lane & size) == 0;
            bool low = (lane & stride) == 0;
            key = (ascending == low) ? min(key, other) : max(key, other);
        }
    }
    keys[lane] = key;
}
SUITE_CASE(sort_in_warp, "none") {
    std::vector<int> keys;
    for (int i = 0; i < 32; ++i) keys.push_back(i * 11 % 32);
    suite::DeviceArray<int> sorted(keys);
    sort_in_warp<<<1, 32>>>(sorted.data());
    return sorted.values() == suite::counting<int>(32);
}

/// Bits counted, reversed and found.
__global__ void bits(const unsigned long long* in, int* out) {
    unsigned long long word = in[threadIdx.x];
    unsigned int low = static_cast<unsigned int>(word);
    int total = __popcll(word) + __clzll(word) + __ffsll(word) + __popc(low) + __clz(low) + __ffs(low);
    total += __brevll(__brevll(word)) == word && __brev(__brev(low)) == low;
    int all_same = 0;
    __match_all_sync(0xffffffff, threadIdx.x / 32, &all_same);
    out[threadIdx.x] = total + all_same + __reduce_max_sync(0xffffffff, -5);
}
SUITE_CASE(bits, "none") {
    suite::DeviceArray<unsigned long long> in(32, 0x8000000000000010ull);
    suite::DeviceArray<int> out(32);
    bits<<<1, 32>>>(in.data(), out.data());
    return out.values() == std::vector<int>(32, 2 + 0 + 5 + 1 + 27 + 5 + 1 + 1 - 5);
}
