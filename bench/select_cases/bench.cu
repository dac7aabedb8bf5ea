#include "bench/select_cases/bench.hpp"

#include <thrust/equal.h>
#include <thrust/execution_policy.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cuda/ptx>

#include "experiments/statistics.hpp"

namespace select_cases {

namespace {

constexpr std::size_t flush_bytes = std::size_t{256} << 20;
constexpr std::size_t table_bytes = std::size_t{256} << 20;
constexpr std::uint64_t max_calls = 32;
constexpr int rounds = 11;

/// Keeps its stream busy for `nanoseconds`.
__global__ void hold(std::uint64_t nanoseconds) {
    const std::uint64_t begin = ::cuda::ptx::get_sreg_globaltimer();
    while (::cuda::ptx::get_sreg_globaltimer() - begin < nanoseconds) {
    }
}

__device__ Word mix(Word x) {
    x ^= x >> 16;
    x *= 0x7feb352dU;
    x ^= x >> 15;
    x *= 0x846ca68bU;
    return x ^ (x >> 16);
}

/// Word i is a hash of i if another hash of i is at most `limit`, else 0, masked by `bits`.
__global__ void fill(Word* words, std::size_t size, Word limit, Word bits) {
    for (std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; i < size;
         i += std::size_t{gridDim.x} * blockDim.x) {
        const Word hash = mix(static_cast<Word>(i));
        words[i] = mix(hash + 1) <= limit ? hash & bits : 0;
    }
}

void fill_with(const DeviceBuffer<Word>& words, Word limit, Word bits) {
    fill<<<1024, 512>>>(words.data(), words.size(), limit, bits);
    check(cudaDeviceSynchronize(), "fill");
}

std::uint64_t num_calls_of(const Case& each) {
    const std::uint64_t fit = pool_bytes / std::max<std::size_t>(each.bytes_in, 1);
    return std::clamp<std::uint64_t>(fit, 1, max_calls) / each.num_streams * each.num_streams;
}

/// Makes later work in `waiting` wait for the work enqueued so far in `awaited`.
void let_wait(cudaStream_t waiting, cudaStream_t awaited) {
    cudaEvent_t event = nullptr;
    check(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), "cudaEventCreateWithFlags");
    check(cudaEventRecord(event, awaited), "cudaEventRecord");
    check(cudaStreamWaitEvent(waiting, event, 0), "cudaStreamWaitEvent");
    check(cudaEventDestroy(event), "cudaEventDestroy");
}

}  // namespace

Bench::Bench() : table_(table_bytes / sizeof(Word)), counts_(2 * max_calls), flush_(flush_bytes) {
    fill_input();
    fill_with(table_, ~Word{0}, ~Word{0});
    fill_with(word_flags_, ~Word{0}, 1);
    fill<<<1024, 512>>>(reinterpret_cast<Word*>(flags_.data()), flags_.size() / sizeof(Word), ~Word{0},
                        0x01010101U);
    check(cudaDeviceSynchronize(), "fill");
}

void Bench::fill_input() {
    fill_with(in_, ~Word{0}, ~Word{0});
}

void Bench::fill_input(double keep_fraction) {
    fill_with(in_, static_cast<Word>(keep_fraction * static_cast<double>(~Word{0})), ~Word{0});
}

void Bench::fill_input(const std::vector<Word>& words) {
    for (std::size_t at = 0; at < in_.size(); at += words.size()) {
        const std::size_t count = std::min(words.size(), in_.size() - at);
        check(cudaMemcpy(in_.data() + at, words.data(), count * sizeof(Word), cudaMemcpyHostToDevice),
              "cudaMemcpy");
    }
}

void Bench::run(const std::vector<std::string_view>& groups) {
    std::puts("group,case,n,cub_us,cub_q1_us,cub_q3_us,median_us,q1_us,q3_us,times_cub");
    for (const Case& each : cases_) {
        if (groups.empty() || std::ranges::find(groups, each.group) != groups.end()) measure(each);
    }
}

void Bench::measure(const Case& each) {
    if (each.prepare) each.prepare();
    compare(each);
    std::vector<float> cub_us;
    std::vector<float> our_us;
    for (int round = 0; round <= rounds; ++round) {
        const float cub = time_batch(each, each.cub);
        const float ours = time_batch(each, each.ours);
        if (round == 0) continue;
        cub_us.push_back(cub);
        our_us.push_back(ours);
    }
    const experiments::Summary cub = experiments::summarise(cub_us);
    const experiments::Summary ours = experiments::summarise(our_us);
    std::printf("%s,%s,%llu,%.2f,%.2f,%.2f,%.2f,%.2f,%.2f,%.2f\n", each.group.c_str(), each.name.c_str(),
                static_cast<unsigned long long>(each.n), cub.median, cub.q1, cub.q3, ours.median, ours.q1,
                ours.q3, cub.median / ours.median);
    std::fflush(stdout);
}

