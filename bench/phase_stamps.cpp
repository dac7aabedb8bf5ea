// Measures the cost of timing the phases, and checks that the phases add up. Compares three ways to run each
// algorithm whose blocks record their times: without a recorder, with one, and without again.
//
//   bench_phase_stamps [cuda|cpu] [ID,ID,...] [LENGTHS]
//
// Without IDs, or with '', measures all algorithms. LENGTHS are counts of items, such as 2^12..2^22:2.
//
// Prints a CSV: microseconds per call, medians over rounds of batches that are timed from outside, and the
// times that the recorder read: the phases, and the time between two calls. `call_us` is the mean of the two
// batches without a recorder; each round compares its recorded batch with its own two. `sum_over_total`
// divides the phases and the time between calls by `call_us`, `sum_over_recorded` by the time of the recorded
// batch. `control_us` is the time of the second batch without a recorder minus that of the first.
// `roles_over_first` compares two phase sums: that of a call that also records every block and the roles of
// one block's warps, and that of the first call of the recorded batch. `late_us`: without a trace, only some
// blocks record the end of a call; this is how much later the last block of the traced call ended. On a GPU,
// a batch has three short copies, which `call_us` and `between_us` contain.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>

#include "app/version.hpp"
#include "bench/exit_code.hpp"
#include "compaction/compaction.hpp"
#include "compaction/error.hpp"
#include "experiments/grid.hpp"
#include "experiments/statistics.hpp"
#include "experiments/stream_ring.hpp"

namespace {

constexpr int min_rounds = 11;
constexpr int max_rounds = 61;
/// The rounds of one stream take about this long, within the limits of their number.
constexpr double rounds_us = 50'000;
constexpr int max_calls = 32;
constexpr double max_batch_us = 10'000;
/// Copies before a batch, enough for the host to enqueue the batch meanwhile, so that the batch measures the
/// device.
constexpr std::uint64_t filler_bytes = std::uint64_t{1} << 30;
/// On an H200, a call of four launches takes 1 us longer if its first launch has one of two positions in a
/// cycle of four. So each batch shifts by one launch after each quarter, and measures calls at all four
/// positions.
constexpr int positions_of_a_call = 4;

double median(std::vector<float> values) {
    return experiments::summarise(values).median;
}

/// Runs batches of one algorithm on one stream.
class Batches {
  public:
    /// `ring` has streams of `n` items. It outlives the batches.
    Batches(compaction::Engine& engine, const compaction::Algorithm& algorithm, std::uint64_t n,
            experiments::StreamRing& ring)
        : engine_(engine),
          num_items_(n),
          ring_(ring),
          compactor_(engine.make_compactor(algorithm, {})),
          timer_(engine.make_timer(1)),
          recorder_(engine.make_recorder(max_calls)),
          filler_(engine.id() == compaction::EngineId::cuda ? engine.allocate(filler_bytes)
                                                            : compaction::Buffer{}) {
        compactor_->reserve(n);
        num_calls_ = 1;
        run(nullptr);
        const double call_us = run(nullptr);
        num_calls_ =
            static_cast<int>(std::clamp(max_batch_us / std::max(call_us, 1.0), 2.0, double{max_calls}));
        if (num_calls_ > positions_of_a_call) num_calls_ -= num_calls_ % positions_of_a_call;
        num_rounds_ = static_cast<int>(std::clamp(rounds_us / std::max(call_us * num_calls_, 1.0),
                                                  double{min_rounds}, double{max_rounds}));
        run(nullptr);
        // With a recorder, enqueueing takes longer.
        if (filler_.size_bytes() > 0)
            num_fillers_ = static_cast<int>(std::ceil(1.5 * previous_enqueue_us_ / filler_us()));
    }

    int rounds() const { return num_rounds_; }

    /// Runs a batch. Returns microseconds per call.
    float run(compaction::PhaseRecorder* recorder) {
        const bool on_gpu = filler_.size_bytes() > 0;
        for (int i = 0; i < num_fillers_ && on_gpu; ++i) enqueue_copy(filler_bytes / 2);
        const int quarter = std::max(1, num_calls_ / positions_of_a_call);
        const auto start = std::chrono::steady_clock::now();
        {
            const compaction::ScopedSpan span{timer_.get(), 0};
            for (int call = 0; call < num_calls_; ++call) {
                if (on_gpu && call > 0 && call % quarter == 0) enqueue_copy(sizeof(std::uint32_t));
                const experiments::CallBuffers buffers = ring_[ring_.take()];
                const compaction::ScopedRun scope{recorder, static_cast<std::uint64_t>(call)};
                compactor_->enqueue(buffers.in, num_items_, buffers.out, buffers.num_selected,
                                    compaction::keep_non_zero(), recorder);
            }
        }
        previous_enqueue_us_ =
            std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count();
        if (recorder) recorder->collect();
        engine_.synchronise();
        spans_.clear();
        timer_->poll(spans_);
        timings_.clear();
        if (recorder) recorder->poll(timings_);
        return spans_.front().us / static_cast<float>(num_calls_);
    }

