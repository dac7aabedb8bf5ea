// Histograms and element-wise kernels.
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include "suite.hpp"

#define BINS 16

static std::vector<unsigned char> texts() {
    std::vector<unsigned char> values;
    for (int i = 0; i < 1024; ++i) values.push_back(i * 7 % 256);
    return values;
}

/// A histogram of each block in shared memory, then added to that of the grid; loads four bytes at once.
template <bool Clears>
__global__ void histogram(const uchar4* in, unsigned int* bins, int n) {
    __shared__ unsigned int own[BINS];
    if (Clears) {
        if (threadIdx.x < BINS) own[threadIdx.x] = 0;
        __syncthreads();
    }
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        uchar4 four = in[i];
        atomicAdd(&own[four.x / BINS], 1u);
        atomicAdd(&own[four.y / BINS], 1u);
        atomicAdd(&own[four.z / BINS], 1u);
        atomicAdd(&own[four.w / BINS], 1u);
    }
    __syncthreads();
    if (threadIdx.x < BINS) atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
}
static bool run_histogram(void (*kernel)(const uchar4*, unsigned int*, int)) {
    suite::DeviceArray<unsigned char> in(texts());
    suite::DeviceArray<unsigned int> bins(BINS);
    kernel<<<2, 64>>>(reinterpret_cast<const uchar4*>(in.data()), bins.data(), 256);
    return bins.values() == std::vector<unsigned int>(BINS, 64);
}
SUITE_CASE(histogram, "none") {
    return run_histogram(histogram<true>);
}
SUITE_CASE(histogram_without_zeros, "read of unwritten shared memory") {
    return run_histogram(histogram<false>);
}

__global__ void histogram_without_atomics(const unsigned char* in, unsigned int* bins) {
    bins[in[blockIdx.x * blockDim.x + threadIdx.x] / BINS]++;
}
SUITE_CASE(histogram_without_atomics, "race in global memory") {
    suite::DeviceArray<unsigned char> in(texts());
    suite::DeviceArray<unsigned int> bins(BINS);
    histogram_without_atomics<<<8, 128>>>(in.data(), bins.data());
    return bins.values() == std::vector<unsigned int>(BINS, 64);
}

__device__ int num_visits;
/// All threads count in a variable of the device.
__global__ void count_visits() {
    num_visits = num_visits + 1;
}
SUITE_CASE(count_visits, "race in global memory") {
    int zero = 0, visits = 0;
    suite::check(cudaMemcpyToSymbol(num_visits, &zero, sizeof(zero)));
    count_visits<<<2, 32>>>();
    suite::check(cudaMemcpyFromSymbol(&visits, num_visits, sizeof(visits)));
    return visits == 64;
}

/// y = a x + y, with vectors of four.
__global__ void saxpy(float a, const float4* x, float4* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float4 u = x[i], v = y[i];
    y[i] = make_float4(a * u.x + v.x, a * u.y + v.y, a * u.z + v.z, a * u.w + v.w);
}
SUITE_CASE(saxpy, "none") {
    suite::DeviceArray<float> x(400, 2.0f), y(400, 1.0f);
    saxpy<<<2, 64>>>(3.0f, reinterpret_cast<const float4*>(x.data()), reinterpret_cast<float4*>(y.data()),
                     100);
    return y.values() == std::vector<float>(400, 7.0f);
}
/// The vectors begin one float too late.
SUITE_CASE(saxpy_misaligned, "misaligned access") {
    suite::DeviceArray<float> x(400, 2.0f), y(400, 1.0f);
    saxpy<<<2, 64>>>(3.0f, reinterpret_cast<const float4*>(x.data() + 1), reinterpret_cast<float4*>(y.data()),
                     99);
    return true;
}

/// The counters begin two bytes too late.
__global__ void count_misaligned(char* bytes) {
    atomicAdd(reinterpret_cast<int*>(bytes + 2), 1);
}
SUITE_CASE(count_misaligned, "misaligned access") {
    suite::DeviceArray<char> bytes(64);
    count_misaligned<<<1, 32>>>(bytes.data());
    return true;
}

/// Scales numbers of half precision.
__global__ void scale_halves(const __half* in, __half* out, float factor, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = __float2half(__half2float(in[i]) * factor);
}
__global__ void to_floats(const __half* in, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = __half2float(in[i]);
}
__global__ void to_halves(const float* in, __half* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = __float2half(in[i]);
}
SUITE_CASE(scale_halves, "none") {
    suite::DeviceArray<float> values(suite::counting<float>(100));
    suite::DeviceArray<__half> halves(100);
    to_halves<<<1, 128>>>(values.data(), halves.data(), 100);
    scale_halves<<<1, 128>>>(halves.data(), halves.data(), 0.5f, 100);
    to_floats<<<1, 128>>>(halves.data(), values.data(), 100);
    std::vector<float> scaled = values.values();
    for (int i = 0; i < 100; ++i)
        if (scaled[i] != i * 0.5f) return false;
    return true;
}

