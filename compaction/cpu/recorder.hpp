#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "compaction/timing.hpp"

namespace compaction::cpu {

/// Times phases with `steady_clock`. CPU work is complete when `enqueue` returns, so a run is complete when
/// it ends. The ring buffer holds finished runs until `poll`.
class Recorder final : public PhaseRecorder {
  public:
    /// Keeps up to `max_runs` finished runs.
    explicit Recorder(std::size_t max_runs);

    void begin_run(std::uint64_t run) override;
    void end_phase() override;
    void end_run() override;
    void poll(std::vector<RunTiming>& finished) override;
    std::uint64_t dropped() const override { return dropped_; }

  private:
    using Clock = std::chrono::steady_clock;

    std::vector<RunTiming> ring_;
    std::size_t oldest_ = 0;
    std::size_t num_finished_ = 0;
    std::uint64_t dropped_ = 0;

    RunTiming current_;
    Clock::time_point last_boundary_;
    bool recording_ = false;
};

}  // namespace compaction::cpu
