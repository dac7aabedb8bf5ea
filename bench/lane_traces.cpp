// Prints the sizes of lane traces on the simulated GPU, and how long it takes to record and to read them.
// Half of the items are kept, at random. The time to record is the median of five traces, after a first one
// that reads the line tables.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <span>

#include "compaction/compaction.hpp"
#include "compaction/lane_trace.hpp"
#include "workloads/streams.hpp"

namespace {

using namespace compaction;
using Clock = std::chrono::steady_clock;

constexpr std::uint64_t seed = 9;  // forward order, copies at once, 5 multiprocessors
constexpr std::uint64_t num_items = 4096;

double ms_since(Clock::time_point begin) {
    return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

void print(const Algorithm& algorithm, ItemSize item_size) {
    const auto stream = workloads::make_stream(workloads::Pattern::random, num_items, 0.5, 1);
    const auto items = workloads::widen(stream, item_size, 1);
    const auto record = [&] {
        return simulated::trace_lanes(algorithm, {}, item_size, std::as_bytes(std::span(items)),
                                      keep_non_zero(), seed)
            .trace;
    };
    const LaneTrace trace = record();
    std::array<double, 5> record_ms{};
    for (double& ms : record_ms) {
        const auto begin = Clock::now();
        record();
        ms = ms_since(begin);
    }
    std::ranges::sort(record_ms);
    const auto begin_read = Clock::now();
    LaneReader reader(trace);
    while (reader.next()) {
    }
    const double read_ms = ms_since(begin_read);
    if (reader.loads_hash() != trace.loads_hash)
        throw Error(ErrorCode::invalid_argument, "the trace of " + algorithm.id + " differs from its run");
    std::printf("%s,%zu,%llu,%llu,%zu,%.2f,%zu,%.0f,%.1f\n", algorithm.id.c_str(), bytes_of(item_size),
                static_cast<unsigned long long>(num_items), static_cast<unsigned long long>(trace.num_steps),
                trace.packed.size(),
                static_cast<double>(trace.packed.size()) / static_cast<double>(trace.num_steps),
                trace.places.size(), record_ms[record_ms.size() / 2], read_ms);
}

}  // namespace

int main() try {
    std::printf("# device: Simulated GPU, 5 multiprocessors\n");
    std::printf("algorithm,item_bytes,n,steps,packed_bytes,bytes_per_step,places,record_ms,read_ms\n");
    for (const ItemSize item_size : all_item_sizes)
        for (const Algorithm& algorithm : catalogue())
            if (algorithm.engine == EngineId::simulated && simulated::no_trace_reason(algorithm).empty())
                print(algorithm, item_size);
    return 0;
} catch (const compaction::Error& error) {
    std::fprintf(stderr, "bench_lane_traces: %s\n", error.what());
    return 1;
}
