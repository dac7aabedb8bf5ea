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

/// The most phases that a RunTiming holds.
inline constexpr std::size_t max_phases = 6;

/// The most runs that a PhaseRecorder keeps in flight.
inline constexpr std::size_t max_recorded_runs = 65'536;

/// The phase times of one run, in microseconds.
struct RunTiming {
    std::uint64_t run = 0;                     ///< the number given to begin_run
    std::array<float, max_phases> phase_us{};  ///< the first num_phases are set
    std::size_t num_phases = 0;                ///< how many phases the run had

    /// The phase times, in the order the phases ran.
    std::span<const float> phases() const { return {phase_us.data(), num_phases}; }
    /// The sum of the phase times.
    float total_us() const { return std::accumulate(phase_us.begin(), phase_us.begin() + num_phases, 0.0F); }
};

/// Times the phases of runs without waiting. Boundaries enter a ring buffer as work is enqueued; `poll`
/// returns only finished runs. Never allocates after construction and never synchronises.
class PhaseRecorder {
  public:
    virtual ~PhaseRecorder() = default;

    /// Marks the start of run `run`. If the ring buffer is full because the device lags behind, the run is
    /// not timed and `dropped` counts it.
    virtual void begin_run(std::uint64_t run) = 0;

    /// Marks the end of a phase. The next phase starts at the same boundary, so phases add up to the run.
    virtual void end_phase() = 0;

    /// Marks the end of the run.
    virtual void end_run() = 0;

    /// Appends the timings of runs that finished since the last call, oldest first. Never waits.
    virtual void poll(std::vector<RunTiming>& finished) = 0;

    /// How many runs were not timed because the ring buffer was full.
    virtual std::uint64_t dropped() const = 0;
};

/// Measures the processor clock between other work, without waiting. Never allocates after construction and
/// never synchronises.
class ClockProbe {
  public:
    virtual ~ClockProbe() = default;

    /// Enqueues a measurement of about 20 us behind the work enqueued so far. Does nothing while an earlier
    /// measurement is unfinished.
    virtual void enqueue() = 0;

    /// The clock in Hz, once for each finished measurement; 0 if it is unknown.
    virtual std::optional<double> poll() = 0;

    /// Why the clock is unknown here, in one line; empty if it is known.
    virtual const std::string& reason() const = 0;
};

/// Times one phase of a run: `ScopedPhase phase{recorder}; launch...;`. A null recorder costs one test.
class ScopedPhase {
  public:
    /// Begins the phase; `recorder` may be null.
    explicit ScopedPhase(PhaseRecorder* recorder) : recorder_(recorder) {}
    /// Ends the phase.
    ~ScopedPhase() {
        if (recorder_) recorder_->end_phase();
    }
    ScopedPhase(const ScopedPhase&) = delete;
    ScopedPhase& operator=(const ScopedPhase&) = delete;

  private:
    PhaseRecorder* recorder_;
};

/// Times one run: work enqueued during its lifetime belongs to the run.
class ScopedRun {
  public:
    /// Begins run `run`; `recorder` may be null.
    ScopedRun(PhaseRecorder* recorder, std::uint64_t run) : recorder_(recorder) {
        if (recorder_) recorder_->begin_run(run);
    }
    /// Ends the run.
    ~ScopedRun() {
        if (recorder_) recorder_->end_run();
    }
    ScopedRun(const ScopedRun&) = delete;
    ScopedRun& operator=(const ScopedRun&) = delete;

  private:
    PhaseRecorder* recorder_;
};

}  // namespace compaction
