// What the translation for the simulated GPU has to replace, in the forms that programs write it.
#include <cuda_runtime.h>

#include <cstring>

#include "suite.hpp"

/* kernel<<<1, 1>>>(); is only a comment, __shared__ int x; too. */
extern __shared__ float whole[];
__device__ const char* const greeting = "<<<hello>>>;";
__device__ volatile int first_flag, second_flag;
static __constant__ float pairs[2][2] = {{1, 2}, {3, 4}};

namespace numbers {

template <typename T>
struct Pair {
    T first, second;
};

template <typename T, int Size>
__global__ void __launch_bounds__(Size) both(const T* __restrict__ in, T* out, Pair<T> factors) {
    __shared__ T tile[Size], others[2][Size + 1];
    __shared__ __align__(16) Pair<T> pair;
    static __shared__ unsigned char bytes[4 * Size];
    volatile __shared__ int steps;
    extern __shared__ __align__(16) unsigned char dynamic[];
    const unsigned int t = threadIdx.x;
    if (t == 0) {
        steps = 1;
        pair = factors;
    }
    bytes[4 * t] = 1;
    tile[t] = in[t];
    reinterpret_cast<T*>(dynamic)[t] = tile[t];
    __syncthreads();
    others[steps][t] = tile[Size - 1 - t];
    out[t] =
        others[1][t] * pair.first + reinterpret_cast<T*>(dynamic)[Size - 1 - t] * pair.second * bytes[4 * t];
}

}  // namespace numbers

__noinline__ __device__ float twice(float value) {
    return 2 * value;
}
__global__ void use_whole(float* out) {
    whole[threadIdx.x] = twice(pairs[1][threadIdx.x % 2]);
    __syncwarp();
    out[threadIdx.x] = whole[threadIdx.x ^ 1] + first_flag + second_flag + (greeting[0] == '<');
}

SUITE_CASE(syntax_of_templates, "none") {
    suite::DeviceArray<float> in(suite::counting<float>(64)), out(64);
    numbers::both<float, 64><<<dim3(1), 64, (64 > 8 ? 64 : 8) * sizeof(float)>>>(
        in.data(), out.data(), numbers::Pair<float>{1.0f, 2.0f});
    return out.front() == 3 * 63.0f && out.values().back() == 0.0f;
}
SUITE_CASE(syntax_outside_functions, "none") {
    suite::DeviceArray<float> out(32);
    cudaStream_t stream = nullptr;
    use_whole<<<1, 32, 32 * sizeof(float), stream>>>(out.data());
    if (std::strcmp("use_whole<<<1, 32>>>", "use_whole<<<1, 32>>>") != 0) return false;
    return out.front() == 9.0f && out.values().back() == 7.0f;
}

/// Tiles at the boundaries that bulk copies and matrix instructions need.
__global__ void aligned_tiles(unsigned long long* addresses) {
    __shared__ char first;
    __shared__ alignas(1024) float tile[64];
    __shared__ __align__(128) char last[3];
    first = last[0] = 0;
    tile[threadIdx.x] = 0;
    addresses[0] = reinterpret_cast<unsigned long long>(tile);
    addresses[1] = reinterpret_cast<unsigned long long>(last);
}
SUITE_CASE(aligned_tiles, "none") {
    suite::DeviceArray<unsigned long long> addresses(2);
    aligned_tiles<<<1, 1, 100>>>(addresses.data());
    return addresses.values()[0] % 1024 == 0 && addresses.values()[1] % 128 == 0;
}

/// Counts of the clock, which rise.
__global__ void read_clocks(clock_t* counts) {
    clock_t begin = clock();
    long long begin64 = clock64();
    counts[threadIdx.x] = clock64() > begin64 ? clock() - begin : 0;
}
SUITE_CASE(read_clocks, "none") {
    const clock_t begin = clock();
    suite::DeviceArray<clock_t> counts(32);
    read_clocks<<<1, 32>>>(counts.data());
    for (clock_t count : counts.values())
        if (count <= 0) return false;
    return clock() >= begin;
}
