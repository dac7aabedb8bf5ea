// Prints the sizes of access traces on the simulated GPU. Half of the items are kept, in runs.
#include <cstdint>
#include <cstdio>
#include <span>

#include "compaction/access_trace.hpp"
#include "compaction/compaction.hpp"
#include "workloads/streams.hpp"

namespace {

using namespace compaction;

constexpr std::uint64_t seed = 9;  // forward order, copies at once, 5 multiprocessors

void print(const Algorithm& algorithm, ItemSize item_size, std::uint64_t num_items) {
    const auto stream = workloads::make_stream(workloads::Pattern::runs, num_items, 0.5, 1);
    const auto items = workloads::widen(stream, item_size, 1);
    const AccessTrace trace =
        simulated::trace_compaction(algorithm, {}, item_size, std::as_bytes(std::span(items)),
                                    keep_non_zero(), seed)
            .trace;
    std::printf("%s,%zu,%llu,%llu,%llu,%zu,%.1f,%llu\n", algorithm.id.c_str(), bytes_of(item_size),
                static_cast<unsigned long long>(num_items),
                static_cast<unsigned long long>(trace.num_accesses),
                static_cast<unsigned long long>(trace.num_stored_values), trace.packed.size(),
                static_cast<double>(trace.packed.size()) / static_cast<double>(trace.num_accesses),
                static_cast<unsigned long long>(trace.num_steps));
}

}  // namespace

int main() try {
    std::printf("# device: Simulated GPU, 5 multiprocessors\n");
    std::printf("algorithm,item_bytes,n,accesses,stored_values,packed_bytes,bytes_per_access,steps\n");
    for (const std::uint64_t num_items : {std::uint64_t{1} << 12, std::uint64_t{1} << 16})
        for (const ItemSize item_size : all_item_sizes)
            for (const Algorithm& algorithm : catalogue())
                if (algorithm.engine == EngineId::simulated && simulated::no_trace_reason(algorithm).empty())
                    print(algorithm, item_size, num_items);
    return 0;
} catch (const compaction::Error& error) {
    std::fprintf(stderr, "bench_access_traces: %s\n", error.what());
    return 1;
}
