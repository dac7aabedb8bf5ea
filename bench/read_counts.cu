// Times calls of the select family whose count is read by the host after each call, as programs do that
// allocate or launch by it: with temporary storage that lasts, with stream_ordered_memory, and with the
// device's default pool, which gives its memory back each time.
//
// bench_read_counts
//
// select_if of u32 and indices_flagged of bool flags with 64-bit positions, half kept, 2^12 to 2^26 items.
// Prints CSV: microseconds from before the call until the count is on the host, by the clock of the host, as
// the median of 51 calls with quartiles. The methods take turns.
#include <cuda_runtime_api.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>

#include "bench/exit_code.hpp"
#include "compaction/cuda/memory.hpp"
#include "compaction/cuda/select_indices.cuh"
#include "compaction/cuda/select_iterators.cuh"
#include "compaction/cuda/stream.hpp"
#include "compaction/error.hpp"
#include "experiments/statistics.hpp"

namespace {

using compaction::cuda::check;
using compaction::cuda::DeviceBuffer;

constexpr std::uint64_t max_items = std::uint64_t{1} << 26;
constexpr int rounds = 51;
constexpr int warm_up_rounds = 3;

struct IsOdd {
    __device__ bool operator()(std::uint32_t item) const { return (item & 1) != 0; }
};

/// The default pool, as cudaMallocAsync uses it.
struct DefaultPool {
    void* allocate_async(std::size_t bytes, std::size_t, cudaStream_t stream) const {
        void* memory = nullptr;
        return cudaMallocAsync(&memory, bytes, stream) == cudaSuccess ? memory : nullptr;
    }
    void deallocate_async(void* memory, std::size_t, std::size_t, cudaStream_t stream) const {
        cudaFreeAsync(memory, stream);
    }
};

__global__ void fill(std::uint32_t* items, bool* flags) {
    for (std::uint64_t i = blockIdx.x * std::uint64_t{blockDim.x} + threadIdx.x; i < max_items;
         i += std::uint64_t{gridDim.x} * blockDim.x) {
        auto x = static_cast<std::uint32_t>(i) * 0x9E3779B1U;
        x ^= x >> 15;
        items[i] = x;
        flags[i] = (x & 2) != 0;
    }
}

class Bench {
  public:
    Bench() : items_(max_items), flags_(max_items), out_(max_items), positions_(max_items), count_(1) {
        fill<<<1024, 256>>>(items_.data(), flags_.data());
        check(cudaDeviceSynchronize(), "fill");
    }

    void measure(const char* call, const auto& enqueue, std::uint64_t num_items) {
        std::size_t bytes = 0;
        check(enqueue(num_items, static_cast<void*>(nullptr), bytes), call);
        DeviceBuffer<std::byte> storage(bytes);
        struct Method {
            const char* name;
            std::function<cudaError_t()> enqueue;
            std::vector<float> us = {};
        };
        std::array<Method, 3> methods{
            {{"temporary storage",
              [&] { return enqueue(num_items, static_cast<void*>(storage.data()), bytes); }},
             {"stream_ordered_memory",
              [&] { return enqueue(num_items, compaction::cuda::stream_ordered_memory); }},
             {"default pool", [&] { return enqueue(num_items, DefaultPool{}); }}}};
        for (int round = -warm_up_rounds; round < rounds; ++round) {
            for (Method& method : methods) {
                const float us = time(method.enqueue);
                if (round >= 0) method.us.push_back(us);
            }
        }
        for (const Method& method : methods) {
            const experiments::Summary us = experiments::summarise(method.us);
            std::printf("%s,%llu,%s,%.2f,%.2f,%.2f\n", call, static_cast<unsigned long long>(num_items),
                        method.name, us.median, us.q1, us.q3);
        }
    }

    void run() {
        // The storage is a pointer, followed by its size in bytes, or a memory resource.
        const auto select = [&](std::uint64_t n, const auto& storage, auto&... bytes) {
            return compaction::cuda::select_if(storage, bytes..., items_.data(), out_.data(), count_.data(),
                                               n, IsOdd{}, stream_.get());
        };
        const auto indices = [&](std::uint64_t n, const auto& storage, auto&... bytes) {
            return compaction::cuda::indices_flagged(storage, bytes..., flags_.data(), positions_.data(),
                                                     count_.data(), n, stream_.get());
        };
        std::puts("call,num_items,storage,median_us,q1_us,q3_us");
        for (int exponent = 12; exponent <= 26; exponent += 2) {
            measure("select_if", select, std::uint64_t{1} << exponent);
            measure("indices_flagged", indices, std::uint64_t{1} << exponent);
        }
    }

  private:
    float time(const std::function<cudaError_t()>& enqueue) {
        std::uint64_t count = 0;
        const auto begin = std::chrono::steady_clock::now();
        check(enqueue(), "select");
        check(cudaMemcpyAsync(&count, count_.data(), sizeof count, cudaMemcpyDeviceToHost, stream_.get()),
              "copy");
        check(cudaStreamSynchronize(stream_.get()), "synchronise");
        const std::chrono::duration<float, std::micro> us = std::chrono::steady_clock::now() - begin;
        return us.count();
    }

    DeviceBuffer<std::uint32_t> items_;
    DeviceBuffer<bool> flags_;
    DeviceBuffer<std::uint32_t> out_;
    DeviceBuffer<std::uint64_t> positions_;
    DeviceBuffer<std::uint64_t> count_;
    compaction::cuda::Stream stream_;
};

}  // namespace

int main() {
    try {
        require_gpu();
        Bench().run();
    } catch (const compaction::Error& error) {
        return exit_code_of("bench_read_counts", error);
    }
    return EXIT_SUCCESS;
}
