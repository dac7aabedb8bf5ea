#include "app/application/frame_pacing.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "experiments/format/numbers.hpp"
#include "experiments/format/terminal.hpp"

namespace warpsieve {
namespace {

constexpr auto figures_period = std::chrono::milliseconds(200);  // 5 Hz: readable

double seconds_between(FramePacing::Clock::time_point from, FramePacing::Clock::time_point to) {
    return std::chrono::duration<double>(to - from).count();
}

}  // namespace

double FramePacing::step_seconds(double seconds) const {
    return fixed_step_ ? fixed_step_seconds : std::min(seconds, max_step_seconds);
}

bool FramePacing::begin_figures_period(bool at_once) {
    const Clock::time_point now = Clock::now();
    if (!at_once && now - figures_refreshed_ < figures_period) return false;
    figures_refreshed_ = now;
    return true;
}

double FramePacing::begin_frame() {
    const Clock::time_point start = Clock::now();
    clock_.begin_frame(start);
    return seconds_between(std::exchange(frame_start_, start), start);
}

void FramePacing::end_frame(const compaction::Engine& engine) {
    ++frame_;
    if (frame_ != num_warm_up_frames()) return;
    counters_after_warm_up_ = engine.counters();
    warm_since_ = Clock::now();
}

double FramePacing::end_run() {
    run_ended_ = Clock::now();
    return seconds_between(frame_start_ + excluded_, run_ended_);
}

void FramePacing::change_engine(const compaction::Engine& engine) {
    if (frame_ >= num_warm_up_frames()) counters_after_warm_up_ = engine.counters();
}

void FramePacing::print_rate(const compaction::Engine& engine) const {
    if (frame_ <= num_warm_up_frames() || num_warm_up_frames() == 0) return;
    const compaction::EngineCounters counters = engine.counters();
    const double rate = static_cast<double>(frame_ - num_warm_up_frames()) /
                        seconds_between(warm_since_ + excluded_, run_ended_);
    // One synchronisation drains the last frame; it is not in the frame loop.
    constexpr std::uint64_t final_synchronisations = 1;
    experiments::format::print_error_line(
        "warpsieve: after warm-up " + experiments::format::fixed(rate, 1) + " frames/s, " +
        std::to_string(counters.allocations - counters_after_warm_up_.allocations) + " allocations, " +
        std::to_string(counters.synchronisations - counters_after_warm_up_.synchronisations -
                       final_synchronisations) +
        " synchronisations in the frame loop");
}

std::uint64_t FramePacing::num_warm_up_frames() const {
    return std::min<std::uint64_t>(60, num_frames_ / 4);
}

}  // namespace warpsieve
