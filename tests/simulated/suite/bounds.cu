// Accesses out of bounds, barriers that part of a block reaches, assertions.
#include <cassert>
#include <cstdio>
#include <future>

#include <cuda_runtime.h>

#include "suite.hpp"

__global__ void write_one_too_many(int* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= n) out[i] = i;
}
SUITE_CASE(write_one_too_many, "out of bounds") {
    suite::DeviceArray<int> out(100);
    write_one_too_many<<<2, 64>>>(out.data(), 100);
    return true;
}
/// Launched by another thread of the host.
SUITE_CASE(write_from_other_thread, "out of bounds") {
    suite::DeviceArray<int> out(100);
    const auto launch = [&] { write_one_too_many<<<2, 64>>>(out.data(), 100); };
    std::async(std::launch::async, launch).get();
    return true;
}
__global__ void read_before_begin(const int* in, int* out) {
    out[threadIdx.x] = in[static_cast<int>(threadIdx.x) - 1];
}
SUITE_CASE(read_before_begin, "out of bounds") {
    suite::DeviceArray<int> in(64), out(64);
    read_before_begin<<<1, 64>>>(in.data(), out.data());
    return true;
}
/// An index of rows and columns that were exchanged, far behind the end.
__global__ void write_far_away(int* out, int stride) {
    out[static_cast<long long>(threadIdx.x) * stride] = 1;
}
SUITE_CASE(write_far_away, "out of bounds") {
    suite::DeviceArray<int> out(64);
    write_far_away<<<1, 64>>>(out.data(), 1 << 30);
    return true;
}
__global__ void read_null(const int* in, int* out) {
    out[threadIdx.x] = in[threadIdx.x];
}
SUITE_CASE(read_null, "out of bounds") {
    suite::DeviceArray<int> out(64);
    const int* nothing = nullptr;
    read_null<<<1, 64>>>(nothing, out.data());
    return true;
}
SUITE_CASE(read_null_in_one_thread, "out of bounds") {
    suite::DeviceArray<int> out(1);
    const int* nothing = nullptr;
    read_null<<<1, 1>>>(nothing, out.data());
    return true;
}
/// The array of the host is passed in place of its copy.
SUITE_CASE(read_array_of_host, "host memory") {
    int in[64] = {};
    suite::DeviceArray<int> out(64);
    read_null<<<1, 64>>>(in, out.data());
    return true;
}
/// The structure is passed by value, and its pointer leads to memory of the host.
struct Row {
    int* cells;
    int length;
};
__global__ void clear_row(Row row) {
    if (threadIdx.x < row.length) row.cells[threadIdx.x] = 0;
}
SUITE_CASE(write_array_of_host, "host memory") {
    std::vector<int> cells(64, 1);
    clear_row<<<1, 64>>>(Row{cells.data(), 64});
    return cells[0] == 0;
}
__global__ void past_end_of_tile(int* out) {
    __shared__ int tile[64];
    __shared__ int other[64];
    other[threadIdx.x] = 1;
    tile[threadIdx.x + 1] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = tile[threadIdx.x] + other[threadIdx.x];
}
SUITE_CASE(past_end_of_tile, "out of bounds") {
    suite::DeviceArray<int> out(64);
    past_end_of_tile<<<1, 64>>>(out.data());
    return true;
}
__global__ void past_dynamic_memory(int* out) {
    extern __shared__ int dynamic[];
    dynamic[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = dynamic[63 - threadIdx.x];
}
SUITE_CASE(past_dynamic_memory, "out of bounds") {
    suite::DeviceArray<int> out(64);
    past_dynamic_memory<<<1, 64, 32 * sizeof(int)>>>(out.data());
    return true;
}
/// Rows of a matrix beside each other: a column too far is the next row.
__global__ void into_next_row(int* matrix, int width) {
    matrix[threadIdx.y * width + threadIdx.x + 1] = threadIdx.y;
}
SUITE_CASE(into_next_row, "race in global memory") {
    suite::DeviceArray<int> matrix(9 * 8 + 1);
    into_next_row<<<1, dim3(9, 8)>>>(matrix.data(), 8);
    return true;
}
/// The array comes from cudaMalloc, and nobody has written it.
__global__ void add_one(const int* in, int* out) {
    out[threadIdx.x] = in[threadIdx.x] + 1;
}
SUITE_CASE(read_fresh_memory, "read of unwritten global memory") {
    int* fresh = nullptr;
    suite::check(cudaMalloc(&fresh, 64 * sizeof(int)));
    suite::DeviceArray<int> out(64);
    add_one<<<1, 64>>>(fresh, out.data());
    cudaFree(fresh);
    return out.front() == 1;
}

/// A barrier in a branch of a warp.
__global__ void barrier_in_branch(int* out) {
    __shared__ int value;
    if (threadIdx.x < 16) {
        if (threadIdx.x == 0) value = 1;
        __syncthreads();
        out[threadIdx.x] = value;
    }
}
SUITE_CASE(barrier_in_branch, "divergent barrier") {
    suite::DeviceArray<int> out(64);
    barrier_in_branch<<<1, 32>>>(out.data());
    return true;
}
/// Threads past the end return before the barrier.
__global__ void return_before_barrier(const int* in, int* out, int n) {
    __shared__ int values[64];
    if (threadIdx.x >= n) return;
    values[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = values[n - 1 - threadIdx.x];
}
SUITE_CASE(return_before_barrier, "divergent barrier") {
    suite::DeviceArray<int> in(50, 3), out(50);
    return_before_barrier<<<1, 64>>>(in.data(), out.data(), 50);
    return true;
}
/// Two barriers, each reached by one warp.
__global__ void two_barriers(int* out) {
    __shared__ int values[64];
    values[threadIdx.x] = threadIdx.x;
    if (threadIdx.x < 32)
        __syncthreads();
    else
        __syncthreads();
    out[threadIdx.x] = values[63 - threadIdx.x];
}
SUITE_CASE(two_barriers, "divergent barrier") {
    suite::DeviceArray<int> out(64);
    two_barriers<<<1, 64>>>(out.data());
    return out.front() == 63;
}
/// The same on one line.
__global__ void two_barriers_on_one_line(int* out) {
    threadIdx.x < 32 ? (__syncthreads(), 0) : (__syncthreads(), 0);
    out[threadIdx.x] = threadIdx.x;
}
SUITE_CASE(two_barriers_on_one_line, "divergent barrier") {
    suite::DeviceArray<int> out(64);
    two_barriers_on_one_line<<<1, 64>>>(out.data());
    return true;
}
/// A barrier in a loop whose length depends on the lane.
__global__ void barrier_in_loop(int* out) {
    int rounds = 2 + threadIdx.x % 2;
    for (int i = 0; i < rounds; ++i) __syncthreads();
    out[threadIdx.x] = rounds;
}
SUITE_CASE(barrier_in_loop, "divergent barrier") {
    suite::DeviceArray<int> out(64);
    barrier_in_loop<<<1, 64>>>(out.data());
    return true;
}
/// Whole warps that have ended do not hold up the others.
__global__ void barriers_that_vote(const int* in, int* out) {
    if (threadIdx.x >= 64) return;
    int any = __syncthreads_or(in[threadIdx.x] == 5);
    int all = __syncthreads_and(in[threadIdx.x] >= 0);
    int count = __syncthreads_count(in[threadIdx.x] % 2);
    if (threadIdx.x == 0) *out = any * 100 + all * 1000 + count;
}
SUITE_CASE(barriers_that_vote, "none") {
    suite::DeviceArray<int> in(suite::counting<int>(128)), out(1);
    barriers_that_vote<<<1, 128>>>(in.data(), out.data());
    return out.front() == 1132;
}

__global__ void assert_positive(const int* in, int* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    assert(in[i] > 0);
    if (i == 0) printf("%d items, the first is %d\n", blockDim.x * gridDim.x, in[i]);
    out[i] = in[i];
}
SUITE_CASE(assert_that_holds, "none") {
    suite::DeviceArray<int> in(64, 1), out(64);
    assert_positive<<<2, 32>>>(in.data(), out.data());
    return out.values() == in.values();
}
SUITE_CASE(assert_that_fails, "assertion failed") {
    suite::DeviceArray<int> in(suite::counting<int>(64)), out(64);
    assert_positive<<<2, 32>>>(in.data(), out.data());
    return true;
}
