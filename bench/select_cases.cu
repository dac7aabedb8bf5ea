// Times the select family of compaction/cuda beside CUB in the circumstances that select_calls.cu leaves out:
// costly predicates, items of 1 to 64 bytes, clustered streams, several streams at once, a busy GPU, and the
// rest of the family.
//
// bench_select_cases [group]...
//
// A batch is up to 32 calls, each on its own items, after other data has filled the L2 cache, behind a kernel
// that holds the stream until all calls are enqueued. Batches of CUB and of this library take turns, and the
// first call's output is compared byte by byte. Prints CSV: microseconds per call as the median of 11 batches
// and their quartiles, and CUB's time over this library's.
#include <cuda_runtime_api.h>
#include <thrust/equal.h>
#include <thrust/execution_policy.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cub/device/device_partition.cuh>
#include <cub/device/device_select.cuh>
#include <cuda/ptx>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compaction/cuda/memory.hpp"
#include "compaction/cuda/select_columns.cuh"
#include "compaction/cuda/select_indices.cuh"
#include "compaction/cuda/select_iterators.cuh"
#include "compaction/cuda/select_partition.cuh"
#include "compaction/cuda/select_unique.cuh"
#include "compaction/cuda/stream.hpp"
#include "compaction/error.hpp"
#include "experiments/statistics.hpp"
#include "workloads/streams.hpp"

namespace {

using compaction::cuda::check;
using compaction::cuda::DeviceBuffer;
using compaction::cuda::Event;
using compaction::cuda::SelectState;
using Word = std::uint32_t;

constexpr std::size_t pool_bytes = std::size_t{1} << 30;
constexpr std::size_t flush_bytes = std::size_t{256} << 20;
constexpr std::uint64_t most_calls = 32;
constexpr int rounds = 11;
constexpr int num_columns = 12;

/// Holds the stream for that time.
__global__ void hold(std::uint64_t nanoseconds) {
    const std::uint64_t begin = ::cuda::ptx::get_sreg_globaltimer();
    while (::cuda::ptx::get_sreg_globaltimer() - begin < nanoseconds) {
    }
}

__host__ __device__ constexpr Word mix(Word x) {
    x ^= x >> 16;
    x *= 0x7feb352dU;
    x ^= x >> 15;
    x *= 0x846ca68bU;
    return x ^ (x >> 16);
}

/// Word i of a stream is a hash of i; `bits` of it are left.
__global__ void fill(Word* words, std::size_t size, Word bits) {
    for (std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; i < size;
         i += std::size_t{gridDim.x} * blockDim.x)
        words[i] = mix(static_cast<Word>(i)) & bits;
}

// --- Predicates; each keeps about half of random words ---

struct IsOdd {
    template <typename ItemT>
    __host__ __device__ bool operator()(const ItemT& item) const {
        return (reinterpret_cast<const unsigned char&>(item) & 1) != 0;
    }
};

struct IsSet {
    __host__ __device__ bool operator()(Word item) const { return item != 0; }
};

struct HashIsOdd {
    __host__ __device__ bool operator()(Word item) const {
        for (int i = 0; i < 16; ++i) item = mix(item);
        return (item & 1) != 0;
    }
};

/// Looks a bit up in a table of 2^`bits` bits.
struct IsInTable {
    const Word* table;
    int bits;
    __device__ bool operator()(Word item) const {
        const Word i = item & static_cast<Word>((std::uint64_t{1} << bits) - 1);
        return (table[i / 32] >> (i % 32) & 1) != 0;
    }
};

/// Loops as often as the item says, up to 63 times.
struct LoopIsOdd {
    __host__ __device__ bool operator()(Word item) const {
        for (Word i = item & 63; i > 0; --i) item = item * 1664525U + 1013904223U;
        return (item >> 16 & 1) != 0;
    }
};

template <std::size_t Bytes>
struct alignas(Bytes == 16 ? 16 : sizeof(Word)) Bulk {
    Word word[Bytes / sizeof(Word)];
};

struct LowBit {
    __host__ __device__ Word operator()(Word item) const { return item & 1; }
};

// --- Cases ---

/// One call of a batch. `lane` tells calls apart that run at the same time.
struct Call {
    std::uint64_t index;
    int lane;
    cudaStream_t stream;
};

struct Case {
    std::string group;
    std::string name;
    std::uint64_t n;
    std::size_t bytes_in;  ///< that one call reads from its part of the pool
    std::function<void(const Call&)> cub;
    std::function<void(const Call&)> ours;
    int lanes = 1;      ///< calls at the same time, each on its own stream
    bool busy = false;  ///< other kernels run meanwhile
};

class Bench {
  public:
    Bench() {
        fill<<<1024, 512>>>(words(), pool_bytes / sizeof(Word), ~Word{0});
        fill<<<1024, 512>>>(reinterpret_cast<Word*>(table_.data()), table_.size() / sizeof(Word), ~Word{0});
        fill<<<1024, 512>>>(reinterpret_cast<Word*>(flags_.data()), flags_.size() / sizeof(Word),
                            0x01010101U);
        check(cudaDeviceSynchronize(), "fill");
        for (SelectState& state : states_) {
            check(state.reserve<Word>(pool_bytes / sizeof(Word)), "SelectState::reserve");
        }
        add_predicates();
        add_items();
        add_circumstances();
        add_family();
        add_patterns();  // last, because they write over the pool
    }

