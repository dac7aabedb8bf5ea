#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "compaction/partition.hpp"
#include "compaction/warp_role.hpp"

namespace compaction {

/// The most phases that a RunTiming holds.
inline constexpr std::size_t max_phases = 6;

/// The most runs or spans that a recorder or a timer keeps in flight.
inline constexpr std::size_t max_recorded_runs = 65'536;

/// How long a span of work took.
struct SpanTiming {
    std::uint64_t span = 0;  ///< the number given to begin
    float us = 0;            ///< microseconds
};

/// Times spans of work from outside without waiting, by events on a GPU and by the clock on the CPU. A span
/// lasts from the end of the work enqueued before `begin` to the end of the work enqueued before `end`. Never
/// allocates after construction and never synchronises.
class SpanTimer {
  public:
    virtual ~SpanTimer() = default;

    /// Marks the start of span `span`. If the ring buffer is full because the device lags behind, the span is
    /// not timed and `dropped` counts it.
    virtual void begin(std::uint64_t span) = 0;

    /// Marks the end of the span.
    virtual void end() = 0;

    /// Appends the spans that finished since the last call, oldest first. Never waits.
    virtual void poll(std::vector<SpanTiming>& finished) = 0;

    /// How many spans were not timed because the ring buffer was full.
    virtual std::uint64_t dropped() const = 0;
};

/// Times the work enqueued during its lifetime.
class ScopedSpan {
  public:
    /// Begins span `span`; `timer` may be null.
    ScopedSpan(SpanTimer* timer, std::uint64_t span) : timer_(timer) {
        if (timer_) timer_->begin(span);
    }
    /// Ends the span.
    ~ScopedSpan() {
        if (timer_) timer_->end();
    }
    ScopedSpan(const ScopedSpan&) = delete;
    ScopedSpan& operator=(const ScopedSpan&) = delete;

  private:
    SpanTimer* timer_;
};

/// The times of one run, in microseconds, as the running blocks or threads read them from a clock.
///
/// A phase begins when its first block may begin, and ends when the next phase begins; the last phase ends
/// with its last block. So the phase times add up to the time from the first block of the run to its last.
/// The time between two runs belongs to neither of them; it is in `between_us`.
struct RunTiming {
    std::uint64_t run = 0;                     ///< the number given to begin_run
    std::array<float, max_phases> phase_us{};  ///< the first num_phases are set
    /// How long the launch of the phase was resident before it could begin. The previous phase hides this
    /// time.
    std::array<float, max_phases> hidden_us{};
    /// The part of phase_us from the last block of the phase to the first block of the next one. 0 unless
    /// gaps_known: recording when a phase ends delays the next one, so a GPU does it in few runs.
    std::array<float, max_phases> gap_us{};
    bool gaps_known = true;           ///< whether this run recorded when its phases end
    std::size_t num_phases = 0;       ///< how many phases the run had
    std::optional<float> between_us;  ///< time since the previous run; none for the first run of a batch

