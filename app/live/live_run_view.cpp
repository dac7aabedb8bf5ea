// LiveRun fills in the view of the run.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "app/live/live_run.hpp"
#include "experiments/format/numbers.hpp"
#include "experiments/paired_ratio.hpp"

namespace warpsieve {
namespace {

using compaction::EngineId;

/// The ratio uses the newest pairs only, so that it follows a change of settings: ten seconds at 60 Hz, at
/// one pair in two frames.
constexpr std::size_t pairs_compared = 300;

/// How totals and phases are timed.
std::string method_of(const MachineView& machine) {
    if (machine.engine == EngineId::cpu) return "steady_clock";
    if (machine.engine == EngineId::simulated) return "no clock: a simulated GPU has no times";
    return "CUDA events, phases by block stamps (" +
           experiments::format::shortest(machine.device.phase_clock_step_us * 1e3, 3) + " ns step)";
}

}  // namespace

void LiveRun::describe_device_times(FramePartTimes& device_us) const {
    const auto add = [&](FramePart part, double us) { device_us[static_cast<std::size_t>(part)] += us; };
    const LiveTiming& a = stage_.a->timing();
    add(FramePart::simulate, a.recent_simulate_us());
    add(FramePart::publish, a.recent_publish_us());
    add(FramePart::compact, a.recent_total_us() * config_.iterations);
    if (comparing()) add(FramePart::compact, stage_.b->timing().recent_total_us() * config_.iterations);
}

bool LiveRun::figures_are_stale(const View& view) const {
    const compaction::Algorithm* const b = comparing() ? &stage_.b->algorithm() : nullptr;
    const std::uint64_t race = stage_.race ? stage_.race->serial() : 0;
    return algorithm_of(view.runs, Side::b) != b || view.figures->race.serial != race;
}

Figures LiveRun::figures() const {
    const SideRun& a = *stage_.a;
    const std::uint64_t slots = stage_.particles->slots();
    const std::uint64_t bytes = slots * sizeof(compaction::Item);
    Figures figures{.a = {a.timing().rows(a.algorithm()), a.timing().throughput(slots, bytes)},
                    .b = {},
                    .ratio = {},
                    .frame_us = a.timing().frame_summary(),
                    .launches = launches_,
                    .race = stage_.race ? stage_.race->figures() : RaceFigures{}};
    if (!comparing()) return figures;
    const SideRun& b = *stage_.b;
    RunFigures& of_b = figures.b.emplace();
    // Rows outside the total belong to the frame; A's rows contain them.
    of_b.rows = b.timing().rows(b.algorithm());
    std::erase_if(of_b.rows, [](const TimingRow& row) { return !row.in_total; });
    of_b.throughput = b.timing().throughput(slots, bytes);
    of_b.throughput.copy_gb_s = figures.a.throughput.copy_gb_s;
    of_b.throughput.copy_noise = figures.a.throughput.copy_noise;
    if (of_b.throughput.copy_gb_s > 0)
        of_b.throughput.share_of_copy = of_b.throughput.useful_gb_s / of_b.throughput.copy_gb_s;
    const std::uint64_t since = std::max(a.timing().statistics_since(), b.timing().statistics_since());
    figures.ratio = experiments::compare_pairs(
        experiments::pairs_of(a.timing().timeline(), b.timing().timeline(), since, pairs_compared));
    return figures;
}

void LiveRun::describe(View& view, bool refresh_figures) const {
    const SideRun& a = *stage_.a;
    const std::uint64_t slots = stage_.particles->slots();
    view.runs.a.algorithm = &a.algorithm();
    view.runs.a.layout = a.layout(slots);
    view.machine.engine = stage_.engine->id();
    view.machine.device = stage_.engine->device();
    view.machine.transfer = stage_.particles->transfer();
    view.machine.transfer_reason = stage_.particles->transfer_reason();
    view.stream.slots = slots;
    view.slot_map.partition = a.partition(slots);
    view.slot_map.sample = stage_.sampling->sample();
    view.slot_map.sample_b = stage_.sampling_b ? stage_.sampling_b->sample() : nullptr;
    view.runs.a.num_kept = stage_.particles->num_kept(Side::a);
    view.runs.a.traced = a.traced();
    view.stream.memory_bytes = scene::required_bytes(slots, stage_.b ? 2 : 1);
    view.timings.timeline = a.timing().shared_timeline();
    view.timings.timeline_b = comparing() ? stage_.b->timing().shared_timeline() : nullptr;
    view.machine.clock_reason = a.timing().clock_reason();
    view.machine.gpu_reading = stage_.gpu_watch ? stage_.gpu_watch->last() : nullptr;
    view.timings.dropped_runs = a.timing().dropped() + (comparing() ? stage_.b->timing().dropped() : 0);
    view.timings.method = method_of(view.machine);
    view.checks.a = checks_[index_of(Side::a)].view();
    view.checks.b = checks_[index_of(Side::b)].view();
    if (refresh_figures || figures_are_stale(view)) view.figures = std::make_shared<const Figures>(figures());
    if (comparing()) {
        const SideRun& b = *stage_.b;
        view.runs.b = RunView{.algorithm = &b.algorithm(),
                              .layout = b.layout(slots),
                              .num_kept = stage_.particles->num_kept(Side::b),
                              .traced = b.traced()};
    } else {
        view.runs.b.reset();
    }
}

}  // namespace warpsieve
