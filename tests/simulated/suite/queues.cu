// Producers and consumers, queues, barriers of the grid.
#include <cuda_runtime.h>

#include "suite.hpp"

/// Block 0 writes a message; block 1 waits for the flag and reads it.
template <bool Fences>
__global__ void pass_message(int* message, volatile int* flag, int* out) {
    if (threadIdx.x != 0) return;
    if (blockIdx.x == 0) {
        *message = 42;
        if (Fences) __threadfence();
        *flag = 1;
    } else {
        while (*flag == 0) {
        }
        if (Fences) __threadfence();
        *out = *message;
    }
}
static bool run_message(void (*kernel)(int*, volatile int*, int*)) {
    suite::DeviceArray<int> message(1), flag(1), out(1);
    kernel<<<2, 32>>>(message.data(), flag.data(), out.data());
    return out.front() == 42;
}
SUITE_CASE(pass_message, "none") {
    return run_message(pass_message<true>);
}
SUITE_CASE(pass_message_without_fence, "missing fence") {
    return run_message(pass_message<false>);
}

/// Each thread of block 0 writes a message and fences; one raises the flag after the barrier. In block 1, one
/// waits for the flag; each fences after the barrier and reads.
template <bool Fences>
__global__ void pass_messages_of_block(int* messages, volatile int* flag, int* out) {
    unsigned int t = threadIdx.x;
    if (blockIdx.x == 0) {
        messages[t] = t + 1;
        if (Fences) __threadfence();
        __syncthreads();
        if (t == 0) *flag = 1;
    } else {
        if (t == 0) {
            while (*flag == 0) {
            }
        }
        __syncthreads();
        if (Fences) __threadfence();
        out[t] = messages[blockDim.x - 1 - t];
    }
}
static bool run_messages(void (*kernel)(int*, volatile int*, int*)) {
    suite::DeviceArray<int> messages(64), flag(1), out(64);
    kernel<<<2, 64>>>(messages.data(), flag.data(), out.data());
    return out.values().front() == 64 && out.values().back() == 1;
}
SUITE_CASE(pass_messages_of_block, "none") {
    return run_messages(pass_messages_of_block<true>);
}
SUITE_CASE(pass_messages_of_block_without_fence, "missing fence") {
    return run_messages(pass_messages_of_block<false>);
}

/// The same between two warps of a block, in shared memory.
template <bool Fences>
__global__ void pass_messages_of_warp(int* out) {
    __shared__ int messages[32];
    __shared__ volatile int flag;
    unsigned int lane = threadIdx.x % 32;
    if (threadIdx.x == 0) flag = 0;
    __syncthreads();
    if (threadIdx.x < 32) {
        messages[lane] = lane + 1;
        if (Fences) __threadfence_block();
        __syncwarp();
        if (lane == 0) flag = 1;
    } else {
        if (lane == 0) {
            while (flag == 0) {
            }
        }
        __syncwarp();
        if (Fences) __threadfence_block();
        out[lane] = messages[31 - lane];
    }
}
static bool run_messages_of_warp(void (*kernel)(int*)) {
    suite::DeviceArray<int> out(32);
    kernel<<<1, 64>>>(out.data());
    return out.values().front() == 32 && out.values().back() == 1;
}
SUITE_CASE(pass_messages_of_warp, "none") {
    return run_messages_of_warp(pass_messages_of_warp<true>);
}
SUITE_CASE(pass_messages_of_warp_without_fence, "missing fence") {
    return run_messages_of_warp(pass_messages_of_warp<false>);
}

/// The flag is polled by plain loads, which the compiler may do once.
__global__ void poll_by_plain_loads(int* flag, int* out) {
    if (threadIdx.x != 0) return;
    if (blockIdx.x == 0)
        atomicExch(flag, 1);
    else
        while (*flag == 0) out[1] = out[1] + 1;
    out[0] = 1;
}
SUITE_CASE(poll_by_plain_loads, "race in global memory") {
    suite::DeviceArray<int> flag(1), out(2);
    poll_by_plain_loads<<<2, 32>>>(flag.data(), out.data());
    return true;
}

/// Nobody writes the flag.
__global__ void wait_for_nobody(volatile int* flag, int* out) {
    while (*flag == 0) {
    }
    *out = 1;
}
SUITE_CASE(wait_for_nobody, "waits without end") {
    suite::DeviceArray<int> flag(1), out(1);
    wait_for_nobody<<<1, 1>>>(flag.data(), out.data());
    return true;
}