    void run(const std::vector<std::string_view>& groups) {
        std::puts("group,case,n,cub_us,cub_q1_us,cub_q3_us,median_us,q1_us,q3_us,times_cub");
        for (const Case& each : cases_) {
            if (groups.empty() || std::ranges::find(groups, each.group) != groups.end()) measure(each);
        }
    }

  private:
    Word* words() const { return reinterpret_cast<Word*>(in_.data()); }

    template <typename ItemT>
    const ItemT* in_of(const Call& call, std::uint64_t n) const {
        return reinterpret_cast<const ItemT*>(in_.data()) + call.index * n;
    }
    template <typename ItemT>
    ItemT* out_of(const Call& call, std::uint64_t n) const {
        return reinterpret_cast<ItemT*>(out_.data()) + call.index * n;
    }
    std::uint64_t* count_of(const Call& call) const { return counts_.data() + 2 * call.index; }

    /// Calls with temporary storage, which grows to what the call asks for.
    template <typename EnqueueT>
    void with_storage(const Call& call, EnqueueT enqueue) {
        DeviceBuffer<char>& storage = storage_[static_cast<std::size_t>(call.lane)];
        std::size_t bytes = 0;
        check(enqueue(nullptr, bytes), "size of the storage");
        if (bytes > storage.size()) storage = DeviceBuffer<char>(bytes);
        check(enqueue(storage.data(), bytes), "select");
    }

    template <typename ItemT, typename PredicateT>
    Case select_case(std::string group, std::string name, std::uint64_t n, PredicateT predicate) {
        Case made{std::move(group), std::move(name), n, n * sizeof(ItemT), {}, {}};
        made.cub = [=, this](const Call& call) {
            with_storage(call, [&](void* temp, std::size_t& bytes) {
                return cub::DeviceSelect::If(temp, bytes, in_of<ItemT>(call, n), out_of<ItemT>(call, n),
                                             count_of(call), static_cast<std::int64_t>(n), predicate,
                                             call.stream);
            });
        };
        made.ours = [=, this](const Call& call) {
            if constexpr (sizeof(ItemT) == sizeof(Word)) {
                check(compaction::cuda::select_if(states_[static_cast<std::size_t>(call.lane)],
                                                  in_of<ItemT>(call, n), out_of<ItemT>(call, n),
                                                  count_of(call), n, predicate, call.stream),
                      "select_if");
            } else {
                with_storage(call, [&](void* temp, std::size_t& bytes) {
                    return compaction::cuda::select_if(temp, bytes, in_of<ItemT>(call, n),
                                                       out_of<ItemT>(call, n), count_of(call), n, predicate,
                                                       call.stream);
                });
            }
        };
        return made;
    }

