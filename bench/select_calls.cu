// Times calls of compaction/cuda/select.cuh, cub::DeviceSelect::If and a copy of as many items on a GPU
// that is never idle: with a state whose launches do not overlap, with a state whose launches do, and with
// storage of unknown content, whose launches overlap on a stream.
//
// bench_select_calls [keep fraction]...
//
// u32, random, predicate `!= 0`. A batch is up to 100 calls, each on its own items, after other data has
// filled the L2 cache. It runs once on a stream, behind a kernel that holds the stream until all calls are
// enqueued, so that the speed of the host is not measured, and once as a graph. The methods are interleaved;
// every output is compared with CUB's. Each cell: microseconds per call as the median of 15 batches
// (quartiles); useful bytes (4n + 4k) per second as a share of the copy's; CUB's time over this one's.
#include <cuda_runtime_api.h>
#include <thrust/equal.h>
#include <thrust/execution_policy.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cub/device/device_select.cuh>
#include <cuda/ptx>
#include <functional>
#include <string>
#include <vector>

#include "bench/exit_code.hpp"
#include "compaction/cuda/memory.hpp"
#include "compaction/cuda/select.cuh"
#include "compaction/cuda/stream.hpp"
#include "compaction/error.hpp"
#include "experiments/statistics.hpp"
#include "experiments/table.hpp"
#include "workloads/streams.hpp"

namespace {

using compaction::Item;
using compaction::cuda::check;
using compaction::cuda::DeviceBuffer;
using compaction::cuda::Event;
using compaction::cuda::SelectState;

constexpr std::uint64_t pool_items = std::uint64_t{1} << 28;
constexpr std::size_t flush_bytes = std::size_t{256} << 20;
constexpr std::uint64_t max_calls = 100;
constexpr int rounds = 15;

struct IsKept {
    __host__ __device__ bool operator()(Item item) const { return item != 0; }
};

/// Keeps its stream busy for `nanoseconds`.
__global__ void hold(std::uint64_t nanoseconds) {
    const std::uint64_t begin = ::cuda::ptx::get_sreg_globaltimer();
    while (::cuda::ptx::get_sreg_globaltimer() - begin < nanoseconds) {
    }
}

/// One call of a batch: its own n items and its own output.
struct Call {
    const Item* in;
    std::uint64_t n;
    Item* out;
    std::uint64_t* num_selected;
};

struct Method {
    std::string name;
    std::function<void(const Call&, cudaStream_t)> enqueue;
    std::vector<float> us = {};
};

class Bench {
  public:
    explicit Bench(double keep_fraction)
        : in_(pool_items), out_(pool_items), cub_out_(pool_items), counts_(max_calls) {
        const auto items = workloads::make_stream(workloads::Pattern::random, pool_items, keep_fraction, 1);
        check(cudaMemcpy(in_.data(), items.data(), pool_items * sizeof(Item), cudaMemcpyHostToDevice),
              "cudaMemcpy");
        check(state_.reserve<Item>(pool_items), "SelectState::reserve");
        check(overlapping_.reserve<Item>(pool_items), "SelectState::reserve");
        state_.let_launches_overlap(false);
        overlapping_.let_launches_overlap(true);
        cub_storage_ = DeviceBuffer<char>(storage_of(cub_select));
        storage_ = DeviceBuffer<char>(storage_of(select_with_storage));
        methods_ = {{"copy",
                     [](const Call& call, cudaStream_t stream) {
                         check(cudaMemcpyAsync(call.out, call.in, call.n * sizeof(Item),
                                               cudaMemcpyDeviceToDevice, stream),
                               "cudaMemcpyAsync");
                     }},
                    {"CUB",
                     [this](const Call& call, cudaStream_t stream) {
                         std::size_t bytes = cub_storage_.size();
                         check(cub_select(cub_storage_.data(), bytes, call, stream), "DeviceSelect::If");
                     }},
                    {"state", by_state(state_)},
                    {"overlapping", by_state(overlapping_)},
                    {"storage", [this](const Call& call, cudaStream_t stream) {
                         std::size_t bytes = storage_.size();
                         check(select_with_storage(storage_.data(), bytes, call, stream), "select_if");
                     }}};
    }

