#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "compaction/timing.hpp"
#include "cpu/clock.hpp"
#include "cpu/work_log.hpp"

namespace compaction::cpu {

/// A ring buffer of the finished timings that `poll` has not fetched.
template <typename TimingT>
class TimingRing {
  public:
    explicit TimingRing(std::size_t capacity) : ring_(capacity) {}

    /// Returns whether there is room for one more timing; if not, counts it as dropped.
    bool try_begin_next() {
        if (size_ < ring_.size()) return true;
        ++dropped_;
        return false;
    }
    /// The element for the next timing, which still holds an old one. Call after try_begin_next returns true.
    TimingT& next() { return ring_[(oldest_ + size_) % ring_.size()]; }
    /// Adds the timing that was written to next().
    void push() { ++size_; }
    /// Moves all timings to the end of `finished`, oldest first.
    void pop_all(std::vector<TimingT>& finished) {
        for (; size_ > 0; --size_, oldest_ = (oldest_ + 1) % ring_.size()) finished.push_back(ring_[oldest_]);
    }
    std::uint64_t dropped() const { return dropped_; }

  private:
    std::vector<TimingT> ring_;
    std::size_t oldest_ = 0;
    std::size_t size_ = 0;
    std::uint64_t dropped_ = 0;
};

/// Times spans with `steady_clock`: CPU work is complete when the call that enqueues it returns.
class Timer final : public SpanTimer {
  public:
    explicit Timer(std::size_t max_spans) : ring_(max_spans) {}

    void begin(std::uint64_t span) override;
    void end() override;
    void poll(std::vector<SpanTiming>& finished) override { ring_.pop_all(finished); }
    std::uint64_t dropped() const override { return ring_.dropped(); }

  private:
    TimingRing<SpanTiming> ring_;
    std::uint64_t span_ = 0;
    std::chrono::steady_clock::time_point begin_;
    bool is_timing_ = false;
};

/// Times phases with `Clock`. The first phase begins when the run begins, and the last one ends when
/// the run ends; a phase ends where the next begins.
class Recorder final : public PhaseRecorder {
  public:
    explicit Recorder(std::size_t max_runs) : ring_(max_runs) {
        Clock::now();  // the first call measures the rate, which must not happen in a run
    }

    void begin_run(std::uint64_t run) override;
    void begin_phase() override;
    void end_phase() override;
    void end_run() override;
    void collect() override {
        last_end_.reset();
        first_of_batch_ = true;
    }
    void poll(std::vector<RunTiming>& finished) override { ring_.pop_all(finished); }
    std::uint64_t dropped() const override { return ring_.dropped(); }
    void request_trace(std::uint32_t) override;
    std::optional<RunTrace> poll_trace() override;

    /// The log in which worker threads record the parts of the run; null while the run is not traced.
    WorkLog* log() { return trace_ == Trace::recording ? log_.get() : nullptr; }

  private:
    enum class Trace : std::uint8_t { none, requested, recording, finished };

    void close_phase(Clock::time_point end);

    TimingRing<RunTiming> ring_;
    /// Points into the ring: an extra copy would cost stores, which short calls have to wait for.
    RunTiming* current_ = nullptr;
    Clock::time_point phase_begin_;
    std::optional<Clock::time_point> last_end_;  ///< end of the previous run in this batch
    bool recording_ = false;                     ///< between begin_run and end_run of a run that is timed
    bool first_of_batch_ = true;
    Trace trace_ = Trace::none;
    RunTiming traced_;                   ///< the timing of the traced run
    std::unique_ptr<WorkLog> log_;       ///< null until the first request
    std::size_t num_logged_before_ = 0;  ///< parts that earlier phases of the run logged
};

/// Times one phase of a run: `TimedPhase phase{recorder}; workers.for_each(..., phase.log());`. A null
/// recorder costs one test.
class TimedPhase {
  public:
    /// `recorder` belongs to the CPU engine or is null.
    explicit TimedPhase(PhaseRecorder* recorder)
        : recorder_(static_cast<Recorder*>(recorder)), phase_(recorder) {}

    /// The log for the parts of the phase; usually null.
    WorkLog* log() const { return recorder_ ? recorder_->log() : nullptr; }

    /// Says which items the blocks of the phase process. `describe()` returns them as BlockParts; it is
    /// called only in a traced run.
    template <typename Describe>
    void set_parts(const Describe& describe) const {
        if (WorkLog* const traced = log()) traced->set_parts(describe());
    }

  private:
    Recorder* recorder_;
    ScopedPhase phase_;
};

}  // namespace compaction::cpu
