#include "cpu/clock.hpp"

#include "platform/machine.hpp"

namespace compaction::cpu {
namespace {

using Steady = std::chrono::steady_clock;

/// One moment, read on both clocks.
struct Reading {
    std::uint64_t ticks = 0;
    Steady::time_point time;
};

/// The best of several attempts: an interruption between the two readings shows as a difference in ticks.
Reading read_both() {
    using warpsieve::platform::read_ticks;
    Reading best;
    std::uint64_t min_distance = ~std::uint64_t{0};
    for (int attempt = 0; attempt < 16; ++attempt) {
        const std::uint64_t before = read_ticks();
        const Steady::time_point time = Steady::now();
        const std::uint64_t distance = read_ticks() - before;
        if (distance >= min_distance) continue;
        min_distance = distance;
        best = {before + distance / 2, time};
    }
    return best;
}

}  // namespace

TickRate measure_tick_rate() {
    if (!warpsieve::platform::clock_is_cycle_counter()) return {};
    const Reading first = read_both();
    Reading last = first;
    while (last.time - first.time < std::chrono::milliseconds(2)) last = read_both();
    const double ns = std::chrono::duration<double, std::nano>(last.time - first.time).count();
    return {ns / static_cast<double>(last.ticks - first.ticks), first.ticks};
}

}  // namespace compaction::cpu
