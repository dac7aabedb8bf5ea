#pragma once

#include <chrono>
#include <cstdint>

#include "app/cli/command_line.hpp"
#include "app/live/frame_clock.hpp"
#include "compaction/engine.hpp"

namespace warpsieve {

/// Counts the frames and says what is due in each: the scene time to advance, whether figures are refreshed,
/// and whether it is the final frame. Times the run as a whole, without its first frames.
class FramePacing {
  public:
    using Clock = std::chrono::steady_clock;
    /// Limits the step after a stall, so that particles do not jump.
    static constexpr double max_step_seconds = 0.1;
    /// Offscreen frames and single steps have a fixed length, so that every machine draws the same frames.
    static constexpr double fixed_step_seconds = 1.0 / 60;

    /// `started`: when the process started.
    FramePacing(const Task& task, Clock::time_point started)
        : num_frames_(task.frames), fixed_step_(task.headless), started_(started) {}

    /// The first frame begins now.
    void begin_run() { frame_start_ = Clock::now(); }

    /// Index of the current frame: the number of finished frames.
    std::uint64_t frame() const { return frame_; }
    /// Whether all frames of the run were drawn.
    bool over() const { return num_frames_ > 0 && frame_ >= num_frames_; }
    bool is_final_frame() const { return num_frames_ > 0 && frame_ + 1 == num_frames_; }
    /// By how much the scene advances in a frame that began `seconds` after the one before.
    double step_seconds(double seconds) const;
    /// Seconds since the start of the process.
    double now_s() const { return std::chrono::duration<double>(Clock::now() - started_).count(); }
    /// The time of animations: offscreen the scene's time, so that films are repeatable; with a window, real
    /// time.
    double animation_s() const {
        return fixed_step_ ? static_cast<double>(frame_) * fixed_step_seconds : now_s();
    }
    /// Begins a new period of the figures if the last one is over, or `at_once`. Returns whether it began:
    /// figures are then refreshed.
    bool begin_figures_period(bool at_once);

    /// Begins a frame; returns the seconds since the one before began.
    double begin_frame();
    /// Ends a frame. After the last warm-up frame, stores the counters of `engine`.
    void end_frame(const compaction::Engine& engine);
    /// Excludes time from the final frame, which end_run() times, and from the frame rate.
    void exclude(Clock::duration time) { excluded_ += time; }
    /// Ends the final frame. Call after its work is done. Returns the duration of that frame in seconds.
    double end_run();
    /// Call when the run continues on another engine: print_rate() then counts from its present counters.
    void change_engine(const compaction::Engine& engine);

    /// Prints the frame rate, allocations and synchronisations of the frame loop after the warm-up.
    void print_rate(const compaction::Engine& engine) const;

    FrameClock& clock() { return clock_; }

  private:
    /// The number of first frames that the frame rate and the engine's counters exclude.
    std::uint64_t num_warm_up_frames() const;

    std::uint64_t num_frames_;  ///< of the run; 0: until the program is told to end
    bool fixed_step_;
    Clock::time_point started_;
    Clock::time_point frame_start_;
    Clock::time_point figures_refreshed_;
    std::uint64_t frame_ = 0;
    FrameClock clock_;
    compaction::EngineCounters counters_after_warm_up_;
    Clock::time_point warm_since_;
    Clock::time_point run_ended_;
    Clock::duration excluded_{};
};

}  // namespace warpsieve
