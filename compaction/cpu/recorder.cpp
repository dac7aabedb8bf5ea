#include "cpu/recorder.hpp"

#include "phases.hpp"

namespace compaction::cpu {
namespace {

template <typename TimePoint>
float us_between(TimePoint begin, TimePoint end) {
    return std::chrono::duration<float, std::micro>(end - begin).count();
}

}  // namespace

void Timer::begin(std::uint64_t span) {
    is_timing_ = ring_.try_begin_next();
    span_ = span;
    begin_ = std::chrono::steady_clock::now();
}

void Timer::end() {
    if (is_timing_) {
        ring_.next() = {span_, us_between(begin_, std::chrono::steady_clock::now())};
        ring_.push();
    }
    is_timing_ = false;
}

void Recorder::begin_run(std::uint64_t run) {
    recording_ = ring_.try_begin_next();
    if (!recording_) return;
    current_ = &ring_.next();
    current_->run = run;
    current_->num_phases = 0;
    phase_begin_ = Clock::now();
    current_->between_us.reset();
    if (last_end_) current_->between_us = us_between(*last_end_, phase_begin_);
    if (trace_ == Trace::requested && first_of_batch_) {
        trace_ = Trace::recording;
        num_logged_before_ = 0;
        log_->begin(phase_begin_);
    }
    first_of_batch_ = false;
}

void Recorder::begin_phase() {
    begin_phase_range();
    // Phases beyond max_phases belong to the last one, so that the phases still add up to the run.
    if (!recording_ || current_->num_phases == max_phases) return;
    if (current_->num_phases > 0) {
        const Clock::time_point now = Clock::now();
        close_phase(now);
        phase_begin_ = now;
    }
    if (WorkLog* const traced = log()) traced->begin_phase(current_->num_phases);
    ++current_->num_phases;
}

void Recorder::end_phase() {
    end_phase_range();
}

void Recorder::end_run() {
    if (!recording_) return;
    recording_ = false;
    const Clock::time_point now = Clock::now();
    last_end_ = now;
    if (current_->num_phases == 0) {
        if (log()) trace_ = Trace::requested;
        return;
    }
    close_phase(now);
    ring_.push();
    if (log()) {
        traced_ = *current_;
        trace_ = Trace::finished;
    }
}

void Recorder::close_phase(Clock::time_point end) {
    current_->phase_us[current_->num_phases - 1] = us_between(phase_begin_, end);
    if (WorkLog* const traced = log()) {
        // A phase without parts was done by the calling thread.
        if (traced->num_added() == num_logged_before_)
            traced->add(/*part=*/0, /*worker=*/0, phase_begin_, end, /*num_selected=*/0);
        num_logged_before_ = traced->num_added();
    }
}

void Recorder::request_trace(std::uint32_t) {
    if (!log_) log_ = std::make_unique<WorkLog>();
    trace_ = Trace::requested;
}

std::optional<RunTrace> Recorder::poll_trace() {
    if (trace_ != Trace::finished) return std::nullopt;
    trace_ = Trace::none;
    RunTrace trace;
    trace.run = traced_.run;
    trace.timing = traced_;
    log_->read(trace);
    add_waits_to_spans(trace);
    return trace;
}

}  // namespace compaction::cpu
