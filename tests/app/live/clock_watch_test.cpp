#include "app/live/live_timing.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <utility>

#include "tests/app/live/scripted_engine.hpp"

namespace warpsieve {
namespace {

TEST(ClockWatch, AsksTenTimesASecondAndRemembersWhatItWasTold) {
    auto probe = std::make_unique<scripted::Clock>();
    scripted::Clock& clock = *probe;
    ClockWatch watch(std::move(probe));
    ClockWatch::TimePoint now;
    clock.show(1.5e9);
    watch.step(now);
    EXPECT_EQ(watch.hz(), 0) << "not known before the first answer";
    for (int frame = 0; frame < 60; ++frame) watch.step(now += std::chrono::microseconds(16'667));
    EXPECT_EQ(watch.hz(), 1.5e9);
    EXPECT_GE(clock.times_enqueued(), 9U);
    EXPECT_LE(clock.times_enqueued(), 11U);
}

}  // namespace
}  // namespace warpsieve
