#include "app/application/application.hpp"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <new>
#include <optional>
#include <span>
#include <utility>

#include "app/capture/capture.hpp"
#include "app/capture/dropped.hpp"
#include "app/capture/report.hpp"
#include "app/cli/interrupt.hpp"
#include "app/live/kept_view.hpp"
#include "app/live/machine_defaults.hpp"
#include "app/live/run_change.hpp"
#include "app/settings/schema.hpp"
#include "app/version.hpp"
#include "compaction/error.hpp"
#include "experiments/format/printable.hpp"
#include "platform/profiler.hpp"

namespace warpsieve {
namespace {

using compaction::EngineId;
using compaction::Error;
using compaction::ErrorCode;

constexpr auto figures_period = std::chrono::milliseconds(200);  // 5 Hz: readable
constexpr double info_seconds = 6;
/// Time between frames while the scene is held, unless there is input.
constexpr double held_frame_seconds = 0.2;

float scale_of(const Settings& settings, const gl::Context& context) {
    return settings.window.scale > 0 ? settings.window.scale : std::max(1.0F, context.content_scale());
}

/// Why the GPU is unavailable, in one line; empty where it is available.
std::string why_not_the_gpu() {
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
      outputs_(task_.outputs, task_.frames,
               [this](const std::string& sentence) { notify(Severity::error, sentence); }),
      labs_([started] { return seconds_between(started, Clock::now()); }),
      run_(task_.memory_limit_bytes, outputs_.frame_log()),
      interface_(scale_of(settings_, context), settings_.window.theme),
      renderer_(context.info()),
      captures_(
          context, interface_, interrupted(),
          [this](Severity severity, const std::string& text) { notify(severity, text, Topic::captures); }),
      ghost_([this](Severity severity, const std::string& text) { notify(severity, text); }, task_.headless),
      started_(started) {
    view_.machine.gl = context.info();
    view_.slot_map.slots_texture = slots_picture_.name();
    view_.slot_map.places_texture = places_picture_.name();
    view_.display.plain_plots = context.info().software;
    view_.machine.version = std::string(version) + " (" + commit + ")";
    view_.machine.engine_reason = why_not_the_gpu();
    view_.display.first_start = task_.first_start;
    if (task_.headless) view_.display.frames_in_all = task_.frames;
    view_.defaults = &defaults_;
    update_defaults(defaults_, settings_, context_.info().software);
    if (task_.tour_step > 0) interface_.show_tour_step(task_.tour_step - 1, settings_, defaults_);
    run_.configure(settings_.run, settings_.compares());
    race();
    place_camera();
    if (!context.info().software) {
        draw_query_.emplace();
        panels_query_.emplace();
    }
    show_ghost();
    applied_ = settings_;
    if (task_.gpu_failure) report_gpu_failure(*task_.gpu_failure);
}

Application::~Application() = default;

int Application::run() {
    frame_start_ = Clock::now();
    attempt([this] {
        while (!quit_ && !interrupted() && !context_.should_close() &&
               (task_.frames == 0 || frame_ < task_.frames))
            frame();
        // The frames are over: one more for the screenshot.
        if (interrupted() && frame_ > 0 && outputs_.wants_screenshot()) frame();
        gl::Context::finish();
    });
    attempt([this] { captures_.finish(); });
    end_run();
    return exit_code();
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
    const Clock::time_point start = Clock::now();
    const double seconds = seconds_between(frame_start_, start);
    if (frame_ > 0) run_.end_frame(frame_ - 1, static_cast<float>(seconds * 1e6));
    frame_start_ = start;
    frame_clock_.begin_frame(start);
    frame_clock_.enter(FramePart::panels);

    refresh_view();
    context_.begin_interface_frame();
    view_.keys = context_.keys();
    take_dropped(context_.take_dropped());
    show_ghost();
    const Requests requests = lay_out();

    frame_clock_.enter(std::nullopt);
    carry_out(requests);
    keep_window_place(context_, settings_);
    keep_settings();
    apply_settings();
    if (std::exchange(place_camera_, false)) place_camera();
    move_camera(seconds);
    choose_detail(seconds);
    scene_held_ = holds_scene();
    if (!scene_held_) step(task_.headless ? offscreen_step_seconds : std::min(seconds, longest_step_seconds));
    follow(requests);
    draw_scene(interface_.scene_rectangle(context_.size(), settings_));
    draw_panels();
    captures_.take(view_, settings_);
    captures_.describe(view_);
    if (is_last_frame() && outputs_.wants_screenshot()) take_screenshot();
    frame_clock_.enter(FramePart::present);
    context_.present();
    frame_clock_.enter(std::nullopt);
    // Drawing takes time from the measurement.
    if (scene_held_) context_.wait_for_input(held_frame_seconds);
    if (outputs_.wants_control_map()) outputs_.write_control_map(interface_.control_map());
    if (frame_ == 0) log_first_frame();
    ++frame_;
    if (frame_ == warm_up_frames()) {
        counters_after_warm_up_ = run_.engine().counters();
        warm_since_ = Clock::now();
    }
}

void Application::refresh_view() {
    const Clock::time_point now = Clock::now();
    const bool refresh_figures =
        is_last_frame() || now - figures_refreshed_ >= figures_period || view_.figures->a.rows.empty();
    if (refresh_figures) {
        figures_refreshed_ = now;
        ++view_.display.figures_serial;
    }
    view_.display.now_s = seconds_between(started_, now);
    view_.display.frame = frame_;
    view_.display.scale = scale_of(settings_, context_);
    view_.display.for_picture = captures_.wants_picture();
    view_.timings.interface_us = interface_us_;
    run_.describe(view_, refresh_figures);
    refresh_frame_view(refresh_figures);
    labs_.copy_reports(view_.labs.reports);
    view_.labs.running = labs_.running();
    if (refresh_figures) badges_ = badges_of(view_, settings_);
    view_.quality.badges = badges_;
    change_watch_.observe(view_, settings_);
    view_.quality.change = change_watch_.card() ? &*change_watch_.card() : nullptr;
    if (view_.machine.transfer_reason != reported_transfer_reason_) {
        reported_transfer_reason_ = view_.machine.transfer_reason;
        if (!reported_transfer_reason_.empty()) notify(Severity::warning, reported_transfer_reason_);
    }
    std::erase_if(view_.messages, [&](const Message& message) {
        return message.expires_s > 0 && message.expires_s < view_.display.now_s;
    });
}

void Application::refresh_frame_view(bool refresh_figures) {
    const auto take = [&](std::optional<gl::TimerQuery>& query, FramePart part) {
        while (const auto us = query ? query->poll_us() : std::nullopt)
            frame_clock_.add_device_time(part, *us);
    };
    take(draw_query_, FramePart::draw);
    take(panels_query_, FramePart::panels);
    if (!refresh_figures) return;
    const bool on_gpu = run_.engine().id() == EngineId::cuda;
    view_.timings.frame = frame_clock_.view(on_gpu || draw_query_.has_value());
    if (on_gpu) run_.describe_device_times(*view_.timings.frame.device_us);
}

void Application::carry_out(const Requests& requests) {
    if (requests.quit) quit_ = true;
    if (requests.reset_scene) run_.reset_scene();
    if (requests.clear_timings) run_.clear_timings();
    if (requests.single_step) single_step_ = true;
    if (!requests.keep_as_ghost.empty())
        ghost_.keep(requests.keep_as_ghost, capture::csv_header(view_, settings_), settings_);
    if (requests.dismiss_change) change_watch_.dismiss();
    captures_.want(requests);
    if (!requests.notice.empty()) notify(Severity::info, requests.notice);
    if (requests.dismiss_message && *requests.dismiss_message < view_.messages.size()) {
        view_.messages.erase(view_.messages.begin() + static_cast<std::ptrdiff_t>(*requests.dismiss_message));
    }
    if (requests.trace) run_.request_trace(*requests.trace);
    if (!requests.trace && outputs_.wants_trace()) run_.request_trace({});
    run_.show_in_slot_map(requests.slot_map ? requests.slot_map->sample : nullptr,
                          requests.slot_map && requests.slot_map->both);
    if (requests.slot_map && requests.slot_map->picture.width > 0) {
        slots_picture_.upload(requests.slot_map->picture, requests.slot_map->slots);
        places_picture_.upload(requests.slot_map->picture, requests.slot_map->places);
    }
    camera_input_ = requests.camera;
    if (requests.cancel_lab) labs_.cancel();
    if (requests.start_lab) start_lab(*requests.start_lab);
    if (requests.place_camera) place_camera_ = true;
    if (!requests.open.empty()) take_dropped({requests.open});
}

void Application::take_dropped(const std::vector<std::filesystem::path>& files) {
    if (files.empty()) return;
    // The user's own settings change.
    end_overrides();
    const auto notify_user = [this](Severity severity, const std::string& text) { notify(severity, text); };
    if (files.size() == 1 && capture::take_dropped_capture(files.front(), settings_, notify_user)) return;
    ghost_.take_dropped(files, settings_.window.ghost);
}

void Application::start_lab(labs::Job job) {
    if (job.engine == EngineId::cuda && settings_.run.engine == EngineId::cuda)
        job.device = run_.cuda_device();
    labs_.start(std::move(job));
}

void Application::show_ghost() {
    ghost_.follow(settings_.window.ghost);
    view_.timings.ghost = ghost_.run();
}

void Application::apply_settings() {
    if (settings_ == applied_) return;
    make_legal(settings_);
    interface_.set_style(scale_of(settings_, context_), settings_.window.theme);
    const bool same_engine = settings_.run.engine == applied_.run.engine;
    const RunChange change = change_run(run_, settings_, applied_);
    if (change.failure) {
        if (change.failure->code() == ErrorCode::device_failure && same_engine) {
            if (settings_.run.engine == EngineId::cpu) throw *change.failure;
            return fall_back_to_cpu(change.failure->what());
        }
        notify(Severity::error, change.failure->what(), Topic::settings);
    }
    race();
    if (change.restarted) {
        // The figures describe the run before.
        view_.figures = std::make_shared<const Figures>();
        withdraw_messages(view_.messages, Topic::settings);
    }
    if (!place_camera_ && (settings_.run.source != applied_.run.source ||
                           settings_.window.particles_mode != applied_.window.particles_mode)) {
        view_source();
        keep_camera(camera_.camera(), settings_);
    }
    update_defaults(defaults_, settings_, context_.info().software);
    applied_ = settings_;
}

void Application::end_overrides() {
    place_camera_ = place_camera_ || interface_.overrides_settings();
    interface_.end_overrides(settings_);
}

void Application::keep_settings() {
    if (interface_.overrides_settings()) {
        writer_.follow(interface_.user_settings(settings_), view_.display.now_s);
    } else {
        // Without a copy.
        writer_.follow(settings_, view_.display.now_s);
    }
}

void Application::race() {
    run_.race(settings_.races() ? std::span<const std::string>(settings_.window.race)
                                : std::span<const std::string>());
}

bool Application::holds_scene() const {
    return labs_.running() && !labs_.cancelling() && settings_.labs.hold_scene;
}

void Application::step(double seconds) {
    const bool moves = !applied_.run.paused || single_step_;
    scene_seconds_ = moves ? (applied_.run.paused ? offscreen_step_seconds : seconds) *
                                 static_cast<double>(applied_.run.speed)
                           : 0;
    single_step_ = false;
    if (labs_.running()) labs_.disturb();
    if (task_.rehearse_failure_at == frame_ && applied_.run.engine == EngineId::cuda)
        run_.rehearse_device_failure();
    try {
        run_.step(scene_seconds_, frame_, &frame_clock_);
    } catch (const Error& error) {
        recover(error);
    }
}

void Application::recover(const Error& error) {
    if (settings_.run.engine == EngineId::cpu) throw error;
    fall_back_to_cpu(error.what());
    run_.step(scene_seconds_, frame_);
}

void Application::report_gpu_failure(const std::string& why) {
    failed_ = true;
    notify(Severity::error, "The GPU failed, so the CPU engine continues. " + why);
    view_.machine.engine_reason = "The GPU failed during the run. Restart the program to use it.";
}

void Application::fall_back_to_cpu(const std::string& why) {
    end_overrides();
    // OpenGL that shared buffers with the lost context may hang: only a new process can draw.
    if (view_.machine.transfer == scene::Transfer::interop) {
        captures_.finish(false);
        outputs_.write_before_restart(view_);
        restart_(why, settings());
    }
    report_gpu_failure(why);
    settings_.run.engine = EngineId::cpu;
    settings_.run.a.algorithm = compaction::default_algorithm(EngineId::cpu).id;
    settings_.run.a.options = {};
    settings_.run.b = {};
    settings_.run.slots =
        std::min(settings_.run.slots, default_slots(EngineId::cpu, context_.info().software));
    run_.configure(settings_.run, settings_.compares());
    if (frame_ >= warm_up_frames()) counters_after_warm_up_ = run_.engine().counters();
    race();
    applied_ = settings_;
    view_.figures = std::make_shared<const Figures>();
}

void Application::notify(Severity severity, const std::string& text, Topic topic) {
    std::fprintf(stderr, "warpsieve: %s\n", experiments::format::printable(text).c_str());
    const double expires_s = severity == Severity::info ? view_.display.now_s + info_seconds : 0;
    add_message(view_.messages, {severity, text, expires_s, topic});
}

}  // namespace warpsieve