    void add_predicates() {
        const auto* const table = reinterpret_cast<const Word*>(table_.data());
        for (const int exponent : {20, 22, 24, 26}) {
            const std::uint64_t n = std::uint64_t{1} << exponent;
            cases_.push_back(select_case<Word>("predicates", "odd", n, IsOdd{}));
            cases_.push_back(select_case<Word>("predicates", "16-round hash", n, HashIsOdd{}));
            cases_.push_back(select_case<Word>("predicates", "table of 128 KB", n, IsInTable{table, 20}));
            cases_.push_back(select_case<Word>("predicates", "table of 16 MB", n, IsInTable{table, 27}));
            cases_.push_back(select_case<Word>("predicates", "table of 256 MB", n, IsInTable{table, 31}));
            cases_.push_back(select_case<Word>("predicates", "divergent loop", n, LoopIsOdd{}));
        }
    }

    template <typename ItemT>
    void add_item(std::uint64_t n) {
        cases_.push_back(select_case<ItemT>("items", std::to_string(sizeof(ItemT)) + " bytes", n, IsOdd{}));
    }

    void add_items() {
        for (const int exponent : {20, 24}) {
            const std::uint64_t n = std::uint64_t{1} << exponent;
            add_item<std::uint8_t>(n);
            add_item<std::uint16_t>(n);
            add_item<Word>(n);
            add_item<std::uint64_t>(n);
            add_item<Bulk<12>>(n);
            add_item<Bulk<16>>(n);
            add_item<Bulk<32>>(n);
            add_item<Bulk<64>>(n);
        }
    }

    void add_patterns() {
        using workloads::Pattern;
        const std::pair<const char*, double> kept[] = {
            {"clustered", 0.5}, {"1 % kept", 0.01}, {"90 % kept", 0.9}};
        for (const auto& [name, fraction] : kept) {
            for (const int exponent : {22, 24, 26}) {
                const std::uint64_t n = std::uint64_t{1} << exponent;
                Case made = select_case<Word>("patterns", name, n, IsSet{});
                made.bytes_in = pool_bytes;  // one call in a batch: the pattern is written over the pool
                prepare_[made.name + std::to_string(n)] = [=, this, label = std::string(name)] {
                    const auto items = workloads::make_stream(
                        label == "clustered" ? Pattern::runs : Pattern::random, n, fraction, 1);
                    check(cudaMemcpy(in_.data(), items.data(), n * sizeof(Word), cudaMemcpyHostToDevice),
                          "cudaMemcpy");
                };
                cases_.push_back(std::move(made));
            }
        }
    }

    void add_circumstances() {
        for (const int lanes : {2, 4}) {
            Case made = select_case<Word>("circumstances", std::to_string(lanes) + " streams at once",
                                          6'000'000, IsOdd{});
            made.lanes = lanes;
            cases_.push_back(std::move(made));
        }
        for (const int exponent : {20, 24, 26}) {
            Case made = select_case<Word>("circumstances", "busy GPU", std::uint64_t{1} << exponent, IsOdd{});
            made.busy = true;
            cases_.push_back(std::move(made));
        }
    }

    template <typename CubT, typename OursT>
    void add_call(std::string name, std::uint64_t n, std::size_t bytes_in, CubT cub, OursT ours) {
        Case made{"family", std::move(name), n, bytes_in, {}, {}};
        made.cub = [=, this](const Call& call) {
            with_storage(call, [&](void* temp, std::size_t& bytes) { return cub(call, temp, bytes); });
        };
        made.ours = [=, this](const Call& call) {
            with_storage(call, [&](void* temp, std::size_t& bytes) { return ours(call, temp, bytes); });
        };
        cases_.push_back(std::move(made));
    }

    void add_family() {
        for (const int exponent : {20, 24, 26, 28}) add_family_of(std::uint64_t{1} << exponent);
    }

