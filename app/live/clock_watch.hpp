#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "compaction/timing.hpp"

namespace warpsieve {

/// Looks at the processors' clock ten times a second. A look takes some 25 us of a GPU: 0.03 % of its
/// time.
class ClockWatch {
  public:
    using TimePoint = std::chrono::steady_clock::time_point;
    static constexpr std::chrono::milliseconds period{100};

    explicit ClockWatch(std::unique_ptr<compaction::ClockProbe> probe) : probe_(std::move(probe)) {}

    /// Once a frame, before its work.
    void step(TimePoint now) {
        if (const auto hz = probe_->poll()) hz_ = *hz;
        if (asked_ && now - *asked_ < period) return;
        asked_ = now;
        probe_->enqueue();
    }

    /// As measured last; 0 where it is not known.
    double hz() const { return hz_; }
    /// Why it cannot be known here, in one line; empty where it can.
    const std::string& reason() const { return probe_->reason(); }

  private:
    std::unique_ptr<compaction::ClockProbe> probe_;
    std::optional<TimePoint> asked_;
    double hz_ = 0;
};

}  // namespace warpsieve
