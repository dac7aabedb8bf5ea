#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <set>
#include <vector>

#include "compaction/compaction.hpp"
#include "tests/support/engines.hpp"
#include "workloads/streams.hpp"

namespace {

using namespace compaction;

/// Algorithms of CUB and Thrust, whose kernels record no times.
bool is_library(const Algorithm& algorithm) {
    return algorithm.engine != EngineId::cpu && algorithm.phases.size() == 1 &&
           !algorithm.phases[0].moved_bytes;
}

class RecorderTest : public testing_support::OnEveryEngine {
  protected:
    void SetUp() override {
        OnEveryEngine::SetUp();
        if (IsSkipped()) return;
        if (GetParam() == EngineId::simulated) num_items_ = 1 << 14;
        in_ = uploaded(workloads::make_stream(workloads::Pattern::random, num_items_ + 1, 0.5, 1));
        out_ = uploaded(std::vector<Item>(num_items_));
        num_selected_ = engine_->allocate(sizeof(std::uint64_t));
    }

    std::unique_ptr<Compactor> make(const Algorithm& algorithm, const Options& options = {}) {
        auto compactor = engine_->make_compactor(algorithm, options);
        compactor->reserve(num_items_);
        return compactor;
    }

    /// The stream begins with item `first`, 0 or 1.
    void run(Compactor& compactor, PhaseRecorder* recorder, std::uint64_t number, std::size_t first = 0) {
        const ScopedRun scope{recorder, number};
        compactor.enqueue(in_.as<Item>() + first, num_items_, out_.as<Item>(),
                          num_selected_.as<std::uint64_t>(), keep_non_zero(), recorder);
    }

    std::vector<RunTiming> finish(PhaseRecorder& recorder) {
        recorder.collect();
        engine_->synchronise();
        std::vector<RunTiming> finished;
        recorder.poll(finished);
        return finished;
    }

