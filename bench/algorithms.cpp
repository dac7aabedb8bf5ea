// Every algorithm of an engine beside a copy of the same items, over lengths and keep fractions.
//
//   bench_algorithms [cuda|cpu] [log2 of the largest length]
//
// Prints microseconds a call (median, quartiles), useful GB/s = (bytes read once + bytes kept) / time, and
// its share of what the copy moves (bytes read + bytes written) / time. Inputs rotate past the cache. Every
// result is checked.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "bench/measure.hpp"
#include "compaction/error.hpp"
#include "workloads/streams.hpp"

namespace {

using compaction::Item;

constexpr std::size_t cold_bytes = std::size_t{256} << 20;
constexpr int rounds = 9;

struct Entry {
    const compaction::Algorithm* algorithm;
    std::unique_ptr<compaction::Compactor> compactor;
};

void require_correct(compaction::Engine& engine, compaction::Compactor& compactor,
                     bench::RotatingStreams& streams, std::uint64_t n, const std::string& id) {
    const auto verifier = engine.make_verifier();
    verifier->reserve(n);
    const Item* in = streams.next_input();
    compactor.enqueue(in, n, streams.output(), streams.num_selected(), compaction::keep_non_zero(), nullptr);
    verifier->enqueue(0, in, n, streams.output(), streams.num_selected(), compaction::keep_non_zero());
    engine.synchronise();
    const auto verdict = verifier->poll();
    if (!verdict || !verdict->correct()) {
        std::fprintf(stderr, "%s is wrong at n = %llu: %s\n", id.c_str(), static_cast<unsigned long long>(n),
                     verdict ? verdict->describe().c_str() : "no verdict");
        std::exit(3);
    }
}

void print_row(const std::string& name, std::uint64_t n, double keep, double bytes, double copy_bytes_per_us,
               std::vector<float>& samples) {
    const experiments::Summary us = experiments::summarise(samples);
    std::printf("%-22s %11llu %5.2f %10.2f %10.2f %10.2f %9.1f %6.3f\n", name.c_str(),
                static_cast<unsigned long long>(n), keep, us.median, us.q1, us.q3, bytes / us.median * 1e-3,
                bytes / us.median / copy_bytes_per_us);
}

void measure(compaction::Engine& engine, std::uint64_t n, double keep) {
    const auto stream = workloads::make_stream(workloads::Pattern::random, n, keep, 1);
    const auto num_kept =
        static_cast<std::uint64_t>(std::ranges::count_if(stream, compaction::keep_non_zero()));
    bench::RotatingStreams streams(engine, stream, cold_bytes);
    std::vector<Entry> entries;
    std::vector<bench::Contestant> contestants;
    contestants.push_back(
        {[&] { engine.enqueue_copy(streams.output(), streams.next_input(), n * sizeof(Item), nullptr); },
         {}});
    for (const compaction::Algorithm& algorithm : compaction::catalogue()) {
        if (algorithm.engine != engine.id()) continue;
        entries.push_back({&algorithm, engine.make_compactor(algorithm, {})});
        compaction::Compactor& compactor = *entries.back().compactor;
        compactor.reserve(n);
        require_correct(engine, compactor, streams, n, algorithm.id);
        contestants.push_back({[&engine, &streams, &compactor, n] {
                                   compactor.enqueue(streams.next_input(), n, streams.output(),
                                                     streams.num_selected(), compaction::keep_non_zero(),
                                                     nullptr);
                               },
                               {}});
    }
    const int calls = n <= (1U << 22) ? 50 : 8;
    bench::time_in_turn(engine, contestants, rounds, calls);
    const double copy_bytes = 2.0 * static_cast<double>(n) * sizeof(Item);
    const double copy_bytes_per_us = copy_bytes / experiments::summarise(contestants[0].call_us).median;
    print_row("copy", n, keep, copy_bytes, copy_bytes_per_us, contestants[0].call_us);
    const double useful_bytes = static_cast<double>(n + num_kept) * sizeof(Item);
    for (std::size_t i = 0; i < entries.size(); ++i) {
        print_row(entries[i].algorithm->id, n, keep, useful_bytes, copy_bytes_per_us,
                  contestants[i + 1].call_us);
    }
}

}  // namespace

int main(int argc, char** argv) try {
    const bool cpu = argc > 1 && std::string(argv[1]) == "cpu";
    const int largest = argc > 2 ? std::atoi(argv[2]) : 24;
    const auto engine = compaction::open_engine(cpu ? compaction::EngineId::cpu : compaction::EngineId::cuda);
    std::printf("%s, %s\n", engine->device().name.c_str(), engine->device().driver.c_str());
    std::printf("%-22s %11s %5s %10s %10s %10s %9s %6s\n", "algorithm", "n", "keep", "us", "q1", "q3", "GB/s",
                "share");
    for (int log2_n = 12; log2_n <= largest; log2_n += 2) {
        for (const double keep : {0.01, 0.5, 0.9}) measure(*engine, std::uint64_t{1} << log2_n, keep);
    }
    return 0;
} catch (const compaction::Error& error) {
    std::fprintf(stderr, "bench_algorithms: %s\n", error.what());
    return error.code() == compaction::ErrorCode::unavailable ? 77 : 1;
}