    /// The phase times, in the order the phases ran.
    std::span<const float> phases() const { return {phase_us.data(), num_phases}; }
    /// The sum of the phase times.
    float total_us() const { return std::accumulate(phase_us.begin(), phase_us.begin() + num_phases, 0.0F); }
};

/// When a part of the stream waited for the counts of others, in microseconds since the run began; nullopt if
/// unknown.
struct PartWait {
    std::optional<float> posted_us = {};  ///< its own count was posted for other blocks
    std::optional<float> summed_us = {};  ///< its own count and all others that it needs were summed
};

/// The items that a warp appended to the output by an atomic addition.
struct Append {
    std::uint32_t block = 0;  ///< index in the launch
    std::uint32_t warp = 0;   ///< index in the block
    std::uint64_t index = 0;  ///< what the addition returned: where the items begin in the output
    std::uint32_t count = 0;  ///< at least 1
};

/// One launch of a traced run. On the CPU, a phase.
struct LaunchTrace {
    std::uint8_t phase = 0;     ///< index into Algorithm::phases
    std::uint32_t blocks = 0;   ///< in the grid, or successive launches of one block each; 0 for a reset
    std::uint32_t threads = 0;  ///< in each block
    /// nullopt if the launch processes no items of the stream, or unknown ones.
    std::optional<BlockParts> parts = {};
    std::vector<PartWait> waits = {};    ///< [num_parts] where BlockParts::waits, if known; else empty
    std::vector<Append> appends = {};    ///< where BlockParts::appends; sorted by block, then by warp
    std::uint64_t appends_left_out = 0;  ///< warps that exceeded the capacity of the recorder
};

/// The time in which one block of a GPU ran, or a worker thread processed one part of the stream.
struct WorkSpan {
    float begin_us = 0;  ///< since the run began
    float end_us = 0;    ///< since the run began
    /// Index in its launch, or index of the launch if each has one block. On the CPU: index of the part.
    std::uint32_t block = 0;
    std::uint32_t processor = 0;     ///< the multiprocessor or the worker thread, from 0
    std::uint64_t num_selected = 0;  ///< kept items in its parts, where BlockParts::counts_selected
    std::uint8_t phase = 0;          ///< index into Algorithm::phases
    WarpRole role = WarpRole::all;   ///< the role of the warp; `all`: the whole block
    std::uint16_t round = 0;         ///< for a role: index of the tile among those of the block
    std::uint32_t launch = 0;        ///< index into RunTrace::launches
    /// The number of successive blocks, from `block` on; more than 1 if spans were merged. `processor` is
    /// then that of `block`.
    std::uint32_t blocks = 1;
    /// The wait of its part. Unknown if it has several parts: LaunchTrace::waits has them all.
    PartWait wait = {};
};

/// Every block of one run.
struct RunTrace {
    std::uint64_t run = 0;                ///< the number given to begin_run
    RunTiming timing;                     ///< the times of its phases
    std::vector<LaunchTrace> launches;    ///< in order; without those of libraries and those left out
    std::vector<WorkSpan> spans;          ///< in no particular order
    std::uint32_t processors = 0;         ///< multiprocessors or worker threads
    std::uint64_t blocks_merged = 0;      ///< blocks that share a span, because the trace would be too long
    std::uint64_t spans_left_out = 0;     ///< blocks and roles that exceeded the capacity of the recorder
    std::uint64_t launches_left_out = 0;  ///< launches that exceeded it; all of their blocks are left out
    float clock_step_us = 0;              ///< the resolution of the times
    /// Seed of the simulated schedule. Its ticks, stored as nanoseconds, are no times. Empty for a real run.
    std::optional<std::uint64_t> schedule_seed;
};

/// Times the phases of runs from inside, without waiting: on a GPU, blocks record when they begin and end; on
/// the CPU, each call reads the clock. Never allocates after construction and never synchronises.
///
/// The runs between two calls of `collect` make a batch. What a recorder adds to a run is measured in
/// docs/explanation/measuring.md.
class PhaseRecorder {
  public:
    virtual ~PhaseRecorder() = default;

    /// Marks the start of run `run`. A run that does not fit is not timed, and `dropped` counts it.
    virtual void begin_run(std::uint64_t run) = 0;

    /// Marks the start of the next phase of the run.
    virtual void begin_phase() = 0;

    /// Marks the end of the phase.
    virtual void end_phase() = 0;

    /// Marks the end of the run.
    virtual void end_run() = 0;

    /// Enqueues the transfer of the batch's times to the host. Call it after the last run of a batch, outside
    /// of what is timed.
    virtual void collect() = 0;

    /// Appends the timings of runs whose batch has been collected, oldest first. Never waits.
    virtual void poll(std::vector<RunTiming>& finished) = 0;

    /// How many runs were not timed because the ring buffer was full.
    virtual std::uint64_t dropped() const = 0;

    /// Requests a trace of every block of the first run of the next batch, and of the roles of one block's
    /// warps if its kernel has roles. Allocates on the first call.
    virtual void request_trace(std::uint32_t roles_block) = 0;

    /// The last requested trace, once. Never waits.
    virtual std::optional<RunTrace> poll_trace() = 0;
};

/// Measures the processor clock between other work, without waiting. Never allocates after construction and
/// never synchronises.
class ClockProbe {
  public:
    virtual ~ClockProbe() = default;

    /// Enqueues a measurement of about 20 us behind the work enqueued so far. Does nothing while an earlier
    /// measurement is unfinished.
    virtual void enqueue() = 0;

    /// Returns the clock in Hz once for each finished measurement; 0 if the clock is unknown.
    virtual std::optional<double> poll() = 0;

    /// Why the clock is unknown here, in one line; empty if it is known.
    virtual const std::string& reason() const = 0;
};

/// Times one phase of a run: `ScopedPhase phase{recorder}; work...;`. A null recorder costs one test.
class ScopedPhase {
  public:
    /// Begins the phase; `recorder` may be null.
    explicit ScopedPhase(PhaseRecorder* recorder) : recorder_(recorder) {
        if (recorder_) recorder_->begin_phase();
    }
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
