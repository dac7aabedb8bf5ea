#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/application/frame_pacing.hpp"
#include "app/application/run_control.hpp"
#include "app/application/scene_drawing.hpp"
#include "app/capture/captures.hpp"
#include "app/capture/ghost.hpp"
#include "app/capture/run_outputs.hpp"
#include "app/capture/thumbnails.hpp"
#include "app/cli/command_line.hpp"
#include "app/diagnostics/change_watch.hpp"
#include "app/diagnostics/quality_flags.hpp"
#include "app/gl/context.hpp"
#include "app/panels/interface.hpp"
#include "app/settings/settings.hpp"
#include "app/settings/settings_writer.hpp"
#include "app/view_model/snapshot.hpp"

namespace warpsieve {

/// The program on a window or an offscreen surface: runs the scene, draws it and the panels, and executes the
/// requests of the panels.
class Application {
  public:
    /// Restarts the program after a GPU failure, given the reason and the current settings; returns only if
    /// that fails.
    using Restart = std::function<void(const std::string& why, const Settings& settings)>;

    /// `settings`: the initial ones. `started`: when the process started, time 0 of its clocks. `writer`
    /// saves the settings. Throws compaction::Error.
    Application(gl::Context& context, Task task, Settings settings,
                std::chrono::steady_clock::time_point started, Restart restart, SettingsWriter& writer);
    ~Application();

    /// Runs until the window is closed, the frames are done or a signal ends the program, and writes the
    /// requested files; returns the exit code.
    int run();

    /// Ends the run after the display is lost: writes the requested files, but uses neither OpenGL nor the
    /// window.
    void end_without_display();

    void notify(Severity severity, const std::string& text, Topic topic = Topic::general);
    /// The user's own settings, without temporary overrides.
    Settings settings() const { return interface_.user_settings(settings_); }

  private:
    /// Runs a part of the program. Reports an exception, which ends only this part.
    void attempt(const std::function<void()>& part);

    void load_picture();

    // The steps of a frame, in order.
    void frame();
    void refresh_snapshot();
    void refresh_figures();
    Requests build_interface();
    bool film_is_due() const;
    void carry_out(const Requests& requests);
    void save_settings();
    void apply_settings();
    void move_camera(const Requests& requests, double seconds);
    void step(double seconds);
    void draw(const Requests& requests);
    void take_screenshot();
    void log_first_frame() const;

    void end_overrides();
    void show_ghost();
    void open_files(const std::vector<std::filesystem::path>& files);
    bool is_final_frame() const;
    void fall_back_to_cpu(const std::string& why);
    void report_gpu_failure(const std::string& why);

    // The end of the run.
    void end_run();
    void end_device_work();
    void report_interrupt();
    int exit_code() const;

    gl::Context& context_;
    Task task_;
    Restart restart_;
    SettingsWriter& writer_;
    Settings settings_;
    FramePacing pacing_;
    capture::RunOutputs outputs_;
    RunControl run_;
    panels::Interface interface_;
    SceneDrawing drawing_;
    Captures captures_;
    Ghost ghost_;
    std::optional<capture::ThumbnailAtlas> thumbnails_;  ///< empty until the capture picker is opened

    Snapshot snapshot_;
    std::vector<QualityFlag> quality_flags_;
    ChangeWatch change_watch_;
    std::string reported_transfer_reason_;  ///< the last MachineInfo::transfer_reason that was reported
    double interface_us_ = 0;               ///< moving average of the time to build the interface

    bool filmed_ = false;  ///< the film of the command line was requested
    bool quit_ = false;
    bool place_camera_ = false;  ///< move the camera to the saved pose in this frame
    bool scene_held_ = false;    ///< a lab is measuring undisturbed
    bool failed_ = false;
};

}  // namespace warpsieve
