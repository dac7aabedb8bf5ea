// Processor time of the simulated GPU for 2^16 items, half of them kept: the minimum of many runs.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <string>
#include <string_view>

#include "compaction/compaction.hpp"
#include "compaction/simulated_schedule.hpp"
#include "workloads/streams.hpp"

namespace {

using namespace compaction;

constexpr std::uint64_t num_items = 1 << 16;
constexpr int num_runs = 100;

/// The number of multiprocessors decides which kernel single_pass runs.
struct Case {
    std::string_view algorithm;
    std::string_view kernels;
    unsigned multiprocessors;
};
constexpr Case cases[]{{"simulated_sequence_wise", "all three", 4},
                       {"simulated_single_pass", "single-wave", 8},
                       {"simulated_single_pass", "pipeline", 1}};

double best_ms(const Case& which) {
    const auto engine =
        open_engine(EngineId::simulated,
                    static_cast<int>(simulated::seed_of(
                        simulated::Order::forward, simulated::CopyTime::at_once, which.multiprocessors)));
    const auto items = workloads::make_stream(workloads::Pattern::random, num_items, 0.5, 1);
    const Buffer in = engine->allocate(num_items * sizeof(Item));
    const Buffer out = engine->allocate(num_items * sizeof(Item));
    const Buffer count = engine->allocate(sizeof(std::uint64_t));
    engine->upload(in.as<void>(), items.data(), in.size_bytes());
    const auto compactor = engine->make_compactor(find_algorithm(which.algorithm), {});
    compactor->reserve(num_items);
    double best = 1e9;
    for (int run = 0; run < num_runs; ++run) {
        const std::clock_t begin = std::clock();
        compactor->enqueue(in.as<void>(), num_items, out.as<void>(), count.as<std::uint64_t>(),
                           keep_non_zero(), nullptr);
        best = std::min(best, 1e3 * static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC);
    }
    return best;
}

}  // namespace

int main() try {
    std::printf("# device: %s\n", open_engine(EngineId::cpu)->device().name.c_str());
    std::printf("algorithm,kernels,multiprocessors,n,runs,best_ms\n");
    for (const Case& each : cases) {
        std::printf("%s,%s,%u,%llu,%d,%.2f\n", std::string(each.algorithm).c_str(),
                    std::string(each.kernels).c_str(), each.multiprocessors,
                    static_cast<unsigned long long>(num_items), num_runs, best_ms(each));
    }
    return 0;
} catch (const compaction::Error& error) {
    std::fprintf(stderr, "bench_simulated_speed: %s\n", error.what());
    return 1;
}
