#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "compaction/timing.hpp"
#include "cpu/clock.hpp"

namespace compaction::cpu {

/// Records, for one run, when each worker thread processed which part of the stream. Worker threads add to it
/// without waiting for each other.
class WorkLog {
  public:
    /// The number of parts of a run that are kept: two phases of max_sequences.
    static constexpr std::size_t capacity = std::size_t{1} << 17;

    /// Starts a run; allocates on the first call.
    void begin(Clock::time_point run_begin) {
        spans_.resize(capacity);
        num_spans_.store(0, std::memory_order_relaxed);
        run_begin_ = run_begin;
        workers_ = 1;
    }
    /// Starts a phase. Call this and `share_among` outside of parallel loops.
    void begin_phase(std::size_t phase) { phase_ = static_cast<std::uint8_t>(phase); }
    /// Records that the run uses that many worker threads.
    void share_among(std::uint32_t workers) { workers_ = std::max(workers_, workers); }

    /// Adds a part that begins at `begin` and ends now. Call it from the worker thread.
    void add(std::uint64_t part, std::uint32_t worker, Clock::time_point begin, std::uint64_t num_selected) {
        add(part, worker, begin, Clock::now(), num_selected);
    }
    void add(std::uint64_t part, std::uint32_t worker, Clock::time_point begin, Clock::time_point end,
             std::uint64_t num_selected) {
        // Relaxed: the end of the parallel loop orders the spans before `read`.
        const std::size_t at = num_spans_.fetch_add(1, std::memory_order_relaxed);
        if (at >= capacity) return;
        spans_[at] = {.begin_us = us(begin),
                      .end_us = us(end),
                      .block = static_cast<std::uint32_t>(part),
                      .processor = worker,
                      .num_selected = num_selected,
                      .phase = phase_};
    }

    /// The number of parts that were added, including those beyond the capacity.
    std::size_t size() const { return num_spans_.load(std::memory_order_relaxed); }

    /// Copies the run's spans to `trace`.
    void read(RunTrace& trace) const {
        const std::size_t kept = std::min(size(), capacity);
        trace.spans.assign(spans_.begin(), spans_.begin() + static_cast<std::ptrdiff_t>(kept));
        trace.spans_left_out = size() - kept;
        trace.processors = workers_;
        trace.clock_step_us = std::chrono::duration<float, std::micro>(Clock::duration(1)).count();
    }

  private:
    float us(Clock::time_point at) const {
        return std::chrono::duration<float, std::micro>(at - run_begin_).count();
    }

    std::vector<WorkSpan> spans_;
    std::atomic<std::size_t> num_spans_{0};
    Clock::time_point run_begin_;
    std::uint32_t workers_ = 1;
    std::uint8_t phase_ = 0;
};

}  // namespace compaction::cpu
