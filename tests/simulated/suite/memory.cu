// Calls of the runtime: memory of rows, host memory that kernels use, streams with events, symbols, errors.
#include <cuda_profiler_api.h>
#include <cuda_runtime.h>

#include <cstring>

#include "suite.hpp"

/// Adds 1 to a matrix, whose rows begin at multiples of the pitch.
__global__ void add_one_to_rows(float* matrix, size_t pitch, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    float* row = (float*)((char*)matrix + y * pitch);
    row[x] += 1.0f;
}
static bool run_rows(int rows_of_kernel) {
    const int width = 40, height = 24;
    std::vector<float> values = suite::counting<float>(width * height);
    float* matrix = nullptr;
    size_t pitch = 0;
    suite::check(cudaMallocPitch(&matrix, &pitch, width * sizeof(float), height));
    suite::check(cudaMemcpy2D(matrix, pitch, values.data(), width * sizeof(float), width * sizeof(float),
                              height, cudaMemcpyHostToDevice));
    add_one_to_rows<<<dim3(3, 2), dim3(16, 16)>>>(matrix, pitch, width, rows_of_kernel);
    suite::check(cudaMemcpy2D(values.data(), width * sizeof(float), matrix, pitch, width * sizeof(float),
                              height, cudaMemcpyDeviceToHost));
    cudaFree(matrix);
    return pitch > width * sizeof(float) && values == suite::counting<float>(width * height, 1.0f);
}
SUITE_CASE(add_to_rows, "none") {
    return run_rows(24);
}
SUITE_CASE(add_to_rows_too_many, "out of bounds") {
    return run_rows(25);
}
/// The pitch is in bytes; here it counts elements.
__global__ void scale_rows(float* matrix, size_t pitch, int width) {
    matrix[blockIdx.x * pitch + threadIdx.x] *= 2.0f;
}
SUITE_CASE(pitch_of_elements, "out of bounds") {
    float* matrix = nullptr;
    size_t pitch = 0;
    suite::check(cudaMallocPitch((void**)&matrix, &pitch, 32 * sizeof(float), 4));
    suite::check(cudaMemset2D(matrix, pitch, 0, 32 * sizeof(float), 4));
    scale_rows<<<4, 32>>>(matrix, pitch, 32);
    cudaFree(matrix);
    return true;
}

__global__ void add_one_to_volume(cudaPitchedPtr volume, cudaExtent size) {
    char* slice = (char*)volume.ptr + blockIdx.x * volume.pitch * volume.ysize;
    unsigned char* row = (unsigned char*)(slice + threadIdx.y * volume.pitch);
    if (threadIdx.x < size.width) row[threadIdx.x] += 1;
}
SUITE_CASE(add_to_volume, "none") {
    const cudaExtent size = make_cudaExtent(20, 5, 3);
    std::vector<unsigned char> values(20 * 5 * 3);
    cudaPitchedPtr volume;
    suite::check(cudaMalloc3D(&volume, size));
    suite::check(cudaMemset3D(volume, 6, size));
    add_one_to_volume<<<3, dim3(32, 5)>>>(volume, size);
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = volume;
    copy.dstPtr = make_cudaPitchedPtr(values.data(), 20, 20, 5);
    copy.extent = size;
    copy.kind = cudaMemcpyDeviceToHost;
    suite::check(cudaMemcpy3D(&copy));
    cudaFree(volume.ptr);
    return values == std::vector<unsigned char>(values.size(), 7);
}

__global__ void scale(float* values, int n, float factor) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) values[i] *= factor;
}
/// The halves of an array in two streams; the second stream waits for the first by an event.
SUITE_CASE(two_streams, "none") {
    const int n = 200, half = n / 2;
    float *host = nullptr, *device = nullptr;
    suite::check(cudaMallocHost(&host, n * sizeof(float)));
    suite::check(cudaMallocAsync(&device, n * sizeof(float), 0));
    for (int i = 0; i < n; ++i) host[i] = i;
    cudaStream_t streams[2];
    cudaEvent_t ready, done;
    for (cudaStream_t& stream : streams)
        suite::check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    suite::check(cudaEventCreate(&ready));
    suite::check(cudaEventCreateWithFlags(&done, cudaEventDisableTiming));
    suite::check(cudaMemcpyAsync(device, host, n * sizeof(float), cudaMemcpyHostToDevice, streams[0]));
    suite::check(cudaEventRecord(ready, streams[0]));
    suite::check(cudaStreamWaitEvent(streams[1], ready, 0));
    for (int i = 0; i < 2; ++i) scale<<<2, 64, 0, streams[i]>>>(device + i * half, half, 2.0f);
    suite::check(cudaEventRecord(done, streams[1]));
    suite::check(cudaStreamWaitEvent(streams[0], done));
    suite::check(cudaMemcpyAsync(host, device, n * sizeof(float), cudaMemcpyDeviceToHost, streams[0]));
    suite::check(cudaStreamSynchronize(streams[0]));
    const bool is_right = cudaStreamQuery(streams[0]) == cudaSuccess && host[1] == 2 && host[n - 1] == 398;
    for (cudaStream_t stream : streams) cudaStreamDestroy(stream);
    cudaEventDestroy(ready);
    cudaEventDestroy(done);
    cudaFreeAsync(device, 0);
    cudaFreeHost(host);
    return is_right;
}
SUITE_CASE(scale_host_memory, "none") {
    std::vector<float> values(100, 1.0f);
    float* device = nullptr;
    suite::check(cudaHostRegister(values.data(), 100 * sizeof(float), cudaHostRegisterMapped));
    suite::check(cudaHostGetDevicePointer(&device, values.data(), 0));
    scale<<<1, 128>>>(device, 100, 3.0f);
    suite::check(cudaDeviceSynchronize());
    suite::check(cudaHostUnregister(values.data()));
    return values == std::vector<float>(100, 3.0f);
}

