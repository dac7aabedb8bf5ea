#pragma once

#include <chrono>
#include <cstdint>

#include "platform/builtins.hpp"

namespace compaction::cpu {

/// Maps the processor's time stamp counter to time. If ns_per_tick is 0, the counter is not used.
struct TickRate {
    double ns_per_tick = 0;
    std::uint64_t ticks_at_zero = 0;  ///< value of the counter at time 0
};

/// The rate of this machine, from 2 ms of `steady_clock`. Returns no rate if the system itself does not keep
/// time with the counter, for example because the counters of its processors differ.
TickRate measure_tick_rate();

/// The clock of phases. It reads the time stamp counter if the system trusts it, otherwise `steady_clock`.
/// Reading the counter takes less than half as long and does not serialise instructions, so timing hardly
/// slows short calls. A time may be early by the instructions that the processor has in flight.
struct Clock {
    using duration = std::chrono::nanoseconds;
    using rep = duration::rep;
    using period = duration::period;
    using time_point = std::chrono::time_point<Clock>;
    static constexpr bool is_steady = true;

    /// The first call measures the rate.
    static time_point now() {
        static const TickRate rate = measure_tick_rate();
        return now(rate);
    }
    static time_point now(const TickRate& rate) {
        if (rate.ns_per_tick > 0) {
            const auto ticks = static_cast<double>(
                static_cast<std::int64_t>(warpsieve::platform::read_ticks() - rate.ticks_at_zero));
            return time_point(duration(static_cast<rep>(ticks * rate.ns_per_tick)));
        }
        return time_point(
            std::chrono::duration_cast<duration>(std::chrono::steady_clock::now().time_since_epoch()));
    }
};

}  // namespace compaction::cpu
