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

/// Runs what settings and panels ask for: the live run, its race and the labs.
class RunControl {
  public:
    /// `started`: where the labs' time begins. `log`: see LiveRun. `software`: OpenGL draws in software.
    RunControl(const Task& task, std::chrono::steady_clock::time_point started,
               std::vector<experiments::FrameSample>* log, const Settings& settings, bool software);

    /// Configures the run for the first time. Throws compaction::Error.
    void start(const Settings& settings);
    /// See change_run.
    RunChange change(Settings& settings) { return change_run(live_, settings, applied_); }
    /// The run has been changed to these settings: the race follows, and the next frame shows them.
    void apply(const Settings& settings);
    /// Goes on with the CPU engine and writes that into the settings. Throws compaction::Error.
    void go_on_without_gpu(Settings& settings);

    /// Executes what the panels requested of the run and the labs.
    void carry_out(const Requests& requests, const Settings& settings);
    /// Steps the scene by `seconds` at its speed, unless it is paused. Throws compaction::Error.
    void step(double seconds, std::uint64_t frame, FrameClock& clock);
    /// Takes the last step again, after a failure.
    void step_again(std::uint64_t frame) { live_.step(scene_seconds_, frame); }
    /// Whether a lab is measuring undisturbed.
    bool holds_scene(const Settings& settings) const;
    void fill(LabReports& labs) const;

    LiveRun& live() { return live_; }
    const LiveRun& live() const { return live_; }
    /// The settings of the frame that runs.
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
    double scene_seconds_ = 0;  ///< seconds of the last step
    bool single_step_ = false;
};

}  // namespace warpsieve