/// Each thread builds a list in the heap of the device, and frees it node by node.
struct Node {
    int value;
    Node* next;
};
template <bool ReadsFirst>
__global__ void sum_lists(int* sums, int length) {
    Node* list = nullptr;
    for (int i = 0; i < length; ++i) {
        Node* node = (Node*)malloc(sizeof(Node));
        node->value = threadIdx.x + i;
        node->next = list;
        list = node;
    }
    int sum = 0;
    while (list) {
        Node* next = list->next;
        sum += list->value;
        free(list);
        list = ReadsFirst ? next : list->next;
    }
    sums[threadIdx.x] = sum;
}
template <bool ReadsFirst>
static bool run_sum_lists() {
    const int threads = 40;
    suite::DeviceArray<int> device(threads);
    int* sums = (int*)malloc(threads * sizeof(int));
    sum_lists<ReadsFirst><<<1, threads>>>(device.data(), 3);
    suite::check(cudaMemcpy(sums, device.data(), threads * sizeof(int), cudaMemcpyDeviceToHost));
    const bool is_right = sums[0] == 3 && sums[threads - 1] == 3 * threads;
    free(sums);
    return is_right;
}
SUITE_CASE(sum_lists, "none") {
    return run_sum_lists<true>();
}
SUITE_CASE(follow_freed_list, "use after free") {
    return run_sum_lists<false>();
}

/// Frees an address behind the begin of a piece, or a piece twice.
__global__ void free_inside() {
    char* piece = (char*)malloc(64);
    free(piece + 16);
}
SUITE_CASE(free_inside, "wrong free") {
    free_inside<<<1, 1>>>();
    return true;
}
__global__ void free_memory_of_host(int* array) {
    free(array);
}
SUITE_CASE(free_memory_of_host, "wrong free") {
    suite::DeviceArray<int> array(8);
    free_memory_of_host<<<1, 1>>>(array.data());
    return true;
}
__global__ void free_twice() {
    void* piece = malloc(64);
    free(piece);
    free(piece);
}
SUITE_CASE(free_twice, "wrong free") {
    free_twice<<<1, 1>>>();
    return true;
}

/// A thread has up to 512 KiB of local memory.
__global__ void sum_local_array(long long* sums) {
    int values[25000];
    for (int i = 0; i < 25000; i += 10) values[i] = i + threadIdx.x;
    long long sum = 0;
    for (int i = 0; i < 25000; i += 10) sum += values[i * 7 % 25000];
    sums[threadIdx.x] = sum;
}
SUITE_CASE(sum_local_array, "none") {
    suite::DeviceArray<long long> sums(4);
    sum_local_array<<<1, 4>>>(sums.data());
    return sums.front() == 31237500 && sums.values()[3] == 31237500 + 3 * 2500;
}

__device__ int total;
__global__ void add_to_total(int value) {
    atomicAdd(&total, value);
}
SUITE_CASE(symbols_and_devices, "none") {
    int zero = 0, sum = 0, blocks = 0, threads = 0, warp = 0;
    void* address = nullptr;
    cudaDeviceProp properties;
    suite::check(cudaGetDeviceProperties(&properties, 0));
    suite::check(cudaDeviceGetAttribute(&warp, cudaDevAttrWarpSize, 0));
    suite::check(cudaOccupancyMaxPotentialBlockSize(&blocks, &threads, add_to_total, 0, 256));
    suite::check(cudaMemcpyToSymbolAsync(total, &zero, sizeof zero, 0, cudaMemcpyHostToDevice, 0));
    suite::check(cudaProfilerStart());
    add_to_total<<<blocks, threads>>>(1);
    suite::check(cudaProfilerStop());
    suite::check(cudaGetSymbolAddress(&address, total));
    suite::check(cudaMemcpy(&sum, address, sizeof sum, cudaMemcpyDeviceToHost));
    return sum == blocks * threads && threads == 256 && blocks >= properties.multiProcessorCount &&
           warp == properties.warpSize && properties.maxThreadsDim[0] == 1024;
}
SUITE_CASE(refused_calls, "none") {
    suite::DeviceArray<float> array(10);
    std::vector<float> host(20);
    const size_t width = 5 * sizeof(float);
    const bool are_refused =
        cudaMemcpyAsync(host.data(), array.data(), 11 * sizeof(float), cudaMemcpyDeviceToHost) ==
            cudaErrorInvalidValue &&
        cudaMemsetAsync(array.data() + 1, 0, 10 * sizeof(float)) == cudaErrorInvalidValue &&
        cudaMemcpy2D(array.data(), width - 1, host.data(), width, width, 2, cudaMemcpyHostToDevice) ==
            cudaErrorInvalidPitchValue &&
        cudaMemcpy2D(array.data(), width, host.data(), width, width, 3, cudaMemcpyHostToDevice) ==
            cudaErrorInvalidValue;
    int* freed = nullptr;
    suite::check(cudaMalloc(&freed, sizeof *freed));
    const bool are_frees_right = cudaFree(freed) == cudaSuccess && cudaFree(freed) == cudaErrorInvalidValue &&
                                 cudaFree(nullptr) == cudaSuccess;
    cudaGetLastError();
    return are_refused && are_frees_right &&
           std::strcmp(cudaGetErrorName(cudaErrorInvalidValue), "cudaErrorInvalidValue") == 0 &&
           std::strcmp(cudaGetErrorString(cudaErrorInvalidPitchValue), "invalid pitch argument") == 0;
}