float Bench::time_batch(const Case& each, const std::function<void(const Call&)>& enqueue) {
    const std::uint64_t num_calls = num_calls_of(each);
    cudaStream_t const stream = streams_[0].get();
    if (each.in_place) reset_output(each, num_calls * each.bytes_in / sizeof(Word));
    check(cudaMemsetAsync(flush_.data(), 0, flush_bytes, stream), "cudaMemsetAsync");
    if (each.busy) check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
    hold<<<1, 1, 0, stream>>>(20'000 + 10'000 * num_calls);
    if (each.busy) start_other_kernels();
    begin_.record(stream);
    for (std::size_t i = 1; i < each.num_streams; ++i) let_wait(streams_[i].get(), stream);
    for (std::uint64_t i = 0; i < num_calls; ++i) {
        const std::size_t stream_index = i % each.num_streams;
        enqueue({i, stream_index, streams_[stream_index].get()});
    }
    for (std::size_t i = 1; i < each.num_streams; ++i) let_wait(stream, streams_[i].get());
    end_.record(stream);
    check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    return end_.us_since(begin_) / static_cast<float>(num_calls);
}

/// Three streams of kernels with 40 blocks and 100 KB of shared memory, 20 us each.
void Bench::start_other_kernels() {
    constexpr int shared_bytes = 100 << 10;
    constexpr int kernels = 400;
    if (!other_graphs_[0]) {
        check(cudaFuncSetAttribute(hold, cudaFuncAttributeMaxDynamicSharedMemorySize, shared_bytes),
              "cudaFuncSetAttribute");
        for (std::size_t i = 0; i < other_graphs_.size(); ++i) {
            cudaStream_t const stream = other_streams_[i].get();
            check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "capture");
            for (int k = 0; k < kernels; ++k) hold<<<40, 128, shared_bytes, stream>>>(20'000);
            cudaGraph_t graph = nullptr;
            check(cudaStreamEndCapture(stream, &graph), "capture");
            check(cudaGraphInstantiate(&other_graphs_[i], graph, 0), "cudaGraphInstantiate");
            check(cudaGraphDestroy(graph), "cudaGraphDestroy");
        }
    }
    for (std::size_t i = 0; i < other_graphs_.size(); ++i)
        check(cudaGraphLaunch(other_graphs_[i], other_streams_[i].get()), "cudaGraphLaunch");
}

/// Ends the program if the first calls of CUB and of this library write different bytes.
void Bench::compare(const Case& each) {
    constexpr std::size_t max_words_of_item = 192;
    const std::size_t size = std::min(each.n * max_words_of_item, out_.size());
    const Call call{0, 0, streams_[0].get()};
    reset_output(each, size);
    each.cub(call);
    check(cudaDeviceSynchronize(), each.name.c_str());
    check(cudaMemcpy(expected_.data(), out_.data(), size * sizeof(Word), cudaMemcpyDeviceToDevice),
          "cudaMemcpy");
    check(cudaDeviceSynchronize(), "cudaMemcpy");
    const std::uint64_t cub_count = first_count();
    reset_output(each, size);
    each.ours(call);
    check(cudaDeviceSynchronize(), each.name.c_str());
    if (first_count() == cub_count &&
        thrust::equal(thrust::device, out_.data(), out_.data() + size, expected_.data()))
        return;
    std::fprintf(stderr, "bench_select_cases: %s wrote other bytes than CUB at n = %llu\n", each.name.c_str(),
                 static_cast<unsigned long long>(each.n));
    std::exit(1);
}

/// Clears `num_words` words of the output, or copies the input there. The calls' streams do not wait for
/// that, so the host does.
void Bench::reset_output(const Case& each, std::size_t num_words) {
    const std::size_t bytes = num_words * sizeof(Word);
    if (each.in_place) {
        check(cudaMemcpy(out_.data(), in_.data(), bytes, cudaMemcpyDeviceToDevice), "cudaMemcpy");
    } else {
        check(cudaMemset(out_.data(), 0, bytes), "cudaMemset");
    }
    check(cudaDeviceSynchronize(), "the output");
}

std::uint64_t Bench::first_count() const {
    std::uint64_t count = 0;
    check(cudaMemcpy(&count, counts_.data(), sizeof count, cudaMemcpyDeviceToHost), "cudaMemcpy");
    return count;
}

}  // namespace select_cases