    /// A row of the table for calls of n items, on the stream or as a graph.
    experiments::Table::Row measure(std::uint64_t n, bool as_graph) {
        const std::uint64_t num_calls = std::clamp<std::uint64_t>(pool_items / n, 1, max_calls);
        for (Method& each : methods_) each.us.clear();
        for (int round = 0; round <= rounds; ++round) {
            for (Method& each : methods_) {
                const float us = time_batch(each, n, num_calls, as_graph) / static_cast<float>(num_calls);
                if (round > 0) each.us.push_back(us);
                if (round == 0) compare_with_cub(each, n, num_calls);
            }
        }
        return row(n, num_calls);
    }

  private:
    static cudaError_t cub_select(void* storage, std::size_t& bytes, const Call& call, cudaStream_t stream) {
        return cub::DeviceSelect::If(storage, bytes, call.in, call.out, call.num_selected,
                                     static_cast<std::int64_t>(call.n), IsKept{}, stream);
    }
    static cudaError_t select_with_storage(void* storage, std::size_t& bytes, const Call& call,
                                           cudaStream_t stream) {
        return compaction::cuda::select_if(storage, bytes, call.in, call.out, call.num_selected, call.n,
                                           IsKept{}, stream);
    }
    static std::function<void(const Call&, cudaStream_t)> by_state(SelectState& state) {
        return [&state](const Call& call, cudaStream_t stream) {
            check(compaction::cuda::select_if(state, call.in, call.out, call.num_selected, call.n, IsKept{},
                                              stream),
                  "select_if");
        };
    }

    template <typename SelectT>
    std::size_t storage_of(SelectT select) {
        std::size_t bytes = 0;
        check(select(nullptr, bytes, call_of(0, pool_items), nullptr), "size of the storage");
        return bytes;
    }

    Call call_of(std::uint64_t i, std::uint64_t n) const {
        return {in_.data() + i * n, n, out_.data() + i * n, counts_.data() + i};
    }

    float time_batch(Method& each, std::uint64_t n, std::uint64_t num_calls, bool as_graph) {
        const auto enqueue_all = [&] {
            for (std::uint64_t i = 0; i < num_calls; ++i) each.enqueue(call_of(i, n), stream_.get());
        };
        cudaGraphExec_t executable = nullptr;
        if (as_graph) {
            check(cudaStreamBeginCapture(stream_.get(), cudaStreamCaptureModeThreadLocal),
                  "cudaStreamBeginCapture");
            enqueue_all();
            cudaGraph_t graph = nullptr;
            check(cudaStreamEndCapture(stream_.get(), &graph), "cudaStreamEndCapture");
            check(cudaGraphInstantiate(&executable, graph, 0), "cudaGraphInstantiate");
            check(cudaGraphDestroy(graph), "cudaGraphDestroy");
            check(cudaGraphUpload(executable, stream_.get()), "cudaGraphUpload");
        }
        check(cudaMemsetAsync(flush_.data(), 0, flush_bytes, stream_.get()), "cudaMemsetAsync");
        hold<<<1, 1, 0, stream_.get()>>>(20'000 + 8'000 * num_calls);
        begin_.record(stream_.get());
        if (as_graph) {
            check(cudaGraphLaunch(executable, stream_.get()), "cudaGraphLaunch");
        } else {
            enqueue_all();
        }
        end_.record(stream_.get());
        check(cudaStreamSynchronize(stream_.get()), "cudaStreamSynchronize");
        if (executable) check(cudaGraphExecDestroy(executable), "cudaGraphExecDestroy");
        return end_.us_since(begin_);
    }

