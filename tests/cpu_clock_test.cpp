#include "cpu/clock.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

namespace {

using namespace compaction::cpu;
using Steady = std::chrono::steady_clock;

/// A reading of one clock between two readings of another. The thread may be stopped between them.
struct Reading {
    Steady::time_point before = Steady::now();
    Clock::time_point time;
    Steady::time_point after;

    explicit Reading(Clock::time_point (*now)()) : time(now()), after(Steady::now()) {}
};

double ns(auto duration) {
    return std::chrono::duration<double, std::nano>(duration).count();
}

void expect_the_systems_rate(Clock::time_point (*now)()) {
    now();
    const Reading first(now);
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    const Reading last(now);
    EXPECT_GE(ns(last.time - first.time), 0.999 * ns(last.before - first.after));
    EXPECT_LE(ns(last.time - first.time), 1.001 * ns(last.after - first.before));
}

TEST(CpuClock, RunsAtTheRateOfTheSystem) {
    expect_the_systems_rate([] { return Clock::now(); });
}

TEST(CpuClock, WithoutARateItIsThatOfTheSystem) {
    expect_the_systems_rate([] { return Clock::now(TickRate{}); });
    const Reading reading([] { return Clock::now(TickRate{}); });
    EXPECT_GE(reading.time.time_since_epoch(), reading.before.time_since_epoch());
    EXPECT_LE(reading.time.time_since_epoch(), reading.after.time_since_epoch());
}

TEST(CpuClock, DoesNotGoBack) {
    Clock::time_point last = Clock::now();
    for (int i = 0; i < 100'000; ++i) {
        const Clock::time_point now = Clock::now();
        ASSERT_GE(now, last);
        last = now;
    }
}

}  // namespace
