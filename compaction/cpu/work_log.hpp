#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "compaction/timing.hpp"
#include "cpu/clock.hpp"
#include "cpu/sequences.hpp"

namespace compaction::cpu {

/// Records, for one run, when each worker thread processed which part of the stream. Worker threads add to it
/// without waiting for each other. Each phase is a launch; its blocks are the calls of its parallel loop.
class WorkLog {
  public:
    /// The most spans of a run that are recorded: enough for two phases of max_sequences parts, and one span
    /// for each other phase.
    static constexpr std::size_t capacity = 2 * std::size_t{max_sequences} + max_phases;
    /// The most parts that workers take by ticket.
    static constexpr std::size_t max_tickets = max_sequences;

    /// Starts a run; allocates on the first call.
    void begin(Clock::time_point run_begin) {
        spans_.resize(capacity);
        ticket_blocks_.resize(max_tickets);
        waits_.resize(max_tickets);
        launches_.reserve(max_phases);
        launches_.clear();
        num_spans_.store(0, std::memory_order_relaxed);
        run_begin_ = run_begin;
        workers_ = 1;
    }
    /// Starts a phase. Call begin_phase, set_parts and set_loop outside of parallel loops.
    void begin_phase(std::size_t phase) {
        launches_.push_back({.phase = static_cast<std::uint8_t>(phase), .blocks = 1, .threads = 1});
    }
    /// Says which items the blocks of the phase process.
    void set_parts(BlockParts parts) {
        if (parts.waits) std::fill_n(waits_.begin(), parts.partition.num_parts, PartWait{});
        launches_.back().parts = std::move(parts);
    }
    /// Records that the parallel loop of the phase has `num_blocks` blocks, on `num_workers` worker threads.
    void set_loop(std::uint64_t num_blocks, std::uint32_t num_workers) {
        launches_.back().blocks = static_cast<std::uint32_t>(num_blocks);
        workers_ = std::max(workers_, num_workers);
    }
    /// Records that a block of the phase takes a part by ticket. Call it from the worker thread.
    void note_taken(std::uint64_t part, std::uint64_t block) {
        ticket_blocks_[part] = static_cast<std::uint32_t>(block);
    }
    /// Records that the count of a part is posted for other blocks. Call it from the worker thread.
    void note_posted(std::uint64_t part) { waits_[part].posted_us = us(Clock::now()); }
    /// Records that this count and all others that the part needs are summed. Call it from the worker thread.
    void note_summed(std::uint64_t part) { waits_[part].summed_us = us(Clock::now()); }

    /// Adds the span of a part, from `begin` to now. Call it from the worker thread.
    void add(std::uint64_t part, std::uint32_t worker, Clock::time_point begin, std::uint64_t num_selected) {
        add(part, worker, begin, Clock::now(), num_selected);
    }
    void add(std::uint64_t part, std::uint32_t worker, Clock::time_point begin, Clock::time_point end,
             std::uint64_t num_selected) {
        // Relaxed: the end of the parallel loop orders the spans before `read`.
        const std::size_t index = num_spans_.fetch_add(1, std::memory_order_relaxed);
        if (index >= capacity) return;
        spans_[index] = {.begin_us = us(begin),
                         .end_us = us(end),
                         .block = static_cast<std::uint32_t>(part),
                         .processor = worker,
                         .num_selected = num_selected,
                         .phase = launches_.back().phase,
                         .launch = static_cast<std::uint32_t>(launches_.size() - 1)};
    }

    /// The number of spans that were added, including those beyond the capacity.
    std::size_t num_added() const { return num_spans_.load(std::memory_order_relaxed); }

    /// Copies the run's spans to `trace`.
    void read(RunTrace& trace) const {
        trace.launches = launches_;
        for (LaunchTrace& launch : trace.launches) {
            if (!launch.parts) continue;
            launch.parts->num_blocks = launch.blocks;
            const auto num_parts = static_cast<std::ptrdiff_t>(launch.parts->partition.num_parts);
            if (launch.parts->waits) launch.waits.assign(waits_.begin(), waits_.begin() + num_parts);
            if (launch.parts->by_ticket)
                launch.parts->ticket_blocks.assign(ticket_blocks_.begin(),
                                                   ticket_blocks_.begin() + num_parts);
        }
        const std::size_t kept = std::min(num_added(), capacity);
        trace.spans.assign(spans_.begin(), spans_.begin() + static_cast<std::ptrdiff_t>(kept));
        trace.spans_left_out = num_added() - kept;
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
    std::vector<LaunchTrace> launches_;         ///< one for each phase
    std::vector<std::uint32_t> ticket_blocks_;  ///< [max_tickets] of the one phase with tickets
    std::vector<PartWait> waits_;               ///< [max_tickets] of the one phase that waits
};

}  // namespace compaction::cpu