    void add_family_of(std::uint64_t n) {
        using cub::DevicePartition;
        using cub::DeviceSelect;
        const auto num = static_cast<std::int64_t>(n);
        const auto in = [=, this](const Call& call) { return in_of<Word>(call, n); };
        const auto out = [=, this](const Call& call) { return out_of<Word>(call, n); };
        const auto flags = [=, this](const Call& call) { return flags_.data() + call.index * n; };
        add_call(
            "flagged", n, n * sizeof(Word),
            [=, this](const Call& call, void* temp, std::size_t& bytes) {
                return DeviceSelect::Flagged(temp, bytes, in(call), flags(call), out(call), count_of(call),
                                             num, call.stream);
            },
            [=, this](const Call& call, void* temp, std::size_t& bytes) {
                return compaction::cuda::select_flagged(temp, bytes, in(call), flags(call), out(call),
                                                        count_of(call), n, call.stream);
            });
        add_call(
            "flagged_if", n, n * sizeof(Word),
            [=, this](const Call& call, void* temp, std::size_t& bytes) {
                return DeviceSelect::FlaggedIf(temp, bytes, in(call), flags(call), out(call), count_of(call),
                                               num, IsOdd{}, call.stream);
            },
            [=, this](const Call& call, void* temp, std::size_t& bytes) {
                return compaction::cuda::select_flagged_if(temp, bytes, in(call), flags(call), out(call),
                                                           count_of(call), n, IsOdd{}, call.stream);
            });
        add_call(
            "indices_if", n, n * sizeof(Word),
            [=, this](const Call& call, void* temp, std::size_t& bytes) {
                const thrust::transform_iterator odd(in(call), IsOdd{});
                return DeviceSelect::Flagged(temp, bytes, thrust::counting_iterator<Word>(0), odd, out(call),
                                             count_of(call), num, call.stream);
            },
            [=, this](const Call& call, void* temp, std::size_t& bytes) {
                return compaction::cuda::indices_if(temp, bytes, in(call), out(call), count_of(call), n,
                                                    IsOdd{}, call.stream);
            });
        if (n * sizeof(std::uint64_t) <= pool_bytes) add_wide_indices(n);
        add_call(
            "partition_if", n, n * sizeof(Word),
            [=, this](const Call& call, void* temp, std::size_t& bytes) {
                return DevicePartition::If(temp, bytes, in(call), out(call), count_of(call), num, IsOdd{},
                                           call.stream);
            },
            [=, this](const Call& call, void* temp, std::size_t& bytes) {
                return compaction::cuda::partition_if(temp, bytes, in(call), out(call), count_of(call), n,
                                                      IsOdd{}, call.stream);
            });
        add_call(
            "unique", n, n * sizeof(Word),
            [=, this](const Call& call, void* temp, std::size_t& bytes) {
                const thrust::transform_iterator runs(in(call), LowBit{});
                return DeviceSelect::Unique(temp, bytes, runs, out(call), count_of(call), num, call.stream);
            },
            [=, this](const Call& call, void* temp, std::size_t& bytes) {
                const thrust::transform_iterator runs(in(call), LowBit{});
                return compaction::cuda::unique(temp, bytes, runs, out(call), count_of(call), n, call.stream);
            });
        if (n * num_columns * sizeof(Word) > pool_bytes) return;
        add_columns(n, std::make_index_sequence<num_columns>{});
    }

    /// Positions that are wider than the items, as torch.nonzero has them.
    void add_wide_indices(std::uint64_t n) {
        using Position = std::uint64_t;
        add_call(
            "indices_if of 64 bits", n, n * sizeof(Position),
            [=, this](const Call& call, void* temp, std::size_t& bytes) {
                const thrust::transform_iterator odd(in_of<Word>(call, n), IsOdd{});
                return cub::DeviceSelect::Flagged(temp, bytes, thrust::counting_iterator<Position>(0), odd,
                                                  out_of<Position>(call, n), count_of(call),
                                                  static_cast<std::int64_t>(n), call.stream);
            },
            [=, this](const Call& call, void* temp, std::size_t& bytes) {
                return compaction::cuda::indices_if(temp, bytes, in_of<Word>(call, n),
                                                    out_of<Position>(call, n), count_of(call), n, IsOdd{},
                                                    call.stream);
            });
    }

