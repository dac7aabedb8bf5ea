// The cost of timing phases. Compares four ways to run the default algorithm of an engine: without timing,
// with every compaction split into its phases, with the window's schedule, which splits one now and then, and
// without timing again. The last one is a control: it shows how much the position in the turn matters.
//
//   bench_phase_overhead [cuda|cpu]
//
// All four are timed as whole batches, so the differences are the cost of the boundaries between phases.
#include <algorithm>
#include <bit>
#include <cstdio>
#include <string>

#include "bench/measure.hpp"
#include "compaction/error.hpp"
#include "experiments/split_schedule.hpp"
#include "experiments/stream_ring.hpp"

namespace {

constexpr int rounds = 21;
constexpr int most_calls_per_batch = 256;

/// Enough calls for several splits on the schedule, and few enough that a batch takes some tens of
/// milliseconds.
int calls_per_batch(const compaction::Engine& engine, std::uint64_t n) {
    const std::uint64_t items = std::uint64_t{1} << (engine.id() == compaction::EngineId::cuda ? 30 : 24);
    return static_cast<int>(std::clamp<std::uint64_t>(items / n, 32, most_calls_per_batch));
}

/// A compactor for one length with its recorder and schedule, as in the window.
struct Live {
    compaction::Engine& engine;
    experiments::StreamRing ring;
    std::unique_ptr<compaction::Compactor> compactor;
    std::unique_ptr<compaction::PhaseRecorder> recorder;
    std::vector<compaction::RunTiming> finished;
    experiments::SplitSchedule schedule;
    std::uint64_t n;

    Live(compaction::Engine& on, const compaction::Algorithm& algorithm, std::uint64_t num_items)
        : engine(on),
          ring(on, {.num_items = num_items}, {{.num_items = num_items}, on.device()}),
          compactor(on.make_compactor(algorithm, {})),
          recorder(on.make_recorder(most_calls_per_batch)),
          n(num_items) {
        compactor->reserve(n);
    }

    void compact(compaction::PhaseRecorder* phases) {
        const compaction::ScopedRun run{phases, 0};
        const experiments::Slot slot = ring[ring.take()];
        compactor->enqueue(slot.in, n, slot.out, slot.num_selected, compaction::keep_non_zero(), phases);
    }

    void poll() {
        finished.clear();
        recorder->poll(finished);
        for (const compaction::RunTiming& timing : finished) schedule.add_split(timing.total_us());
    }

    /// Gives the schedule its first costs of a compaction and its boundaries, as in the window's first
    /// frames.
    void prime_schedule() {
        const auto total = engine.make_recorder(1);
        for (int batch = 0; batch < 64; ++batch) {
            const bool split = batch % 2 == 0;
            schedule.next(batch_size);
            {
                const compaction::ScopedRun run{total.get(), 0};
                const compaction::ScopedPhase all{total.get()};
                compact(split ? recorder.get() : nullptr);
                for (std::uint32_t call = 1; call < batch_size; ++call) compact(nullptr);
            }
            engine.synchronise();
            poll();
            finished.clear();
            total->poll(finished);
            schedule.add_batch(finished.front().total_us(), batch_size, split);
        }
    }

    void compact_and_split() {
        compact(recorder.get());
        if (++call_in_batch % calls_between_polls == 0) poll();
    }

    /// Runs batches like those of the window.
    void compact_on_schedule() {
        const bool first = call_in_batch % batch_size == 0;
        compact(first && schedule.next(batch_size) ? recorder.get() : nullptr);
        if (++call_in_batch % calls_between_polls == 0) poll();
    }

    static constexpr std::uint32_t batch_size = 16;
    /// The window polls once per frame, a millisecond or more apart. Polling more often is not free: each
    /// query of a pending event costs about 5 us.
    static constexpr std::uint32_t calls_between_polls = 256;
    std::uint32_t call_in_batch = 0;
};

void measure(compaction::Engine& engine, const compaction::Algorithm& algorithm, std::uint64_t n) {
    Live live(engine, algorithm, n);
    live.prime_schedule();
    std::vector<bench::Candidate> candidates;
    candidates.push_back({[&] { live.compact(nullptr); }, {}});
    candidates.push_back({[&] { live.compact_and_split(); }, {}});
    candidates.push_back({[&] { live.compact_on_schedule(); }, {}});
    candidates.push_back({[&] { live.compact(nullptr); }, {}});
    const double cost_us = live.schedule.cost_us();
    const std::uint32_t period = live.schedule.period();
    bench::time_in_turn(engine, candidates, rounds, calls_per_batch(engine, n));
    const experiments::Summary off = experiments::summarise(candidates[0].call_us);
    std::printf("2^%-3d %9.2f [%.2f, %.2f]", static_cast<int>(std::bit_width(n)) - 1, off.median, off.q1,
                off.q3);
    for (std::size_t i = 1; i < candidates.size(); ++i) {
        const experiments::Summary on = experiments::summarise(candidates[i].call_us);
        // The mean shows rare splits; quantiles hide them.
        double mean_us = 0;
        for (const float us : candidates[i].call_us)
            mean_us += us / static_cast<double>(candidates[i].call_us.size());
        std::printf("   %9.2f [%.2f, %.2f] mean %+.2f %%", on.median, on.q1, on.q3,
                    100 * (mean_us / off.median - 1));
    }
    std::printf("   split costs %.2f us, one in %u\n", cost_us, period);
}

}  // namespace

int main(int argc, char** argv) try {
    const bool cpu = argc > 1 && std::string(argv[1]) == "cpu";
    const auto engine = compaction::open_engine(cpu ? compaction::EngineId::cpu : compaction::EngineId::cuda);
    const compaction::Algorithm& algorithm = compaction::default_algorithm(engine->id());
    std::printf(
        "%s, %s: us per call, median [q1, q3]: without timing, every call split, split on the window's "
        "schedule, without timing again\n",
        engine->device().name.c_str(), algorithm.id.c_str());
    const int largest = cpu ? 22 : 26;
    for (int log2_n = 16; log2_n <= largest; log2_n += 2)
        measure(*engine, algorithm, std::uint64_t{1} << log2_n);
    return 0;
} catch (const compaction::Error& error) {
    std::fprintf(stderr, "bench_phase_overhead: %s\n", error.what());
    return error.code() == compaction::ErrorCode::unavailable ? 77 : 1;
}