    std::uint64_t num_items_ = 1 << 20;
    Buffer in_;
    Buffer out_;
    Buffer num_selected_;
};

TEST_P(RecorderTest, TimesEveryPhaseOfEveryAlgorithm) {
    const auto recorder = engine_->make_recorder(4);
    for (const Algorithm& algorithm : catalogue()) {
        if (algorithm.engine != GetParam() || !algorithm.is_available()) continue;
        const auto compactor = make(algorithm);
        run(*compactor, nullptr, 0);
        engine_->synchronise();

        const auto start = std::chrono::steady_clock::now();
        run(*compactor, recorder.get(), 5);
        run(*compactor, recorder.get(), 6);
        engine_->synchronise();
        const std::chrono::duration<float, std::micro> wall = std::chrono::steady_clock::now() - start;

        const std::vector<RunTiming> finished = finish(*recorder);
        ASSERT_EQ(finished.size(), 2U) << algorithm.id;
        EXPECT_EQ(finished[0].run, 5U);
        EXPECT_EQ(finished[1].run, 6U);
        EXPECT_FALSE(finished[0].between_us);
        if (is_library(algorithm)) {
            EXPECT_EQ(finished[0].num_phases, 0U) << algorithm.id;
            continue;
        }
        ASSERT_EQ(finished[0].num_phases, algorithm.phases.size()) << algorithm.id;
        for (const float phase_us : finished[0].phases()) EXPECT_GE(phase_us, 0) << algorithm.id;
        EXPECT_GT(finished[0].total_us(), 0) << algorithm.id;
        ASSERT_TRUE(finished[1].between_us) << algorithm.id;
        EXPECT_GE(*finished[1].between_us, 0) << algorithm.id;
        if (GetParam() == EngineId::simulated) continue;  // a cost model gives its times
        EXPECT_LE(finished[0].total_us() + *finished[1].between_us + finished[1].total_us(), wall.count())
            << algorithm.id;
    }
}

TEST_P(RecorderTest, ReturnsEachRunOnceInOrder) {
    const auto recorder = engine_->make_recorder(8);
    const auto compactor = make(default_algorithm(GetParam()));
    std::vector<std::uint64_t> runs;
    for (std::uint64_t number = 0; number < 20; ++number) {
        run(*compactor, recorder.get(), number);
        if (number % 3 != 2 && number != 19) continue;
        for (const RunTiming& timing : finish(*recorder)) runs.push_back(timing.run);
        EXPECT_TRUE(finish(*recorder).empty());
    }
    ASSERT_EQ(runs.size(), 20U);
    for (std::uint64_t number = 0; number < 20; ++number) EXPECT_EQ(runs[number], number);
    EXPECT_EQ(recorder->dropped(), 0U);
}

TEST_P(RecorderTest, CountsRunsThatDoNotFit) {
    const auto recorder = engine_->make_recorder(4);
    const auto compactor = make(default_algorithm(GetParam()));
    for (std::uint64_t number = 0; number < 7; ++number) run(*compactor, recorder.get(), number);
    std::vector<RunTiming> finished = finish(*recorder);
    ASSERT_EQ(finished.size(), 4U);
    EXPECT_EQ(finished.back().run, 3U);
    EXPECT_EQ(recorder->dropped(), 3U);

    // A poll makes room.
    run(*compactor, recorder.get(), 7);
    finished = finish(*recorder);
    ASSERT_EQ(finished.size(), 1U);
    EXPECT_EQ(finished[0].run, 7U);
    EXPECT_EQ(recorder->dropped(), 3U);
}

TEST_P(RecorderTest, IgnoresPhasesOutsideARun) {
    const auto recorder = engine_->make_recorder(4);
    const auto compactor = make(default_algorithm(GetParam()));
    compactor->enqueue(in_.as<Item>(), num_items_, out_.as<Item>(), num_selected_.as<std::uint64_t>(),
                       keep_non_zero(), recorder.get());
    EXPECT_TRUE(finish(*recorder).empty());
}

/// Every block ran within the run, and where the blocks of a phase count the items that they keep, none is
/// missing.
TEST_P(RecorderTest, TracesEveryBlockOfOneRun) {
    const auto recorder = engine_->make_recorder(4);
    const auto expect_traced = [&](const Algorithm& algorithm, const Options& options, std::size_t first) {
        SCOPED_TRACE(algorithm.id + " from item " + std::to_string(first));
        const auto compactor = make(algorithm, options);
        recorder->request_trace(0);
        run(*compactor, recorder.get(), 1, first);
        run(*compactor, recorder.get(), 2, first);
        const std::vector<RunTiming> finished = finish(*recorder);
        ASSERT_EQ(finished.size(), 2U);
        EXPECT_EQ(finished[0].num_phases, algorithm.phases.size());
        const std::optional<RunTrace> trace = recorder->poll_trace();
        ASSERT_TRUE(trace);
        EXPECT_FALSE(recorder->poll_trace()) << "each trace once";
        EXPECT_EQ(trace->run, 1U);
        EXPECT_FALSE(trace->spans.empty());
        EXPECT_EQ(trace->spans_left_out, 0U);
        // Blocks that record nothing without a trace may begin or end a little earlier or later.
        const float run_us = trace->timing.total_us();
        EXPECT_LT(run_us, 1.5F * finished[0].total_us() + 100);
        // In a long run on a busy machine, a float of microseconds is coarser than the step of the clock.
        const float step_us = trace->clock_step_us + run_us * std::numeric_limits<float>::epsilon();
        std::vector<std::uint64_t> kept(algorithm.phases.size());
        for (const WorkSpan& span : trace->spans) {
            EXPECT_GE(span.begin_us, -step_us);
            EXPECT_LE(span.begin_us, span.end_us);
            EXPECT_LE(span.end_us, run_us + step_us);
            EXPECT_LT(span.processor, trace->processors);
            ASSERT_LT(span.phase, algorithm.phases.size());
            kept[span.phase] += span.num_selected;
        }
        std::uint64_t num_selected = 0;
        engine_->download(&num_selected, num_selected_.as<void>(), sizeof num_selected);
        for (const std::uint64_t of_phase : kept)
            EXPECT_TRUE(of_phase == 0 || of_phase == num_selected) << of_phase;
        for (const char* counts :
             {"sequence_wise", "single_pass", "block_wise", "masked_two_pass", "atomic_append"}) {
            if (algorithm.id.ends_with(counts) && algorithm.id != "cpu_single_pass") {
                EXPECT_EQ(std::ranges::max(kept), num_selected);
            }
        }
    };
    for (const Algorithm& algorithm : catalogue()) {
        if (algorithm.engine != GetParam() || !algorithm.is_available() || is_library(algorithm)) continue;
        Options small;
        if (const LegalRange* const threads = algorithm.range_of(Option::threads_per_block))
            small[Option::threads_per_block] = threads->minimum;
        for (const std::size_t first : {0, 1}) {
            expect_traced(algorithm, {}, first);
            if (GetParam() == EngineId::simulated) expect_traced(algorithm, small, first);
        }
    }
}

/// Few blocks of a launch and few launches of a phase record times, but these times span the whole run.
TEST_P(RecorderTest, ThePhasesFillTheTimeOfARun) {
    const auto recorder = engine_->make_recorder(4);
    const auto timer = engine_->make_timer(4);
    const auto expect_filled = [&](const Algorithm& algorithm, const Options& options) {
        const auto compactor = make(algorithm, options);
        run(*compactor, nullptr, 0);
        {
            const ScopedSpan span{timer.get(), 0};
            run(*compactor, recorder.get(), 1);
        }
        const std::vector<RunTiming> finished = finish(*recorder);
        ASSERT_EQ(finished.size(), 1U) << algorithm.id;
        std::vector<SpanTiming> spans;
        timer->poll(spans);
        ASSERT_EQ(spans.size(), 1U) << algorithm.id;
        // Two clocks, whose rates differ by less than 0.1 %.
        EXPECT_LE(finished[0].total_us(), 1.001F * spans[0].us + engine_->device().phase_clock_step_us)
            << algorithm.id;
        // The span of a GPU has the launches before the first block too, and a busy CPU does other work.
        if (GetParam() == EngineId::simulated) {
            EXPECT_GE(finished[0].total_us(), 0.85F * spans[0].us) << algorithm.id;
        }
    };
    for (const Algorithm& algorithm : catalogue()) {
        if (algorithm.engine != GetParam() || !algorithm.is_available() || is_library(algorithm)) continue;
        expect_filled(algorithm, {});
        // Many blocks, or many launches.
        const LegalRange* const threads = algorithm.range_of(Option::threads_per_block);
        if (!threads) continue;
        Options small;
        small[Option::threads_per_block] = threads->minimum;
        expect_filled(algorithm, small);
    }
}

/// A GPU records the ends of all phases in one run of eight; the other runs have all phases, too.
TEST_P(RecorderTest, GapsAreKnownInSomeRunsAndPhasesInAll) {
    constexpr std::uint64_t runs = 16;
    for (const Algorithm& algorithm : catalogue()) {
        if (algorithm.engine != GetParam() || !algorithm.is_available() || is_library(algorithm)) continue;
        const auto recorder = engine_->make_recorder(runs);
        const auto compactor = make(algorithm);
        for (std::uint64_t number = 0; number < runs; ++number) run(*compactor, recorder.get(), number);
        const std::vector<RunTiming> finished = finish(*recorder);
        ASSERT_EQ(finished.size(), runs) << algorithm.id;
        EXPECT_TRUE(finished[7].gaps_known && finished[15].gaps_known) << algorithm.id;
        for (const RunTiming& timing : finished) {
            ASSERT_EQ(timing.num_phases, algorithm.phases.size()) << algorithm.id;
            for (std::size_t p = 0; p < timing.num_phases; ++p) {
                EXPECT_TRUE(timing.gaps_known || timing.gap_us[p] == 0) << algorithm.id;
                EXPECT_LE(timing.gap_us[p], timing.phase_us[p]) << algorithm.id;
                if (GetParam() == EngineId::simulated) {
                    ASSERT_GT(timing.phase_us[p], 0) << algorithm.id << " " << p;
                }
            }
        }
        // Algorithms whose phases are all kernels of this library.
        const bool is_chain = algorithm.id.ends_with("sequence_wise") || algorithm.id.ends_with("billeter") ||
                              algorithm.id.ends_with("naive_scan") ||
                              algorithm.id.ends_with("masked_two_pass");
        if (is_chain && GetParam() != EngineId::cpu) {
            EXPECT_EQ(std::ranges::count_if(finished, &RunTiming::gaps_known), 2) << algorithm.id;
        }
    }
}

class TimerTest : public RecorderTest {
  protected:
    void copy(SpanTimer& timer, std::uint64_t number) {
        const ScopedSpan span{&timer, number};
        engine_->enqueue_copy(out_.as<void>(), in_.as<void>(), num_items_ * sizeof(Item));
    }

