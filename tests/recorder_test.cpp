#include <gtest/gtest.h>

#include <chrono>
#include <vector>

#include "compaction/compaction.hpp"
#include "tests/support/engines.hpp"
#include "workloads/streams.hpp"

namespace {

using namespace compaction;

constexpr std::uint64_t num_items = 1 << 20;

class RecorderTest : public testing_support::OnEveryEngine {
  protected:
    void SetUp() override {
        OnEveryEngine::SetUp();
        if (IsSkipped()) return;
        in_ = uploaded(workloads::make_stream(workloads::Pattern::random, num_items, 0.5, 1));
        out_ = uploaded(std::vector<Item>(num_items));
        num_selected_ = engine_->allocate(sizeof(std::uint64_t));
    }

    void copy(PhaseRecorder& recorder, std::uint64_t run) {
        const ScopedRun scope{&recorder, run};
        engine_->enqueue_copy(out_.as<void>(), in_.as<void>(), num_items * sizeof(Item), &recorder);
    }

    Buffer in_;
    Buffer out_;
    Buffer num_selected_;
};

TEST_P(RecorderTest, TimesEveryPhaseOfEveryAlgorithm) {
    const auto recorder = engine_->make_recorder(4);
    for (const Algorithm& algorithm : catalogue()) {
        if (algorithm.engine != GetParam() || !algorithm.is_available()) continue;
        const auto compactor = engine_->make_compactor(algorithm, {});
        compactor->reserve(num_items);
        engine_->synchronise();

        const auto start = std::chrono::steady_clock::now();
        {
            const ScopedRun scope{recorder.get(), 5};
            compactor->enqueue(in_.as<Item>(), num_items, out_.as<Item>(), num_selected_.as<std::uint64_t>(),
                               keep_non_zero(), recorder.get());
        }
        engine_->synchronise();
        const std::chrono::duration<float, std::micro> wall = std::chrono::steady_clock::now() - start;

        std::vector<RunTiming> finished;
        recorder->poll(finished);
        ASSERT_EQ(finished.size(), 1U) << algorithm.id;
        EXPECT_EQ(finished[0].run, 5U);
        EXPECT_EQ(finished[0].num_phases, algorithm.phases.size()) << algorithm.id;
        for (const float phase_us : finished[0].phases()) EXPECT_GE(phase_us, 0) << algorithm.id;
        EXPECT_GT(finished[0].total_us(), 0) << algorithm.id;
        EXPECT_LE(finished[0].total_us(), wall.count()) << algorithm.id;
    }
}

TEST_P(RecorderTest, SeveralPiecesOfWorkMakeOneRun) {
    const auto recorder = engine_->make_recorder(4);
    {
        const ScopedRun scope{recorder.get(), 1};
        for (int i = 0; i < 3; ++i) {
            engine_->enqueue_copy(out_.as<void>(), in_.as<void>(), num_items * sizeof(Item), recorder.get());
        }
    }
    engine_->synchronise();
    std::vector<RunTiming> finished;
    recorder->poll(finished);
    ASSERT_EQ(finished.size(), 1U);
    EXPECT_EQ(finished[0].num_phases, 3U);
    float sum_us = 0;
    for (const float phase_us : finished[0].phases()) {
        EXPECT_GT(phase_us, 0);
        sum_us += phase_us;
    }
    EXPECT_FLOAT_EQ(finished[0].total_us(), sum_us);
}

TEST_P(RecorderTest, ReturnsEachRunOnceInOrder) {
    const auto recorder = engine_->make_recorder(4);
    std::vector<RunTiming> finished;
    for (std::uint64_t run = 0; run < 20; ++run) {
        copy(*recorder, run);
        if (run % 3 == 2) {
            engine_->synchronise();
            recorder->poll(finished);
        }
    }
    engine_->synchronise();
    recorder->poll(finished);
    recorder->poll(finished);
    ASSERT_EQ(finished.size(), 20U);
    for (std::uint64_t run = 0; run < 20; ++run) EXPECT_EQ(finished[run].run, run);
    EXPECT_EQ(recorder->dropped(), 0U);
}

TEST_P(RecorderTest, CountsRunsThatDoNotFitTheRing) {
    const auto recorder = engine_->make_recorder(4);
    for (std::uint64_t run = 0; run < 7; ++run) copy(*recorder, run);
    engine_->synchronise();
    std::vector<RunTiming> finished;
    recorder->poll(finished);
    ASSERT_EQ(finished.size(), 4U);
    EXPECT_EQ(finished.back().run, 3U);
    EXPECT_EQ(recorder->dropped(), 3U);

    // A poll makes room.
    copy(*recorder, 7);
    engine_->synchronise();
    recorder->poll(finished);
    ASSERT_EQ(finished.size(), 5U);
    EXPECT_EQ(finished.back().run, 7U);
    EXPECT_EQ(recorder->dropped(), 3U);
}

TEST_P(RecorderTest, IgnoresPhasesOutsideARun) {
    const auto recorder = engine_->make_recorder(4);
    engine_->enqueue_copy(out_.as<void>(), in_.as<void>(), num_items * sizeof(Item), recorder.get());
    engine_->synchronise();
    std::vector<RunTiming> finished;
    recorder->poll(finished);
    EXPECT_TRUE(finished.empty());
}

INSTANTIATE_TEST_SUITE_P(Engines, RecorderTest, testing::ValuesIn(testing_support::engine_ids()),
                         testing_support::engine_test_name);

}  // namespace
