// Times select_if as compiled without `-arch`: this file is compiled to PTX for compute_75, which the driver
// translates for the GPU, so long streams are compacted by tickets. CUB, compiled in the same way,
// is timed beside it.
//
// bench_select_tickets
//
// Items of 4, 8 and 16 bytes in streams of 2^24 to 2^32 bytes; the predicate keeps half. A call is timed by
// events behind a kernel that holds the stream until it is enqueued, after other data has filled the L2
// cache. The counts of both are compared. Prints CSV: microseconds as the median of 21 calls with quartiles,
// CUB's time over this library's, and the slowest call, which shows whether the times are steady.
#include <cuda_runtime_api.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cub/device/device_select.cuh>
#include <cuda/ptx>
#include <vector>

#include "bench/exit_code.hpp"
#include "compaction/cuda/memory.hpp"
#include "compaction/cuda/select.cuh"
#include "compaction/cuda/stream.hpp"
#include "compaction/error.hpp"
#include "experiments/statistics.hpp"

namespace {

using compaction::cuda::check;
using compaction::cuda::DeviceBuffer;
using compaction::cuda::Event;

constexpr int min_exponent = 24;
constexpr int max_exponent = 32;
constexpr std::size_t flush_bytes = std::size_t{256} << 20;
constexpr int rounds = 21;
constexpr std::uint64_t hold_ns = 60'000;

template <std::size_t Words>
struct alignas(4 * Words) Record {
    std::uint32_t word[Words];
};

struct IsOdd {
    template <typename RecordT>
    __device__ bool operator()(const RecordT& record) const {
        return (record.word[0] & 1) != 0;
    }
};

__global__ void hold() {
    const std::uint64_t begin = ::cuda::ptx::get_sreg_globaltimer();
    while (::cuda::ptx::get_sreg_globaltimer() - begin < hold_ns) {
    }
}

/// Random enough for a predicate that reads one bit.
__global__ void fill(std::uint32_t* words, std::size_t size) {
    for (std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; i < size;
         i += std::size_t{gridDim.x} * blockDim.x) {
        auto x = static_cast<std::uint32_t>(i ^ i >> 32);
        x = (x ^ x >> 16) * 0x7feb352dU;
        x = (x ^ x >> 15) * 0x846ca68bU;
        words[i] = x ^ x >> 16;
    }
}

class Bench {
  public:
    Bench() {
        fill<<<1024, 512>>>(reinterpret_cast<std::uint32_t*>(in_.data()), in_.size() / sizeof(std::uint32_t));
        check(cudaDeviceSynchronize(), "fill");
    }

    template <std::size_t Words>
    void measure(std::uint64_t bytes) {
        using RecordT = Record<Words>;
        const std::uint64_t n = bytes / sizeof(RecordT);
        const auto* const in = reinterpret_cast<const RecordT*>(in_.data());
        auto* const out = reinterpret_cast<RecordT*>(out_.data());
        const auto select_by_cub = [&](void* temp, std::size_t& temp_bytes) {
            return cub::DeviceSelect::If(temp, temp_bytes, in, out, counts_.data(),
                                         static_cast<std::int64_t>(n), IsOdd{}, stream_.get());
        };
        const auto select_by_library = [&](void* temp, std::size_t& temp_bytes) {
            return compaction::cuda::select_if(temp, temp_bytes, in, out, counts_.data() + 1, n, IsOdd{},
                                               stream_.get());
        };
        std::vector<float> cub_us, our_us;
        for (int round = 0; round <= rounds; ++round) {
            const float cub = time(select_by_cub);
            const float ours = time(select_by_library);
            if (round == 0) continue;  // the driver may compile the PTX during the first round
            cub_us.push_back(cub);
            our_us.push_back(ours);
        }
        compare(n);
        const experiments::Summary cub = experiments::summarise(cub_us);
        const experiments::Summary ours = experiments::summarise(our_us);
        std::printf("tickets,%zu bytes,%llu,%.2f,%.2f,%.2f,%.2f,%.2f,%.2f,%.2f,%.2f,%.2f\n", sizeof(RecordT),
                    static_cast<unsigned long long>(n), cub.median, cub.q1, cub.q3, ours.median, ours.q1,
                    ours.q3, cub.median / ours.median, cub.max, ours.max);
        std::fflush(stdout);
    }

  private:
    template <typename EnqueueT>
    float time(EnqueueT enqueue) {
        std::size_t bytes = 0;
        check(enqueue(nullptr, bytes), "size of the storage");
        if (bytes > storage_.size()) storage_ = DeviceBuffer<char>(bytes);
        check(cudaMemsetAsync(flush_.data(), 0, flush_bytes, stream_.get()), "cudaMemsetAsync");
        hold<<<1, 1, 0, stream_.get()>>>();
        begin_.record(stream_.get());
        check(enqueue(storage_.data(), bytes), "select");
        end_.record(stream_.get());
        check(cudaStreamSynchronize(stream_.get()), "cudaStreamSynchronize");
        return end_.us_since(begin_);
    }

    void compare(std::uint64_t n) {
        std::uint64_t counts[2];
        check(cudaMemcpy(counts, counts_.data(), sizeof counts, cudaMemcpyDeviceToHost), "cudaMemcpy");
        if (counts[0] == counts[1]) return;
        std::fprintf(stderr, "bench_select_tickets: counted other items than CUB at n = %llu\n",
                     static_cast<unsigned long long>(n));
        std::exit(1);
    }

    compaction::cuda::Stream stream_;
    Event begin_{cudaEventDefault};
    Event end_{cudaEventDefault};
    DeviceBuffer<unsigned char> in_{std::size_t{1} << max_exponent};
    DeviceBuffer<unsigned char> out_{std::size_t{1} << max_exponent};
    DeviceBuffer<std::uint64_t> counts_{2};
    DeviceBuffer<char> flush_{flush_bytes};
    DeviceBuffer<char> storage_{1};
};

}  // namespace

int main() try {
    require_gpu();
    Bench bench;
    std::puts("group,case,n,cub_us,cub_q1_us,cub_q3_us,median_us,q1_us,q3_us,times_cub,cub_most_us,most_us");
    for (int exponent = min_exponent; exponent <= max_exponent; exponent += 2) {
        const std::uint64_t bytes = std::uint64_t{1} << exponent;
        bench.measure<1>(bytes);
        bench.measure<2>(bytes);
        bench.measure<4>(bytes);
    }
    return 0;
} catch (const compaction::Error& error) {
    return exit_code_of("bench_select_tickets", error);
}