/// The sum skips the value that ends the loop.
__global__ void add_until_five(unsigned int* sum) {
    while (atomicAdd(sum, 2u) != 5) {
    }
}
SUITE_CASE(add_until_five, "waits without end") {
    suite::DeviceArray<unsigned int> sum(1);
    add_until_five<<<2, 32>>>(sum.data());
    return true;
}
/// The GPU holds fewer blocks than the launch has.
__global__ void wait_for_all_blocks(volatile int* arrived, int* counter) {
    if (threadIdx.x == 0) atomicAdd(counter, 1);
    while (*arrived < (int)gridDim.x) {
    }
}
SUITE_CASE(wait_for_all_blocks, "waits without end") {
    suite::DeviceArray<int> arrived(1);
    wait_for_all_blocks<<<20000, 256>>>(arrived.data(), arrived.data());
    return true;
}

/// A ring in shared memory between a warp that produces and one that consumes.
__global__ void ring_of_warps(int* out, int rounds) {
    __shared__ int items[2][32];
    int lane = threadIdx.x % 32;
    bool produces = threadIdx.x < 32;
    int sum = 0;
    for (int round = 0; round <= rounds; ++round) {
        if (produces && round < rounds) items[round % 2][lane] = round * 32 + lane;
        if (!produces && round > 0) sum += items[(round - 1) % 2][lane];
        __syncthreads();
    }
    if (!produces) out[lane] = sum;
}
SUITE_CASE(ring_of_warps, "none") {
    suite::DeviceArray<int> out(32);
    ring_of_warps<<<1, 64>>>(out.data(), 10);
    return out.values().back() == 45 * 32 + 310;
}

/// Blocks take tasks from a counter until there are none.
__global__ void take_tasks(const int* tasks, int n, unsigned int* next, int* done) {
    __shared__ unsigned int task;
    while (true) {
        if (threadIdx.x == 0) task = atomicAdd(next, 1u);
        __syncthreads();
        if (task >= n) return;
        if (threadIdx.x == task % blockDim.x) done[task] = tasks[task] + 1;
        __syncthreads();
    }
}
SUITE_CASE(take_tasks, "none") {
    suite::DeviceArray<int> tasks(suite::counting<int>(20)), done(20);
    suite::DeviceArray<unsigned int> next(1);
    take_tasks<<<3, 64>>>(tasks.data(), 20, next.data(), done.data());
    return done.values() == suite::counting<int>(20, 1);
}
/// Without the second barrier, the next task comes while others still read the last one.
__global__ void take_tasks_with_one_barrier(int n, unsigned int* next, int* done) {
    __shared__ unsigned int task;
    while (true) {
        if (threadIdx.x == 0) task = atomicAdd(next, 1u);
        __syncthreads();
        if (task >= n) return;
        if (threadIdx.x == task % blockDim.x) atomicAdd(&done[task], 1);
    }
}
SUITE_CASE(take_tasks_with_one_barrier, "race in shared memory") {
    suite::DeviceArray<int> done(20);
    suite::DeviceArray<unsigned int> next(1);
    take_tasks_with_one_barrier<<<3, 64>>>(20, next.data(), done.data());
    return done.values() == std::vector<int>(20, 1);
}

/// The consumer takes items by the counter of places, before they are written.
__global__ void take_before_written(int* items, unsigned int* size, int* out) {
    if (blockIdx.x == 0) {
        unsigned int place = atomicAdd(size, 1u);
        items[place] = threadIdx.x;
    } else {
        while (atomicAdd(size, 0u) <= threadIdx.x) {
        }
        out[threadIdx.x] = items[threadIdx.x];
    }
}
SUITE_CASE(take_before_written, "race in global memory") {
    suite::DeviceArray<int> items(32), out(32);
    suite::DeviceArray<unsigned int> size(1);
    take_before_written<<<2, 32>>>(items.data(), size.data(), out.data());
    return true;
}

/// A barrier of all blocks by an atomic counter, in each of several rounds.
template <bool Fences>
__global__ void barrier_of_grid(unsigned int* arrived, int* values, int rounds) {
    for (int round = 0; round < rounds; ++round) {
        int left = values[(blockIdx.x + gridDim.x - 1) % gridDim.x + round * gridDim.x];
        if (threadIdx.x == 0) {
            values[blockIdx.x + (round + 1) * gridDim.x] = left + 1;
            if (Fences) __threadfence();
            atomicAdd(arrived, 1u);
            while (atomicAdd(arrived, 0u) < (round + 1) * gridDim.x) __nanosleep(100);
            if (Fences) __threadfence();
        }
        __syncthreads();
    }
}
static bool run_barrier(void (*kernel)(unsigned int*, int*, int)) {
    suite::DeviceArray<unsigned int> arrived(1);
    suite::DeviceArray<int> values(4 * 5);
    kernel<<<4, 32>>>(arrived.data(), values.data(), 4);
    return values.values().back() == 4;
}
SUITE_CASE(barrier_of_grid, "none") {
    return run_barrier(barrier_of_grid<true>);
}
SUITE_CASE(barrier_of_grid_without_fence, "missing fence") {
    return run_barrier(barrier_of_grid<false>);
}