    compaction::PhaseRecorder& recorder() { return *recorder_; }
    const std::vector<compaction::RunTiming>& timings() const { return timings_; }

  private:
    void enqueue_copy(std::uint64_t bytes) {
        engine_.enqueue_copy(filler_.as<std::byte>() + filler_bytes / 2, filler_.as<void>(), bytes);
    }
    double filler_us() {
        {
            const compaction::ScopedSpan span{timer_.get(), 0};
            enqueue_copy(filler_bytes / 2);
        }
        engine_.synchronise();
        spans_.clear();
        timer_->poll(spans_);
        return spans_.front().us;
    }

    compaction::Engine& engine_;
    std::uint64_t num_items_;
    experiments::StreamRing& ring_;
    std::unique_ptr<compaction::Compactor> compactor_;
    std::unique_ptr<compaction::SpanTimer> timer_;
    std::unique_ptr<compaction::PhaseRecorder> recorder_;
    compaction::Buffer filler_;
    std::vector<compaction::SpanTiming> spans_;
    std::vector<compaction::RunTiming> timings_;
    int num_calls_ = 1;
    int num_rounds_ = 1;
    int num_fillers_ = 1;
    double previous_enqueue_us_ = 0;
};

float mean(const std::vector<float>& values) {
    return std::accumulate(values.begin(), values.end(), 0.0F) / static_cast<float>(values.size());
}

/// The values of all rounds.
struct Rounds {
    std::vector<float> call_us, recorded_us, control_us, cost_us, between_us, first_us, roles_us, late_us;
    std::vector<float> sum_over_total, sum_over_recorded, roles_over_first;
    std::vector<std::vector<float>> phase_us;
};

/// Runs a round: without a recorder, with one, without, and traced. Returns false if the blocks record no
/// times.
bool run_round(Batches& batches, Rounds& rounds) {
    const float before_us = batches.run(nullptr);
    const float recorded_us = batches.run(&batches.recorder());
    if (batches.timings().empty() || batches.timings().front().num_phases == 0) return false;
    const std::vector<compaction::RunTiming> timings = batches.timings();
    const float after_us = batches.run(nullptr);
    batches.recorder().request_trace(/*roles_block=*/0);
    batches.run(&batches.recorder());
    const auto trace = batches.recorder().poll_trace();
    const float roles_us = batches.timings().front().total_us();

    std::vector<float> between_us, sums_us;
    for (const compaction::RunTiming& timing : timings) {
        if (timing.between_us) between_us.push_back(*timing.between_us);
        sums_us.push_back(timing.total_us());
        for (std::size_t p = 0; p < timing.num_phases; ++p) rounds.phase_us[p].push_back(timing.phase_us[p]);
    }
    const float call_us = (before_us + after_us) / 2;
    const float sum_us = mean(sums_us) + mean(between_us);
    const float first_us = sums_us.front();
    rounds.call_us.push_back(call_us);
    rounds.recorded_us.push_back(recorded_us);
    rounds.control_us.push_back(after_us - before_us);
    rounds.cost_us.push_back(recorded_us - call_us);
    rounds.between_us.push_back(mean(between_us));
    rounds.first_us.push_back(first_us);
    rounds.sum_over_total.push_back(sum_us / call_us);
    rounds.sum_over_recorded.push_back(sum_us / recorded_us);
    if (trace) {
        rounds.roles_us.push_back(roles_us);
        rounds.roles_over_first.push_back(roles_us / first_us);
        float end_us = 0;
        for (const compaction::WorkSpan& span : trace->spans) end_us = std::max(end_us, span.end_us);
        if (trace->spans_left_out == 0) rounds.late_us.push_back(end_us - roles_us);
    }
    return true;
}

/// Prints a row. Returns false if the algorithm's blocks record no times.
bool measure(compaction::Engine& engine, const compaction::Algorithm& algorithm,
             const experiments::StreamSpec& stream, experiments::StreamRing& ring) {
    Batches batches(engine, algorithm, stream.num_items, ring);
    Rounds warm_up, rounds;
    warm_up.phase_us.resize(algorithm.phases.size());
    rounds.phase_us.resize(algorithm.phases.size());
    if (!run_round(batches, warm_up)) return false;
    for (int round = 0; round < batches.rounds(); ++round) run_round(batches, rounds);
    std::string phases;
    for (const auto& values : rounds.phase_us) {
        char text[32];
        std::snprintf(text, sizeof text, "%s%.2f", phases.empty() ? "" : " + ", median(values));
        phases += text;
    }
    std::string late;
    if (!rounds.late_us.empty()) {
        char text[32];
        std::snprintf(text, sizeof text, "%.3f", median(rounds.late_us));
        late = text;
    }
    std::printf("%s,%llu,%.2f,%.2f,%.2f,%s,%.2f,%.4f,%.4f,%.3f,%.3f,%.2f,%.2f,%.3f,%s\n",
                algorithm.id.c_str(), static_cast<unsigned long long>(stream.num_items), stream.keep_fraction,
                median(rounds.call_us), median(rounds.recorded_us), phases.c_str(), median(rounds.between_us),
                median(rounds.sum_over_total), median(rounds.sum_over_recorded), median(rounds.cost_us),
                median(rounds.control_us), median(rounds.first_us), median(rounds.roles_us),
                median(rounds.roles_over_first), late.c_str());
    std::fflush(stdout);
    return true;
}

/// The algorithms with these ids, or all. Throws Error{invalid_argument}.
std::vector<const compaction::Algorithm*> algorithms_of(const compaction::Engine& engine,
                                                        std::string_view ids) {
    const auto can_run = [&](const compaction::Algorithm& algorithm) {
        return algorithm.engine == engine.id() && algorithm.is_available() && !algorithm.synchronises;
    };
    std::vector<const compaction::Algorithm*> chosen;
    if (ids.empty()) {
        for (const compaction::Algorithm& algorithm : compaction::catalogue())
            if (can_run(algorithm)) chosen.push_back(&algorithm);
        return chosen;
    }
    for (const std::string& id : experiments::parse_words(ids)) {
        chosen.push_back(&compaction::find_algorithm(id, compaction::catalogue()));
        if (!can_run(*chosen.back()))
            throw compaction::Error(compaction::ErrorCode::invalid_argument,
                                    id + " belongs to another engine, or its calls wait for the device.");
    }
    return chosen;
}

void print_header(const compaction::Engine& engine, int argc, char** argv) {
    std::string command = "bench_phase_stamps";
    for (int i = 1; i < argc; ++i) command += argv[i][0] ? " " + std::string(argv[i]) : " ''";
    const std::time_t now = std::time(nullptr);
    char date[32];
    std::strftime(date, sizeof date, "%Y-%m-%d", std::gmtime(&now));
    std::printf(
        "# device: %s\n# engine: %s\n# commit: %s\n# command: %s\n# date: %s\n# timer step: %.3f us\n",
        engine.device().name.c_str(), engine.id() == compaction::EngineId::cpu ? "cpu" : "cuda",
        warpsieve::commit, command.c_str(), date, engine.device().phase_clock_step_us);
}

}  // namespace

