#include "app/live/live_run.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <new>
#include <utility>

#include "app/format/figures.hpp"
#include "app/interop/interop.hpp"
#include "app/scene/sources.hpp"
#include "app/settings/schema.hpp"

namespace warpsieve {
namespace {

using compaction::EngineId;
using compaction::Error;
using compaction::ErrorCode;

/// Frames from one reference copy to the next.
constexpr std::uint64_t copy_every = 30;
/// Copy interval until three copies are timed.
constexpr std::uint64_t first_copies_every = 5;

std::string mebibytes(std::uint64_t bytes) {
    return std::to_string(bytes >> 20) + " MiB";
}

std::uint64_t bytes_of(std::uint64_t slots, bool with_b) {
    return scene::required_bytes(slots, with_b ? 2 : 1);
}

const compaction::Algorithm& algorithm_of(const RunConfig& config, Side side) {
    const std::string& id = config.choice(side).algorithm;
    if (!id.empty()) return find_compaction(id);
    const compaction::Algorithm& first = compaction::default_algorithm(config.engine);
    if (side == Side::a) return first;
    return find_compaction(default_b(compaction::catalogue(), config.engine,
                                     config.a.algorithm.empty() ? first.id : config.a.algorithm));
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

RunChange refused(const compaction::Error& error, Settings& settings, const Settings& applied) {
    settings.run = applied.run;
    if (settings.compares() != applied.compares()) settings.window.tab = applied.window.tab;
    return {false, error};
}

}  // namespace

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
    stage_.sampling_b.reset();
    try {
        allocate_slots(slots, compares);
    } catch (...) {
        restore_slots(old_slots, compared);
        throw;
    }
    if (!compares) stage_.b.reset();
}

/// Frees the old buffers, then allocates new ones.
void LiveRun::allocate_slots(std::uint64_t slots, bool compares) {
    stage_.sampling.reset();
    stage_.particles.reset();
    stage_.particles = make_particles(*stage_.engine, slots, compares);
    stage_.sampling = make_sampling(*stage_.engine, slots);
    stage_.a->reserve(slots);
    if (stage_.b && compares) stage_.b->reserve(slots);
}

/// Restores the previous length; may fail, because another program may have taken the memory.
void LiveRun::restore_slots(std::uint64_t slots, bool compares) {
    try {
        allocate_slots(slots, compares);
    } catch (const Error& error) {
        // The next configuration opens the engine anew.
        Stage ended;
        std::swap(stage_, ended);
        throw Error(ErrorCode::device_failure,
                    std::string("The memory that was there before is gone. ") + error.what());
    }
}

std::unique_ptr<scene::Particles> LiveRun::make_particles(compaction::Engine& engine, std::uint64_t slots,
                                                          bool with_b) const {
    auto particles = engine.id() == EngineId::cuda
                         ? interop::make_gpu_particles(engine, slots, interop_device_)
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

/// Without memory for it, the outputs are not compared.
void LiveRun::open_sampling_b(std::uint64_t slots) {
    try {
        stage_.sampling_b = make_sampling(*stage_.engine, slots);
    } catch (const Error& error) {
        if (error.code() != ErrorCode::out_of_memory) throw;
    }
}

void LiveRun::step(double scene_seconds, std::uint64_t frame, FrameClock* clock) {
    const auto enter = [clock](std::optional<FramePart> part) {
        if (clock) clock->enter(part);
    };
    collect();
    scene::Particles& particles = *stage_.particles;
    const std::uint64_t slots = particles.slots();
    // Alternate the order, so that neither side always finds the caches warmed by the other.
    const Side first = frame % 2 == 0 ? Side::a : Side::b;
    clock_.advance(scene_seconds, config_.density);
    scene_ = scene_frame();

    enter(FramePart::publish);
    particles.begin_frame();
    enter(FramePart::simulate);
    {
        const compaction::ScopedSpan span{timing().simulate_timer(), frame};
        particles.simulate(scene_);
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
        particles.publish();
    }
    particles.end_frame();
    enter(std::nullopt);
    for_each_side(first, [&](Side side) { side_run(side).take_verdict(); });
}

scene::Frame LiveRun::scene_frame() {
    const std::uint64_t slots = stage_.particles->slots();
    scene::Frame frame{.source = &scene::effective_source(config_.source),
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

void LiveRun::enqueue_copy(std::uint64_t frame) {
    const scene::FrameBuffers stream = stage_.particles->stream(Side::a);
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
