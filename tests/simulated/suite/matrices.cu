// Two-dimensional grids and blocks: transposes, products, stencils.
#include <cuda_runtime.h>

#include "suite.hpp"

#define TILE 16
#define ROWS 4

/// Through a tile of shared memory with a column of padding.
template <bool Waits>
__global__ void transpose(const float* in, float* out, int width, int height) {
    __shared__ float tile[TILE][TILE + 1];
    int x = blockIdx.x * TILE + threadIdx.x;
    int y = blockIdx.y * TILE + threadIdx.y;
    for (int j = 0; j < TILE; j += ROWS)
        if (x < width && y + j < height) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * width + x];
    if (Waits) __syncthreads();
    x = blockIdx.y * TILE + threadIdx.x;
    y = blockIdx.x * TILE + threadIdx.y;
    for (int j = 0; j < TILE; j += ROWS)
        if (x < height && y + j < width) out[(y + j) * height + x] = tile[threadIdx.x][threadIdx.y + j];
}
static bool run_transpose(void (*kernel)(const float*, float*, int, int)) {
    const int width = 40, height = 24;
    suite::DeviceArray<float> in(suite::counting<float>(width * height)), out(width * height);
    dim3 block(TILE, ROWS);
    dim3 grid((width + TILE - 1) / TILE, (height + TILE - 1) / TILE);
    kernel<<<grid, block>>>(in.data(), out.data(), width, height);
    std::vector<float> transposed = out.values();
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
            if (transposed[x * height + y] != y * width + x) return false;
    return true;
}
SUITE_CASE(transpose, "none") {
    return run_transpose(transpose<true>);
}
SUITE_CASE(transpose_without_barrier, "race in shared memory") {
    return run_transpose(transpose<false>);
}

/// No test of the bounds, although the size is no multiple of the tile.
__global__ void transpose_without_bounds(const float* in, float* out, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    out[x * height + y] = in[y * width + x];
}
SUITE_CASE(transpose_without_bounds, "out of bounds") {
    const int width = 40, height = 24;
    suite::DeviceArray<float> in(suite::counting<float>(width * height)), out(width * height);
    transpose_without_bounds<<<dim3(3, 2), dim3(16, 16)>>>(in.data(), out.data(), width, height);
    return true;
}

/// The product of two square matrices, tile by tile.
template <bool WaitsTwice>
__global__ void multiply(const float* A, const float* B, float* C, int n) {
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];
    int row = blockIdx.y * TILE + threadIdx.y;
    int column = blockIdx.x * TILE + threadIdx.x;
    float sum = 0.0f;
    for (int m = 0; m < n / TILE; ++m) {
        As[threadIdx.y][threadIdx.x] = A[row * n + m * TILE + threadIdx.x];
        Bs[threadIdx.y][threadIdx.x] = B[(m * TILE + threadIdx.y) * n + column];
        __syncthreads();
        for (int k = 0; k < TILE; ++k) sum += As[threadIdx.y][k] * Bs[k][threadIdx.x];
        if (WaitsTwice) __syncthreads();
    }
    C[row * n + column] = sum;
}
static bool run_multiply(void (*kernel)(const float*, const float*, float*, int)) {
    const int n = 32;
    suite::DeviceArray<float> a(n * n, 1.0f), b(suite::counting<float>(n * n)), c(n * n);
    kernel<<<dim3(n / TILE, n / TILE), dim3(TILE, TILE)>>>(a.data(), b.data(), c.data(), n);
    std::vector<float> product = c.values();
    for (int i = 0; i < n * n; ++i)
        if (product[i] != n * (i % n) + n * n * (n - 1) / 2) return false;
    return true;
}
SUITE_CASE(multiply, "none") {
    return run_multiply(multiply<true>);
}
SUITE_CASE(multiply_with_one_barrier, "race in shared memory") {
    return run_multiply(multiply<false>);
}

#define RADIUS 3

/// A stencil in one dimension, with halos in shared memory.
__constant__ float weights[2 * RADIUS + 1] = {1, 1, 1, 1, 1, 1, 1};
template <int Halo>
__global__ void stencil(const float* in, float* out) {
    __shared__ float tile[64 + 2 * RADIUS];
    int i = blockIdx.x * blockDim.x + threadIdx.x + RADIUS;
    int local = threadIdx.x + RADIUS;
    tile[local] = in[i];
    if (threadIdx.x < Halo) {
        tile[local - RADIUS] = in[i - RADIUS];
        tile[local + 64] = in[i + 64];
    }
    __syncthreads();
    float sum = 0.0f;
    for (int offset = -RADIUS; offset <= RADIUS; ++offset)
        sum += weights[offset + RADIUS] * tile[local + offset];
    out[i] = sum;
}
static bool run_stencil(void (*kernel)(const float*, float*)) {
    suite::DeviceArray<float> in(256 + 2 * RADIUS, 1.0f), out(256 + 2 * RADIUS);
    kernel<<<4, 64>>>(in.data(), out.data());
    std::vector<float> sums = out.values();
    for (int i = RADIUS; i < 256 + RADIUS; ++i)
        if (sums[i] != 2 * RADIUS + 1) return false;
    return true;
}
SUITE_CASE(stencil, "none") {
    return run_stencil(stencil<RADIUS>);
}
SUITE_CASE(stencil_with_short_halo, "read of unwritten shared memory") {
    return run_stencil(stencil<RADIUS - 1>);
}

/// Writes into the array that other blocks still read.
__global__ void blur_in_place(float* image, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x == 0 || y == 0 || x >= width - 1 || y >= height - 1) return;
    float sum = image[y * width + x - 1] + image[y * width + x + 1] + image[(y - 1) * width + x] +
                image[(y + 1) * width + x];
    image[y * width + x] = sum / 4;
}
SUITE_CASE(blur_in_place, "race in global memory") {
    suite::DeviceArray<float> image(32 * 32, 1.0f);
    blur_in_place<<<dim3(4, 4), dim3(8, 8)>>>(image.data(), 32, 32);
    return true;
}

/// Fills a volume; the block has three dimensions.
__global__ void fill_volume(int* volume, dim3 size) {
    unsigned int x = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned int y = blockIdx.y * blockDim.y + threadIdx.y;
    unsigned int z = blockIdx.z * blockDim.z + threadIdx.z;
    if (x < size.x && y < size.y && z < size.z) {
        unsigned int i = (z * size.y + y) * size.x + x;
        volume[i] = i;
    }
}
SUITE_CASE(fill_volume, "none") {
    dim3 size(10, 6, 5);
    suite::DeviceArray<int> volume(300);
    fill_volume<<<dim3(3, 2, 3), dim3(4, 4, 2)>>>(volume.data(), size);
    return volume.values() == suite::counting<int>(300);
}