    /// Twelve columns of which the first says what is kept.
    template <std::size_t... Is>
    void add_columns(std::uint64_t n, std::index_sequence<Is...>) {
        const auto in = [=, this](const Call& call, std::size_t column) {
            return reinterpret_cast<const Word*>(in_.data()) + (call.index * num_columns + column) * n;
        };
        const auto out = [=, this](const Call& call, std::size_t column) {
            return reinterpret_cast<Word*>(out_.data()) + (call.index * num_columns + column) * n;
        };
        add_call(
            "12 columns", n, n * num_columns * sizeof(Word),
            [=, this](const Call& call, void* temp, std::size_t& bytes) {
                const thrust::transform_iterator odd(in(call, 0), IsOdd{});
                cudaError_t error = cudaSuccess;
                for (std::size_t i = 0; i < (temp ? num_columns : 1) && error == cudaSuccess; ++i)
                    error =
                        cub::DeviceSelect::Flagged(temp, bytes, in(call, i), odd, out(call, i),
                                                   count_of(call), static_cast<std::int64_t>(n), call.stream);
                return error;
            },
            [=, this](const Call& call, void* temp, std::size_t& bytes) {
                return compaction::cuda::select_columns_if(
                    temp, bytes, in(call, 0), count_of(call), n, IsOdd{}, call.stream,
                    compaction::cuda::column(in(call, Is), out(call, Is))...);
            });
    }

    // --- Measuring ---

    std::uint64_t calls_of(const Case& each) const {
        const std::uint64_t fit = pool_bytes / std::max<std::size_t>(each.bytes_in, 1);
        return std::clamp<std::uint64_t>(fit, 1, most_calls);
    }

    void measure(const Case& each) {
        if (const auto found = prepare_.find(each.name + std::to_string(each.n)); found != prepare_.end())
            found->second();
        compare(each);
        std::vector<float> by_cub;
        std::vector<float> by_us;
        for (int round = 0; round <= rounds; ++round) {
            const float cub = time_batch(each, each.cub);
            const float ours = time_batch(each, each.ours);
            if (round == 0) continue;
            by_cub.push_back(cub);
            by_us.push_back(ours);
        }
        const experiments::Summary cub = experiments::summarise(by_cub);
        const experiments::Summary ours = experiments::summarise(by_us);
        std::printf("%s,%s,%llu,%.2f,%.2f,%.2f,%.2f,%.2f,%.2f,%.2f\n", each.group.c_str(), each.name.c_str(),
                    static_cast<unsigned long long>(each.n), cub.median, cub.q1, cub.q3, ours.median, ours.q1,
                    ours.q3, cub.median / ours.median);
        std::fflush(stdout);
    }

    float time_batch(const Case& each, const std::function<void(const Call&)>& enqueue) {
        const std::uint64_t num_calls = calls_of(each) / static_cast<unsigned>(each.lanes) * each.lanes;
        cudaStream_t const stream = streams_[0].get();
        check(cudaMemsetAsync(flush_.data(), 0, flush_bytes, stream), "cudaMemsetAsync");
        if (each.busy) check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
        hold<<<1, 1, 0, stream>>>(20'000 + 10'000 * num_calls);
        if (each.busy) start_other_kernels();
        begin_.record(stream);
        for (int lane = 1; lane < each.lanes; ++lane)
            let_wait(streams_[static_cast<std::size_t>(lane)].get(), stream);
        for (std::uint64_t i = 0; i < num_calls; ++i) {
            const int lane = static_cast<int>(i % static_cast<unsigned>(each.lanes));
            enqueue({i, lane, streams_[static_cast<std::size_t>(lane)].get()});
        }
        for (int lane = 1; lane < each.lanes; ++lane)
            let_wait(stream, streams_[static_cast<std::size_t>(lane)].get());
        end_.record(stream);
        check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
        return end_.us_since(begin_) / static_cast<float>(num_calls);
    }

    /// Later work of one stream waits for the present work of another.
    static void let_wait(cudaStream_t later, cudaStream_t earlier) {
        cudaEvent_t event = nullptr;
        check(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), "cudaEventCreateWithFlags");
        check(cudaEventRecord(event, earlier), "cudaEventRecord");
        check(cudaStreamWaitEvent(later, event, 0), "cudaStreamWaitEvent");
        check(cudaEventDestroy(event), "cudaEventDestroy");
    }

