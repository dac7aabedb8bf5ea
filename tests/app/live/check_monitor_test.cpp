#include "app/live/side_run.hpp"

#include <gtest/gtest.h>

namespace warpsieve {
namespace {

compaction::Verdict right(std::uint64_t run) {
    return {.run = run, .expected_count = 4, .actual_count = 4, .first_wrong = {}};
}

compaction::Verdict wrong(std::uint64_t run) {
    return {.run = run,
            .expected_count = 4,
            .actual_count = 4,
            .first_wrong = 2,
            .expected_item = 9,
            .actual_item = 8};
}

bool due(CheckMonitor& monitor, bool enabled, std::uint32_t every, std::uint64_t frame,
         const std::string& algorithm) {
    monitor.set_enabled(enabled);
    return enabled && monitor.due(every, frame, algorithm);
}

/// Compares the result of one frame.
void compare(CheckMonitor& monitor, const std::string& algorithm, const compaction::Verdict& verdict) {
    ASSERT_TRUE(due(monitor, true, 1, verdict.run, algorithm));
    monitor.begin(verdict.run, algorithm);
    monitor.add(verdict);
}

TEST(CheckMonitor, WaitsForItsFirstVerdict) {
    CheckMonitor monitor;
    EXPECT_EQ(monitor.result().state, CheckState::waiting);
    compare(monitor, "fast", right(0));
    EXPECT_EQ(monitor.result().state, CheckState::correct);
    EXPECT_EQ(monitor.result().checked, 1U);
    EXPECT_EQ(monitor.result().last, "4 items, as in the reference");
}

TEST(CheckMonitor, IsDueEverySoManyFramesAndAtOnceForAnotherAlgorithm) {
    CheckMonitor monitor;
    EXPECT_TRUE(due(monitor, true, 30, 0, "fast"));
    EXPECT_TRUE(due(monitor, true, 30, 1, "fast")) << "as long as none has begun";
    monitor.begin(1, "fast");
    EXPECT_FALSE(due(monitor, true, 30, 30, "fast"));
    EXPECT_TRUE(due(monitor, true, 30, 31, "fast"));
    EXPECT_TRUE(due(monitor, true, 30, 2, "slow"));
    EXPECT_FALSE(due(monitor, false, 30, 31, "fast"));
}

TEST(CheckMonitor, AFailureIsToldWithAlgorithmFrameAndPlace) {
    CheckMonitor monitor;
    compare(monitor, "fast", right(3));
    compare(monitor, "fast", wrong(7));
    const CheckResult& result = monitor.result();
    EXPECT_EQ(result.state, CheckState::wrong);
    EXPECT_EQ(result.checked, 2U);
    EXPECT_EQ(result.wrong, 1U);
    EXPECT_EQ(result.first_failure, "fast, frame 7: first wrong at output index 2: word 8 instead of 9");
}

TEST(CheckMonitor, NothingHidesAFailure) {
    CheckMonitor monitor;
    compare(monitor, "fast", wrong(7));
    const std::string first = monitor.result().first_failure;
    compare(monitor, "fast", right(8));
    EXPECT_EQ(monitor.result().state, CheckState::wrong) << "a later success";
    compare(monitor, "slow", right(9));
    EXPECT_EQ(monitor.result().state, CheckState::wrong) << "another algorithm";
    monitor.set_enabled(false);
    EXPECT_EQ(monitor.result().state, CheckState::wrong) << "switching the check off";
    monitor.set_enabled(true);
    compare(monitor, "slow", wrong(12));
    EXPECT_EQ(monitor.result().wrong, 2U);
    EXPECT_EQ(monitor.result().first_failure, first) << "the first failure, not the last";
}

TEST(CheckMonitor, OffIsOffUntilItIsOnAgain) {
    CheckMonitor monitor;
    compare(monitor, "fast", right(0));
    EXPECT_FALSE(due(monitor, false, 1, 1, "fast"));
    EXPECT_EQ(monitor.result().state, CheckState::off);
    monitor.add(right(0));
    EXPECT_EQ(monitor.result().state, CheckState::off) << "a verdict that was still on its way";
    monitor.add(wrong(0));
    EXPECT_EQ(monitor.result().state, CheckState::wrong) << "but one of a failure is reported";
}

TEST(CheckMonitor, SwitchedOnAgainItWaits) {
    CheckMonitor monitor;
    compare(monitor, "fast", right(0));
    monitor.set_enabled(false);
    EXPECT_TRUE(due(monitor, true, 1, 2, "fast"));
    EXPECT_EQ(monitor.result().state, CheckState::waiting);
}

}  // namespace
}  // namespace warpsieve
