#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "app/view_model/snapshot.hpp"

/// Fake machines for the tests and the gallery of the interface, so that the window of a GPU can be
/// inspected without one.
namespace warpsieve::fake {

/// A pointer for the view to a value that outlives it.
template <typename T>
std::shared_ptr<const T> unowned(const T& value) {
    return {std::shared_ptr<const T>(), &value};
}

inline std::vector<compaction::Algorithm> algorithms() {
    using enum compaction::EngineId;
    using compaction::LegalRange;
    using compaction::Option;
    using compaction::PhaseRole;
    using Spacing = LegalRange::Spacing;
    const std::vector<compaction::Phase> three_phases{
        {PhaseRole::count, "count", "How many items of each sequence are kept."},
        {PhaseRole::prefix, "prefix", "Where each sequence's kept items begin in the output."},
        {PhaseRole::scatter, "move", "Every kept item goes to its place."}};
    std::vector<compaction::Algorithm> all{
        {.id = "sequence_wise",
         .name = "Sequence-wise, vectorised",
         .engine = cuda,
         .authors = "M. Billeter, O. Olsson and U. Assarsson",
         .year = 2009,
         .source = "Billeter, Olsson and Assarsson 2009, section 3",
         .summary = "Cuts the stream into sequences, one warp each; counts, sums the counts up, and moves "
                    "what is kept.",
         .stable = true,
         .phases = three_phases,
         .options = {{Option::vector_width, 1, 4, Spacing::powers_of_two},
                     {Option::threads_per_block, 32, 1024, Spacing::multiples, 32},
                     {Option::blocks, 1, 65535, Spacing::multiples, 1},
                     {Option::sequences, 1, 65536, Spacing::powers_of_two}}},
        {.id = "cub_select",
         .name = "CUB DeviceSelect::If",
         .engine = cuda,
         .authors = "D. Merrill and M. Garland",
         .year = 2016,
         .source = "Merrill and Garland 2016, Single-pass Parallel Prefix Scan with Decoupled Look-back",
         .summary = "One pass: each tile looks back at the tiles before it while it holds its own items in "
                    "registers.",
         .stable = true,
         .phases = {{PhaseRole::fused, "select", "Counting, prefix and moving in one kernel."}},
         .options = {}},
        {.id = "cpu_sequence_wise",
         .name = "Sequence-wise, SIMD",
         .engine = cpu,
         .authors = "M. Billeter, O. Olsson and U. Assarsson",
         .year = 2009,
         .source = "Billeter, Olsson and Assarsson 2009, on CPU threads",
         .summary = "The same three phases on host threads, with SIMD compress-and-store.",
         .stable = true,
         .phases = three_phases,
         .options = {{Option::vector_width, 1, 4, Spacing::powers_of_two},
                     {Option::threads_per_block, 1, 64, Spacing::multiples, 1},
                     {Option::sequences, 1, 4096, Spacing::powers_of_two}}},
        {.id = "cpu_loop",
         .name = "Plain loop",
         .engine = cpu,
         .authors = "folklore",
         .year = 0,
         .source = "",
         .summary = "One thread, one loop: the shortest program that is right.",
         .stable = true,
         .phases = {{PhaseRole::fused, "loop", "Everything in one loop."}},
         .options = {}},
    };
    all.reserve(32);
    return all;
}

/// A view and everything that it points to.
struct Machine {
    std::vector<compaction::Algorithm> catalogue =
        algorithms();  ///< has capacity for more, because others point into it
    std::vector<compaction::EngineStatus> engines;
    experiments::Timeline timeline;
    std::shared_ptr<Figures> figures =
        std::make_shared<Figures>();  ///< figures of the snapshot, to be changed
    Snapshot snapshot;
    Settings settings;

    /// Gives the view figures of its own. What keeps those before no longer sees changes.
    void renew_figures() {
        figures = std::make_shared<Figures>(*figures);
        snapshot.figures = figures;
    }

