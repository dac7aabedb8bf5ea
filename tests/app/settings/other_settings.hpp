#pragma once

#include "app/settings/settings.hpp"

namespace warpsieve::made_up {

/// Settings that differ from the defaults in every field that is kept.
inline Settings other_settings() {
    Settings settings;
    settings.run.source = "synthetic";
    settings.run.pattern = workloads::Pattern::first_only;
    settings.run.slots = 1'000'003;
    settings.run.density = 0.125F;
    settings.run.seed = 4'294'967'295U;
    settings.run.schedule_seed = 170;
    settings.run.speed = 2.5F;
    settings.run.engine = compaction::EngineId::cpu;
    settings.run.a.algorithm = "cpu_sequence_wise";
    settings.run.a.options[compaction::Option::vector_width] = 2;
    settings.run.b.algorithm = "cpu_single_pass";
    settings.run.b.options[compaction::Option::vector_width] = 4;
    settings.window.divider = 0.3F;
    settings.run.iterations = 64;
    settings.run.check = false;
    settings.run.check_every = 7;
    settings.labs = {.lab = "tune",
                     .quality = labs::Quality::careful,
                     .hold_scene = false,
                     .pattern = workloads::Pattern::runs,
                     .item_size = compaction::ItemSize::bytes_16,
                     .cache = experiments::Cache::hot,
                     .base = "cpu_loop",
                     .tuned = "cpu_copy",
                     .sweep = {labs::SweepAxis::density, labs::SweepShows::share_of_copy, {"cpu_loop"}},
                     .steps = {compaction::Operation::scan, labs::SweepAxis::blocks, labs::SweepShows::time},
                     .reproduce = {"p2_table", labs::ReproduceScope::document}};
    settings.window.controls_width = 401.5F;
    settings.window.timings_height = 199;
    settings.window.show_timings = false;
    settings.window.tab = "timeline";
    settings.window.slot_map_zoom = 4;
    settings.window.slot_map_first = 77'000;
    settings.window.timeline_frames = 2'500;
    settings.window.timeline_log = true;
    settings.window.timeline_mode = TimelineMode::inside;
    settings.window.lens_mode = LensMode::inside;
    settings.window.particles_mode = ParticlesMode::particles;
    settings.window.race = {"cpu_loop", "std_copy_if"};
    settings.window.ghost = "/tmp/runs of Zürich/a.csv";
    settings.window.scale = 1.25F;
    settings.window.theme = Theme::light;
    settings.window.plot_theme = Theme::dark;
    settings.window.slot_map_colour = MapColour::age;
    settings.window.window_width = 1'501;
    settings.window.window_height = 903;
    settings.window.window_x = -20;
    settings.window.window_y = 33;
    settings.window.camera_around = -1.25F;
    settings.window.camera_up = 0.5F;
    settings.window.camera_distance = 12.5F;
    settings.window.capture_folder = "/tmp/pictures of Zürich";
    settings.window.recent = {"/tmp/a.png", "/tmp/b.json"};
    return settings;
}

}  // namespace warpsieve::made_up
