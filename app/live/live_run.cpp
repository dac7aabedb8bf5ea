#include "app/live/live_run.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <optional>
#include <utility>

#include "app/format/figures.hpp"
#include "app/format/powers.hpp"
#include "app/interop/gpu_sampler.hpp"
#include "app/scene/sources.hpp"
#include "app/settings/schema.hpp"
#include "compaction/error.hpp"
#include "experiments/format/numbers.hpp"

namespace warpsieve {
namespace {

using compaction::EngineId;
using compaction::Error;
using compaction::ErrorCode;

/// Frames from one reference copy to the next.
constexpr std::uint64_t copy_every = 30;
/// The same while there are too few.
constexpr std::uint64_t first_copies_every = 5;
/// The newest so many pairs of A's and B's times make their ratio: those of the last ten seconds at 60 Hz.
constexpr std::size_t pairs_compared = 300;

std::string mebibytes(std::uint64_t bytes) {
    return std::to_string(bytes >> 20) + " MiB";
}

/// `frames`: in a batch.
std::uint64_t bytes_of(std::uint64_t slots, bool with_b, std::uint32_t frames = 1) {
    return scene::required_bytes(slots, with_b ? 2 : 1, frames);
}

const compaction::Algorithm& algorithm_of(const RunConfig& config, Side side) {
    const std::string& id = config.choice(side).algorithm;
    if (!id.empty()) return find_compaction(id);
    const compaction::Algorithm& first = compaction::default_algorithm(config.engine);
    if (side == Side::a) return first;
    return find_compaction(default_b(compaction::catalogue(), config.engine,
                                     config.a.algorithm.empty() ? first.id : config.a.algorithm));
}

/// How totals and phases are timed.
std::string method_of(const MachineView& machine) {
    if (machine.engine == EngineId::cpu) return "steady_clock";
    if (machine.engine == EngineId::simulated) return "no clock: a simulated GPU has no times";
    return "CUDA events, phases by block stamps (" +
           experiments::format::shortest(machine.device.phase_clock_step_us * 1e3, 3) + " ns step)";
}

/// Whether the race measures something else now. Its algorithms are not A's or B's.
bool other_stream(const RunConfig& before, RunConfig after) {
    after.a = before.a;
    after.b = before.b;
    return restarts_statistics(before, after, false);
}

/// Whether the engine must be opened anew.
bool other_engine(const RunConfig& before, const RunConfig& after) {
    return before.engine != after.engine ||
           (after.engine == EngineId::simulated && before.schedule_seed != after.schedule_seed);
}

/// What open_engine calls the device.
int device_of(const RunConfig& config, const interop::InteropDevice& shown) {
    if (config.engine == EngineId::cuda) return shown.device;
    return config.engine == EngineId::simulated ? static_cast<int>(config.schedule_seed) : 0;
}

std::unique_ptr<SlotSampling> make_sampling(compaction::Engine& engine, std::uint64_t slots) {
    return std::make_unique<SlotSampling>(engine.id() == EngineId::cuda
                                              ? interop::make_gpu_sampler(engine, slots)
                                              : scene::make_host_sampler(slots));
}

}  // namespace

template <typename Act>
void LiveRun::for_each_side(Side first, Act act) {
    if (!comparing()) return act(Side::a);
    act(first);
    act(other(first));
}

bool LiveRun::configure(const RunConfig& config, bool compares) {
    bool changed = true;
    // The race restarts with its memory, so that the slots can have it.
    if (config.slots != config_.slots) stage_.race.reset();
    if (stage_.race && other_stream(config_, config)) stage_.race->restart();
    if (!stage_.engine || other_engine(config_, config)) {
        Stage next = open_stage(config, compares);
        std::swap(stage_, next);
    } else {
        const bool b_starts = compares && !comparing();
        const bool sides_changed = reconfigure(config, compares);
        changed = restarts_statistics(config_, config, false) || sides_changed;
        // What B timed before it paused is of other frames; A never paused.
        if (b_starts) stage_.b->timing().restart_statistics();
    }
    config_ = config;
    // What is left of a batch has the settings before.
    if (!batch_.empty()) batch_ = {batch_[std::exchange(shown_, 0)]};
    if (!changed) return false;
    for_each_side(Side::a, [&](Side side) { side_run(side).timing().restart_statistics(); });
    launches_ = stage_.a->launches(stage_.particles->stream(Side::a), config.slots);
    return true;
}

void LiveRun::race(std::span<const std::string> algorithms) {
    const std::uint64_t slots = stage_.particles->slots();
    if (algorithms.empty()) {
        stage_.race.reset();
    } else if (!stage_.race || !stage_.race->runs(algorithms)) {
        // Its memory is freed before the next one's is allocated.
        stage_.race.reset();
        std::uint64_t limit = memory_limit_bytes_;
        if (limit > 0) limit -= std::min(limit - 1, bytes_of(slots, stage_.b != nullptr));
        stage_.race = std::make_unique<RaceRun>(*stage_.engine, algorithms, slots, limit);
    }
}

LiveRun::Stage LiveRun::open_stage(const RunConfig& config, bool compares) {
    // Needs a current OpenGL context, so checks that need none come first.
    const compaction::EngineStatus& status = compaction::status_of(config.engine);
    if (!status.available) throw Error(ErrorCode::unavailable, status.reason);
    const bool on_gpu = config.engine == EngineId::cuda;
    if (on_gpu) interop_device_ = interop::find_interop_device();
    Stage stage;
    stage.engine = compaction::open_engine(config.engine, device_of(config, interop_device_));
    if (const std::string& place = stage.engine->device().pci_bus_id; !place.empty())
        stage.gpu_watch = std::make_unique<nvml::Watch>(place);
    require_memory(*stage.engine, config.slots, compares, 0);
    stage.particles = make_particles(*stage.engine, config.slots, compares);
    stage.sampling = make_sampling(*stage.engine, config.slots);
    stage.a = make_side_run(*stage.engine, config, Side::a);
    if (compares) stage.b = make_side_run(*stage.engine, config, Side::b);
    return stage;
}

/// Keeps the engine; returns whether another algorithm, option or length runs now. That B starts or stops is
/// no such change: A runs as before.
bool LiveRun::reconfigure(const RunConfig& config, bool compares) {
    // Everything that can fail comes before the first change: either all of it applies or nothing.
    const auto prepare = [&](Side side) {
        return side_run(side).prepare(algorithm_of(config, side), config.choice(side).options, config.slots);
    };
    SideRun::Change a = prepare(Side::a);
    std::optional<SideRun::Change> b;
    std::unique_ptr<SideRun> first_b;
    if (compares) {
        if (stage_.b) {
            b = prepare(Side::b);
        } else {
            first_b = make_side_run(*stage_.engine, config, Side::b);
        }
    }
    const bool other_length = config.slots != stage_.particles->slots();
    const bool compared = comparing();
    if (other_length || compares != compared) fit_particles(config.slots, compares);
    const bool other_a = stage_.a->take(std::move(a));
    const bool other_b = b && stage_.b->take(std::move(*b)) && compared;
    if (first_b) stage_.b = std::move(first_b);
    return other_length || other_a || other_b;
}

std::unique_ptr<SideRun> LiveRun::make_side_run(compaction::Engine& engine, const RunConfig& config,
                                                Side side) {
    return std::make_unique<SideRun>(engine, algorithm_of(config, side), config.choice(side).options,
                                     config.slots, checks_[index_of(side)], side == Side::a ? log_ : nullptr);
}

/// Seed and clock determine the scene, so the old slots can be freed before the new ones are allocated, and
/// made again if that fails.
void LiveRun::fit_particles(std::uint64_t slots, bool compares) {
    const std::uint64_t old_slots = stage_.particles->slots();
    const bool compared = comparing();
    require_memory(*stage_.engine, slots, compares, bytes_of(old_slots, stage_.b != nullptr));
    if (slots == old_slots) {
        stage_.particles->give_b_an_output(compares);
        return;
    }
    stage_.sampling.reset();
    stage_.sampling_b.reset();
    stage_.particles.reset();
    try {
        stage_.particles = make_particles(*stage_.engine, slots, compares);
        stage_.sampling = make_sampling(*stage_.engine, slots);
        stage_.a->reserve(slots);
        if (stage_.b && compares) stage_.b->reserve(slots);
    } catch (...) {
        stage_.sampling.reset();
        stage_.particles.reset();
        stage_.particles = make_particles(*stage_.engine, old_slots, compared);
        stage_.sampling = make_sampling(*stage_.engine, old_slots);
        throw;
    }
    if (!compares) stage_.b.reset();
}

std::unique_ptr<scene::Particles> LiveRun::make_particles(compaction::Engine& engine, std::uint64_t slots,
                                                          bool with_b) const {
    // A batch takes no memory that anything else may need. Long frames need no large batch.
    const std::uint64_t ample =
        memory_limit_bytes_ > 0 ? 0 : std::min(engine.free_memory_bytes() / 4, std::uint64_t{8} << 30);
    std::uint32_t batch = frames_in_batch_;
    while (batch > 1 && bytes_of(slots, true, batch) > ample) batch /= 2;
    auto particles = engine.id() == EngineId::cuda
                         ? interop::make_gpu_particles(engine, slots, interop_device_, batch)
                         : scene::make_host_particles(engine, slots);
    particles->give_b_an_output(with_b);
    return particles;
}

void LiveRun::require_memory(const compaction::Engine& engine, std::uint64_t slots, bool with_b,
                             std::uint64_t already_held) const {
    // 0: the engine does not know, and its allocation decides.
    const std::uint64_t free_bytes = engine.free_memory_bytes();
    std::uint64_t budget =
        free_bytes > 0 ? free_bytes + already_held : std::numeric_limits<std::uint64_t>::max();
    if (memory_limit_bytes_ > 0) budget = std::min(budget, memory_limit_bytes_);
    const std::uint64_t needed = bytes_of(slots, with_b);
    if (needed <= budget) return;
    // Rounded up, or the two could read the same.
    const std::string need = mebibytes(needed + (std::uint64_t{1} << 20) - 1);
    const std::uint64_t fitting = std::bit_floor(budget / bytes_of(1, with_b));
    // The terminal may get it, too.
    throw Error(
        ErrorCode::out_of_memory,
        format::without_powers(format::slot_count(slots) + " slots need " + need +
                               (with_b ? " with an output for A and one for B" : "") + ", but " +
                               engine.device().name + " has " + mebibytes(budget) + " to give. Up to " +
                               format::slot_count(fitting) + " slots would fit."));
}

void LiveRun::advance(double scene_seconds, std::uint64_t frame, std::uint64_t most_frames,
                      FrameClock* clock) {
    if (shown_ + 1 < batch_.size()) {
        ++shown_;
        return;
    }
    scene::Particles& particles = *stage_.particles;
    const std::uint64_t frames =
        sample_request_ ? 1 : std::clamp<std::uint64_t>(most_frames, 1, particles.most_in_batch());
    batch_.clear();
    shown_ = 0;
    if (clock) clock->enter(FramePart::publish);
    particles.begin_batch();
    for (std::uint64_t i = 0; i < frames; ++i) {
        clock_.advance(scene_seconds, config_.density);
        batch_.push_back({scene_frame(), clock_.seconds()});
        run_frame(batch_.back().scene, frame + i, clock);
    }
    if (clock) clock->enter(FramePart::publish);
    particles.end_batch();
    if (clock) clock->enter(std::nullopt);
}

void LiveRun::run_frame(const scene::Frame& scene, std::uint64_t frame, FrameClock* clock) {
    const auto enter = [clock](std::optional<FramePart> part) {
        if (clock) clock->enter(part);
    };
    scene::Particles& particles = *stage_.particles;
    const std::uint64_t slots = particles.slots();
    // Alternate the order, so that neither side always finds the caches warmed by the other.
    const Side first = frame % 2 == 0 ? Side::a : Side::b;

    enter(FramePart::simulate);
    particles.begin_frame();
    {
        const compaction::ScopedSpan span{timing().simulate_timer(), frame};
        particles.simulate(scene);
    }
    enter(FramePart::compact);
    for_each_side(first, [&](Side side) {
        side_run(side).compact(particles.stream(side), slots, config_.iterations, frame);
    });
    enter(std::nullopt);
    if (frame % (timing().wants_copies() ? first_copies_every : copy_every) == 0) enqueue_copy(frame);
    for_each_side(first,
                  [&](Side side) { side_run(side).check(particles.stream(side), slots, config_, frame); });
    enter(FramePart::compact);
    if (stage_.race) stage_.race->step(particles.stream(Side::a).in, config_, frame);
    enter(std::nullopt);
    sample(frame);
    enter(FramePart::publish);
    {
        const compaction::ScopedSpan span{timing().publish_timer(), frame};
        particles.end_frame();
    }
    enter(std::nullopt);
    for_each_side(first, [&](Side side) { side_run(side).take_verdict(); });
}

scene::Frame LiveRun::scene_frame() {
    const std::uint64_t slots = stage_.particles->slots();
    scene::Frame frame{.source = &scene::source_in_force(config_.source),
                       .slots = slots,
                       .moment = clock_.moment(config_.density, config_.seed)};
    if (frame.source->has_patterns) {
        frame.stream =
            streams_.make(config_.pattern, slots, static_cast<double>(config_.density), config_.seed);
    }
    return frame;
}

void LiveRun::sample(std::uint64_t frame) {
    if (!sample_request_) {
        stage_.sampling_b.reset();
        return;
    }
    const std::uint64_t slots = stage_.particles->slots();
    const compaction::Partition partition = stage_.a->partition(slots);
    const bool taken = stage_.sampling->step(*sample_request_, partition, stage_.particles->stream(Side::a),
                                             {frame, &stage_.a->algorithm(), slots});
    if (!sample_both_ || !comparing()) {
        stage_.sampling_b.reset();
        return;
    }
    if (!stage_.sampling_b) open_sampling_b(slots);
    // Only samples of the same frame can be compared.
    if (taken && stage_.sampling_b) {
        stage_.sampling_b->step(*sample_request_, partition, stage_.particles->stream(Side::b),
                                {frame, &stage_.b->algorithm(), slots}, true);
    }
}

/// Without memory for it, the outputs are not compared.
void LiveRun::open_sampling_b(std::uint64_t slots) {
    try {
        stage_.sampling_b = make_sampling(*stage_.engine, slots);
    } catch (const Error& error) {
        if (error.code() != ErrorCode::out_of_memory) throw;
    }
}

void LiveRun::enqueue_copy(std::uint64_t frame) {
    const scene::StreamView stream = stage_.particles->stream(Side::a);
    const std::size_t bytes = stage_.particles->slots() * sizeof(compaction::Item);
    // Once untimed, to warm the caches as they are for the compactions.
    stage_.engine->enqueue_copy(stream.scratch, stream.in, bytes);
    const compaction::ScopedSpan span{timing().copy_timer(), frame};
    stage_.engine->enqueue_copy(stream.scratch, stream.in, bytes);
}

void LiveRun::end_frame(std::uint64_t frame, float frame_us) {
    const scene::Particles& particles = *stage_.particles;
    for_each_side(Side::a, [&](Side side) {
        side_run(side).timing().end_frame(frame, particles.interop_us(), frame_us, particles.num_kept(side));
    });
}

void LiveRun::request_trace(const TraceRequest& request) {
    for_each_side(Side::a, [&](Side side) { side_run(side).request_trace(request.roles_of_block); });
}

void LiveRun::collect() {
    for_each_side(Side::a, [&](Side side) {
        side_run(side).timing().collect();
        side_run(side).take_trace();
    });
    if (stage_.race) stage_.race->collect();
}

void LiveRun::drain() {
    stage_.engine->synchronise();
    collect();
    for_each_side(Side::a, [&](Side side) { side_run(side).take_verdict(); });
}

void LiveRun::clear_timings() {
    for_each_side(Side::a, [&](Side side) { side_run(side).timing().clear(); });
}

void LiveRun::describe_device_times(FramePartTimes& device_us) const {
    const auto add = [&](FramePart part, double us) { device_us[static_cast<std::size_t>(part)] += us; };
    const LiveTiming& a = stage_.a->timing();
    add(FramePart::simulate, a.recent_simulate_us());
    add(FramePart::publish, a.recent_publish_us());
    add(FramePart::compact, a.recent_total_us() * config_.iterations);
    if (comparing()) add(FramePart::compact, stage_.b->timing().recent_total_us() * config_.iterations);
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
    view.stream.memory_bytes = bytes_of(slots, stage_.b != nullptr, stage_.particles->most_in_batch());
    view.timings.timeline = &a.timing().timeline();
    view.timings.timeline_b = comparing() ? &stage_.b->timing().timeline() : nullptr;
    view.machine.clock_reason = a.timing().clock_reason();
    view.machine.gpu_reading = stage_.gpu_watch ? stage_.gpu_watch->last() : nullptr;
    view.timings.dropped_runs = a.timing().dropped() + (comparing() ? stage_.b->timing().dropped() : 0);
    view.timings.method = method_of(view.machine);
    view.checks.a = checks_[index_of(Side::a)].view();
    view.checks.b = checks_[index_of(Side::b)].view();
    if (refresh_figures) {
        view.timings.launches = launches_;
        view.runs.a.rows = a.timing().rows(a.algorithm());
        view.timings.frame_us = a.timing().frame_summary();
        view.runs.a.throughput = a.timing().throughput(slots, slots * sizeof(compaction::Item));
    }
    if (stage_.race) {
        stage_.race->describe(view.race, refresh_figures);
    } else {
        view.race = {};
    }
    if (comparing()) {
        describe_b(view, refresh_figures);
    } else {
        view.runs.b.reset();
    }
}

void LiveRun::describe_b(View& view, bool refresh_figures) const {
    const SideRun& b = *stage_.b;
    const bool refresh = refresh_figures || !view.runs.b || view.runs.b->algorithm != &b.algorithm();
    if (!view.runs.b) view.runs.b.emplace();
    RunViewB& shown = *view.runs.b;
    shown.algorithm = &b.algorithm();
    shown.layout = b.layout(view.stream.slots);
    shown.num_kept = stage_.particles->num_kept(Side::b);
    shown.traced = b.traced();
    if (!refresh) return;
    // Rows outside the total belong to the frame; A's rows contain them.
    shown.rows = b.timing().rows(b.algorithm());
    std::erase_if(shown.rows, [](const TimingRow& row) { return !row.in_total; });
    shown.throughput = b.timing().throughput(view.stream.slots, view.stream.slots * sizeof(compaction::Item));
    shown.throughput.copy_gb_s = view.runs.a.throughput.copy_gb_s;
    shown.throughput.copy_noise = view.runs.a.throughput.copy_noise;
    if (shown.throughput.copy_gb_s > 0)
        shown.throughput.share_of_copy = shown.throughput.useful_gb_s / shown.throughput.copy_gb_s;
    const LiveTiming& a_timing = stage_.a->timing();
    const std::uint64_t since = std::max(a_timing.statistics_since(), b.timing().statistics_since());
    shown.ratio = experiments::compare_pairs(
        experiments::pairs_of(a_timing.timeline(), b.timing().timeline(), since, pairs_compared));
}

}  // namespace warpsieve
