// Prints the sizes of access traces on the simulated GPU, and how long a step back takes when they are
// played. Half of the items are kept, in runs.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <span>
#include <vector>

#include "app/trace/playback.hpp"
#include "compaction/access_trace.hpp"
#include "compaction/compaction.hpp"
#include "workloads/streams.hpp"

namespace {

using namespace compaction;

constexpr std::uint64_t seed = 9;  // forward order, copies at once, 5 multiprocessors

/// Times of steps back at 101 evenly spaced steps of the trace, in milliseconds, sorted.
std::vector<double> steps_back_ms(warpsieve::trace::Playback& playback) {
    constexpr std::uint64_t intervals = 100;
    std::vector<double> times;
    for (std::uint64_t i = 0; i <= intervals; ++i) {
        const std::uint64_t step = playback.trace().num_steps * i / intervals;
        playback.seek(step + 1);
        const auto begin = std::chrono::steady_clock::now();
        playback.seek(step);
        times.push_back(
            std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count());
    }
    std::ranges::sort(times);
    return times;
}

void print(const Algorithm& algorithm, ItemSize item_size, std::uint64_t num_items) {
    const auto stream = workloads::make_stream(workloads::Pattern::runs, num_items, 0.5, 1);
    const auto items = workloads::widen(stream, item_size, 1);
    const auto traced = std::make_shared<const AccessTrace>(
        simulated::trace_compaction(algorithm, {}, item_size, std::as_bytes(std::span(items)),
                                    keep_non_zero(), seed)
            .trace);
    const AccessTrace& trace = *traced;
    warpsieve::trace::Playback playback(traced);
    const std::vector<double> back_ms = steps_back_ms(playback);
    std::printf(
        "%s,%zu,%llu,%llu,%llu,%zu,%.1f,%llu,%.1f,%.2f,%.2f\n", algorithm.id.c_str(), bytes_of(item_size),
        static_cast<unsigned long long>(num_items), static_cast<unsigned long long>(trace.num_accesses),
        static_cast<unsigned long long>(trace.num_stored_values), trace.packed.size(),
        static_cast<double>(trace.packed.size()) / static_cast<double>(trace.num_accesses),
        static_cast<unsigned long long>(trace.num_steps), static_cast<double>(playback.size_bytes()) * 1e-6,
        back_ms[back_ms.size() / 2], back_ms.back());
}

}  // namespace

int main() try {
    std::printf("# device: Simulated GPU, 5 multiprocessors\n");
    std::printf(
        "algorithm,item_bytes,n,accesses,stored_values,packed_bytes,bytes_per_access,steps,playback_mb,"
        "back_median_ms,back_max_ms\n");
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
