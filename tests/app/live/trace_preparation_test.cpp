// Traces are prepared beside the frames.
#include "app/live/trace_preparation.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <utility>

#include "compaction/algorithm.hpp"
#include "tests/app/trace/fake_traces.hpp"

namespace warpsieve {
namespace {

class TracePreparationTest : public testing::Test {
  protected:
    using Seconds = std::chrono::duration<double>;

    template <typename Work>
    static double seconds_of(Work work) {
        const auto begin = std::chrono::steady_clock::now();
        work();
        return Seconds(std::chrono::steady_clock::now() - begin).count();
    }

    const compaction::Algorithm& algorithm_ = compaction::find_algorithm("cpu_sequence_wise");
    /// As many spans as a trace of an algorithm with many launches has.
    const compaction::RunTrace long_trace_ =
        fake::trace_of(algorithm_, /*processors=*/132, /*blocks=*/65'536, /*resident=*/1, /*block_us=*/2);
};

TEST_F(TracePreparationTest, GivesWhatPrepareGives) {
    const trace::TracedRun expected = trace::prepare(algorithm_, 7, long_trace_, 100);
    TracePreparation preparation;
    EXPECT_EQ(preparation.collect(), nullptr) << "nothing was begun";
    preparation.begin(algorithm_, 7, long_trace_, 100);
    EXPECT_TRUE(preparation.busy());
    preparation.wait();
    EXPECT_TRUE(preparation.busy()) << "it was not collected";
    const auto prepared = preparation.collect();
    EXPECT_FALSE(preparation.busy());
    ASSERT_TRUE(prepared);
    EXPECT_EQ(prepared->frame, 7U);
    EXPECT_EQ(prepared->algorithm, &algorithm_);
    EXPECT_EQ(prepared->spans.size(), expected.spans.size());
    EXPECT_EQ(prepared->figures.busy_share, expected.figures.busy_share);
}

TEST_F(TracePreparationTest, LetsFramesGoOn) {
    double waited_s = std::numeric_limits<double>::max();
    double prepared_s = std::numeric_limits<double>::max();
    for (int attempt = 0; attempt < 5; ++attempt) {
        compaction::RunTrace trace = long_trace_;
        TracePreparation preparation;
        waited_s = std::min(waited_s, seconds_of([&] {
                                preparation.begin(algorithm_, 7, std::move(trace), 100);
                                preparation.collect();
                            }));
        preparation.wait();
        prepared_s =
            std::min(prepared_s, seconds_of([&] { trace::prepare(algorithm_, 7, long_trace_, 100); }));
    }
    EXPECT_LT(waited_s, prepared_s / 4) << prepared_s << " s to prepare";
}

}  // namespace
}  // namespace warpsieve
