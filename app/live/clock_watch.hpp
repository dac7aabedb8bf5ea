#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "compaction/timing.hpp"

namespace warpsieve {

/// Measures the processors' clock ten times a second. A measurement takes about 25 us of a GPU, 0.03 % of its
/// time.
class ClockWatch {
  public:
    using TimePoint = std::chrono::steady_clock::time_point;
    static constexpr std::chrono::milliseconds period{100};

    explicit ClockWatch(std::unique_ptr<compaction::ClockProbe> probe) : probe_(std::move(probe)) {}

    /// Call once per frame, before its work.
    void step(TimePoint now) {
        if (const auto hz = probe_->poll()) hz_ = *hz;
        if (started_ && now - *started_ < period) return;
        started_ = now;
        probe_->enqueue();
    }

    /// The last measurement; 0 before the first.
    double hz() const { return hz_; }
    /// Why the clock cannot be measured, in one line; empty where it can.
    const std::string& reason() const { return probe_->reason(); }

  private:
    std::unique_ptr<compaction::ClockProbe> probe_;
    std::optional<TimePoint> started_;
    double hz_ = 0;
};

}  // namespace warpsieve
