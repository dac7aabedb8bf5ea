#include "app/live/live_run.hpp"

#include <algorithm>
#include <bit>
#include <chrono>
#include <limits>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#include "app/format/figures.hpp"
#include "app/interop/interop.hpp"
#include "app/scene/sources.hpp"
#include "app/settings/schema.hpp"
#include "experiments/format/numbers.hpp"
#include "experiments/paired_ratio.hpp"

namespace warpsieve {
namespace {

using compaction::EngineId;
using compaction::Error;
using compaction::ErrorCode;

/// How totals and phases are timed, for the reader of the table.
std::string timing_method_of(const MachineInfo& machine) {
    if (machine.engine == EngineId::cpu) return "steady_clock";
    if (machine.engine == EngineId::simulated) return "not timed: the GPU is simulated";
    return "CUDA events, phases by block stamps (" +
           experiments::format::shortest(machine.device.phase_clock_step_us * 1e3, 3) + " ns step)";
}

/// A sample is shown without its trace if the trace has not arrived after this many frames.
constexpr std::uint64_t max_frames_awaiting_trace = 30;
/// Frames from one timed copy to the next.
constexpr std::uint64_t copy_period_frames = 30;
/// Frames from one timed copy to the next while LiveTiming::wants_copies().
constexpr std::uint64_t first_copies_period_frames = 5;

std::string mebibytes(std::uint64_t bytes) {
    return std::to_string(bytes >> 20) + " MiB";
}

std::uint64_t bytes_of(std::uint64_t slots, bool with_b) {
    return scene::required_bytes(slots, with_b ? 2 : 1);
}

const compaction::Algorithm& algorithm_of(const RunConfig& config, Side side) {
    const std::string& id = config.algorithm_config(side).algorithm;
    if (!id.empty()) return find_compaction_algorithm(id);
    const compaction::Algorithm& default_a = compaction::default_algorithm(config.engine);
    if (side == Side::a) return default_a;
    return find_compaction_algorithm(
        default_b(compaction::catalogue(), config.engine,
                  config.a.algorithm.empty() ? default_a.id : config.a.algorithm));
}

/// Whether the change restarts the race. Changes of A and B do not, because the race has its own algorithms.
bool restarts_race(const RunConfig& before, RunConfig after) {
    after.a = before.a;
    after.b = before.b;
    return restarts_statistics(before, after, /*compares=*/false);
}

/// Whether the engine must be opened anew.
bool needs_new_engine(const RunConfig& before, const RunConfig& after) {
    return before.engine != after.engine ||
           (after.engine == EngineId::simulated && before.schedule_seed != after.schedule_seed);
}

/// The device argument of open_engine: a CUDA device, or the schedule seed of a simulated GPU.
int device_of(const RunConfig& config, const interop::InteropDevice& shown) {
    if (config.engine == EngineId::cuda) return shown.device;
    return config.engine == EngineId::simulated ? static_cast<int>(config.schedule_seed) : 0;
}

std::unique_ptr<SlotSampling> make_sampling(compaction::Engine& engine, std::uint64_t slots) {
    return std::make_unique<SlotSampling>(engine.id() == EngineId::cuda
                                              ? interop::make_gpu_sampler(engine, slots)
                                              : scene::make_host_sampler(slots));
}

/// Sets the settings back to those of the running frames.
RunChange refused(const compaction::Error& error, Settings& settings, const Settings& applied) {
    settings.run = applied.run;
    if (settings.compares() != applied.compares()) settings.window.tab = applied.window.tab;
    return {false, error};
}

}  // namespace

bool LiveRun::configure(const RunConfig& config, bool compares) {
    bool statistics_restart = true;  // with a new engine
    // Free the memory of the race, so that the slots can use it.
    if (config.slots != config_.slots) resources_.race.reset();
    if (resources_.race && restarts_race(config_, config)) resources_.race->restart();
    if (!resources_.engine || needs_new_engine(config_, config)) {
        Resources opened = open_resources(config, compares);
        std::swap(resources_, opened);
    } else {
        const bool b_starts = compares && !comparing();
        const bool sides_changed = reconfigure(config, compares);
        statistics_restart = restarts_statistics(config_, config, /*compares=*/false) || sides_changed;
        // Discard what B timed before its pause, because A has newer timings.
        if (b_starts) resources_.b->restart_statistics();
    }
    config_ = config;
    if (!statistics_restart) return false;
    for_each_side(Side::a, [&](Side side) { side_run(side).restart_statistics(); });
    launches_ = resources_.a->launches(resources_.particles->buffers(Side::a), config.slots);
    return true;
}

void LiveRun::race(std::span<const std::string> algorithms) {
    const std::uint64_t slots = resources_.particles->slots();
    if (algorithms.empty()) {
        resources_.race.reset();
    } else if (!resources_.race || !resources_.race->runs(algorithms)) {
        // Free the memory of the old race before the new one allocates.
        resources_.race.reset();
        std::uint64_t limit_bytes = memory_limit_bytes_;
        // At least one byte stays, because 0 would mean no limit.
        if (limit_bytes > 0)
            limit_bytes -= std::min(limit_bytes - 1, bytes_of(slots, resources_.b != nullptr));
        resources_.race = std::make_unique<RaceRun>(*resources_.engine, algorithms, slots, limit_bytes);
    }
}

LiveRun::Resources LiveRun::open_resources(const RunConfig& config, bool compares) {
    // Check the engine first, because all else needs a current OpenGL context.
    const compaction::EngineStatus& status = compaction::status_of(config.engine);
    if (!status.available) throw Error(ErrorCode::unavailable, status.reason);
    const bool on_gpu = config.engine == EngineId::cuda;
    if (on_gpu) interop_device_ = interop::find_interop_device();
    Resources resources;
    resources.engine = compaction::open_engine(config.engine, device_of(config, interop_device_));
    if (const std::string& bus_id = resources.engine->device().pci_bus_id; !bus_id.empty())
        resources.gpu_watch = std::make_unique<nvml::Watch>(bus_id);
    require_memory(*resources.engine, config.slots, compares, /*reusable_bytes=*/0);
    resources.particles = make_particles(*resources.engine, config.slots, compares);
    resources.sampling = make_sampling(*resources.engine, config.slots);
    resources.a = make_side_run(*resources.engine, config, Side::a);
    if (compares) resources.b = make_side_run(*resources.engine, config, Side::b);
    return resources;
}

/// Reconfigures the run without opening an engine. Returns whether an algorithm, an option or the length
/// changed; the start or stop of B does not count.
bool LiveRun::reconfigure(const RunConfig& config, bool compares) {
    // Do everything that can fail before the first change, so that all changes apply or none.
    const auto prepare = [&](Side side) {
        return side_run(side).prepare(algorithm_of(config, side), config.algorithm_config(side).options,
                                      config.slots);
    };
    SideRun::Change a = prepare(Side::a);
    std::optional<SideRun::Change> b;
    std::unique_ptr<SideRun> new_b;
    if (compares) {
        if (resources_.b) {
            b = prepare(Side::b);
        } else {
            new_b = make_side_run(*resources_.engine, config, Side::b);
        }
    }
    const bool length_changed = config.slots != resources_.particles->slots();
    const bool was_comparing = comparing();
    if (length_changed || compares != was_comparing) resize_particles(config.slots, compares);
    const bool a_changed = resources_.a->apply(std::move(a));
    const bool b_changed = b && resources_.b->apply(std::move(*b)) && was_comparing;
    if (new_b) resources_.b = std::move(new_b);
    return length_changed || a_changed || b_changed;
}

std::unique_ptr<SideRun> LiveRun::make_side_run(compaction::Engine& engine, const RunConfig& config,
                                                Side side) {
    return std::make_unique<SideRun>(
        engine, algorithm_of(config, side), config.algorithm_config(side).options, config.slots,
        checks_[index_of(side)], logs_ ? &(*logs_)[index_of(side)] : nullptr, first_round_);
}

/// Seed and clock determine the scene, so the old slots can be freed before the new ones are allocated, and
/// restored if the allocation fails.
void LiveRun::resize_particles(std::uint64_t slots, bool compares) {
    const std::uint64_t old_slots = resources_.particles->slots();
    const bool was_comparing = comparing();
    require_memory(*resources_.engine, slots, compares, bytes_of(old_slots, resources_.b != nullptr));
    if (slots == old_slots) {
        resources_.particles->set_output_b(compares);
        return;
    }
    resources_.sampling_b.reset();
    try {
        allocate_slots(slots, compares);
    } catch (...) {
        restore_slots(old_slots, was_comparing);
        throw;
    }
    if (!compares) resources_.b.reset();
}

/// Frees the old buffers, then allocates new ones.
void LiveRun::allocate_slots(std::uint64_t slots, bool compares) {
    resources_.sampling.reset();
    resources_.sample.reset();
    resources_.traced.reset();
    resources_.particles.reset();
    resources_.particles = make_particles(*resources_.engine, slots, compares);
    resources_.sampling = make_sampling(*resources_.engine, slots);
    resources_.a->reserve(slots);
    if (resources_.b && compares) resources_.b->reserve(slots);
}

/// Restores the previous length; may fail, because another program may have taken the memory.
void LiveRun::restore_slots(std::uint64_t slots, bool compares) {
    try {
        allocate_slots(slots, compares);
    } catch (const Error& error) {
        // The next configuration opens the engine anew.
        Resources discarded;
        std::swap(resources_, discarded);
        throw Error(ErrorCode::device_failure,
                    std::string("The memory of the previous slots is no longer available. ") + error.what());
    }
}

std::unique_ptr<scene::Particles> LiveRun::make_particles(compaction::Engine& engine, std::uint64_t slots,
                                                          bool with_b) const {
    auto particles = engine.id() == EngineId::cuda
                         ? interop::make_gpu_particles(engine, slots, interop_device_)
                         : scene::make_host_particles(engine, slots);
    particles->set_output_b(with_b);
    return particles;
}

void LiveRun::require_memory(const compaction::Engine& engine, std::uint64_t slots, bool with_b,
                             std::uint64_t reusable_bytes) const {
    // 0: the engine does not know; then an allocation that does not fit fails.
    const std::uint64_t free_bytes = engine.free_memory_bytes();
    std::uint64_t budget =
        free_bytes > 0 ? free_bytes + reusable_bytes : std::numeric_limits<std::uint64_t>::max();
    if (memory_limit_bytes_ > 0) budget = std::min(budget, memory_limit_bytes_);
    const std::uint64_t needed = bytes_of(slots, with_b);
    if (needed <= budget) return;
    // Round up; otherwise the needed and the free size could read the same.
    const std::string need = mebibytes(needed + (std::uint64_t{1} << 20) - 1);
    const std::uint64_t fitting = std::bit_floor(budget / bytes_of(1, with_b));
    // Avoid superscripts, because the message may go to a terminal.
    throw Error(
        ErrorCode::out_of_memory,
        format::without_powers(format::slot_count_text(slots) + " slots need " + need +
                               (with_b ? " with an output for A and one for B" : "") + ", but " +
                               engine.device().name + " has " + mebibytes(budget) + " to give. Up to " +
                               format::slot_count_text(fitting) + " slots would fit."));
}

/// Prepares samples of the output of B. If memory is short, the slot map does not compare the outputs.
void LiveRun::open_sampling_b(std::uint64_t slots) {
    try {
        resources_.sampling_b = make_sampling(*resources_.engine, slots);
    } catch (const Error& error) {
        if (error.code() != ErrorCode::out_of_memory) throw;
    }
}

void LiveRun::step(double scene_seconds, std::uint64_t frame, FrameClock* clock) {
    const auto enter = [clock](std::optional<FramePart> part) {
        if (clock) clock->enter(part);
    };
    collect();
    collect_sample(frame);
    is_drained_ = false;
    scene::Particles& particles = *resources_.particles;
    const std::uint64_t slots = particles.slots();
    // Change the order, so that neither side always finds the caches warmed by the other.
    const Side first_side = experiments::runs_in_reverse(first_round_ + frame) ? Side::b : Side::a;
    clock_.advance(scene_seconds, config_.live_fraction);
    scene_ = scene_frame();

    enter(FramePart::publish);
    particles.begin_frame();
    enter(FramePart::simulate);
    {
        const compaction::ScopedSpan span{timing().simulate_timer(), frame};
        particles.simulate(scene_);
    }
    enter(std::nullopt);
    begin_replay(frame);
    const bool takes_sample = prepare_sample(frame);
    const bool takes_turns = comparing() && has_times(resources_.engine->id());
    enter(FramePart::compact);
    for_each_side(first_side, [&](Side side) {
        side_run(side).compact(particles.buffers(side), slots, config_, frame, takes_turns);
    });
    enter(std::nullopt);
    for_each_side(first_side, [&](Side side) { side_run(side).fill_output(particles.buffers(side), slots); });
    if (frame % (timing().wants_copies() ? first_copies_period_frames : copy_period_frames) == 0)
        enqueue_copy(frame);
    for_each_side(first_side,
                  [&](Side side) { side_run(side).check(particles.buffers(side), slots, config_, frame); });
    for_each_side(first_side, [&](Side side) {
        side_run(side).count_accesses(particles.buffers(side), slots, config_.schedule_seed, frame);
    });
    if (resources_.race) resources_.race->step(particles.buffers(Side::a).in, config_, frame, scene_);
    if (takes_sample) sample(frame);
    enter(FramePart::publish);
    {
        const compaction::ScopedSpan span{timing().publish_timer(), frame};
        particles.publish();
    }
    particles.end_frame();
    enter(std::nullopt);
    for_each_side(first_side, [&](Side side) { side_run(side).collect_verdict(); });
}

scene::Frame LiveRun::scene_frame() {
    const std::uint64_t slots = resources_.particles->slots();
    scene::Frame frame{.source = &scene::effective_source(config_.source),
                       .slots = slots,
                       .moment = clock_.moment(config_.live_fraction, config_.seed)};
    if (const std::optional<workloads::Pattern> pattern = config_.stream_pattern()) {
        frame.stream = streams_.make(*pattern, slots, static_cast<double>(config_.live_fraction),
                                     config_.seed, config_.loaded_picture);
        frame.stream_table = streams_.table();
    }
    return frame;
}

void LiveRun::begin_replay(std::uint64_t frame) {
    if (replays_wanted_ == Replays::none) return;
    SideRun& a = *resources_.a;
    const ReplaySubject subject =
        replay_subject(a.algorithm(), a.partition(resources_.particles->slots()), config_);
    // A paused scene stays as it is.
    const bool refresh = replays_wanted_ == Replays::refreshed && !config_.paused;
    const AccessCounting::Result& accesses = a.counted_accesses();
    const ReplayMaker::Traces traces{a.traced(), accesses ? accesses->trace : nullptr};
    if (replays_.begin_frame(subject, frame, scene_, traces, refresh)) a.request_trace(/*roles_block=*/0);
}

/// Decides whether to sample this frame. If so, requests the trace of its compaction. Drops B's samples if
/// they are no longer wanted.
bool LiveRun::prepare_sample(std::uint64_t frame) {
    if (!sample_request_ || !samples_b_ || !comparing()) resources_.sampling_b.reset();
    if (!sample_request_ || !resources_.sampling->is_due(*sample_request_, resources_.particles->slots()))
        return false;
    if (!traces_samples_) return true;
    if (resources_.a->awaits_trace() && frame < resources_.sampled_frame + max_frames_awaiting_trace)
        return false;
    resources_.a->request_trace(/*roles_block=*/0);
    return true;
}

void LiveRun::sample(std::uint64_t frame) {
    const std::uint64_t slots = resources_.particles->slots();
    if (!resources_.sampling->enqueue(*sample_request_, resources_.particles->buffers(Side::a),
                                      {frame, &resources_.a->algorithm(), slots}))
        return;
    resources_.sampled_frame = frame;
    // In host memory, the sample is complete already.
    collect_trace(Side::a);
    collect_sample(frame);
    if (!samples_b_ || !comparing()) return;
    if (!resources_.sampling_b) open_sampling_b(slots);
    // Only samples of the same frame can be compared.
    if (resources_.sampling_b)
        resources_.sampling_b->enqueue(*sample_request_, resources_.particles->buffers(Side::b),
                                       {frame, &resources_.b->algorithm(), slots});
}

void LiveRun::collect_trace(Side side) {
    const auto start = std::chrono::steady_clock::now();
    side_run(side).collect_trace();
    resources_.sampling->add_cost(std::chrono::steady_clock::now() - start);
}

/// Collects a sample that has arrived, together with the trace of its frame.
void LiveRun::collect_sample(std::uint64_t frame) {
    const bool awaits_trace =
        resources_.a->awaits_trace() && frame < resources_.sampled_frame + max_frames_awaiting_trace;
    if (!awaits_trace || !resources_.sample) resources_.sample = resources_.sampling->sample();
    const std::shared_ptr<const trace::TracedRun> traced = resources_.a->traced();
    if (traced && resources_.sample && traced->frame == resources_.sample->frame) resources_.traced = traced;
}

void LiveRun::enqueue_copy(std::uint64_t frame) {
    const scene::FrameBuffers buffers = resources_.particles->buffers(Side::a);
    const std::size_t bytes = resources_.particles->slots() * sizeof(compaction::Item);
    // Copy once untimed, so that the timed copy finds the caches as warm as the compactions do.
    resources_.engine->enqueue_copy(buffers.scratch, buffers.in, bytes);
    const compaction::ScopedSpan span{timing().copy_timer(), frame};
    resources_.engine->enqueue_copy(buffers.scratch, buffers.in, bytes);
}

void LiveRun::end_frame(std::uint64_t frame, float frame_us) {
    const scene::Particles& particles = *resources_.particles;
    for_each_side(Side::a, [&](Side side) {
        side_run(side).timing().end_frame(frame, particles.interop_us(), frame_us, particles.num_kept(side));
    });
}

void LiveRun::request_trace(const TraceRequest& request) {
    for_each_side(Side::a, [&](Side side) { side_run(side).request_trace(request.roles_block); });
}

void LiveRun::collect() {
    for_each_side(Side::a, [&](Side side) {
        side_run(side).timing().collect();
        collect_trace(side);
    });
    if (resources_.race) resources_.race->collect();
}

void LiveRun::drain() {
    resources_.engine->synchronise();
    resources_.particles->drain();
    is_drained_ = true;
    collect();
    for_each_side(Side::a, [&](Side side) { side_run(side).drain_trace(); });
    for_each_side(Side::a, [&](Side side) { side_run(side).collect_verdict(); });
}

void LiveRun::clear_timings() {
    for_each_side(Side::a, [&](Side side) { side_run(side).timing().clear(); });
}

void LiveRun::add_device_times(FramePartTimes& device_us) const {
    const auto add = [&](FramePart part, double us) { device_us[static_cast<std::size_t>(part)] += us; };
    const LiveTiming& a = resources_.a->timing();
    add(FramePart::simulate, a.recent_simulate_us());
    add(FramePart::publish, a.recent_publish_us());
    add(FramePart::compact, a.recent_total_us() * config_.iterations);
    if (comparing()) add(FramePart::compact, resources_.b->timing().recent_total_us() * config_.iterations);
}

bool LiveRun::figures_are_stale(const Snapshot& snapshot) const {
    const compaction::Algorithm* const b = comparing() ? &resources_.b->algorithm() : nullptr;
    const std::uint64_t race = resources_.race ? resources_.race->serial() : 0;
    return algorithm_of(snapshot.runs, Side::b) != b || snapshot.figures->race.serial != race;
}

Figures LiveRun::figures() const {
    const SideRun& a = *resources_.a;
    const std::uint64_t slots = resources_.particles->slots();
    const std::uint64_t bytes = slots * sizeof(compaction::Item);
    const auto total_of = [](RunFigures& run) -> experiments::Summary& {
        return std::ranges::find(run.rows, total_row_name, &TimingRow::name)->us;
    };
    Figures figures{.a = {.rows = a.timing().rows(a.algorithm(), /*in_turn=*/comparing()),
                          .throughput = {},
                          .num_kept = resources_.particles->num_kept(Side::a)},
                    .b = {},
                    .ratio = {},
                    .frame_us = a.timing().frame_summary(),
                    .launches = launches_,
                    .race = resources_.race ? resources_.race->figures() : RaceFigures{},
                    .kept_at_s = {}};
    if (is_drained_ || resources_.engine->id() != EngineId::cuda) figures.kept_at_s = clock_.seconds();
    if (comparing()) {
        const LiveTiming& b = resources_.b->timing();
        // Rows outside the total belong to the frame; A's rows contain them.
        figures.b = RunFigures{.rows = b.rows(resources_.b->algorithm(), /*in_turn=*/true),
                               .throughput = {},
                               .num_kept = resources_.particles->num_kept(Side::b)};
        std::erase_if(figures.b->rows, [](const TimingRow& row) { return !row.in_total; });
        figures.ratio = experiments::compare_pairs(experiments::pairs_of(a.timing().totals(), b.totals()));
        apply_ratio(figures.ratio, total_of(figures.a), total_of(*figures.b));
    }
    figures.a.throughput = a.timing().throughput(total_of(figures.a), slots, bytes);
    if (!comparing()) return figures;
    Throughput& throughput_b = figures.b->throughput;
    throughput_b = resources_.b->timing().throughput(total_of(*figures.b), slots, bytes);
    throughput_b.copy_gb_s = figures.a.throughput.copy_gb_s;
    throughput_b.copy_noise = figures.a.throughput.copy_noise;
    if (throughput_b.copy_gb_s > 0)
        throughput_b.fraction_of_copy = throughput_b.useful_gb_s / throughput_b.copy_gb_s;
    return figures;
}

void LiveRun::fill(Snapshot& snapshot, bool refresh_figures) const {
    const SideRun& a = *resources_.a;
    const std::uint64_t slots = resources_.particles->slots();
    snapshot.runs.a.algorithm = &a.algorithm();
    snapshot.runs.a.options = a.options(slots);
    snapshot.machine.engine = resources_.engine->id();
    snapshot.machine.device = resources_.engine->device();
    snapshot.machine.transfer = resources_.particles->transfer();
    snapshot.machine.transfer_reason = resources_.particles->transfer_reason();
    snapshot.stream.slots = slots;
    snapshot.stream.phase = scene_.moment.phase;
    snapshot.slot_map.sample = resources_.sample;
    const bool has_trace =
        resources_.sample && resources_.traced && resources_.traced->frame == resources_.sample->frame;
    snapshot.slot_map.traced = has_trace ? resources_.traced : nullptr;
    snapshot.slot_map.sample_b = resources_.sampling_b ? resources_.sampling_b->sample() : nullptr;
    snapshot.runs.a.num_kept = resources_.particles->num_kept(Side::a);
    snapshot.runs.a.traced = a.traced();
    snapshot.memory.replay = replays_.replay();
    snapshot.memory.problem = replays_.problem();
    snapshot.runs.a.accesses = a.access_counts();
    snapshot.stream.memory_bytes = bytes_of(slots, /*with_b=*/resources_.b != nullptr);
    snapshot.timings.timeline = a.timing().shared_timeline();
    snapshot.timings.timeline_b = comparing() ? resources_.b->timing().shared_timeline() : nullptr;
    snapshot.machine.clock_reason = a.timing().clock_reason();
    snapshot.machine.gpu_reading = resources_.gpu_watch ? resources_.gpu_watch->last() : nullptr;
    snapshot.timings.untimed_compactions =
        a.timing().dropped() + (comparing() ? resources_.b->timing().dropped() : 0);
    snapshot.timings.method = timing_method_of(snapshot.machine);
    snapshot.checks.a = checks_[index_of(Side::a)].result();
    snapshot.checks.b = checks_[index_of(Side::b)].result();
    if (refresh_figures || figures_are_stale(snapshot))
        snapshot.figures = std::make_shared<const Figures>(figures());
    if (comparing()) {
        const SideRun& b = *resources_.b;
        snapshot.runs.b = RunInfo{.algorithm = &b.algorithm(),
                                  .options = b.options(slots),
                                  .num_kept = resources_.particles->num_kept(Side::b),
                                  .traced = b.traced(),
                                  .accesses = b.access_counts()};
    } else {
        snapshot.runs.b.reset();
    }
}

RunChange change_run(LiveRun& run, Settings& settings, const Settings& applied) {
    try {
        return {run.configure(settings.run, settings.compares()), std::nullopt};
    } catch (const compaction::Error& error) {
        return refused(error, settings, applied);
    } catch (const std::bad_alloc&) {
        return refused({compaction::ErrorCode::out_of_memory,
                        "Host memory ran out. Choose fewer slots, close other programs or raise the memory "
                        "limit."},
                       settings, applied);
    }
}

}  // namespace warpsieve
