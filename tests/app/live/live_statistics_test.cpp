// LiveTiming: rows, statistics and throughput.
#include <algorithm>

#include "tests/app/live/live_timing_fixture.hpp"

namespace warpsieve {
namespace {

TEST_F(LiveTimingTest, TheStatisticsStartAnewAndTheTimelineGoesOn) {
    frames(10, {.algorithm = &one_phase});
    EXPECT_EQ(row("total").n, 10U) << "the first frame counts too";
    EXPECT_EQ(timing_.frame_summary().n, 10U);
    timing_.restart_statistics();
    EXPECT_EQ(row("total").n, 0U);
    frames(4, {.total_us = 20, .algorithm = &one_phase});
    EXPECT_EQ(row("total").n, 4U);
    EXPECT_DOUBLE_EQ(row("total").min, 20);
    EXPECT_EQ(timing_.timeline().size(), 14U);
    timing_.clear();
    EXPECT_EQ(timing_.timeline().size(), 0U);
    frame({.algorithm = &one_phase});
    EXPECT_EQ(timing_.timeline().size(), 1U);
}

TEST_F(LiveTimingTest, TimingsOfWhatRanBeforeDoNotEnterTheNewStatistics) {
    hold_back(true);
    frames(3, {.total_us = 99, .algorithm = &one_phase, .copy_us = 7});
    timing_.restart_statistics();
    hold_back(false);
    frames(2, {.total_us = 10, .algorithm = &one_phase});
    EXPECT_EQ(row("total").n, 2U);
    EXPECT_DOUBLE_EQ(row("total").max, 10);
    EXPECT_EQ(timing_.throughput(row("total"), 1000, 4000).copy_gb_s, 0);
}

TEST_F(LiveTimingTest, ThroughputIsBytesReadOncePlusBytesKept) {
    EXPECT_EQ(timing_.throughput(row("total"), 1000, 4000).useful_gb_s, 0);
    frames(2, {.algorithm = &one_phase, .copy_us = 4});
    EXPECT_EQ(timing_.throughput(row("total"), 1000, 4000).copy_gb_s, 0) << "two copies are too few";
    EXPECT_TRUE(timing_.wants_copies());
    frame({.algorithm = &one_phase, .copy_us = 4});
    EXPECT_FALSE(timing_.wants_copies());
    // (1000 + 500) items of 4 bytes in 10 us; a copy reads and writes 4000 bytes in 4 us.
    const Throughput throughput = timing_.throughput(row("total"), 1000, 4000);
    EXPECT_NEAR(throughput.useful_gb_s, 0.6, 1e-9);
    EXPECT_NEAR(throughput.copy_gb_s, 2, 1e-9);
    EXPECT_NEAR(throughput.fraction_of_copy, 0.3, 1e-9);
    EXPECT_EQ(throughput.noise_of_fraction(), 0);
}

TEST_F(LiveTimingTest, AShareIsAsNoisyAsTheWorseOfItsTwoSides) {
    for (const float copy_us : {4.0F, 8.0F, 4.0F, 8.0F, 6.0F})
        frame({.algorithm = &one_phase, .copy_us = copy_us});
    const Throughput throughput = timing_.throughput(row("total"), 1000, 4000);
    EXPECT_EQ(throughput.useful_noise, 0);
    EXPECT_NEAR(throughput.copy_noise, 4.0 / 6, 1e-9);
    EXPECT_EQ(throughput.noise_of_fraction(), throughput.copy_noise);
}

TEST_F(LiveTimingTest, TwoAlgorithmsInTurnAreComparedByPairsOfFrames) {
    for (int i = 0; i < 5; ++i) {
        frame({.total_us = 30, .algorithm = &one_phase});
        frame({.total_us = 10, .algorithm = &one_phase});
    }
    frame({.total_us = 30, .algorithm = &one_phase});
    const std::vector<TimingRow> rows = timing_.rows(one_phase, true);
    const experiments::Summary& total = *figures_of(rows, total_row_name);
    EXPECT_EQ(total.median, 20);
    EXPECT_EQ(total.noise(), 0);
    EXPECT_EQ(total.n, 10U) << "the odd frame has no partner";
}

TEST_F(LiveTimingTest, TheStatisticsCoverSixHundredFramesWhateverTheTimelineHolds) {
    frames(700, {.total_us = 99, .algorithm = &one_phase});
    frames(600, {.total_us = 10, .algorithm = &one_phase});
    EXPECT_GT(timing_.timeline().size(), 1000U);
    EXPECT_EQ(row("total").n, 600U);
    EXPECT_DOUBLE_EQ(row("total").max, 10);
    EXPECT_EQ(timing_.frame_summary().n, 600U);
}

TEST_F(LiveTimingTest, FramesOfOneEraAreTimedUnderTheSameSettings) {
    frames(3);
    const std::uint32_t before = newest().config_epoch;
    timing_.restart_statistics();
    frames(3);
    EXPECT_EQ(newest().config_epoch, before + 1);
    EXPECT_EQ(timing_.timeline()[0].config_epoch, before);
}

}  // namespace
}  // namespace warpsieve