    const compaction::Algorithm& algorithm(const std::string& id) const {
        for (const compaction::Algorithm& each : catalogue) {
            if (each.id == id) return each;
        }
        return catalogue.front();
    }
};

/// The time a phase takes in frame `i`: a steady value, a slow drift, noise, and now and then a late frame.
inline float wobble(float usual_us, std::uint64_t i, std::uint32_t salt) {
    std::uint32_t random = static_cast<std::uint32_t>(i) * 747796405U + salt * 2891336453U;
    random = ((random >> ((random >> 28) + 4)) ^ random) * 277803737U;
    const float noise = static_cast<float>(random >> 8) * 0x1p-24F - 0.5F;
    const float drift = std::sin(static_cast<float>(i) * 0.021F) * 0.02F;
    const float late = i % 173 == 150 ? 2.1F : 0.0F;
    return usual_us * (1 + drift + 0.09F * noise + late);
}

inline void fill_timeline(Machine& machine, const compaction::Algorithm& algorithm,
                          const std::vector<float>& usual_us, float interop_us, float frame_us,
                          std::uint64_t frames) {
    for (std::uint64_t i = 0; i < frames; ++i) {
        experiments::FrameSample sample;
        sample.frame = machine.snapshot.display.frame++;
        sample.algorithm = &algorithm;
        sample.num_phases = usual_us.size();
        for (std::size_t phase = 0; phase < usual_us.size(); ++phase) {
            sample.phase_us[phase] = wobble(usual_us[phase], sample.frame, static_cast<std::uint32_t>(phase));
            sample.total_us += sample.phase_us[phase];
        }
        // Calls of a library carry no stamps.
        if (usual_us.size() > 1) sample.between_us = wobble(0.08F * sample.total_us, sample.frame, 11);
        sample.total_us += sample.between_us;
        sample.interop_us = interop_us > 0 ? wobble(interop_us, sample.frame, 17) : 0;
        sample.simulate_us = wobble(6.4F, sample.frame, 23);
        sample.frame_us = frame_us;
        // A GPU, which was too hot for a while.
        if (interop_us > 0) sample.clock_hz = sample.frame % 500 < 90 ? 1.395e9 : 1.965e9;
        sample.num_kept = machine.snapshot.runs.a.num_kept;
        machine.timeline.push(sample);
    }
}

inline experiments::Summary summary_of(const experiments::Timeline& timeline,
                                       float (*value)(const experiments::FrameSample&, std::size_t),
                                       std::size_t phase) {
    std::vector<float> values;
    for (std::size_t i = 0; i < timeline.size(); ++i) {
        if (timeline[i].algorithm == timeline[timeline.size() - 1].algorithm)
            values.push_back(value(timeline[i], phase));
    }
    return experiments::summarise(values);
}

inline void fill_rows(Machine& machine) {
    using experiments::FrameSample;
    Snapshot& snapshot = machine.snapshot;
    machine.figures->a.rows.clear();
    for (std::size_t i = 0; i < snapshot.runs.a.algorithm->phases.size(); ++i) {
        const compaction::Phase& phase = snapshot.runs.a.algorithm->phases[i];
        machine.figures->a.rows.push_back(
            {phase.name, phase.role, true,
             summary_of(
                 machine.timeline, [](const FrameSample& s, std::size_t p) { return s.phase_us[p]; }, i)});
    }
    machine.figures->a.rows.push_back(
        {std::string(between_row_name),
         {},
         true,
         summary_of(
             machine.timeline, [](const FrameSample& s, std::size_t) { return s.between_us; }, 0)});
    machine.figures->a.rows.push_back(
        {"total",
         {},
         true,
         summary_of(
             machine.timeline, [](const FrameSample& s, std::size_t) { return s.total_us; }, 0)});
    machine.figures->a.rows.push_back(
        {"map / unmap",
         {},
         false,
         summary_of(
             machine.timeline, [](const FrameSample& s, std::size_t) { return s.interop_us; }, 0)});
    machine.figures->a.rows.push_back(
        {"simulate",
         {},
         false,
         summary_of(
             machine.timeline, [](const FrameSample& s, std::size_t) { return s.simulate_us; }, 0)});
}

/// A GPU at full clock.
inline nvml::Reading quiet_reading() {
    return {.sm_clock_hz = 1.965e9,
            .max_sm_clock_hz = 1.98e9,
            .temperature_c = 43,
            .power_w = 312.4,
            .power_limit_w = 700,
            .clock_reasons = 0,
            .unknown = ""};
}

/// A GPU that is too hot and at its power limit.
inline nvml::Reading hot_reading() {
    nvml::Reading reading = quiet_reading();
    reading.sm_clock_hz = 1.41e9;
    reading.temperature_c = 87;
    reading.power_w = 697.6;
    reading.clock_reasons = 0x24;
    return reading;
}

/// A machine without NVML.
inline nvml::Reading no_reading() {
    nvml::Reading reading;
    reading.unknown =
        "libnvidia-ml.so.1, which comes with the NVIDIA driver, could not be loaded, so temperature, power "
        "and what holds the clock are not known.";
    return reading;
}

/// A server with a large GPU.
inline void make_gpu_machine(Machine& machine) {
    machine.renew_figures();
    machine.engines = {{compaction::EngineId::cuda, "CUDA", true, ""},
                       {compaction::EngineId::cpu, "CPU", true, ""}};
    Snapshot& snapshot = machine.snapshot;
    snapshot.catalogue.algorithms = machine.catalogue;
    snapshot.catalogue.engines = machine.engines;
    snapshot.machine.engine = compaction::EngineId::cuda;
    snapshot.runs.a.algorithm = &machine.algorithm("sequence_wise");
    snapshot.runs.a.options[compaction::Option::vector_width] = 4;
    snapshot.runs.a.options[compaction::Option::threads_per_block] = 256;
    snapshot.runs.a.options[compaction::Option::blocks] = 528;
    snapshot.runs.a.options[compaction::Option::sequences] = 4096;
    snapshot.machine.device = {"NVIDIA H200", "CUDA 13.0 (580.82)", 132, 150'754'820'096};
    snapshot.machine.device.max_clock_hz = 1.98e9;
    snapshot.machine.gpu_reading = std::make_shared<const nvml::Reading>(quiet_reading());
    snapshot.machine.gl = {"NVIDIA H200/PCIe/SSE2", "4.5.0 NVIDIA 580.82", false};
    snapshot.machine.transfer = scene::Transfer::interop;
    snapshot.stream.slots = std::uint64_t{1} << 20;
    snapshot.runs.a.num_kept = 524'310;
    snapshot.stream.memory_bytes = 29'360'128;
    snapshot.display.frame = 4'711;
    machine.figures->a.num_kept = snapshot.runs.a.num_kept;
    machine.figures->a.throughput = {620.4, 1683.2, 620.4 / 1683.2};
    snapshot.timings.interface_us = 640;
    snapshot.timings.method = "CUDA events, phases by block stamps (32 ns step)";
    snapshot.checks.a = {CheckState::correct, 157, 0, "524,310 items, as in the reference", ""};
    snapshot.machine.version = "0.1.0 (1a2b3c4)";
    snapshot.timings.timeline = unowned(machine.timeline);
    machine.settings.run.engine = compaction::EngineId::cuda;
    machine.settings.run.a.algorithm = "sequence_wise";
    machine.settings.run.slots = snapshot.stream.slots;
    machine.settings.run.iterations = 1;
    fill_timeline(machine, *snapshot.runs.a.algorithm, {4.31F, 1.96F, 5.72F}, 19.4F, 2411, 600);
    fill_rows(machine);
    machine.figures->frame_us = {2411, 2386, 2440, 2301, 5120, 600, 0};
    snapshot.timings.frame = {
        2411, {42, 61, 24, 35, 610, 1520}, FramePartTimes{18.5, 12.4, 3.1, 812, 290, 0}};
}

/// A laptop without a GPU, and with OpenGL in software.
inline void make_cpu_machine(Machine& machine) {
    make_gpu_machine(machine);
    machine.engines = {{compaction::EngineId::cuda, "CUDA", false,
                        "No CUDA device was found: the NVIDIA driver is not loaded. Install it, or go on "
                        "with the CPU engine."},
                       {compaction::EngineId::cpu, "CPU", true, ""}};
    Snapshot& snapshot = machine.snapshot;
    snapshot.catalogue.engines = machine.engines;
    snapshot.machine.engine = compaction::EngineId::cpu;
    snapshot.machine.gpu_unavailable_reason = machine.engines[0].reason;
    snapshot.runs.a.algorithm = &machine.algorithm("cpu_sequence_wise");
    snapshot.runs.a.options = {};
    snapshot.runs.a.options[compaction::Option::vector_width] = 4;
    snapshot.runs.a.options[compaction::Option::threads_per_block] = 2;
    snapshot.runs.a.options[compaction::Option::sequences] = 64;
    snapshot.machine.device = {"AMD Ryzen 9 5950X 16-Core Processor", "AVX2", 32, 34'359'738'368};
    snapshot.machine.gpu_reading.reset();
    snapshot.machine.clock_reason = "The operating system does not tell the processor's clock.";
    snapshot.machine.gl = {"llvmpipe (LLVM 15.0.6, 256 bits)", "4.5 (Core Profile) Mesa 22.3.6", true};
    snapshot.display.plain_plots = true;
    snapshot.machine.transfer = scene::Transfer::host;
    snapshot.stream.slots = std::uint64_t{1} << 18;
    snapshot.runs.a.num_kept = 131'044;
    snapshot.stream.memory_bytes = 7'340'032;
    machine.figures->a.num_kept = snapshot.runs.a.num_kept;
    machine.figures->a.throughput = {5.13, 9.87, 5.13 / 9.87};
    snapshot.timings.method = "steady_clock";
    snapshot.checks.a.last = "131,044 items, as in the reference";
    machine.settings.run.engine = compaction::EngineId::cpu;
    machine.settings.run.a.algorithm = "cpu_sequence_wise";
    machine.settings.run.slots = snapshot.stream.slots;
    machine.timeline.clear();
    fill_timeline(machine, *snapshot.runs.a.algorithm, {96.2F, 3.1F, 208.4F}, 0, 16'670, 600);
    fill_rows(machine);
    for (std::size_t i = 0; i < 1; ++i)
        machine.figures->a.rows[i].us.q3 = machine.figures->a.rows[i].us.median * 1.17;
    machine.figures->frame_us = {16'670, 16'610, 16'720, 15'900, 33'400, 600, 0};
    snapshot.timings.frame = {16'670, {1'240, 307, 0, 5'120, 6'400, 2'900}, {}};
}

/// Simulates the GPU of the machine.
inline void simulate(Machine& machine) {
    const auto turn = [](compaction::EngineId& engine) {
        if (engine == compaction::EngineId::cuda) engine = compaction::EngineId::simulated;
    };
    for (compaction::Algorithm& algorithm : machine.catalogue) turn(algorithm.engine);
    for (compaction::EngineStatus& engine : machine.engines) turn(engine.id);
    turn(machine.snapshot.machine.engine);
    turn(machine.settings.run.engine);
    machine.settings.run.slots = max_slots(compaction::EngineId::simulated);
}

/// Shows the A/B lens on the machine, with B a little faster.
inline void compare(Machine& machine) {
    Snapshot& snapshot = machine.snapshot;
    machine.settings.window.tab = lens_tab;
    const bool gpu = snapshot.machine.engine == compaction::EngineId::cuda;
    machine.settings.run.b = {gpu ? "cub_select" : "cpu_loop", {}};
    RunInfo& b = snapshot.runs.b.emplace();
    b.algorithm = &machine.algorithm(machine.settings.run.b.algorithm);
    b.num_kept = snapshot.runs.a.num_kept;
    RunFigures& figures = machine.figures->b.emplace();
    figures.num_kept = b.num_kept;
    const double faster = gpu ? 1.34 : 0.42;
    for (const TimingRow& row : machine.figures->a.rows) {
        if (row.name != total_row_name) continue;
        TimingRow total = row;
        for (double experiments::Summary::*value :
             {&experiments::Summary::median, &experiments::Summary::q1, &experiments::Summary::q3,
              &experiments::Summary::min, &experiments::Summary::max}) {
            total.us.*value /= faster;
        }
        figures.rows.push_back(total);
    }
    figures.throughput = {machine.figures->a.throughput.useful_gb_s * faster,
                          machine.figures->a.throughput.copy_gb_s,
                          machine.figures->a.throughput.fraction_of_copy * faster};
    machine.figures->ratio = {gpu ? experiments::Comparison::b_faster : experiments::Comparison::a_faster,
                              300,
                              faster,
                              {faster * 0.985, faster * 1.015, 0.96}};
    snapshot.checks.b = {CheckState::correct, 156, 0, snapshot.checks.a.last, ""};
}

/// Gives a lane that time, and the ratio that it makes.
inline void set_time(RaceLane& lane, double median_us, double fastest_us) {
    const double ratio = median_us / fastest_us;
    const auto around = [&](double value, double below, double above) {
        return experiments::Interval{value * below, value * above, 0.96};
    };
    lane.n = 600;
    lane.median_us = median_us;
    lane.interval = around(median_us, 0.99, 1.012);
    if (ratio == 1)
        lane.over_fastest = {experiments::Comparison::same, 300, 1, {1, 1, 0.96}};
    else
        lane.over_fastest = {experiments::Comparison::b_faster, 300, ratio, around(ratio, 0.985, 1.013)};
}

/// Shows the race on the machine, half of its lanes made up of the algorithms of that engine and one that
/// fails.
inline void race(Machine& machine) {
    machine.settings.window.tab = race_tab;
    RaceFigures& race = machine.figures->race;
    race.serial = 1;
    const double fastest_us = machine.snapshot.machine.engine == compaction::EngineId::cuda ? 9.43 : 214;
    double median_us = fastest_us;
    for (const compaction::Algorithm& algorithm : machine.catalogue) {
        if (algorithm.engine != machine.snapshot.machine.engine) continue;
        race.lanes.push_back({.algorithm = &algorithm});
        set_time(race.lanes.back(), median_us, fastest_us);
        median_us *= 1.7;
    }
    race.lanes.push_back({&machine.catalogue.front(),
                          "The engine has 12 MiB to give, but 64 MiB are needed. Choose fewer slots.",
                          0,
                          0,
                          {}});
}

}  // namespace warpsieve::fake
