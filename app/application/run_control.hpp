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
    /// `started`: time 0 of the labs' clock. `logs`: see LiveRun. `software`: OpenGL draws in software.
    RunControl(const Task& task, std::chrono::steady_clock::time_point started, experiments::FrameLogs* logs,
               const Settings& settings, bool software);

    /// Configures the run for the first time. Throws compaction::Error.
    void start(const Settings& settings);
    /// Loads the picture of the settings if they use one. Throws compaction::Error{invalid_argument} with a
    /// sentence that says what to do.
    static void load_picture(Settings& settings);
    /// Loads the picture, then changes the run; see change_run. A picture that cannot be loaded leaves the
    /// run and the pattern of the labs as they were.
    RunChange change(Settings& settings);
    /// Call after change() and before step(): starts or ends the race, and stores `settings` as applied().
    void apply(const Settings& settings);
    /// Continues on the CPU engine, and sets engine, algorithms and slots in `settings` to match. Throws
    /// compaction::Error.
    void go_on_without_gpu(Settings& settings);

    /// Executes the panels' requests to the run and the labs.
    void carry_out(const Requests& requests, const Settings& settings);
    /// Runs one frame. Moves the scene by `seconds` at its speed; if it is paused, by 0, or by a fixed time
    /// after a request for a single step. Throws compaction::Error.
    void step(double seconds, std::uint64_t frame, FrameClock& clock);
    /// Runs the frame again after a failure, and moves the scene by the same time.
    void step_again(std::uint64_t frame) { live_.step(scene_seconds_, frame); }
    /// Whether the scene must stop because a lab measures and the settings ask for it.
    bool must_stop_scene(const Settings& settings) const;
    /// Writes the reports of the labs.
    void fill(LabReports& labs) const;

    LiveRun& live() { return live_; }
    const LiveRun& live() const { return live_; }
    /// The settings that the run uses: those of the last apply() or start().
    const Settings& applied() const { return applied_; }
    /// Defaults for the current engine.
    const Settings& defaults() const { return defaults_; }

  private:
    void update_race(const Settings& settings);
    void start_lab(labs::Job job, const Settings& settings);

    bool software_;  ///< OpenGL draws in software
    std::optional<std::uint64_t> inject_fault_at_;
    labs::Runner labs_;
    LiveRun live_;
    Settings applied_;
    Settings defaults_;
    double scene_seconds_ = 0;  ///< how far the last step() moved the scene, in scene time
    bool single_step_ = false;  ///< a single step was requested for the next call of step()
};

}  // namespace warpsieve
