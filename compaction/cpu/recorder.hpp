#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "compaction/timing.hpp"

namespace compaction::cpu {

/// A ring buffer of finished timings. It holds those that `poll` has not fetched.
template <typename TimingT>
class TimingRing {
  public:
    explicit TimingRing(std::size_t capacity) : ring_(capacity) {}

    /// Whether there is room for one more; if not, counts it as dropped.
    bool make_room() {
        if (size_ < ring_.size()) return true;
        ++dropped_;
        return false;
    }
    void push(const TimingT& timing) { ring_[(oldest_ + size_++) % ring_.size()] = timing; }
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

using Clock = std::chrono::steady_clock;

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
    Clock::time_point begin_;
    bool timing_ = false;
};

/// Times phases with `steady_clock`. The first phase begins when the run begins, and the last one ends when the
/// run ends; a phase ends where the next begins.
class Recorder final : public PhaseRecorder {
  public:
    explicit Recorder(std::size_t max_runs) : ring_(max_runs) {}

    void begin_run(std::uint64_t run) override;
    void begin_phase() override;
    void end_phase() override {}
    void end_run() override;
    void collect() override { last_end_.reset(); }
    void poll(std::vector<RunTiming>& finished) override { ring_.pop_all(finished); }
    std::uint64_t dropped() const override { return ring_.dropped(); }
    void request_trace(std::uint32_t) override {}
    std::optional<RunTrace> poll_trace() override { return std::nullopt; }

  private:
    void close_phase(Clock::time_point end);

    TimingRing<RunTiming> ring_;
    RunTiming current_;
    Clock::time_point phase_begin_;
    std::optional<Clock::time_point> last_end_;  ///< of the run before in this batch
    bool recording_ = false;
};

}  // namespace compaction::cpu