/// A barrier of all blocks that can be used again: the last block resets the counter by a plain store.
template <bool Fences>
__global__ void barrier_of_grid_with_reset(unsigned int* arrived, unsigned int* round_of_all, int* values,
                                           unsigned int rounds) {
    for (unsigned int round = 0; round < rounds; ++round) {
        int left = values[(blockIdx.x + gridDim.x - 1) % gridDim.x + round * gridDim.x];
        if (threadIdx.x == 0) {
            values[blockIdx.x + (round + 1) * gridDim.x] = left + 1;
            __threadfence();
            if (atomicAdd(arrived, 1u) == gridDim.x - 1) {
                *arrived = 0;
                if (Fences) __threadfence();
                atomicAdd(round_of_all, 1u);
            } else {
                while (atomicAdd(round_of_all, 0u) == round) __nanosleep(100);
            }
            __threadfence();
        }
        __syncthreads();
    }
}
static bool run_barrier_with_reset(void (*kernel)(unsigned int*, unsigned int*, int*, unsigned int)) {
    suite::DeviceArray<unsigned int> arrived(1), round(1);
    suite::DeviceArray<int> values(4 * 5);
    kernel<<<4, 32>>>(arrived.data(), round.data(), values.data(), 4);
    return values.values().back() == 4;
}
SUITE_CASE(barrier_of_grid_with_reset, "none") {
    return run_barrier_with_reset(barrier_of_grid_with_reset<true>);
}
SUITE_CASE(barrier_of_grid_with_reset_without_fence, "missing fence") {
    return run_barrier_with_reset(barrier_of_grid_with_reset<false>);
}

/// Blocks count themselves in, and the last block takes their values: it loads the counter until all have
/// arrived, and resets it by a plain store.
template <bool Fences, bool Waits>
__global__ void collect_and_reset(unsigned int* arrived, int* values, int* sum) {
    if (threadIdx.x != 0) return;
    if (blockIdx.x < gridDim.x - 1) {
        values[blockIdx.x] = blockIdx.x + 1;
        if (Fences) __threadfence();
        atomicAdd(arrived, 1u);
        return;
    }
    volatile unsigned int* count = arrived;
    while (*count < (Waits ? gridDim.x - 1 : 1)) __nanosleep(100);
    *arrived = 0;
    __threadfence();
    int total = 0;
    for (int i = 0; i < gridDim.x - 1; ++i) total += values[i];
    *sum = total;
}
static bool run_collect(void (*kernel)(unsigned int*, int*, int*)) {
    suite::DeviceArray<unsigned int> arrived(1);
    suite::DeviceArray<int> values(3), sum(1);
    kernel<<<4, 32>>>(arrived.data(), values.data(), sum.data());
    return sum.front() == 6 && arrived.front() == 0;
}
SUITE_CASE(collect_and_reset, "none") {
    return run_collect(collect_and_reset<true, true>);
}
SUITE_CASE(collect_and_reset_without_fence, "missing fence") {
    return run_collect(collect_and_reset<false, true>);
}
SUITE_CASE(collect_and_reset_too_early, "race in global memory") {
    return run_collect(collect_and_reset<true, false>);
}

/// The connected parts of a graph by union-find: a root points to a smaller one.
__device__ int find_root(volatile int* parent, int v) {
    while (v != parent[v]) v = parent[v];
    return v;
}
template <bool Swaps>
__global__ void connect(int* parent, const int2* edges, int num_edges) {
    int e = blockIdx.x * blockDim.x + threadIdx.x;
    if (e >= num_edges) return;
    int a = edges[e].x, b = edges[e].y;
    while (true) {
        a = find_root(parent, a);
        b = find_root(parent, b);
        if (a == b) return;
        if (a < b) {
            int smaller = a;
            a = b;
            b = smaller;
        }
        if (!Swaps) {
            parent[a] = b;
            return;
        }
        if (atomicCAS(&parent[a], a, b) == a) return;
    }
}
template <bool Swaps>
static bool run_connect() {
    const int n = 60;
    std::vector<int2> pairs;
    for (int v = 0; v + 3 < n; ++v) pairs.push_back(make_int2(v, v + 3));
    suite::DeviceArray<int2> edges(pairs);
    suite::DeviceArray<int> parent(suite::counting<int>(n));
    connect<Swaps><<<2, 32>>>(parent.data(), edges.data(), pairs.size());
    const std::vector<int> found = parent.values();
    for (int v = 0; v < n; ++v) {
        int root = v;
        while (found[root] != root) root = found[root];
        if (root != v % 3) return false;
    }
    return true;
}
SUITE_CASE(connect, "none") {
    return run_connect<true>();
}
SUITE_CASE(connect_by_plain_writes, "race in global memory") {
    return run_connect<false>();
}
