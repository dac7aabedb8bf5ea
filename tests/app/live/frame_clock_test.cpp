// Where a frame goes: each instant belongs to one part, so the parts and the rest add up to the frame.
#include "app/live/frame_clock.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "app/live/live_run.hpp"
#include "tests/app/live/live_run_fixture.hpp"

namespace warpsieve {
namespace {

using std::chrono::microseconds;

double sum_of(const FrameTimes& times) {
    return std::accumulate(times.host_us.begin(), times.host_us.end(), times.other_us());
}

TEST(FrameClock, AddsUpToTheFrame) {
    FrameClock clock;
    FrameClock::Clock::time_point now{};
    const auto spend = [&](std::optional<FramePart> part, int us) {
        clock.enter(part, now);
        now += microseconds(us);
    };
    for (int frame = 0; frame < 100; ++frame) {
        clock.begin_frame(now);
        spend(FramePart::panels, 10);
        spend(std::nullopt, 3);
        spend(FramePart::simulate, 20);
        spend(FramePart::compact, 30);
        spend(FramePart::publish, 1);
        spend(FramePart::draw, 40);
        spend(FramePart::panels, 5);
        spend(FramePart::present, frame < 50 ? 100 : 60);
    }
    clock.begin_frame(now);
    const FrameTimes times = clock.times(false);
    EXPECT_DOUBLE_EQ(times.host_us[static_cast<std::size_t>(FramePart::panels)], 15) << "both spans of it";
    EXPECT_DOUBLE_EQ(times.host_us[static_cast<std::size_t>(FramePart::compact)], 30);
    EXPECT_NEAR(times.other_us(), 3, 1e-9);
    EXPECT_NEAR(times.frame_us, 109 + (10 * 100 + 50 * 60) / 60.0, 1e-9) << "the last 60 frames";
    EXPECT_NEAR(sum_of(times), times.frame_us, 1e-9);
    EXPECT_FALSE(times.device_us);
    clock.restart();
    EXPECT_EQ(clock.times(false).frame_us, 0);
    for (int frame = 0; frame < 3; ++frame) {
        clock.begin_frame(now);
        spend(FramePart::simulate, 7);
    }
    EXPECT_DOUBLE_EQ(clock.times(false).host_us[static_cast<std::size_t>(FramePart::simulate)], 7)
        << "nothing of what was before";
}

TEST(FrameClock, KeepsTheDevicesClockApart) {
    FrameClock clock;
    FrameClock::Clock::time_point now{};
    for (int frame = 0; frame < 3; ++frame) {
        clock.begin_frame(now);
        now += microseconds(100);
    }
    clock.add_device_time(FramePart::draw, 30);
    clock.add_device_time(FramePart::draw, 50);
    const FrameTimes times = clock.times(true);
    ASSERT_TRUE(times.device_us);
    EXPECT_DOUBLE_EQ((*times.device_us)[static_cast<std::size_t>(FramePart::draw)], 40);
    EXPECT_DOUBLE_EQ(times.idle_us(), 60);
    EXPECT_DOUBLE_EQ(times.other_us(), 100);
}

class FrameOfARun : public LiveRunFixture {};

TEST_F(FrameOfARun, HasTheTimesOfTheEngine) {
    run_.configure(settings_.run, false);
    FrameClock clock;
    for (; frame_ < 10; ++frame_) {
        clock.begin_frame();
        run_.step(1.0 / 60, frame_, &clock);
        run_.end_frame(frame_, 1000);
    }
    clock.begin_frame();
    run_.collect();
    const FrameTimes times = clock.times(false);
    EXPECT_GT(times.host_us[static_cast<std::size_t>(FramePart::simulate)], 0);
    EXPECT_GT(times.host_us[static_cast<std::size_t>(FramePart::compact)], 0);
    EXPECT_NEAR(sum_of(times), times.frame_us, 1e-6 * times.frame_us);
    FramePartTimes device_us{};
    run_.add_device_times(device_us);
    EXPECT_GT(device_us[static_cast<std::size_t>(FramePart::simulate)], 0);
    EXPECT_GT(device_us[static_cast<std::size_t>(FramePart::compact)], 0);
    EXPECT_EQ(device_us[static_cast<std::size_t>(FramePart::draw)], 0) << "OpenGL times it";
}

}  // namespace
}  // namespace warpsieve
