#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace compaction {

inline constexpr std::size_t max_phases = 6;

/// The phase times of one run, in microseconds.
struct RunTiming {
    std::uint64_t run = 0;
    std::array<float, max_phases> phase_us{};
    std::size_t num_phases = 0;

    std::span<const float> phases() const { return {phase_us.data(), num_phases}; }
    float total_us() const { return std::accumulate(phase_us.begin(), phase_us.begin() + num_phases, 0.0F); }
};

/// Times runs of phases without ever waiting: boundaries go into a ring as the work is enqueued, and `poll`
/// hands over only what has finished. Neither allocates after construction nor synchronises.
class PhaseRecorder {
  public:
    virtual ~PhaseRecorder() = default;

    /// Marks the first boundary of a run. Where the ring is full, because the device is that far behind, the
    /// run goes untimed and `dropped` counts it.
    virtual void begin_run(std::uint64_t run) = 0;

    /// Marks the boundary after the next phase of the run; boundaries are shared, so phases add up to the
    /// run.
    virtual void end_phase() = 0;

    virtual void end_run() = 0;

    /// Appends the timings that have finished since the last call, oldest first.
    virtual void poll(std::vector<RunTiming>& finished) = 0;

    virtual std::uint64_t dropped() const = 0;
};

/// Watches the clock of the processors from among the work, without ever waiting. Neither allocates after
/// construction nor synchronises.
class ClockProbe {
  public:
    virtual ~ClockProbe() = default;

    /// Measures behind the work enqueued so far, which takes some 20 us of the device; nothing while the
    /// measurement before is still under way.
    virtual void enqueue() = 0;

    /// The clock in Hz, once for each measurement that has finished; 0 where it could not be told.
    virtual std::optional<double> poll() = 0;

    /// Why the clock cannot be told here, in one line; empty where it can.
    virtual const std::string& reason() const = 0;
};

/// Times one phase of a run: `ScopedPhase phase{recorder}; launch...;`. A null recorder costs a test.
class ScopedPhase {
  public:
    explicit ScopedPhase(PhaseRecorder* recorder) : recorder_(recorder) {}
    ~ScopedPhase() {
        if (recorder_) recorder_->end_phase();
    }
    ScopedPhase(const ScopedPhase&) = delete;
    ScopedPhase& operator=(const ScopedPhase&) = delete;

  private:
    PhaseRecorder* recorder_;
};

/// Times one run: what is enqueued while it lives belongs to the run.
class ScopedRun {
  public:
    ScopedRun(PhaseRecorder* recorder, std::uint64_t run) : recorder_(recorder) {
        if (recorder_) recorder_->begin_run(run);
    }
    ~ScopedRun() {
        if (recorder_) recorder_->end_run();
    }
    ScopedRun(const ScopedRun&) = delete;
    ScopedRun& operator=(const ScopedRun&) = delete;

  private:
    PhaseRecorder* recorder_;
};

}  // namespace compaction
