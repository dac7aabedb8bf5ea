// The reduction of a timeline to columns, and of a ghost to the same columns.
#include "app/plots/columns.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "app/plots/bands.hpp"
#include "app/plots/clock_strip.hpp"
#include "tests/support/special_values.hpp"

namespace {

using namespace warpsieve;
using experiments::FrameSample;
using experiments::Timeline;
using testing_support::nan;

/// A timeline of one algorithm with these phases.
class Reduction : public testing::Test {
  protected:
    Reduction() {
        algorithm_.phases = {{compaction::PhaseRole::count, "count", ""},
                             {compaction::PhaseRole::scatter, "move", ""}};
    }
    FrameSample sample(std::uint64_t frame, float count_us, float move_us) const {
        FrameSample made;
        made.frame = frame;
        made.algorithm = &algorithm_;
        made.phase_us = {count_us, move_us};
        made.num_phases = 2;
        made.total_us = count_us + move_us;
        return made;
    }
    /// The newest 600 frames.
    void reduce(std::size_t max_columns) {
        plots::reduce(timeline_, {.end = timeline_.end(), .frames = 600}, max_columns, columns_);
    }
    compaction::Algorithm algorithm_;
    Timeline timeline_;
    plots::Columns columns_;
};

TEST_F(Reduction, OfNothingIsNothing) {
    reduce(300);
    EXPECT_TRUE(columns_.columns.empty());
    EXPECT_EQ(columns_.num_across, 300U);
}

TEST_F(Reduction, KeepsASingleFrame) {
    timeline_.push(sample(0, 3, 4));
    reduce(600);
    ASSERT_EQ(columns_.columns.size(), 1U);
    EXPECT_EQ(columns_.columns[0].num_newer, 0U);
    EXPECT_FLOAT_EQ(columns_.columns[0].tops_us[0], 3);
    EXPECT_FLOAT_EQ(columns_.columns[0].tops_us[1], 7);
    EXPECT_FLOAT_EQ(columns_.columns[0].stack_us(), 7);
}

TEST_F(Reduction, TheTimeBetweenCallsIsTheTopBand) {
    FrameSample made = sample(0, 3, 4);
    made.between_us = 2;
    made.total_us = 9;
    timeline_.push(made);
    reduce(600);
    ASSERT_EQ(columns_.columns.size(), 1U);
    EXPECT_FLOAT_EQ(columns_.columns[0].tops_us[1], 7);
    EXPECT_FLOAT_EQ(columns_.columns[0].tops_us[2], 9);
    EXPECT_FLOAT_EQ(columns_.columns[0].bottom_us(2), 7);
    EXPECT_FLOAT_EQ(columns_.columns[0].stack_us(), columns_.columns[0].total_us);
}

TEST_F(Reduction, LosesNoLateFrame) {
    for (std::uint64_t frame = 0; frame < 900; ++frame)
        timeline_.push(sample(frame, 1, frame == 777 ? 50.0F : 1.0F));
    for (const std::size_t max_columns : {1UL, 7UL, 150UL, 299UL, 600UL, 5000UL}) {
        reduce(max_columns);
        EXPECT_LE(columns_.num_across, std::max<std::size_t>(max_columns, 1));
        EXPECT_LE(columns_.columns.size(), columns_.num_across + 1);
        const auto late =
            std::ranges::count_if(columns_.columns, [](const plots::Column& c) { return c.stack_us() > 50; });
        EXPECT_EQ(late, 1) << max_columns;
    }
}

TEST_F(Reduction, KeepsTheNeighboursOfAFrameWhileItScrolls) {
    const auto groups = [&] {
        reduce(200);
        std::vector<std::uint64_t> frames;
        for (const plots::Column& column : columns_.columns)
            frames.push_back(timeline_.at(column.ordinal).frame / 3);
        return frames;
    };
    for (std::uint64_t frame = 0; frame < 600; ++frame)
        timeline_.push(sample(frame, 1, static_cast<float>(frame % 7)));
    const auto before = groups();
    timeline_.push(sample(600, 1, 1));
    const auto after = groups();
    // A new group appears on the right; the groups between both ends are unchanged.
    EXPECT_EQ(after.back(), before.back() + 1);
    EXPECT_TRUE(std::equal(before.begin() + 1, before.end(), after.begin() + 1));
}

TEST_F(Reduction, LeavesAGapForWhatCannotBeShown) {
    timeline_.push(sample(0, 1, 1));
    timeline_.push(sample(1, nan, 1));
    FrameSample other = sample(2, 1, 1);
    other.num_phases = 1;
    timeline_.push(other);
    FrameSample untimed;
    untimed.frame = 3;
    timeline_.push(untimed);
    timeline_.push(sample(4, 2, 2));
    timeline_.push(sample(5, 1, 1));
    FrameSample odd = sample(6, 1, 1);
    odd.between_us = nan;
    timeline_.push(odd);
    reduce(600);
    ASSERT_EQ(columns_.columns.size(), 7U);
    EXPECT_TRUE(columns_.columns[0].stacked);
    for (std::size_t i = 1; i < 4; ++i) EXPECT_FALSE(columns_.columns[i].stacked) << i;
    EXPECT_TRUE(columns_.columns[4].stacked);
    EXPECT_FALSE(columns_.columns[6].stacked);
    for (const plots::Column& column : columns_.columns) EXPECT_TRUE(std::isfinite(column.stack_us()));
}

TEST_F(Reduction, LosesNoLateFrameOfSixThousandAtAnyZoom) {
    for (std::uint64_t frame = 0; frame < 9'000; ++frame)
        timeline_.push(sample(frame, 1, frame % 1'000 == 777 ? 50.0F : 1.0F));
    for (const std::size_t frames : {60UL, 600UL, 4'321UL, 6'000UL}) {
        for (const std::uint64_t end : {9'000UL, 8'500UL, 5'000UL}) {
            plots::reduce(timeline_, {.end = end, .frames = frames}, 431, columns_);
            EXPECT_LE(columns_.columns.size(), 432U);
            // 3,000 frames have left the ring.
            std::size_t late = 0;
            for (std::uint64_t frame = std::max<std::uint64_t>(end, frames + 3'000) - frames; frame < end;
                 ++frame)
                late += frame % 1'000 == 777;
            const auto shown = std::ranges::count_if(
                columns_.columns, [](const plots::Column& column) { return column.stack_us() > 50; });
            EXPECT_EQ(static_cast<std::size_t>(shown), late) << frames << " before " << end;
        }
    }
}

TEST_F(Reduction, OfAWindowThatLiesBackHasItsNewestFrameAtTheEdge) {
    for (std::uint64_t frame = 0; frame < 1'000; ++frame) timeline_.push(sample(frame, 1, 1));
    plots::reduce(timeline_, {.end = 400, .frames = 100}, 100, columns_);
    ASSERT_EQ(columns_.columns.size(), 100U);
    EXPECT_EQ(columns_.columns.back().num_newer, 0U);
    EXPECT_EQ(columns_.columns.back().ordinal, 399U);
    EXPECT_EQ(columns_.columns.front().ordinal, 300U);
}

TEST_F(Reduction, TellsTheLowestClockAndWhereSettingsChanged) {
    for (std::uint64_t frame = 0; frame < 40; ++frame) {
        FrameSample made = sample(frame, 1, 1);
        made.clock_hz = frame < 10 ? 0 : frame == 25 ? 0.9e9 : 1.8e9;
        made.config_epoch = frame < 31 ? 4 : 5;
        timeline_.push(made);
    }
    plots::reduce(timeline_, {.end = 40, .frames = 40}, 4, columns_);
    ASSERT_EQ(columns_.columns.size(), 4U);
    EXPECT_EQ(columns_.columns[0].clock_hz, 0);
    EXPECT_EQ(columns_.columns[1].clock_hz, 1.8e9);
    EXPECT_EQ(columns_.columns[2].clock_hz, 0.9e9);
    for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(columns_.columns[i].settings_changed, i == 3);
    EXPECT_EQ(plots::max_clock_hz(columns_, 0), 1.8e9);
    EXPECT_EQ(plots::max_clock_hz(columns_, 1.98e9), 1.98e9);
    const plots::ClockScale scale{1.98e9, 0.75};
    EXPECT_TRUE(scale.is_low(0.9e9));
    EXPECT_FALSE(scale.is_low(1.8e9));
    EXPECT_FALSE(scale.is_low(0)) << "a clock that is not known is not low";
}

TEST_F(Reduction, LaysAGhostEndToEndWithTheLiveRun) {
    timeline_.push(sample(0, 1, 1));
    reduce(600);
    std::vector<float> ghost(100);
    std::iota(ghost.begin(), ghost.end(), 1.0F);  // the newest frame took 100
    std::vector<float> shown;
    plots::reduce_totals(ghost, 0, columns_, shown);
    ASSERT_EQ(shown.size(), 600U);
    EXPECT_EQ(shown[0], 100);
    EXPECT_EQ(shown[99], 1);
    EXPECT_EQ(shown[100], 0) << "the ghost is shorter than the plot";
    plots::reduce_totals(ghost, 40, columns_, shown);
    EXPECT_EQ(shown[0], 60) << "scrolled back, both are";
    plots::reduce_totals(ghost, 100, columns_, shown);
    EXPECT_EQ(shown[0], 0);
    plots::reduce_totals({}, 0, columns_, shown);
    EXPECT_EQ(shown[0], 0);
}

TEST_F(Reduction, LosesNoLateFrameOfAGhost) {
    std::vector<float> ghost(5'000, 10.0F);
    ghost[4'321] = 90;
    ghost[17] = nan;
    plots::reduce(timeline_, {.end = 0, .frames = 6'000}, 500, columns_);
    std::vector<float> shown;
    plots::reduce_totals(ghost, 0, columns_, shown);
    ASSERT_EQ(shown.size(), 500U);
    EXPECT_EQ(std::ranges::count(shown, 90.0F), 1);
    EXPECT_EQ(std::ranges::count(shown, 10.0F), 416);  // 417 columns of 12
}

TEST(TimelineOrdinals, StayWithTheirFramesAsTheRingMovesOn) {
    Timeline timeline(10);
    FrameSample sample;
    for (sample.frame = 100; sample.frame < 125; ++sample.frame) timeline.push(sample);
    EXPECT_EQ(timeline.begin(), 15U);
    EXPECT_EQ(timeline.end(), 25U);
    for (std::uint64_t ordinal = 15; ordinal < 25; ++ordinal)
        EXPECT_EQ(timeline.at(ordinal).frame, 100 + ordinal);
    EXPECT_TRUE(timeline.holds(15));
    EXPECT_FALSE(timeline.holds(14));
    EXPECT_FALSE(timeline.holds(25));
    timeline.clear();
    EXPECT_FALSE(timeline.holds(24)) << "what was cleared does not come back as another frame";
    timeline.push(sample);
    EXPECT_EQ(timeline.begin(), 25U);
}

}  // namespace
