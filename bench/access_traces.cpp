// The size of the traces of accesses on the simulated GPU, and the processor time that recording takes.
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <span>
#include <string>

#include "compaction/access_trace.hpp"
#include "compaction/compaction.hpp"
#include "workloads/streams.hpp"

namespace {

using namespace compaction;

constexpr std::uint64_t seed = 9;  // forward order, copies at once, 5 multiprocessors

void print(const Algorithm& algorithm, std::uint64_t num_items) {
    const auto items = workloads::make_stream(workloads::Pattern::runs, num_items, 0.5, 1);
    const std::clock_t begin = std::clock();
    const AccessTrace trace =
        simulated::trace_compaction(algorithm, {}, ItemSize::bytes_4, std::as_bytes(std::span(items)),
                                    keep_non_zero(), seed)
            .trace;
    const double ms = 1e3 * static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    std::printf("%s,%llu,%llu,%llu,%llu,%.1f,%llu,%.0f\n", algorithm.id.c_str(),
                static_cast<unsigned long long>(num_items),
                static_cast<unsigned long long>(trace.num_accesses),
                static_cast<unsigned long long>(trace.num_stored_values),
                static_cast<unsigned long long>(trace.packed.size()),
                static_cast<double>(trace.packed.size()) / static_cast<double>(trace.num_accesses),
                static_cast<unsigned long long>(trace.num_steps), ms);
}

}  // namespace

int main() try {
    std::printf("# device: %s\n", open_engine(EngineId::cpu)->device().name.c_str());
    std::printf("algorithm,n,accesses,stored_values,packed_bytes,bytes_per_access,steps,ms\n");
    for (const std::uint64_t num_items : {std::uint64_t{1} << 12, std::uint64_t{1} << 16})
        for (const Algorithm& algorithm : catalogue())
            if (algorithm.engine == EngineId::simulated && simulated::no_trace_reason(algorithm).empty())
                print(algorithm, num_items);
    return 0;
} catch (const compaction::Error& error) {
    std::fprintf(stderr, "bench_access_traces: %s\n", error.what());
    return 1;
}
