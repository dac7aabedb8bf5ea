#include "cpu/recorder.hpp"

namespace compaction::cpu {
namespace {

float us_between(Clock::time_point begin, Clock::time_point end) {
    return std::chrono::duration<float, std::micro>(end - begin).count();
}

}  // namespace

void Timer::begin(std::uint64_t span) {
    timing_ = ring_.make_room();
    span_ = span;
    begin_ = Clock::now();
}

void Timer::end() {
    if (timing_) ring_.push({span_, us_between(begin_, Clock::now())});
    timing_ = false;
}

void Recorder::begin_run(std::uint64_t run) {
    recording_ = ring_.make_room();
    if (!recording_) return;
    current_ = {};
    current_.run = run;
    phase_begin_ = Clock::now();
    if (last_end_) current_.between_us = us_between(*last_end_, phase_begin_);
}

void Recorder::begin_phase() {
    // Phases beyond max_phases belong to the last one, so that the phases still add up to the run.
    if (!recording_ || current_.num_phases == max_phases) return;
    if (current_.num_phases > 0) {
        const Clock::time_point now = Clock::now();
        close_phase(now);
        phase_begin_ = now;
    }
    ++current_.num_phases;
}

void Recorder::end_run() {
    if (!recording_) return;
    recording_ = false;
    const Clock::time_point now = Clock::now();
    last_end_ = now;
    if (current_.num_phases == 0) return;
    close_phase(now);
    ring_.push(current_);
}

void Recorder::close_phase(Clock::time_point end) {
    current_.phase_us[current_.num_phases - 1] = us_between(phase_begin_, end);
}

}  // namespace compaction::cpu
