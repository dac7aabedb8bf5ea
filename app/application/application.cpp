#include "app/application/application.hpp"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <new>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "app/capture/capture.hpp"
#include "app/capture/open_capture.hpp"
#include "app/capture/report.hpp"
#include "app/cli/exit.hpp"
#include "app/diagnostics/provenance.hpp"
#include "app/live/machine_defaults.hpp"
#include "app/live/saved_view.hpp"
#include "app/settings/schema.hpp"
#include "app/version.hpp"
#include "compaction/error.hpp"
#include "experiments/format/numbers.hpp"
#include "experiments/format/terminal.hpp"
#include "platform/profiler.hpp"

namespace warpsieve {
namespace {

using compaction::EngineId;
using compaction::Error;
using compaction::ErrorCode;
using Clock = std::chrono::steady_clock;

constexpr double info_message_seconds = 6;
/// Time between frames while a lab holds the scene and there is no input.
constexpr double held_frame_seconds = 0.2;
/// Weight of the newest frame in the moving average of the interface's time.
constexpr double interface_time_weight = 0.1;

float scale_of(const Settings& settings, const gl::Context& context) {
    return settings.window.scale > 0 ? settings.window.scale : std::max(1.0F, context.content_scale());
}

/// Why the GPU is unavailable, in one line; empty if it is available.
std::string gpu_unavailable_reason() {
    return compaction::status_of(EngineId::cuda).reason;
}

}  // namespace

Application::Application(gl::Context& context, Task task, Settings settings, Clock::time_point started,
                         Restart restart, SettingsWriter& writer)
    : context_(context),
      task_(std::move(task)),
      restart_(std::move(restart)),
      writer_(writer),
      settings_(with_machine_defaults(std::move(settings), context.info().software)),
      pacing_(task_, started),
      outputs_(task_.outputs, task_.frames,
               [this](const std::string& sentence) { notify(Severity::error, sentence); }),
      run_(task_, started, outputs_.frame_logs(), settings_, context.info().software),
      interface_(scale_of(settings_, context), settings_.window.theme),
      drawing_(context),
      captures_(
          context, interface_, interrupted(),
          [this](Severity severity, const std::string& text) { notify(severity, text, Topic::captures); }),
      ghost_([this](Severity severity, const std::string& text) { notify(severity, text); }, task_.headless) {
    sanitize(settings_);
    drawing_.fill_textures(snapshot_.slot_map);
    snapshot_.machine.gl = context.info();
    snapshot_.display.plain_plots = context.info().software;
    snapshot_.machine.version = std::string(version) + " (" + commit + ")";
    snapshot_.machine.gpu_unavailable_reason = gpu_unavailable_reason();
    snapshot_.display.first_start = task_.first_start;
    if (task_.headless) snapshot_.display.total_frames = task_.frames;
    snapshot_.defaults = &run_.defaults();
    if (task_.replayed) snapshot_.recorded = &*task_.replayed;
    if (task_.tour_step > 0) interface_.show_tour_step(task_.tour_step - 1, settings_, run_.defaults());
    load_picture();
    run_.start(settings_);
    drawing_.place_camera(settings_);
    show_ghost();
    if (task_.gpu_failure) report_gpu_failure(*task_.gpu_failure);
}

Application::~Application() = default;

int Application::run() {
    pacing_.begin_run();
    attempt([this] {
        while (!quit_ && !interrupted() && !context_.should_close() && !pacing_.over()) frame();
        // An interrupted run draws one more frame for the screenshot.
        if (interrupted() && pacing_.frame() > 0 && outputs_.wants_screenshot()) frame();
        gl::Context::finish();
    });
    attempt([this] { captures_.finish(); });
    end_run();
    return exit_code();
}

/// Loads the default picture instead if the file of an earlier start is gone.
void Application::load_picture() {
    try {
        RunControl::load_picture(settings_);
    } catch (const Error& error) {
        notify(Severity::warning, error.what());
        settings_.run.picture = picture::default_word;
        settings_.run.picture_sha256.clear();
        RunControl::load_picture(settings_);
    }
}

void Application::attempt(const std::function<void()>& part) {
    try {
        part();
    } catch (const std::bad_alloc&) {
        failed_ = true;
        notify(Severity::error,
               "Host memory ran out. Choose fewer slots or frames, or raise the memory limit.");
    } catch (const std::exception& error) {
        failed_ = true;
        notify(Severity::error, error.what());
    }
}

void Application::frame() {
    const platform::ProfilerRange range("frame");
    const std::uint64_t frame = pacing_.frame();
    const double seconds = pacing_.begin_frame();  // duration of the last frame
    if (frame > 0) run_.live().end_frame(frame - 1, static_cast<float>(seconds * 1e6));

    pacing_.clock().enter(FramePart::panels);
    refresh_snapshot();
    context_.begin_interface_frame();
    snapshot_.keys = context_.keys();
    open_files(context_.take_dropped());
    show_ghost();
    const Requests requests = build_interface();
    pacing_.clock().enter(std::nullopt);

    carry_out(requests);
    save_window_geometry(context_, settings_);
    save_settings();
    apply_settings();
    move_camera(requests, seconds);
    scene_held_ = run_.must_stop_scene(settings_);
    if (!scene_held_) step(pacing_.step_seconds(seconds));
    draw(requests);
    captures_.take(snapshot_, settings_);
    captures_.fill(snapshot_);
    if (is_final_frame() && outputs_.wants_screenshot()) take_screenshot();

    pacing_.clock().enter(FramePart::present);
    context_.present();
    pacing_.clock().enter(std::nullopt);
    // Frames slow the measurement of the lab, so draw few.
    if (scene_held_) context_.wait_for_input(held_frame_seconds);
    outputs_.write_at_intervals(snapshot_, settings_);
    if (outputs_.wants_control_map()) outputs_.write_control_map(interface_.control_map());
    if (frame == 0) log_first_frame();
    pacing_.end_frame(run_.live().engine());
}

void Application::refresh_snapshot() {
    const bool refreshes_figures =
        pacing_.begin_figures_period(/*at_once=*/is_final_frame() || snapshot_.figures->a.rows.empty());
    snapshot_.display.now_s = pacing_.animation_s();
    snapshot_.display.frame = pacing_.frame();
    snapshot_.display.scale = scale_of(settings_, context_);
    snapshot_.display.for_picture = captures_.wants_picture();
    snapshot_.timings.interface_us = interface_us_;
    run_.live().fill(snapshot_, refreshes_figures);
    drawing_.fill(snapshot_.memory);
    run_.fill(snapshot_.labs);
    drawing_.add_device_times(pacing_.clock());
    if (refreshes_figures) refresh_figures();
    change_watch_.observe(snapshot_, settings_);
    snapshot_.quality.change = change_watch_.card() ? &*change_watch_.card() : nullptr;
    if (snapshot_.machine.transfer_reason != reported_transfer_reason_) {
        reported_transfer_reason_ = snapshot_.machine.transfer_reason;
        if (!reported_transfer_reason_.empty()) notify(Severity::warning, reported_transfer_reason_);
    }
    std::erase_if(snapshot_.messages, [&](const Message& message) {
        return message.expires_s > 0 && message.expires_s < snapshot_.display.now_s;
    });
}

void Application::refresh_figures() {
    ++snapshot_.display.figures_serial;
    const bool on_gpu = run_.live().engine().id() == EngineId::cuda;
    FrameTimes times = pacing_.clock().times(on_gpu || drawing_.has_device_times());
    if (on_gpu) run_.live().add_device_times(*times.device_us);
    if (times.frame_us > 0) snapshot_.timings.frame = times;
    quality_flags_ = quality_flags_of(snapshot_, settings_);
    snapshot_.quality.flags = quality_flags_;
}

Requests Application::build_interface() {
    const Clock::time_point start = Clock::now();
    Requests requests = interface_.build(snapshot_, settings_, context_.size());
    context_.end_interface_frame();
    const double interface_us = std::chrono::duration<double, std::micro>(Clock::now() - start).count();
    interface_us_ += interface_time_weight * (interface_us - interface_us_);
    return requests;
}

bool Application::film_is_due() const {
    const std::uint64_t frame = pacing_.frame();
    if (task_.outputs.loop.empty() || filmed_ || frame < film_from_frame) return false;
    constexpr std::uint64_t frames_of_film = min_film_frames - film_from_frame;
    const bool is_last_chance = frame >= film_from_frame + max_frames_of_wait ||
                                (task_.frames > 0 && frame + frames_of_film >= task_.frames);
    // The view of slow motion grows when its first replay arrives.
    const bool awaits_replay = settings_.shows_slow_motion() && !snapshot_.memory.replay;
    return is_last_chance || !(awaits_replay || awaits_ratio(snapshot_, settings_));
}

void Application::carry_out(const Requests& requests) {
    if (requests.quit) quit_ = true;
    if (!requests.keep_as_ghost.front().empty())
        ghost_.save(requests.keep_as_ghost, capture::csv_header(snapshot_, settings_), settings_);
    if (requests.dismiss_change) change_watch_.dismiss();
    captures_.request(requests);
    if (film_is_due()) {
        captures_.film(task_.outputs.loop, task_.headless);
        filmed_ = true;
    }
    if (!requests.notice.empty()) notify(Severity::info, requests.notice);
    if (requests.dismiss_message && *requests.dismiss_message < snapshot_.messages.size()) {
        snapshot_.messages.erase(snapshot_.messages.begin() +
                                 static_cast<std::ptrdiff_t>(*requests.dismiss_message));
    }
    if (!requests.trace && outputs_.wants_trace()) run_.live().request_trace({});
    run_.carry_out(requests, settings_);
    if (requests.slot_map) drawing_.upload(*requests.slot_map);
    if (requests.place_camera) place_camera_ = true;
    if (!requests.open.empty()) open_files({requests.open});
    if (!requests.thumbnails.empty()) {
        if (!thumbnails_) thumbnails_.emplace();
        thumbnails_->load(requests.thumbnails, snapshot_.thumbnails);
    }
}

void Application::open_files(const std::vector<std::filesystem::path>& files) {
    if (files.empty()) return;
    // The file replaces settings of the user, so overrides must not hide them.
    end_overrides();
    const auto notify_user = [this](Severity severity, const std::string& text) { notify(severity, text); };
    if (files.size() == 1 && capture::open_capture(files.front(), settings_, notify_user)) return;
    ghost_.open(files, settings_.window.ghost);
}

void Application::show_ghost() {
    ghost_.follow(settings_.window.ghost);
    snapshot_.timings.ghost = ghost_.run();
}

void Application::end_overrides() {
    place_camera_ = place_camera_ || interface_.overrides_settings();
    interface_.end_overrides(settings_);
}

void Application::save_settings() {
    if (interface_.overrides_settings()) {
        writer_.observe(interface_.user_settings(settings_), snapshot_.display.now_s);
    } else {
        // Avoid copying the settings in every frame.
        writer_.observe(settings_, snapshot_.display.now_s);
    }
}

void Application::apply_settings() {
    if (settings_ == run_.applied()) return;
    interface_.set_style(scale_of(settings_, context_), settings_.window.theme);
    const bool same_engine = settings_.run.engine == run_.applied().run.engine;
    const RunChange change = run_.change(settings_);
    if (change.failure) {
        if (change.failure->code() == ErrorCode::device_failure && same_engine) {
            if (settings_.run.engine == EngineId::cpu) throw *change.failure;  // nothing to fall back to
            return fall_back_to_cpu(change.failure->what());
        }
        notify(Severity::error, change.failure->what(), Topic::settings);
    }
    if (change.restarted) {
        // The old figures describe the previous run.
        snapshot_.figures = std::make_shared<const Figures>();
        pacing_.clock().restart();
        withdraw_messages(snapshot_.messages, Topic::settings);
    }
    // If place_camera_ is set, move_camera() restores a saved pose instead.
    if (!place_camera_ && (settings_.run.source != run_.applied().run.source ||
                           settings_.window.particles_mode != run_.applied().window.particles_mode))
        drawing_.view_source(settings_);
    run_.apply(settings_);
}

/// In a paused scene, only the mouse moves the camera. The same holds for a headless run, so that its
/// pictures are repeatable.
void Application::move_camera(const Requests& requests, double seconds) {
    // A camera that is pointed at something flies back by itself.
    if (std::exchange(place_camera_, false) && !drawing_.points_camera()) drawing_.place_camera(settings_);
    drawing_.point_camera(requests.point_camera, task_.headless, settings_);
    const bool by_mouse_only = task_.headless || settings_.run.paused;
    drawing_.move_camera(requests.camera, seconds, by_mouse_only || scene_held_, interface_.presents(),
                         settings_);
    if (!by_mouse_only) drawing_.choose_detail(seconds);
}

void Application::step(double seconds) {
    try {
        run_.step(seconds, pacing_.frame(), pacing_.clock());
    } catch (const Error& error) {
        if (settings_.run.engine == EngineId::cpu) throw;  // nothing to fall back to
        fall_back_to_cpu(error.what());
        run_.step_again(pacing_.frame());
    }
}

void Application::draw(const Requests& requests) {
    const gl::Rectangle area = interface_.scene_rectangle(context_.size(), settings_);
    drawing_.answer_picks(run_.live(), run_.applied(), area, requests, snapshot_);
    pacing_.clock().enter(FramePart::draw);
    drawing_.draw_scene(run_.live(), run_.applied(), area, requests.memory ? &*requests.memory : nullptr);
    pacing_.clock().enter(FramePart::panels);
    drawing_.draw_interface();
    pacing_.clock().enter(std::nullopt);
}

void Application::take_screenshot() {
    // The frame rate includes drawing the frame, but excludes reading it back and writing the file.
    gl::Context::finish();
    const Clock::time_point start = Clock::now();
    outputs_.write_screenshot(capture::read_framebuffer(context_.framebuffer(), context_.size()),
                              capture::describe_run(snapshot_, settings_));
    pacing_.exclude(Clock::now() - start);
}

void Application::log_first_frame() const {
    experiments::format::print_error_line(
        "warpsieve: first frame " + experiments::format::fixed(pacing_.now_s() * 1e3, 0) +
        " ms after start; " + std::string(compaction::id_of(snapshot_.machine.engine)) + " engine on " +
        snapshot_.machine.device.name + "; OpenGL by " + snapshot_.machine.gl.renderer);
    if (!task_.engine_chosen && !snapshot_.machine.gpu_unavailable_reason.empty())
        experiments::format::print_error_line("warpsieve: " + snapshot_.machine.gpu_unavailable_reason);
}

bool Application::is_final_frame() const {
    return interrupted() || pacing_.is_final_frame();
}

void Application::report_gpu_failure(const std::string& why) {
    failed_ = true;
    notify(Severity::error, "The GPU failed, so the CPU engine continues. " + why);
    snapshot_.machine.gpu_unavailable_reason =
        "The GPU failed during the run. Restart the program to use it.";
}

void Application::fall_back_to_cpu(const std::string& why) {
    end_overrides();
    // OpenGL that shared buffers with the lost context may hang: only a new process can draw.
    if (snapshot_.machine.transfer == scene::Transfer::interop) {
        captures_.finish(/*wait_for_opengl=*/false);
        outputs_.write_before_restart(snapshot_);
        restart_(why, settings());
    }
    report_gpu_failure(why);
    run_.go_on_without_gpu(settings_);
    pacing_.change_engine(run_.live().engine());
    snapshot_.figures = std::make_shared<const Figures>();
}

void Application::notify(Severity severity, const std::string& text, Topic topic) {
    experiments::format::print_error_line("warpsieve: " + text);
    const double expires_s = severity == Severity::info ? snapshot_.display.now_s + info_message_seconds : 0;
    add_message(snapshot_.messages, {severity, text, expires_s, topic});
}

void Application::end_without_display() {
    failed_ = true;
    notify(Severity::error, "The display was lost, so the program ends.");
    attempt([this] { captures_.finish(/*wait_for_opengl=*/false); });
    end_run();
}

void Application::end_run() {
    attempt([this] { end_device_work(); });
    const bool any_frame = pacing_.frame() > 0;
    if (any_frame) {
        attempt([this] { run_.live().fill(snapshot_, /*refresh_figures=*/true); });
        outputs_.write_results(snapshot_, settings_);
        pacing_.print_rate(run_.live().engine());
    }
    if (interrupted()) report_interrupt();
    // Print after all files are written: stdout may be a closed pipe.
    if (any_frame && task_.headless) print(capture::run_table(snapshot_));
    if (any_frame && task_.replayed) print(capture::replay_table(*task_.replayed, snapshot_));
}

void Application::end_device_work() {
    pacing_.end_run();  // sets the end of the run even if draining fails
    try {
        run_.live().drain();
        const double seconds = pacing_.end_run();
        if (pacing_.frame() == 0) return;
        run_.live().end_frame(pacing_.frame() - 1, static_cast<float>(seconds * 1e6));
        run_.live().collect();
    } catch (const Error& error) {
        // Frames that were collected before the failure are kept.
        report_gpu_failure(error.what());
    }
}

void Application::report_interrupt() {
    const std::uint64_t frames = pacing_.frame();
    const std::string ended = std::string(interrupt_name()) + " ended the run ";
    notify(Severity::info,
           frames == 0 ? ended + "before the first frame; no file was written."
                       : ended + "after " + std::to_string(frames) + (frames == 1 ? " frame." : " frames."));
}

int Application::exit_code() const {
    if (snapshot_.checks.a.wrong + snapshot_.checks.b.wrong > 0) return exit_wrong_result;
    if (failed_ || outputs_.failed() || (!task_.outputs.loop.empty() && captures_.film_failed()))
        return exit_failure;
    return interrupted() ? interrupt_exit_code() : exit_ok;
}

}  // namespace warpsieve
