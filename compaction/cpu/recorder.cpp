#include "cpu/recorder.hpp"

#include <algorithm>

namespace compaction::cpu {

Recorder::Recorder(std::size_t max_runs) : ring_(max_runs) {}

void Recorder::begin_run(std::uint64_t run) {
    recording_ = num_finished_ < ring_.size();
    if (!recording_) {
        ++dropped_;
        return;
    }
    current_ = {};
    current_.run = run;
    last_boundary_ = Clock::now();
}

void Recorder::end_phase() {
    if (!recording_) return;
    const Clock::time_point boundary = Clock::now();
    // Phases beyond max_phases are added to the last one, so that phases still add up to the run.
    const std::size_t phase = std::min(current_.num_phases, max_phases - 1);
    current_.phase_us[phase] += std::chrono::duration<float, std::micro>(boundary - last_boundary_).count();
    current_.num_phases = phase + 1;
    last_boundary_ = boundary;
}

void Recorder::end_run() {
    if (!recording_) return;
    ring_[(oldest_ + num_finished_) % ring_.size()] = current_;
    ++num_finished_;
    recording_ = false;
}

void Recorder::poll(std::vector<RunTiming>& finished) {
    for (; num_finished_ > 0; --num_finished_) {
        finished.push_back(ring_[oldest_]);
        oldest_ = (oldest_ + 1) % ring_.size();
    }
}

}  // namespace compaction::cpu
