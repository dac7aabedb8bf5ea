#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/capture/captures.hpp"
#include "app/capture/ghost.hpp"
#include "app/capture/run_outputs.hpp"
#include "app/cli/command_line.hpp"
#include "app/diagnostics/change_watch.hpp"
#include "app/diagnostics/quality_flags.hpp"
#include "app/gl/context.hpp"
#include "app/gl/picture.hpp"
#include "app/gl/timer_query.hpp"
#include "app/labs/runner.hpp"
#include "app/live/frame_clock.hpp"
#include "app/live/item_picker.hpp"
#include "app/live/live_run.hpp"
#include "app/panels/interface.hpp"
#include "app/render/particle_renderer.hpp"
#include "app/scene/camera.hpp"
#include "app/scene/two_stage.hpp"
#include "app/settings/settings.hpp"
#include "app/settings/settings_writer.hpp"
#include "app/view_model/snapshot.hpp"

namespace warpsieve {

/// The program on a window or an offscreen surface: runs the scene, draws it and the panels, and executes the
/// requests of the panels.
class Application {
  public:
    /// Restarts the program after a GPU failure, given the reason and the settings in force; returns only if
    /// that fails.
    using Restart = std::function<void(const std::string& why, const Settings& settings)>;

    /// `started`: when the process started, for the log of the first frame. `writer` keeps the settings.
    /// Throws compaction::Error.
    Application(gl::Context& context, Task task, Settings settings,
                std::chrono::steady_clock::time_point started, Restart restart, SettingsWriter& writer);
    ~Application();

    /// Runs until the window is closed, the frames are done or a signal ends the program, and writes the
    /// requested files; returns the exit code.
    int run();

    /// Ends the run where the display is gone: writes the requested files without OpenGL and the window.
    void end_without_display();

    void notify(Severity severity, const std::string& text, Topic topic = Topic::general);
    /// The user's: without what tour and presentation show.
    Settings settings() const { return interface_.user_settings(settings_); }

  private:
    using Clock = std::chrono::steady_clock;
    /// The longest step of the scene clock: a stall does not throw the particles forward.
    static constexpr double longest_step_seconds = 0.1;
    /// Offscreen frames have a fixed step, so that every machine draws the same frames.
    static constexpr double offscreen_step_seconds = 1.0 / 60;

    static double seconds_between(Clock::time_point from, Clock::time_point to) {
        return std::chrono::duration<double>(to - from).count();
    }
    /// Runs a part of the program. A failure is reported, and ends only this part.
    void attempt(const std::function<void()>& part);
    void frame();
    void apply_settings();
    void race();
    void view_source();
    bool shows_stages() const;
    void place_camera();
    void move_camera(double seconds);
    void keep_settings();
    void end_overrides();
    void choose_detail(double seconds);
    Requests lay_out();
    bool holds_scene() const;
    void step(double seconds);
    /// Goes on without the GPU. Rethrows what the CPU engine threw.
    void recover(const compaction::Error& error);
    void start_lab(labs::Job job);
    void fall_back_to_cpu(const std::string& why);
    void report_gpu_failure(const std::string& why);
    void carry_out(const Requests& requests);
    void show_ghost();
    void take_dropped(const std::vector<std::filesystem::path>& files);
    std::optional<scene::TwoStage> stage_in_force() const;
    void follow(const Requests& requests);
    void draw_scene(const gl::Rectangle& rectangle);
    void draw_panels();
    void refresh_frame_view(bool refresh_figures);
    void refresh_view();
    void take_screenshot();
    void end_run();
    void end_device_work();
    void report_interrupt();
    void print_frame_rate() const;
    void log_first_frame();
    bool is_last_frame() const;
    /// First frames, excluded from the frame rate and the engine's counters.
    std::uint64_t warm_up_frames() const;
    int exit_code() const;

    gl::Context& context_;
    Task task_;
    Restart restart_;
    SettingsWriter& writer_;
    Settings settings_;
    Settings applied_;
    capture::RunOutputs outputs_;
    labs::Runner labs_;
    LiveRun run_;
    panels::Interface interface_;
    render::ParticleRenderer renderer_;
    Captures captures_;
    Ghost ghost_;
    gl::Picture slots_picture_{map_picture_side};
    gl::Picture places_picture_{map_picture_side};
    Settings defaults_;  ///< of the engine in force
    scene::CameraMotion camera_;
    scene::CameraInput camera_input_;  ///< of this frame
    ItemPicker picker_;
    ChangeWatch change_watch_;
    FrameClock frame_clock_;
    std::optional<gl::TimerQuery> draw_query_;  ///< none on software OpenGL, whose clock is the host's
    std::optional<gl::TimerQuery> panels_query_;
    std::vector<Badge> badges_;
    View view_;
    double interface_us_ = 0;   ///< smoothed
    double scene_seconds_ = 0;  ///< of the last step

    Clock::time_point started_;
    Clock::time_point frame_start_;
    Clock::time_point figures_refreshed_;
    std::uint64_t frame_ = 0;
    std::string reported_transfer_reason_;
    bool scene_held_ = false;    ///< a lab is measuring undisturbed
    double smooth_frame_s_ = 0;  ///< mean duration of the last frames
    bool quit_ = false;
    bool single_step_ = false;
    bool place_camera_ = false;  ///< where the settings say, in this frame
    bool failed_ = false;
    compaction::EngineCounters counters_after_warm_up_;
    Clock::time_point warm_since_;
    Clock::time_point frames_over_;  ///< all their work included, files not
    Clock::duration screenshot_time_{};
};

}  // namespace warpsieve