    /// Three streams of kernels with 40 blocks and 100 KB of shared memory, 20 us each.
    void start_other_kernels() {
        constexpr int shared_bytes = 100 << 10;
        constexpr int kernels = 400;
        if (!others_[0]) {
            check(cudaFuncSetAttribute(hold, cudaFuncAttributeMaxDynamicSharedMemorySize, shared_bytes),
                  "cudaFuncSetAttribute");
            for (std::size_t i = 0; i < others_.size(); ++i) {
                cudaStream_t const stream = other_streams_[i].get();
                check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "capture");
                for (int k = 0; k < kernels; ++k) hold<<<40, 128, shared_bytes, stream>>>(20'000);
                cudaGraph_t graph = nullptr;
                check(cudaStreamEndCapture(stream, &graph), "capture");
                check(cudaGraphInstantiate(&others_[i], graph, 0), "cudaGraphInstantiate");
                check(cudaGraphDestroy(graph), "cudaGraphDestroy");
            }
        }
        for (std::size_t i = 0; i < others_.size(); ++i)
            check(cudaGraphLaunch(others_[i], other_streams_[i].get()), "cudaGraphLaunch");
    }

    /// Ends the program if the first call of both writes different bytes.
    void compare(const Case& each) {
        const std::size_t bytes = std::min(each.n * 64 * num_columns, out_.size());
        const Call call{0, 0, streams_[0].get()};
        clear(bytes);
        each.cub(call);
        check(cudaDeviceSynchronize(), each.name.c_str());
        check(cudaMemcpy(expected_.data(), out_.data(), bytes, cudaMemcpyDeviceToDevice), "cudaMemcpy");
        check(cudaDeviceSynchronize(), "cudaMemcpy");
        const std::uint64_t by_cub = count();
        clear(bytes);
        each.ours(call);
        check(cudaDeviceSynchronize(), each.name.c_str());
        const auto* const a = reinterpret_cast<const Word*>(out_.data());
        const auto* const b = reinterpret_cast<const Word*>(expected_.data());
        if (count() == by_cub && thrust::equal(thrust::device, a, a + bytes / sizeof(Word), b)) return;
        std::fprintf(stderr, "bench_select_cases: %s wrote other bytes than CUB at n = %llu\n",
                     each.name.c_str(), static_cast<unsigned long long>(each.n));
        std::exit(1);
    }
    /// Zeroes the output. The calls' streams do not wait for a memset, so the host does.
    void clear(std::size_t bytes) {
        check(cudaMemset(out_.data(), 0, bytes), "cudaMemset");
        check(cudaDeviceSynchronize(), "cudaMemset");
    }
    std::uint64_t count() const {
        std::uint64_t count = 0;
        check(cudaMemcpy(&count, counts_.data(), sizeof count, cudaMemcpyDeviceToHost), "cudaMemcpy");
        return count;
    }

    static constexpr std::size_t max_lanes = 4;

    std::array<compaction::cuda::Stream, max_lanes> streams_;
    std::array<compaction::cuda::Stream, 3> other_streams_;
    std::array<cudaGraphExec_t, 3> others_{};
    Event begin_{cudaEventDefault};
    Event end_{cudaEventDefault};
    DeviceBuffer<unsigned char> in_{pool_bytes};
    DeviceBuffer<unsigned char> out_{pool_bytes};
    DeviceBuffer<unsigned char> expected_{pool_bytes};
    DeviceBuffer<unsigned char> table_{std::size_t{256} << 20};
    DeviceBuffer<unsigned char> flags_{pool_bytes / sizeof(Word)};
    DeviceBuffer<std::uint64_t> counts_{2 * most_calls};
    DeviceBuffer<char> flush_{flush_bytes};
    std::array<DeviceBuffer<char>, max_lanes> storage_;
    std::array<SelectState, max_lanes> states_;
    std::vector<Case> cases_;
    std::map<std::string, std::function<void()>> prepare_;
};

}  // namespace

int main(int argc, char** argv) try {
    Bench().run({argv + 1, argv + argc});
    return 0;
} catch (const compaction::Error& error) {
    std::fprintf(stderr, "bench_select_cases: %s\n", error.what());
    return 1;
}