/// Pairs of numbers of half precision: y = max(a * x + y, 0).
__global__ void axpy_pairs(__half2 a, const __half2* x, __half2* y, int pairs) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= pairs) return;
    __half2 value = __hfma2(a, x[i], y[i]);
    y[i] = __hmul2(value, __hgt2(value, __float2half2_rn(0.0f)));
}
SUITE_CASE(axpy_pairs, "none") {
    std::vector<__half2> xs(50), ys(50);
    for (int i = 0; i < 50; ++i) xs[i] = __floats2half2_rn(i, -i), ys[i] = __half2half2(__float2half(1.0f));
    suite::DeviceArray<__half2> x(xs), y(ys);
    axpy_pairs<<<1, 64>>>(__float2half2_rn(2.0f), x.data(), y.data(), 50);
    ys = y.values();
    for (int i = 0; i < 50; ++i)
        if (__low2float(ys[i]) != 2 * i + 1 || __high2float(ys[i]) != (i == 0 ? 1 : 0)) return false;
    return true;
}

/// Numbers are kept within limits by the functions of their types.
__global__ void clamp_all(unsigned int* words, long long* numbers, unsigned long long* large) {
    int i = threadIdx.x;
    words[i] = umin(umax(words[i], 10u), 20u);
    numbers[i] = llmin(llmax(numbers[i], -3ll), 3ll);
    large[i] = ullmin(ullmax(large[i], 1ull << 40), 1ull << 41);
}
SUITE_CASE(clamp_all, "none") {
    suite::DeviceArray<unsigned int> words(suite::counting<unsigned int>(32));
    suite::DeviceArray<long long> numbers(suite::counting<long long>(32, -16));
    suite::DeviceArray<unsigned long long> large(32, ~0ull);
    clamp_all<<<1, 32>>>(words.data(), numbers.data(), large.data());
    return words.front() == 10 && words.values()[15] == 15 && words.values()[31] == 20 &&
           numbers.front() == -3 && numbers.values()[16] == 0 && numbers.values()[31] == 3 &&
           large.front() == 1ull << 41;
}

/// The largest float: compares bits where there is no atomicMax of floats.
__global__ void largest(const float* in, float* out) {
    float value = in[blockIdx.x * blockDim.x + threadIdx.x];
    int* word = reinterpret_cast<int*>(out);
    int old = __float_as_int(*out);
    while (true) {
        if (__int_as_float(old) >= value) break;
        int expected = old;
        old = atomicCAS(word, expected, __float_as_int(value));
        if (old == expected) break;
    }
}
SUITE_CASE(largest_with_plain_read, "race in global memory") {
    suite::DeviceArray<float> in(suite::counting<float>(128)), out(1);
    largest<<<2, 64>>>(in.data(), out.data());
    return out.front() == 127.0f;
}

/// One operation of each kind on the same words.
__global__ void all_atomics(int* words, unsigned int* unsigned_words, unsigned long long* long_words,
                            double* real) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(&words[0], t);
    atomicSub(&words[1], t);
    atomicMin(&words[2], -t);
    atomicMax(&words[3], t);
    atomicAnd(&words[4], ~(1 << (t % 8)));
    atomicOr(&words[5], 1 << (t % 8));
    atomicXor(&words[6], t);
    atomicExch(&words[7], 5);
    atomicCAS(&words[8], 0, 9);
    atomicInc(&unsigned_words[0], 9u);
    atomicDec(&unsigned_words[1], 9u);
    atomicAdd(&long_words[0], 1ull << 33);
    atomicMax(&long_words[1], static_cast<unsigned long long>(t) << 32);
    atomicAdd(real, 0.5);
}
SUITE_CASE(all_atomics, "none") {
    suite::DeviceArray<int> words(std::vector<int>{0, 0, 0, 0, 255, 0, 0, 0, 0});
    suite::DeviceArray<unsigned int> unsigned_words(2);
    suite::DeviceArray<unsigned long long> long_words(2);
    suite::DeviceArray<double> real(1);
    all_atomics<<<2, 64>>>(words.data(), unsigned_words.data(), long_words.data(), real.data());
    return words.values() == std::vector<int>{8128, -8128, -127, 127, 0, 255, 0, 5, 9} &&
           unsigned_words.values() == std::vector<unsigned int>{8, 2} &&
           long_words.values() == std::vector<unsigned long long>{128ull << 33, 127ull << 32} &&
           real.front() == 64.0;
}