int main(int argc, char** argv) try {
    const bool cpu = argc > 1 && std::string_view(argv[1]) == "cpu";
    const char* const all_lengths = cpu ? "2^14..2^24:2" : "2^12..2^28:2";
    const auto lengths = experiments::parse_counts(argc > 3 ? argv[3] : all_lengths);
    const auto engine = compaction::open_engine(cpu ? compaction::EngineId::cpu : compaction::EngineId::cuda);
    auto algorithms = algorithms_of(*engine, argc > 2 ? argv[2] : "");
    print_header(*engine, argc, argv);
    std::printf(
        "algorithm,n,density,call_us,recorded_us,phases_us,between_us,sum_over_total,sum_over_recorded,"
        "cost_us,control_us,first_us,roles_us,roles_over_first,late_us\n");
    for (const std::uint64_t length : lengths) {
        for (const double keep_fraction : {0.01, 0.5, 0.9}) {
            const experiments::StreamSpec stream{.num_items = length, .keep_fraction = keep_fraction};
            experiments::StreamRing ring(*engine, stream, {stream, engine->device()});
            // Drops the algorithms that record no times.
            std::erase_if(algorithms, [&](const compaction::Algorithm* algorithm) {
                return !measure(*engine, *algorithm, stream, ring);
            });
        }
    }
    return 0;
} catch (const compaction::Error& error) {
    return exit_code_of("bench_phase_stamps", error);
}
