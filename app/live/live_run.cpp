#include "app/live/live_run.hpp"

#include <algorithm>
#include <bit>
#include <optional>
#include <utility>

#include "app/format/figures.hpp"
#include "app/interop/gpu_sampler.hpp"
#include "app/scene/sources.hpp"
#include "compaction/error.hpp"

namespace warpsieve {
namespace {

using compaction::EngineId;
using compaction::Error;
using compaction::ErrorCode;

/// Frames between two of the copies that all speeds are held against.
constexpr std::uint64_t copy_every = 30;
/// The newest so many pairs of A's and B's times make their ratio: those of the last ten seconds at 60 Hz.
constexpr std::size_t pairs_compared = 300;

std::string mebibytes(std::uint64_t bytes) {
    return std::to_string(bytes >> 20) + " MiB";
}

std::uint64_t bytes_of(std::uint64_t slots, bool with_b) {
    return scene::required_bytes(slots, with_b ? 2 : 1);
}

const compaction::Algorithm& algorithm_of(const Settings& settings, Side side) {
    const std::string& id = settings.run.choice(side).algorithm;
    if (!id.empty()) return find_compaction(id);
    const compaction::Algorithm& usual = compaction::default_algorithm(settings.run.engine);
    if (side == Side::a) return usual;
    return find_compaction(default_b(compaction::catalogue(), settings.run.engine,
                                     settings.run.a.algorithm.empty() ? usual.id : settings.run.a.algorithm));
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

bool LiveRun::configure(const Settings& settings) {
    bool changed = settings.run.density != density_ || settings.run.iterations != iterations_ ||
                   settings.run.source != source_ || settings.run.pattern != pattern_ ||
                   settings.run.seed != seed_;
    if (!stage_.engine || stage_.engine->id() != settings.run.engine) {
        Stage next = open_stage(settings);
        std::swap(stage_, next);
        changed = true;
    } else {
        changed = reconfigure(settings) || changed;
    }
    source_ = settings.run.source;
    pattern_ = settings.run.pattern;
    seed_ = settings.run.seed;
    density_ = settings.run.density;
    iterations_ = settings.run.iterations;
    if (!changed) return false;
    for_each_side(Side::a, [&](Side side) { side_run(side).timing().restart_statistics(); });
    launches_ = stage_.a->launches(stage_.particles->stream(Side::a), settings.run.slots);
    return true;
}

LiveRun::Stage LiveRun::open_stage(const Settings& settings) {
    // Looking for the device that OpenGL draws on needs a current context, so it comes after what needs none.
    const compaction::EngineStatus& status = compaction::status_of(settings.run.engine);
    if (!status.available) throw Error(ErrorCode::unavailable, status.reason);
    if (settings.run.engine == EngineId::cuda) interop_device_ = interop::find_interop_device();
    Stage stage;
    stage.engine = compaction::open_engine(settings.run.engine, interop_device_.device);
    if (const std::string& place = stage.engine->device().pci_bus_id; !place.empty())
        stage.gpu_watch = std::make_unique<nvml::Watch>(place);
    require_memory(*stage.engine, settings.run.slots, settings.compares(), 0);
    stage.particles = make_particles(*stage.engine, settings.run.slots, settings.compares());
    stage.sampling = make_sampling(*stage.engine, settings.run.slots);
    stage.a = make_side_run(*stage.engine, settings, Side::a);
    if (settings.compares()) stage.b = make_side_run(*stage.engine, settings, Side::b);
    return stage;
}

/// On the engine that is open; says whether something else runs now.
bool LiveRun::reconfigure(const Settings& settings) {
    // Whatever can fail comes before the first change, so that either all of it is taken over or nothing.
    const auto prepare = [&](Side side) {
        return side_run(side).prepare(algorithm_of(settings, side), settings.run.choice(side).options,
                                      settings.run.slots);
    };
    SideRun::Change a = prepare(Side::a);
    std::optional<SideRun::Change> b;
    std::unique_ptr<SideRun> first_b;
    if (settings.compares()) {
        if (stage_.b) {
            b = prepare(Side::b);
        } else {
            first_b = make_side_run(*stage_.engine, settings, Side::b);
        }
    }
    const bool fitted = settings.run.slots == stage_.particles->slots() && settings.compares() == comparing();
    if (!fitted) fit_particles(settings);
    const bool other_a = stage_.a->take(std::move(a));
    const bool other_b = b && stage_.b->take(std::move(*b));
    if (first_b) stage_.b = std::move(first_b);
    return !fitted || other_a || other_b;
}

std::unique_ptr<SideRun> LiveRun::make_side_run(compaction::Engine& engine, const Settings& settings,
                                                Side side) {
    return std::make_unique<SideRun>(engine, algorithm_of(settings, side), settings.run.choice(side).options,
                                     settings.run.slots, checks_[index_of(side)],
                                     side == Side::a ? log_ : nullptr);
}

/// The scene follows from seed and clock alone, so where the length changes the old slots can go before the
/// new ones come, and come back if those fail.
void LiveRun::fit_particles(const Settings& settings) {
    const std::uint64_t old_slots = stage_.particles->slots();
    const bool compared = comparing();
    const bool compares = settings.compares();
    require_memory(*stage_.engine, settings.run.slots, compares, bytes_of(old_slots, stage_.b != nullptr));
    if (settings.run.slots == old_slots) {
        stage_.particles->give_b_an_output(compares);
        return;
    }
    stage_.sampling.reset();
    stage_.particles.reset();
    try {
        stage_.particles = make_particles(*stage_.engine, settings.run.slots, compares);
        stage_.sampling = make_sampling(*stage_.engine, settings.run.slots);
        stage_.a->reserve(settings.run.slots);
        if (stage_.b && compares) stage_.b->reserve(settings.run.slots);
    } catch (const Error&) {
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
    auto particles = engine.id() == EngineId::cuda
                         ? interop::make_gpu_particles(engine, slots, interop_device_)
                         : scene::make_host_particles(engine, slots);
    particles->give_b_an_output(with_b);
    return particles;
}

void LiveRun::require_memory(const compaction::Engine& engine, std::uint64_t slots, bool with_b,
                             std::uint64_t already_held) const {
    std::uint64_t budget = engine.free_memory_bytes() + already_held;
    if (memory_limit_bytes_ > 0) budget = std::min(budget, memory_limit_bytes_);
    const std::uint64_t needed = bytes_of(slots, with_b);
    if (needed <= budget) return;
    // Rounded up, or the two could read the same.
    const std::string need = mebibytes(needed + (std::uint64_t{1} << 20) - 1);
    const std::uint64_t fitting = std::bit_floor(budget / bytes_of(1, with_b));
    throw Error(ErrorCode::out_of_memory, plots::slot_count(slots) + " slots need " + need +
                                              (with_b ? " with an output for A and one for B" : "") +
                                              ", but " + engine.device().name + " has " + mebibytes(budget) +
                                              " to give. Up to " + plots::slot_count(fitting) +
                                              " slots would fit.");
}

void LiveRun::step(const Settings& settings, double scene_seconds, std::uint64_t frame) {
    // Before this frame's work rather than after it: asking about an event that is still pending is not free.
    collect();
    clock_.advance(scene_seconds, settings.run.density);
    const scene::Frame scene_now = scene_frame(settings);
    scene::Particles& particles = *stage_.particles;
    const std::uint64_t slots = particles.slots();
    // In turns, so that what the first leaves in the caches helps now the one and now the other.
    const Side first = frame % 2 == 0 ? Side::a : Side::b;

    particles.begin_frame();
    {
        compaction::PhaseRecorder* const recorder = timing().simulate_recorder();
        const compaction::ScopedRun run{recorder, frame};
        particles.simulate(scene_now, recorder);
    }
    for_each_side(first, [&](Side side) {
        side_run(side).compact(particles.stream(side), slots, settings.run.iterations, frame);
    });
    if (frame % copy_every == 0) enqueue_copy(frame);
    for_each_side(first,
                  [&](Side side) { side_run(side).check(particles.stream(side), slots, settings, frame); });
    sample(frame);
    particles.end_frame();
    for_each_side(first, [&](Side side) { side_run(side).take_verdict(); });
}

scene::Frame LiveRun::scene_frame(const Settings& settings) {
    const std::uint64_t slots = stage_.particles->slots();
    scene::Frame frame{.source = &scene::source_in_force(settings.run.source),
                       .slots = slots,
                       .moment = clock_.moment(settings.run.density, settings.run.seed)};
    if (frame.source->has_patterns) {
        frame.stream = streams_.make(settings.run.pattern, slots, static_cast<double>(settings.run.density),
                                     settings.run.seed);
    }
    return frame;
}

void LiveRun::sample(std::uint64_t frame) {
    if (!looked_at_) return;
    const std::uint64_t slots = stage_.particles->slots();
    stage_.sampling->step(*looked_at_, stage_.a->partition(slots), stage_.particles->stream(Side::a),
                          {frame, &stage_.a->algorithm(), slots});
}

void LiveRun::enqueue_copy(std::uint64_t frame) {
    const scene::StreamView stream = stage_.particles->stream(Side::a);
    const std::size_t bytes = stage_.particles->slots() * sizeof(compaction::Item);
    // Once untimed, so that the copy finds its buffers as warm as the compactions found theirs.
    stage_.engine->enqueue_copy(stream.scratch, stream.in, bytes, nullptr);
    compaction::PhaseRecorder* const recorder = timing().copy_recorder();
    const compaction::ScopedRun run{recorder, frame};
    stage_.engine->enqueue_copy(stream.scratch, stream.in, bytes, recorder);
}

void LiveRun::end_frame(std::uint64_t frame, float frame_us) {
    const scene::Particles& particles = *stage_.particles;
    for_each_side(Side::a, [&](Side side) {
        side_run(side).timing().end_frame(frame, particles.interop_us(), frame_us, particles.num_kept(side));
    });
}

void LiveRun::collect() {
    for_each_side(Side::a, [&](Side side) { side_run(side).timing().collect(); });
}

void LiveRun::drain() {
    stage_.engine->synchronise();
    collect();
    for_each_side(Side::a, [&](Side side) { side_run(side).take_verdict(); });
}

void LiveRun::clear_timings() {
    for_each_side(Side::a, [&](Side side) { side_run(side).timing().clear(); });
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
    view.runs.a.num_kept = stage_.particles->num_kept(Side::a);
    view.stream.memory_bytes = bytes_of(slots, stage_.b != nullptr);
    view.timings.timeline = &a.timing().timeline();
    view.machine.clock_reason = a.timing().clock_reason();
    view.machine.gpu_reading = stage_.gpu_watch ? stage_.gpu_watch->last() : nullptr;
    view.timings.dropped_runs = a.timing().dropped() + (comparing() ? stage_.b->timing().dropped() : 0);
    view.timings.method = view.machine.engine == EngineId::cuda ? "CUDA events at phase boundaries"
                                                                : "steady_clock at phase boundaries";
    view.checks.a = checks_[index_of(Side::a)].view();
    view.checks.b = checks_[index_of(Side::b)].view();
    if (refresh_figures) {
        view.timings.launches = launches_;
        view.runs.a.rows = a.timing().rows(a.algorithm());
        view.timings.frame_us = a.timing().frame_summary();
        view.runs.a.throughput = a.timing().throughput(slots, slots * sizeof(compaction::Item));
    }
    if (comparing()) {
        describe_rival(view, refresh_figures);
    } else {
        view.runs.b.reset();
    }
}

void LiveRun::describe_rival(View& view, bool refresh_figures) const {
    const SideRun& b = *stage_.b;
    const bool refresh = refresh_figures || !view.runs.b || view.runs.b->algorithm != &b.algorithm();
    if (!view.runs.b) view.runs.b.emplace();
    RunViewB& rival = *view.runs.b;
    rival.algorithm = &b.algorithm();
    rival.layout = b.layout(view.stream.slots);
    rival.num_kept = stage_.particles->num_kept(Side::b);
    if (!refresh) return;
    // What is outside of the total belongs to the frame, and A's rows have it.
    rival.rows = b.timing().rows(b.algorithm());
    std::erase_if(rival.rows, [](const TimingRow& row) { return !row.in_total; });
    rival.throughput = b.timing().throughput(view.stream.slots, view.stream.slots * sizeof(compaction::Item));
    rival.throughput.copy_gb_s = view.runs.a.throughput.copy_gb_s;
    rival.throughput.copy_noise = view.runs.a.throughput.copy_noise;
    if (rival.throughput.copy_gb_s > 0)
        rival.throughput.share_of_copy = rival.throughput.useful_gb_s / rival.throughput.copy_gb_s;
    const LiveTiming& a_timing = stage_.a->timing();
    const std::uint64_t since = std::max(a_timing.statistics_since(), b.timing().statistics_since());
    rival.ratio = experiments::compare_pairs(
        experiments::pairs_of(a_timing.timeline(), b.timing().timeline(), since, pairs_compared));
}

}  // namespace warpsieve