    std::vector<SpanTiming> finish(SpanTimer& timer) {
        engine_->synchronise();
        std::vector<SpanTiming> finished;
        timer.poll(finished);
        return finished;
    }
};

TEST_P(TimerTest, ReturnsEachSpanOnceInOrder) {
    const auto timer = engine_->make_timer(4);
    std::uint64_t next = 0;
    for (std::uint64_t span = 0; span < 20; ++span) {
        copy(*timer, span);
        if (span % 3 != 2 && span != 19) continue;
        for (const SpanTiming& timing : finish(*timer)) {
            EXPECT_EQ(timing.span, next++);
            EXPECT_GT(timing.us, 0);
        }
    }
    EXPECT_EQ(next, 20U);
    EXPECT_EQ(timer->dropped(), 0U);
}

TEST_P(TimerTest, CountsSpansThatDoNotFit) {
    const auto timer = engine_->make_timer(4);
    for (std::uint64_t span = 0; span < 7; ++span) copy(*timer, span);
    EXPECT_EQ(finish(*timer).size(), 4U);
    EXPECT_EQ(timer->dropped(), 3U);
    copy(*timer, 7);
    const std::vector<SpanTiming> finished = finish(*timer);
    ASSERT_EQ(finished.size(), 1U);
    EXPECT_EQ(finished[0].span, 7U);
}

INSTANTIATE_TEST_SUITE_P(Engines, RecorderTest, testing::ValuesIn(testing_support::engine_ids()),
                         testing_support::engine_test_name);
INSTANTIATE_TEST_SUITE_P(Engines, TimerTest, testing::ValuesIn(testing_support::engine_ids()),
                         testing_support::engine_test_name);

}  // namespace
