// Traces of the CPU engine: which worker thread processed which part of the stream when.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "compaction/compaction.hpp"
#include "workloads/streams.hpp"

namespace {

using namespace compaction;

constexpr std::uint64_t num_items = 1 << 19;
constexpr std::uint32_t threads = 2;
constexpr float tolerance_us = 0.1F;  // rounding of a float that holds some milliseconds

class CpuTraceTest : public testing::Test {
  protected:
    CpuTraceTest() {
        const std::vector<Item> stream =
            workloads::make_stream(workloads::Pattern::random, num_items, 0.5, 1);
        kept_ = static_cast<std::uint64_t>(std::ranges::count_if(stream, keep_non_zero()));
        engine_->upload(in_.as<void>(), stream.data(), num_items * sizeof(Item));
    }

    void compact(Compactor& compactor, std::uint64_t run) {
        const ScopedRun scope{recorder_.get(), run};
        compactor.enqueue(in_.as<Item>(), num_items, out_.as<Item>(), num_selected_.as<std::uint64_t>(),
                          keep_non_zero(), recorder_.get());
    }
    std::unique_ptr<Compactor> make(const Algorithm& algorithm) {
        Options options;
        if (algorithm.range_of(Option::threads_per_block)) options[Option::threads_per_block] = threads;
        auto compactor = engine_->make_compactor(algorithm, options);
        compactor->reserve(num_items);
        return compactor;
    }

    std::unique_ptr<Engine> engine_ = open_engine(EngineId::cpu);
    std::unique_ptr<PhaseRecorder> recorder_ = engine_->make_recorder(64);
    Buffer in_ = engine_->allocate(num_items * sizeof(Item));
    Buffer out_ = engine_->allocate(num_items * sizeof(Item));
    Buffer num_selected_ = engine_->allocate(sizeof(std::uint64_t));
    std::uint64_t kept_ = 0;
};

void expect_spans_within_phases(const RunTrace& trace) {
    float begin = 0;
    for (std::size_t phase = 0; phase < trace.timing.num_phases; ++phase) {
        const float end = begin + trace.timing.phase_us[phase];
        std::size_t spans = 0;
        for (const WorkSpan& span : trace.spans) {
            if (span.phase != phase) continue;
            ++spans;
            EXPECT_GE(span.begin_us, begin - tolerance_us);
            EXPECT_LE(span.end_us, end + tolerance_us);
            EXPECT_LE(span.begin_us, span.end_us);
        }
        EXPECT_GT(spans, 0U) << "phase " << phase;
        begin = end;
    }
}

void expect_no_overlap_on_a_worker(std::vector<WorkSpan> spans) {
    std::ranges::sort(spans, {}, [](const WorkSpan& span) {
        return std::tuple(span.processor, span.begin_us, span.end_us);
    });
    for (std::size_t i = 1; i < spans.size(); ++i) {
        if (spans[i].processor == spans[i - 1].processor) {
            EXPECT_GE(spans[i].begin_us, spans[i - 1].end_us - tolerance_us);
        }
    }
}

TEST_F(CpuTraceTest, EveryAlgorithmHasSpansWithinItsPhases) {
    for (const Algorithm& algorithm : catalogue()) {
        if (algorithm.engine != EngineId::cpu || !algorithm.is_available()) continue;
        SCOPED_TRACE(algorithm.id);
        const auto compactor = make(algorithm);
        recorder_->request_trace(0);
        compact(*compactor, 7);
        recorder_->collect();
        const std::optional<RunTrace> trace = recorder_->poll_trace();
        ASSERT_TRUE(trace);
        EXPECT_EQ(trace->run, 7U);
        EXPECT_EQ(trace->timing.num_phases, algorithm.phases.size());
        EXPECT_EQ(trace->spans_left_out, 0U);
        EXPECT_GT(trace->clock_step_us, 0);
        for (const WorkSpan& span : trace->spans) EXPECT_LT(span.processor, trace->processors);
        expect_spans_within_phases(*trace);
        expect_no_overlap_on_a_worker(trace->spans);
        EXPECT_FALSE(recorder_->poll_trace()) << "a trace is returned once";
    }
}

TEST_F(CpuTraceTest, SpansCoverAllPartsOfEachPhase) {
    const auto compactor = make(find_algorithm("cpu_sequence_wise"));
    const std::uint64_t parts = compactor->partition(num_items).num_parts;
    ASSERT_GT(parts, 2U);
    recorder_->request_trace(0);
    compact(*compactor, 1);
    recorder_->collect();
    const std::optional<RunTrace> trace = recorder_->poll_trace();
    ASSERT_TRUE(trace);
    EXPECT_EQ(trace->processors, threads);
    for (const int phase : {0, 2}) {
        std::vector<std::uint32_t> seen;
        std::uint64_t kept = 0;
        for (const WorkSpan& span : trace->spans) {
            if (span.phase != phase) continue;
            seen.push_back(span.block);
            kept += span.num_selected;
        }
        std::ranges::sort(seen);
        ASSERT_EQ(seen.size(), parts);
        for (std::uint32_t part = 0; part < parts; ++part) EXPECT_EQ(seen[part], part);
        EXPECT_EQ(kept, kept_) << "items kept by the parts of phase " << phase;
    }
}

TEST_F(CpuTraceTest, TracesOnlyTheFirstRunOfTheNextBatch) {
    const auto compactor = make(find_algorithm("cpu_sequence_wise"));
    compact(*compactor, 1);
    EXPECT_FALSE(recorder_->poll_trace()) << "none was requested";
    recorder_->request_trace(0);
    compact(*compactor, 2);
    EXPECT_FALSE(recorder_->poll_trace()) << "the batch had begun before the request";
    recorder_->collect();
    compact(*compactor, 3);
    compact(*compactor, 4);
    recorder_->collect();
    const std::optional<RunTrace> trace = recorder_->poll_trace();
    ASSERT_TRUE(trace);
    EXPECT_EQ(trace->run, 3U);
    compact(*compactor, 5);
    recorder_->collect();
    EXPECT_FALSE(recorder_->poll_trace());
}

}  // namespace
