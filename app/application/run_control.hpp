#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

#include "app/cli/command_line.hpp"
#include "app/labs/runner.hpp"
#include "app/live/frame_clock.hpp"
#include "app/live/live_run.hpp"
#include "app/settings/settings.hpp"
#include "app/view_model/snapshot.hpp"

namespace warpsieve {

/// Controls the live run, its race and the labs, as settings and panels request.
class RunControl {
  public:
    /// `started`: the labs count seconds from here. `log`: see LiveRun. `software`: OpenGL draws in software.
    RunControl(const Task& task, std::chrono::steady_clock::time_point started,
               std::vector<experiments::FrameSample>* log, const Settings& settings, bool software);

    /// Configures the run for the first time. Throws compaction::Error.
    void start(const Settings& settings);
    /// See change_run.
    RunChange change(Settings& settings) { return change_run(live_, settings, applied_); }
    /// Call after change(): starts or ends the race, and stores `settings` as those of the next frame.
    void apply(const Settings& settings);
    /// Continues on the CPU engine, and sets engine, algorithms and slots in `settings` to match. Throws
    /// compaction::Error.
    void go_on_without_gpu(Settings& settings);

    /// Executes what the panels requested of the run and the labs.
    void carry_out(const Requests& requests, const Settings& settings);
    /// Steps the scene by `seconds` at its speed, unless it is paused. Throws compaction::Error.
    void step(double seconds, std::uint64_t frame, FrameClock& clock);
    /// Repeats the last step, after a failure.
    void step_again(std::uint64_t frame) { live_.step(scene_seconds_, frame); }
    /// Whether the scene stops, so that a lab measures undisturbed.
    bool holds_scene(const Settings& settings) const;
    void fill(LabReports& labs) const;

    LiveRun& live() { return live_; }
    const LiveRun& live() const { return live_; }
    /// The settings of the current frame.
    const Settings& applied() const { return applied_; }
    /// Defaults for the current engine.
    const Settings& defaults() const { return defaults_; }

  private:
    void race(const Settings& settings);
    void start_lab(labs::Job job, const Settings& settings);

    bool software_;
    std::optional<std::uint64_t> inject_fault_at_;
    labs::Runner labs_;
    LiveRun live_;
    Settings applied_;
    Settings defaults_;
    double scene_seconds_ = 0;  ///< scene time of the last step
    bool single_step_ = false;
};

}  // namespace warpsieve
