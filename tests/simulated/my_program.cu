// The CUDA program of the project in docs/how-to/simulate_my_kernel.md: reverses the items of a block.
#include <cuda_runtime.h>

#include <cstdio>

constexpr int num_items = 64;

__global__ void reverse(int* items) {
    __shared__ int copies[num_items];
    copies[threadIdx.x] = items[threadIdx.x];
    __syncthreads();  // all items are copied
    items[threadIdx.x] = copies[num_items - 1 - threadIdx.x];
}

int main() {
    int items[num_items];
    for (int i = 0; i < num_items; ++i) items[i] = i;
    int* d_items = nullptr;
    cudaMalloc(&d_items, sizeof(items));
    cudaMemcpy(d_items, items, sizeof(items), cudaMemcpyHostToDevice);
    reverse<<<1, num_items>>>(d_items);
    cudaMemcpy(items, d_items, sizeof(items), cudaMemcpyDeviceToHost);
    cudaFree(d_items);
    for (int i = 0; i < num_items; ++i)
        if (items[i] != num_items - 1 - i) return 1;
    std::puts("reversed");
}
