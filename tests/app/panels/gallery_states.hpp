#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "app/diagnostics/change_watch.hpp"
#include "app/panels/choices.hpp"
#include "tests/app/labs/fake_labs.hpp"
#include "tests/app/labs/fake_sweeps.hpp"
#include "tests/app/plots/fake_replay.hpp"
#include "tests/app/trace/fake_traces.hpp"
#include "tests/app/view_model/fake_snapshot.hpp"

/// The states that the gallery shows. Each function puts a machine into one.
namespace warpsieve::states {

using fake::Machine;

inline void gpu(Machine& machine) {
    fake::make_gpu_machine(machine);
}

inline void cpu(Machine& machine) {
    fake::make_cpu_machine(machine);
}

/// The kept particles alone.
inline void particles(Machine& machine) {
    fake::make_cpu_machine(machine);
    machine.settings.window.particles_mode = ParticlesMode::output_alone;
}

/// The kernel view, where it follows an item.
inline void kernel(Machine& machine) {
    fake::make_gpu_machine(machine);
    machine.settings.window.tab = kernel_tab;
    machine.settings.window.kernel_step = 500;
    machine.settings.window.kernel_item = 5;
}

/// The kernel view with a planted fault.
inline void kernel_fault(Machine& machine) {
    fake::make_gpu_machine(machine);
    machine.settings.window.tab = kernel_tab;
    panels::choose_plant(machine.settings, "scan-barrier");
}

/// A first start, which offers slow motion and the tour.
inline void first_start(Machine& machine) {
    fake::make_cpu_machine(machine);
    machine.snapshot.display.first_start = true;
}

/// The race with all its lanes, as on a large GPU.
inline void race(Machine& machine) {
    fake::make_gpu_machine(machine);
    fake::race(machine);
    std::vector<RaceLane>& lanes = machine.figures->race.lanes;
    const RaceLane lane = lanes.front();
    while (lanes.size() < max_racing) {
        lanes.push_back(lane);
        fake::set_time(lanes.back(), lane.median_us * (1.0 + 0.4 * static_cast<double>(lanes.size())),
                       lane.median_us);
    }
}

/// A traced compaction of 2^20 slots.
inline std::shared_ptr<trace::MemoryReplay> traced_replay(const compaction::Algorithm& algorithm,
                                                          float span_us) {
    constexpr std::uint64_t num_items = std::uint64_t{1} << 20;
    compaction::RunTrace run = fake::trace_of(algorithm, 132, 256, 1, span_us);
    fake::add_parts(run, algorithm, num_items);
    std::vector<bool> kept(num_items);
    for (std::size_t i = 0; i < kept.size(); i += 2) kept[i] = true;
    return trace::replay_of(fake::traced(algorithm, run), std::move(kept));
}

/// One compaction in slow motion.
inline void slow_motion(Machine& machine) {
    fake::make_gpu_machine(machine);
    machine.settings.window.slow_motion = watchable_slow_motion;
    machine.settings.window.initial_pause = 0.6F;
    machine.snapshot.memory.replay = traced_replay(*machine.snapshot.runs.a.algorithm, 1.1F);
}

/// The race with the memory of its first two.
inline void race_memory(Machine& machine) {
    states::race(machine);
    std::vector<RaceLane>& lanes = machine.figures->race.lanes;
    // The others are so near that the race stands still early.
    for (RaceLane& lane : lanes) {
        if (lane.runs()) fake::set_time(lane, 9.43 + 0.4 * (lane.median_us - 9.43), 9.43);
    }
    lanes[0].replay = traced_replay(*lanes[0].algorithm, 1.3F);
    lanes[1].replay = traced_replay(*lanes[1].algorithm, 6.0F);
}

/// The memory of two simulated algorithms, of which only steps are known.
inline void race_in_steps(Machine& machine) {
    fake::make_gpu_machine(machine);
    fake::race(machine);
    fake::simulate(machine);
    std::vector<RaceLane>& lanes = machine.figures->race.lanes;
    lanes.resize(2);
    for (RaceLane& lane : lanes) lane = {lane.algorithm, {}, 0, 0, {}};
    lanes[0].replay = fake::simulated_replay("simulated_single_pass", 1U << 12);
    lanes[1].replay = fake::simulated_replay("simulated_sequence_wise", 1U << 12);
}

inline void fused(Machine& machine) {
    fake::make_gpu_machine(machine);
    machine.settings.run.a.algorithm = "cub_select";
    machine.snapshot.runs.a.algorithm = &machine.algorithm("cub_select");
    machine.snapshot.runs.a.options = {};
    machine.timeline.clear();
    fake::fill_timeline(machine, machine.algorithm("sequence_wise"), {4.31F, 1.96F, 5.72F}, 6.2F, 2411, 240);
    fake::fill_timeline(machine, *machine.snapshot.runs.a.algorithm, {9.93F}, 6.2F, 2411, 360);
    fake::fill_rows(machine);
    machine.figures->a.throughput = {633.2, 1683.2, 0.376};
}

inline void fused_plain(Machine& machine) {
    fake::make_cpu_machine(machine);
    machine.settings.run.a.algorithm = "cpu_loop";
    machine.snapshot.runs.a.algorithm = &machine.algorithm("cpu_loop");
    machine.timeline.clear();
    fake::fill_timeline(machine, *machine.snapshot.runs.a.algorithm, {1180.0F}, 0, 16'670, 420);
    fake::fill_rows(machine);
}

inline void troubled(Machine& machine) {
    fake::make_gpu_machine(machine);
    Snapshot& snapshot = machine.snapshot;
    snapshot.checks.a.state = CheckState::wrong;
    snapshot.checks.a.wrong = 3;
    snapshot.checks.a.first_failure =
        "sequence_wise, frame 4,680: kept 524,311 items, the reference keeps 524,310; first wrong at output "
        "index 131,072: "
        "word 262,145 instead of 262,144";
    snapshot.machine.transfer = scene::Transfer::pinned_copy;
    snapshot.machine.transfer_reason = "OpenGL runs on another GPU than CUDA.";
    snapshot.timings.untimed_compactions = 12;
    snapshot.messages.push_back(
        {Severity::info, "Saved captures/2026-01-31_sequence_wise_2^20.png and its JSON sidecar.", 0});
    snapshot.messages.push_back(
        {Severity::warning,
         "OpenGL runs on another GPU than CUDA, so what is kept is copied through pinned memory. Start with "
         "__NV_PRIME_RENDER_OFFLOAD=1 to draw on the NVIDIA GPU.",
         0});
    snapshot.messages.push_back(
        {Severity::error,
         "2^26 slots need 1.88 GB but 1.21 GB are free on the GPU; 2^25 would fit. The "
         "run goes on as it was.",
         0});
}

/// After the algorithm and its vector width were changed.
inline void changed(Machine& machine) {
    fake::make_gpu_machine(machine);
    static const ChangeCard card{
        {"algorithm: Billeter, Olsson, Assarsson, 480 sequences → Sequence-wise, vectorised", "seed: 1 → 2"},
        {"blocks, automatic: 480 → 256"},
        {{"total", "25.1 µs", "10.2 µs", "2.5 × shorter"},
         {"count", "8.10 µs", "4.90 µs", "1.7 × shorter"},
         {"prefix", "5.20 µs", "5.06 µs", "no significant difference"},
         {"useful bytes", "6.29 MB", "6.29 MB", {}},
         {"launches", "3 kernels", "3 kernels", {}},
         {"largest grid", "120 × 128, 0.11 waves", "256 × 256, 0.48 waves", {}},
         {"its occupancy", "25.0 %", "50.0 %", {}}}};
    machine.snapshot.quality.change = &card;
}

inline void starting(Machine& machine) {
    fake::make_gpu_machine(machine);
    machine.timeline.clear();
    machine.figures->a.rows.clear();
    machine.figures->a.throughput = {};
    machine.figures->frame_us = {};
    machine.snapshot.checks.a = {};
}

inline void lens(Machine& machine) {
    fake::make_gpu_machine(machine);
    fake::compare(machine);
    machine.settings.window.lens_mode = LensMode::particles;
}

/// The inside of one compaction: 264 blocks at a time on 132 multiprocessors.
inline void inside(Machine& machine) {
    fake::make_gpu_machine(machine);
    machine.settings.window.tab = "timeline";
    machine.settings.window.timeline_mode = TimelineMode::inside;
    const compaction::Algorithm& algorithm = *machine.snapshot.runs.a.algorithm;
    machine.snapshot.runs.a.traced = fake::traced(algorithm, fake::trace_of(algorithm, 132, 1'056, 2, 1.1F));
}

/// One kernel whose warps have roles.
inline void inside_roles(Machine& machine) {
    inside(machine);
    const compaction::Algorithm& algorithm = machine.algorithm("cub_select");
    compaction::RunTrace trace = fake::trace_of(algorithm, 132, 264, 2, 9.0F);
    fake::add_roles(trace, 12, 16);
    machine.snapshot.runs.a.traced = fake::traced(algorithm, trace);
}

inline void inside_parts(Machine& machine, void (*add)(compaction::RunTrace& trace)) {
    inside(machine);
    const compaction::Algorithm& algorithm = machine.algorithm("cub_select");
    compaction::RunTrace trace = fake::trace_of(algorithm, 16, 64, 2, 9.0F);
    fake::add_parts(trace, algorithm, machine.snapshot.stream.slots);
    add(trace);
    machine.snapshot.runs.a.traced = fake::traced(algorithm, trace);
}

/// Blocks that wait for the counts of others.
inline void inside_waits(Machine& machine) {
    inside_parts(machine, fake::add_waits);
}

/// Warps that append to the output.
inline void inside_appends(Machine& machine) {
    inside_parts(machine, fake::add_appends);
}

/// The largest number of bars that is drawn.
inline void inside_most(Machine& machine) {
    inside(machine);
    const compaction::Algorithm& algorithm = machine.algorithm("cub_select");
    machine.snapshot.runs.a.traced = fake::traced(algorithm, fake::trace_of(algorithm, 132, 20'000, 2, 1.0F));
}

/// More blocks than bars.
inline void inside_merged(Machine& machine) {
    inside(machine);
    const compaction::Algorithm& algorithm = *machine.snapshot.runs.a.algorithm;
    machine.snapshot.runs.a.traced = fake::traced(algorithm, fake::trace_of(algorithm, 132, 30'000, 8, 1.0F));
}

inline void inside_empty(Machine& machine) {
    inside(machine);
    machine.snapshot.runs.a.traced.reset();
}

inline void inside_cpu(Machine& machine) {
    fake::make_cpu_machine(machine);
    machine.settings.window.tab = "timeline";
    machine.settings.window.timeline_mode = TimelineMode::inside;
    const compaction::Algorithm& algorithm = *machine.snapshot.runs.a.algorithm;
    machine.snapshot.runs.a.traced = fake::traced(algorithm, fake::trace_of(algorithm, 2, 16, 1, 24.0F));
}

/// A above B on one axis.
inline void inside_lens(Machine& machine) {
    inside(machine);
    fake::compare(machine);
    machine.settings.window.lens_mode = LensMode::inside;
    const compaction::Algorithm& b = *machine.snapshot.runs.b->algorithm;
    compaction::RunTrace trace = fake::trace_of(b, 132, 264, 2, 6.0F);
    fake::add_roles(trace, 12, 16);
    machine.snapshot.runs.b->traced = fake::traced(b, trace);
}

inline void lens_plain(Machine& machine) {
    fake::make_cpu_machine(machine);
    fake::compare(machine);
    machine.settings.window.lens_mode = LensMode::particles;
    machine.settings.window.divider = 0.9F;
}

inline void lens_troubled(Machine& machine) {
    fake::make_gpu_machine(machine);
    fake::compare(machine);
    machine.settings.window.lens_mode = LensMode::particles;
    machine.snapshot.checks.b = {CheckState::wrong, 160, 3, "",
                                 "cub_select, frame 4,680: kept 524,311 items, the reference keeps 524,310; "
                                 "first wrong at output index "
                                 "131,072: word 262,145 instead of 262,144"};
    machine.figures->ratio = {experiments::Comparison::ambiguous, 212, 1.004, {0.983, 1.027, 0.96}};
    machine.snapshot.checks.a.state = CheckState::off;
}

/// A run of 15 % less time, saved earlier.
inline const experiments::SavedRun& saved_run(const Machine& machine) {
    static experiments::SavedRun run;
    run = {.name = "warpsieve-20260131-120000.csv", .algorithm = "single_pass", .total_us = {}, .us = {}};
    for (std::size_t i = 0; i < 450; ++i)
        run.total_us.push_back(fake::wobble(machine.timeline[0].total_us * 0.85F, i, 99));
    run.us = experiments::summarise(run.total_us);
    return run;
}

inline void history(Machine& machine) {
    fake::make_gpu_machine(machine);
    machine.settings.window.tab = "timeline";
    machine.snapshot.timings.ghost = &saved_run(machine);
}

/// Throttled, with the badge that says so.
inline void history_hot(Machine& machine) {
    history(machine);
    machine.snapshot.machine.gpu_reading = std::make_shared<const nvml::Reading>(fake::hot_reading());
}

inline void history_no_nvml(Machine& machine) {
    history(machine);
    machine.snapshot.machine.gpu_reading = std::make_shared<const nvml::Reading>(fake::no_reading());
}

inline void history_pinned(Machine& machine) {
    history(machine);
    machine.snapshot.timings.ghost = nullptr;
}

/// All 6,000 frames, of two algorithms, on a logarithmic axis.
inline void history_full(Machine& machine) {
    history(machine);
    for (int i = 0; i < 8; ++i) {
        fake::fill_timeline(machine, machine.algorithm("cub_select"), {9.93F}, 6.2F, 2411, 300);
        fake::fill_timeline(machine, machine.algorithm("sequence_wise"), {4.31F, 1.96F, 5.72F}, 6.2F, 2411,
                            400);
    }
    machine.settings.window.timeline_frames = 6'000;
    machine.settings.window.timeline_log = true;
}

inline void history_cpu(Machine& machine) {
    fake::make_cpu_machine(machine);
    machine.settings.window.tab = "timeline";
    machine.snapshot.timings.ghost = &saved_run(machine);
}

inline void labs_empty(Machine& machine) {
    fake::make_gpu_machine(machine);
    machine.settings.window.tab = "labs";
}

inline void labs_compare(Machine& machine) {
    fake::make_gpu_machine(machine);
    fake::compare_report(machine);
}

inline void labs_comparing(Machine& machine) {
    fake::make_cpu_machine(machine);
    fake::compare_report(machine, labs::State::running, true);
}

inline void labs_tune(Machine& machine) {
    fake::make_gpu_machine(machine);
    fake::tune_report(machine);
}

inline void labs_tuning(Machine& machine) {
    fake::make_cpu_machine(machine);
    fake::tune_report(machine, labs::State::running);
}

/// The slot map of a real stream of that many slots, compacted by that algorithm of the CPU engine.
inline void map_of(Machine& machine, std::uint64_t slots, float density) {
    fake::make_cpu_machine(machine);
    machine.settings.window.tab = "slot_map";
    machine.settings.run.slots = machine.snapshot.stream.slots = slots;
    machine.settings.run.live_fraction = density;
}
inline void map(Machine& machine) {
    map_of(machine, std::uint64_t{1} << 18, 0.5F);
}
inline void map_short(Machine& machine) {
    map_of(machine, std::uint64_t{1} << 12, 0.5F);
}
inline void map_long(Machine& machine) {
    map_of(machine, std::uint64_t{1} << 24, 0.3F);
}
inline void map_empty(Machine& machine) {
    map_of(machine, std::uint64_t{1} << 18, 0);
}
inline void map_full(Machine& machine) {
    map_of(machine, 1'000'003, 1);
}
inline void map_unordered(Machine& machine) {
    map_of(machine, std::uint64_t{1} << 16, 0.6F);
    machine.catalogue[3].stable = false;
    machine.settings.run.a.algorithm = "cpu_loop";
    machine.snapshot.runs.a.algorithm = &machine.catalogue[3];
}
inline void map_unknown(Machine& machine) {
    map_of(machine, std::uint64_t{1} << 17, 0.5F);
    machine.snapshot.runs.a.options = {};
}

/// The outputs of A and of a B without order.
inline void difference(Machine& machine) {
    map_of(machine, std::uint64_t{1} << 18, 0.5F);
    fake::compare(machine);
    machine.settings.window.lens_mode = LensMode::difference;
}

/// Whether the view shows samples of the stream.
inline bool needs_samples(const Machine& machine) {
    return machine.settings.window.tab == "slot_map" || machine.settings.shows_difference();
}

inline void sweep(Machine& machine) {
    fake::sweep_report(machine);
}

/// All of many algorithms.
inline void sweep_of_many(Machine& machine) {
    sweep(machine);
    static const std::vector<compaction::Algorithm> many = [] {
        const std::span<const compaction::Algorithm> all = compaction::catalogue();
        std::vector<compaction::Algorithm> more(all.begin(), all.end());
        for (int i = 0; i < 20; ++i) {
            more.push_back(find_compaction_algorithm("cpu_loop"));
            more.back().id += std::to_string(i);
        }
        return more;
    }();
    machine.snapshot.catalogue.algorithms = many;
    for (const compaction::Algorithm& algorithm : many)
        machine.settings.labs.sweep.algorithms.push_back(algorithm.id);
}

inline void sweeping(Machine& machine) {
    fake::sweep_report(machine, labs::SweepAxis::keep_fraction, 0.6);
}

}  // namespace warpsieve::states
