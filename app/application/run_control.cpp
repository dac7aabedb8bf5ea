#include "app/application/run_control.hpp"

#include <algorithm>
#include <span>
#include <string>
#include <utility>

#include "app/application/frame_pacing.hpp"
#include "app/live/machine_defaults.hpp"
#include "app/settings/schema.hpp"

namespace warpsieve {

using compaction::EngineId;

RunControl::RunControl(const Task& task, std::chrono::steady_clock::time_point started,
                       experiments::FrameLogs* logs, const Settings& settings, bool software)
    : software_(software),
      inject_fault_at_(task.inject_fault_at),
      labs_([started] {
          return std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
      }),
      live_(task.memory_limit_bytes, logs) {
    update_defaults(defaults_, settings, software_);
}

void RunControl::start(const Settings& settings) {
    live_.configure(settings.run, settings.compares());
    update_race(settings);
    applied_ = settings;
}

void RunControl::load_picture(Settings& settings) {
    RunConfig& run = settings.run;
    if (!run.uses_picture() && settings.labs.pattern != workloads::Pattern::picture) return;
    if (!run.loaded_picture || run.loaded_picture->source != run.picture ||
        !run.loaded_picture->sha256.starts_with(run.picture_sha256))
        run.loaded_picture = picture::load(run.picture, run.picture_sha256);
}

RunChange RunControl::change(Settings& settings) {
    try {
        load_picture(settings);
    } catch (const compaction::Error& error) {
        settings.run = applied_.run;
        settings.labs.pattern = applied_.labs.pattern;
        return {.restarted = false, .failure = error};
    }
    return change_run(live_, settings, applied_);
}

void RunControl::apply(const Settings& settings) {
    update_race(settings);
    update_defaults(defaults_, settings, software_);
    applied_ = settings;
}

void RunControl::go_on_without_gpu(Settings& settings) {
    settings.run.engine = EngineId::cpu;
    settings.run.a.algorithm = compaction::default_algorithm(EngineId::cpu).id;
    settings.run.a.options = {};
    settings.run.b = {};
    settings.run.slots = std::min(settings.run.slots, default_slots(EngineId::cpu, software_));
    start(settings);
}

void RunControl::update_race(const Settings& settings) {
    live_.race(settings.races() ? std::span<const std::string>(settings.window.race)
                                : std::span<const std::string>());
}

void RunControl::carry_out(const Requests& requests, const Settings& settings) {
    if (requests.reset_scene) live_.reset_scene();
    if (requests.clear_timings) live_.clear_timings();
    if (requests.single_step) single_step_ = true;
    if (requests.trace) live_.request_trace(*requests.trace);
    live_.request_slot_sample(requests.slot_map ? requests.slot_map->sample : nullptr,
                              requests.slot_map && requests.slot_map->with_b,
                              requests.slot_map && requests.slot_map->with_trace);
    using Replays = LiveRun::Replays;
    live_.make_replays(!requests.memory                  ? Replays::none
                       : requests.memory->in_slow_motion ? Replays::once
                                                         : Replays::refreshed);
    if (requests.race_replays) live_.make_race_replays(*requests.race_replays);
    if (requests.cancel_lab) labs_.cancel();
    if (requests.start_lab) start_lab(*requests.start_lab, settings);
}

void RunControl::start_lab(labs::Job job, const Settings& settings) {
    if (job.engine == EngineId::cuda && settings.run.engine == EngineId::cuda)
        job.device = live_.cuda_device();
    labs_.start(std::move(job));
}

void RunControl::step(double seconds, std::uint64_t frame, FrameClock& clock) {
    const bool takes_single_step = std::exchange(single_step_, false);
    const double unscaled_seconds = !applied_.run.paused ? seconds
                                    : takes_single_step  ? FramePacing::fixed_step_seconds
                                                         : 0;
    scene_seconds_ = unscaled_seconds * static_cast<double>(applied_.run.speed);
    if (labs_.running()) labs_.mark_interactive();
    if (inject_fault_at_ == frame && applied_.run.engine == EngineId::cuda) live_.inject_device_fault();
    live_.step(scene_seconds_, frame, &clock);
}

bool RunControl::must_stop_scene(const Settings& settings) const {
    return labs_.running() && !labs_.cancelling() && settings.labs.hold_scene;
}

void RunControl::fill(LabReports& labs) const {
    labs_.copy_reports(labs.reports);
    labs.running = labs_.running();
}

}  // namespace warpsieve
