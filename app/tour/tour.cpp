#include "app/tour/tour.hpp"

#include <algorithm>
#include <cstdint>
#include <string>

namespace warpsieve::tour {
namespace {

/// Shorter streams keep only one worker thread busy.
constexpr std::uint64_t cpu_length_factor = 2;

AlgorithmConfig config_of(const StepAlgorithm& algorithm, compaction::EngineId engine) {
    const bool is_simulated = engine == compaction::EngineId::simulated;
    AlgorithmConfig config{(is_simulated ? "simulated_" : "") + std::string(algorithm.id), {}};
    config.options[algorithm.option] = algorithm.value;
    return config;
}

/// Copies the settings that a step sets.
void copy_step_settings(Settings& to, const Settings& from) {
    to.run = from.run;
    WindowPreferences& window = to.window;
    window.tab = from.window.tab;
    window.particles_mode = from.window.particles_mode;
    window.lens_mode = from.window.lens_mode;
    window.show_timings = from.window.show_timings;
    window.slow_motion = from.window.slow_motion;
    window.divider = from.window.divider;
    window.slot_map_zoom = from.window.slot_map_zoom;
    window.slot_map_first = from.window.slot_map_first;
    window.slot_map_colour = from.window.slot_map_colour;
    window.camera_azimuth = from.window.camera_azimuth;
    window.camera_elevation = from.window.camera_elevation;
    window.camera_distance = from.window.camera_distance;
}

}  // namespace

void apply_step(Settings& settings, const Step& step, const Settings& defaults) {
    const EngineStep& on_engine = step.on(settings.run.engine);
    Settings of_step;
    of_step.run.engine = settings.run.engine;
    of_step.run.a = config_of(on_engine.a, settings.run.engine);
    of_step.run.b = on_engine.b.id.empty() ? settings.run.b : config_of(on_engine.b, settings.run.engine);
    // The default length is 0 if it depends on the machine.
    of_step.run.slots = defaults.run.slots > 0 ? defaults.run.slots : settings.run.slots;
    if (step.figure == Figure::ratio && settings.run.engine == compaction::EngineId::cpu)
        of_step.run.slots = std::min(of_step.run.slots * cpu_length_factor, max_slots(settings.run.engine));
    of_step.run.iterations = std::max(defaults.run.iterations, 1U);
    of_step.window.tab = step.tab;
    of_step.window.lens_mode = LensMode::particles;
    of_step.window.show_timings = false;
    if (step.stop) of_step.window.slow_motion = watchable_slow_motion;
    copy_step_settings(settings, of_step);
}

void Tour::show(std::size_t index, Settings& settings, const Settings& defaults) {
    if (!replaced_) replaced_ = settings;
    index_ = std::min(index, num_steps - 1);
    // The engine may have been changed since the tour began.
    settings.run.engine = replaced_->run.engine;
    apply_step(settings, step(), defaults);
}

void Tour::leave(Settings& settings) {
    if (!replaced_) return;
    restore(settings);
    replaced_.reset();
}

void Tour::restore(Settings& settings) const {
    if (replaced_) copy_step_settings(settings, *replaced_);
}

}  // namespace warpsieve::tour
