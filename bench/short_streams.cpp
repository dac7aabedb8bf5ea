// Short streams: the time of one call, on one thread, compared with the plain loop.
//
//   bench_short_streams [algorithm...]
//
// Calls iterate over 2^19 items, so that the branch predictor cannot learn them. Batches of the loop and of
// the other algorithms take turns, in an order that each turn reverses; a ratio compares two batches of one
// turn. Ratios are medians with 95 % intervals; below 1 is faster than the loop. Prints CSV.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "compaction/compaction.hpp"
#include "experiments/statistics.hpp"
#include "workloads/streams.hpp"

namespace {

using namespace compaction;

constexpr std::uint64_t num_input_items = 1 << 19;
constexpr std::uint64_t max_items = 4'096;
constexpr int rounds = 200;

struct Candidate {
    std::string id;
    std::unique_ptr<Compactor> compactor;
    std::vector<float> call_ns;  ///< one per round
};

/// Consecutive inputs and one output.
struct Arrays {
    Buffer in;
    Buffer out;
    std::size_t item_bytes;
    std::uint64_t next = 0;

    Arrays(Engine& engine, ItemSize item_size, double keep_fraction)
        : in(engine.allocate(num_input_items * bytes_of(item_size))),
          out(engine.allocate(max_items * bytes_of(item_size))),
          item_bytes(bytes_of(item_size)) {
        const auto items =
            workloads::make_stream(workloads::Pattern::random, num_input_items, keep_fraction, 1);
        engine.upload(in.as<void>(), workloads::widen(items, item_size, 1).data(), in.size_bytes());
    }

    /// Compacts the next `num_items` of the inputs.
    void compact(Compactor& compactor, std::uint64_t num_items) {
        if (next + num_items > num_input_items) next = 0;
        compactor.enqueue(in.as<std::byte>() + next * item_bytes, num_items, out.as<void>(), &num_selected,
                          keep_non_zero(), nullptr);
        next += num_items;
    }

  private:
    std::uint64_t num_selected = 0;
};

float time_batch(Arrays& arrays, Compactor& compactor, std::uint64_t num_items) {
    const int calls = static_cast<int>(std::clamp<std::uint64_t>(100'000 / (10 + num_items), 50, 5'000));
    const auto start = std::chrono::steady_clock::now();
    for (int call = 0; call < calls; ++call) arrays.compact(compactor, num_items);
    const std::chrono::duration<float, std::nano> took = std::chrono::steady_clock::now() - start;
    return took.count() / static_cast<float>(calls);
}

void measure(std::vector<Candidate>& candidates, Arrays& arrays, std::uint64_t num_items) {
    for (Candidate& candidate : candidates) candidate.call_ns.clear();
    for (int round = 0; round < rounds; ++round) {
        const auto run = [&](Candidate& candidate) {
            candidate.call_ns.push_back(time_batch(arrays, *candidate.compactor, num_items));
        };
        if (round % 2 == 0)
            std::for_each(candidates.begin(), candidates.end(), run);
        else
            std::for_each(candidates.rbegin(), candidates.rend(), run);
    }
}

/// One line for each algorithm; the first is the loop.
void print(const std::vector<Candidate>& candidates, ItemSize item_size, double keep_fraction,
           std::uint64_t num_items) {
    const std::vector<float>& loop_ns = candidates[0].call_ns;
    for (const Candidate& candidate : candidates) {
        std::vector<float> ratios(rounds);
        std::transform(candidate.call_ns.begin(), candidate.call_ns.end(), loop_ns.begin(), ratios.begin(),
                       std::divides<>());
        const experiments::Interval ratio = experiments::median_interval(ratios);
        std::printf("%s,%zu,%g,%llu,%.2f,%.2f,%.2f,%.2f\n", candidate.id.c_str(), bytes_of(item_size),
                    keep_fraction, static_cast<unsigned long long>(num_items),
                    experiments::summarise(candidate.call_ns).median, experiments::summarise(ratios).median,
                    ratio.low, ratio.high);
    }
    std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) try {
    const auto engine = open_engine(EngineId::cpu);
    std::vector<std::string> ids(argv + 1, argv + argc);
    if (ids.empty()) ids = {"cpu_simd", "cpu_sequence_wise", "cpu_single_pass"};
    ids.insert(ids.begin(), "cpu_loop");
    std::printf("# device: %s\n# driver: %s\n", engine->device().name.c_str(),
                engine->device().driver.c_str());
    std::printf("algorithm,item_bytes,density,n,call_ns,over_loop,over_loop_low,over_loop_high\n");
    for (const ItemSize item_size : all_item_sizes) {
        std::vector<Candidate> candidates;
        for (const std::string& id : ids) {
            candidates.push_back({id, engine->make_compactor(find_algorithm(id), {}, item_size), {}});
            candidates.back().compactor->reserve(max_items);
        }
        for (const double keep_fraction : {0.01, 0.5, 0.9}) {
            Arrays arrays(*engine, item_size, keep_fraction);
            for (const std::uint64_t num_items :
                 {0, 1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 24, 32, 48, 64, 65, 96, 256, 1'024, 4'096}) {
                measure(candidates, arrays, num_items);
                print(candidates, item_size, keep_fraction, num_items);
            }
        }
    }
    return 0;
} catch (const compaction::Error& error) {
    std::fprintf(stderr, "bench_short_streams: %s\n", error.what());
    return 1;
}
