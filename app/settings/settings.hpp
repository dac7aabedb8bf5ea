#pragma once

#include "app/settings/lab_settings.hpp"
#include "app/settings/run_config.hpp"
#include "app/settings/window_preferences.hpp"

namespace warpsieve {

/// All settings. Panels edit them in place, the application applies what changed since the previous frame,
/// and the settings file keeps them between starts.
struct Settings {
    RunConfig run;
    labs::LabSettings labs;
    WindowPreferences window;

    bool operator==(const Settings&) const = default;

    /// Whether B runs beside A.
    bool compares() const { return window.tab == lens_tab; }
    /// Whether the main area shows where the outputs of A and B differ.
    bool shows_difference() const { return compares() && window.lens_mode == LensMode::difference; }
    /// Whether algorithms race.
    bool races() const { return window.tab == race_tab; }
    /// Whether the main area shows the inside of one compaction.
    bool shows_inside() const {
        return (window.tab == timeline_tab && window.timeline_mode == TimelineMode::inside) ||
               (compares() && window.lens_mode == LensMode::inside);
    }
    /// Whether the main area shows one compaction in slow motion.
    bool shows_slow_motion() const {
        return window.tab == particles_tab && window.particles_mode == ParticlesMode::sparse_dense &&
               window.slow_motion > 0;
    }
};

}  // namespace warpsieve