    /// Stores the output of CUB and compares the outputs of the other methods with it.
    void compare_with_cub(const Method& each, std::uint64_t n, std::uint64_t num_calls) {
        if (each.name == "copy") return;
        std::vector<std::uint64_t> counts(num_calls);
        check(cudaMemcpy(counts.data(), counts_.data(), num_calls * sizeof(std::uint64_t),
                         cudaMemcpyDeviceToHost),
              "cudaMemcpy");
        if (each.name == "CUB") {
            counts_by_cub_ = counts;
            std::swap(out_, cub_out_);
            return;
        }
        bool same = counts == counts_by_cub_;
        for (std::uint64_t i = 0; same && i < num_calls; ++i) {
            const Item* const selected = out_.data() + i * n;
            same = thrust::equal(thrust::device, selected, selected + counts[i], cub_out_.data() + i * n);
        }
        if (!same) {
            std::fprintf(stderr, "bench_select_calls: %s selected other items than CUB at n = %llu\n",
                         each.name.c_str(), static_cast<unsigned long long>(n));
            std::exit(1);
        }
    }

    experiments::Table::Row row(std::uint64_t n, std::uint64_t num_calls) const {
        const auto summary = [this](std::size_t i) { return experiments::summarise(methods_[i].us); };
        const double copy_us = summary(copy_method).median;
        const double cub_us = summary(cub_method).median;
        std::uint64_t kept = 0;
        for (const std::uint64_t count : counts_by_cub_) kept += count;
        const double useful_items = static_cast<double>(n) + static_cast<double>(kept) / num_calls;
        experiments::Table::Row row{{std::to_string(n)}, {}};
        const auto add = [&row](const char* format, auto... values) {
            char text[64];
            std::snprintf(text, sizeof text, format, values...);
            row.cells.emplace_back(text);
        };
        for (std::size_t i = 0; i < methods_.size(); ++i) {
            const experiments::Summary us = summary(i);
            if (i == copy_method) {
                add("%.2f (%.2f, %.2f)", us.median, us.q1, us.q3);
                continue;
            }
            const double share = useful_items * copy_us / (2 * static_cast<double>(n) * us.median);
            add("%.2f (%.2f, %.2f), %.2f, %.2f", us.median, us.q1, us.q3, share, cub_us / us.median);
        }
        return row;
    }

    /// Indices in methods_.
    static constexpr std::size_t copy_method = 0;
    static constexpr std::size_t cub_method = 1;

    compaction::cuda::Stream stream_;
    Event begin_{cudaEventDefault};
    Event end_{cudaEventDefault};
    DeviceBuffer<Item> in_;
    DeviceBuffer<Item> out_;
    DeviceBuffer<Item> cub_out_;
    DeviceBuffer<std::uint64_t> counts_;
    DeviceBuffer<char> flush_{flush_bytes};
    DeviceBuffer<char> cub_storage_;
    DeviceBuffer<char> storage_;
    SelectState state_;
    SelectState overlapping_;
    std::vector<std::uint64_t> counts_by_cub_;
    std::vector<Method> methods_;
};

}  // namespace

int main(int argc, char** argv) try {
    require_gpu();
    std::vector<double> keep_fractions;
    for (int i = 1; i < argc; ++i) keep_fractions.push_back(std::atof(argv[i]));
    if (keep_fractions.empty()) keep_fractions = {0.5};
    for (const double keep_fraction : keep_fractions) {
        Bench bench(keep_fraction);
        for (const bool as_graph : {false, true}) {
            experiments::Table table;
            table.caption = std::to_string(keep_fraction) + " kept, " +
                            (as_graph ? "as a graph" : "on a stream") +
                            ": us (quartiles), share of copy, times CUB";
            table.columns = {{"n", true}, {"copy"}, {"CUB"}, {"state"}, {"overlapping"}, {"storage"}};
            // Graphs end at 2^26: a graph copies 2^28 items by another method than a stream, which takes 1.5
            // times as long.
            for (int exponent = 10; exponent <= (as_graph ? 26 : 28); exponent += exponent < 24 ? 1 : 2)
                table.rows.push_back(bench.measure(std::uint64_t{1} << exponent, as_graph));
            experiments::format::print(experiments::to_terminal(table, /*colour=*/false));
        }
    }
    return 0;
} catch (const compaction::Error& error) {
    return exit_code_of("bench_select_calls", error);
}
