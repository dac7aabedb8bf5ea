#include "app/live_run.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "app/interop/gpu_sampler.hpp"
#include "compaction/error.hpp"

namespace warpsieve {
namespace {

using compaction::EngineId;
using compaction::Error;
using compaction::ErrorCode;

/// Frames between two of the copies that all speeds are held against.
constexpr std::uint64_t copy_every = 30;

std::string mebibytes(std::uint64_t bytes) {
    return std::to_string(bytes >> 20) + " MiB";
}

std::unique_ptr<compaction::Compactor> make_compactor(compaction::Engine& engine,
                                                      const compaction::Algorithm& algorithm,
                                                      const compaction::Options& options,
                                                      std::uint64_t slots) {
    auto compactor = engine.make_compactor(algorithm, options);
    compactor->reserve(slots);
    return compactor;
}

std::unique_ptr<SlotSampling> make_sampling(compaction::Engine& engine, std::uint64_t slots) {
    return std::make_unique<SlotSampling>(engine.id() == EngineId::cuda
                                              ? interop::make_gpu_sampler(engine, slots)
                                              : scene::make_host_sampler(slots));
}

std::unique_ptr<compaction::Verifier> make_verifier(compaction::Engine& engine,
                                                    const compaction::Algorithm& algorithm,
                                                    std::uint64_t slots) {
    auto verifier = engine.make_verifier(comparison_of(algorithm));
    verifier->reserve(slots);
    return verifier;
}

}  // namespace

void LiveRun::configure(const Settings& settings) {
    const compaction::Algorithm& algorithm = settings.algorithm.empty()
                                                 ? compaction::default_algorithm(settings.engine)
                                                 : find_compaction(settings.algorithm);
    bool changed = settings.density != density_ || settings.iterations != iterations_;
    if (!stage_.engine || stage_.engine->id() != settings.engine) {
        Stage next = open_stage(settings, algorithm);
        std::swap(stage_, next);
        changed = true;
    } else {
        // Whatever can fail comes before the first change, so that either all of it is taken over or nothing.
        std::unique_ptr<compaction::Compactor> next;
        std::unique_ptr<compaction::Verifier> judge;
        if (&algorithm != algorithm_ || settings.options != options_) {
            next = make_compactor(*stage_.engine, algorithm, settings.options, settings.slots);
        }
        if (comparison_of(algorithm) != comparison_of(*algorithm_)) {
            judge = make_verifier(*stage_.engine, algorithm, settings.slots);
        }
        const bool other_size = settings.slots != stage_.particles->slots();
        if (other_size) resize(settings.slots);
        if (next) stage_.compactor = std::move(next);
        if (judge) stage_.verifier = std::move(judge);
        changed = changed || other_size || &algorithm != algorithm_ || settings.options != options_;
    }
    algorithm_ = &algorithm;
    options_ = settings.options;
    density_ = settings.density;
    iterations_ = settings.iterations;
    if (changed) stage_.timing->restart_statistics();
}

LiveRun::Stage LiveRun::open_stage(const Settings& settings, const compaction::Algorithm& algorithm) {
    // Looking for the device that OpenGL draws on needs a current context, so it comes after what needs none.
    const compaction::EngineStatus& status = compaction::status_of(settings.engine);
    if (!status.available) throw Error(ErrorCode::unavailable, status.reason);
    if (settings.engine == EngineId::cuda) interop_device_ = interop::find_interop_device();
    Stage stage;
    stage.engine = compaction::open_engine(settings.engine, interop_device_.device);
    stage.timing = std::make_unique<LiveTiming>(*stage.engine, log_);
    require_memory(*stage.engine, settings.slots, 0);
    stage.particles = make_particles(*stage.engine, settings.slots);
    stage.sampling = make_sampling(*stage.engine, settings.slots);
    stage.verifier = make_verifier(*stage.engine, algorithm, settings.slots);
    stage.compactor = make_compactor(*stage.engine, algorithm, settings.options, settings.slots);
    return stage;
}

/// The scene follows from seed and clock alone, so the old slots can go before the new ones come, and come
/// back if those fail.
void LiveRun::resize(std::uint64_t slots) {
    const std::uint64_t old_slots = stage_.particles->slots();
    require_memory(*stage_.engine, slots, scene::required_bytes(old_slots));
    stage_.sampling.reset();
    stage_.particles.reset();
    try {
        stage_.particles = make_particles(*stage_.engine, slots);
        stage_.sampling = make_sampling(*stage_.engine, slots);
        stage_.verifier->reserve(slots);
        stage_.compactor->reserve(slots);
    } catch (const Error&) {
        stage_.sampling.reset();
        stage_.particles.reset();
        stage_.particles = make_particles(*stage_.engine, old_slots);
        stage_.sampling = make_sampling(*stage_.engine, old_slots);
        throw;
    }
}

std::unique_ptr<scene::Particles> LiveRun::make_particles(compaction::Engine& engine,
                                                          std::uint64_t slots) const {
    return engine.id() == EngineId::cuda ? interop::make_gpu_particles(engine, slots, interop_device_)
                                         : scene::make_host_particles(engine, slots);
}

void LiveRun::require_memory(const compaction::Engine& engine, std::uint64_t slots,
                             std::uint64_t already_held) const {
    std::uint64_t budget = engine.free_memory_bytes() + already_held;
    if (memory_limit_bytes_ > 0) budget = std::min(budget, memory_limit_bytes_);
    const std::uint64_t needed = scene::required_bytes(slots);
    if (needed <= budget) return;
    const std::uint64_t fitting = std::bit_floor(budget / scene::required_bytes(1));
    throw Error(ErrorCode::out_of_memory, std::to_string(slots) + " slots need " + mebibytes(needed) +
                                              ", but " + engine.device().name + " has " + mebibytes(budget) +
                                              " to give. Up to " + std::to_string(fitting) +
                                              " slots would fit.");
}

void LiveRun::step(const Settings& settings, double scene_seconds, std::uint64_t frame) {
    // Before this frame's work rather than after it: asking about an event that is still pending is not free.
    stage_.timing->collect();
    clock_.advance(scene_seconds, settings.density);
    const scene::Moment moment = clock_.moment(settings.density, settings.seed);
    LiveTiming& timing = *stage_.timing;
    scene::Particles& particles = *stage_.particles;

    const bool split = timing.begin_frame(frame, settings.iterations, *algorithm_);
    particles.begin_frame();
    {
        const compaction::ScopedRun run{timing.simulate_recorder(), frame};
        particles.simulate(moment, timing.simulate_recorder());
    }
    const scene::StreamView stream = particles.stream();
    compact(settings.iterations, split, frame, stream);
    if (frame % copy_every == 0) {
        // Once untimed, so that the copy finds its buffers as warm as the compactions found theirs.
        const std::size_t bytes = particles.slots() * sizeof(compaction::Item);
        stage_.engine->enqueue_copy(stream.scratch, stream.in, bytes, nullptr);
        const compaction::ScopedRun run{timing.copy_recorder(), frame};
        stage_.engine->enqueue_copy(stream.scratch, stream.in, bytes, timing.copy_recorder());
    }
    enqueue_check(settings, frame, stream);
    sample(stream, frame);
    particles.end_frame();
    take_verdict();
}

void LiveRun::compact(std::uint32_t iterations, bool split, std::uint64_t frame,
                      const scene::StreamView& stream) {
    LiveTiming& timing = *stage_.timing;
    const auto enqueue = [&](compaction::PhaseRecorder* phases) {
        const compaction::ScopedRun run{phases, frame};
        stage_.compactor->enqueue(stream.in, stage_.particles->slots(), stream.out, stream.num_selected,
                                  compaction::keep_non_zero(), phases);
    };
    const compaction::ScopedRun batch{timing.total_recorder(), frame};
    const compaction::ScopedPhase all{timing.total_recorder()};
    // The split one first, so that what it costs the next one falls into the same batch.
    enqueue(split ? timing.phase_recorder() : nullptr);
    for (std::uint32_t iteration = 1; iteration < iterations; ++iteration) enqueue(nullptr);
}

void LiveRun::sample(const scene::StreamView& stream, std::uint64_t frame) {
    if (!looked_at_) return;
    const std::uint64_t slots = stage_.particles->slots();
    stage_.sampling->step(*looked_at_, stage_.compactor->partition(slots), stream,
                          {frame, algorithm_, slots});
}

void LiveRun::enqueue_check(const Settings& settings, std::uint64_t frame, const scene::StreamView& stream) {
    if (!check_.due(settings.check, settings.check_every, frame, algorithm_->id)) return;
    if (stage_.verifier->enqueue(frame, stream.in, stage_.particles->slots(), stream.out, stream.num_selected,
                                 compaction::keep_non_zero())) {
        check_.begin(frame, algorithm_->id);
    }
}

void LiveRun::take_verdict() {
    if (const auto verdict = stage_.verifier->poll()) check_.take(*verdict);
}

void LiveRun::end_frame(std::uint64_t frame, float frame_us) {
    stage_.timing->end_frame(frame, stage_.particles->interop_us(), frame_us, stage_.particles->num_kept());
}

void LiveRun::drain() {
    stage_.engine->synchronise();
    stage_.timing->collect();
    take_verdict();
}

void LiveRun::describe(View& view, bool refresh_figures) const {
    const std::uint64_t slots = stage_.particles->slots();
    view.algorithm = algorithm_;
    view.layout = stage_.compactor->layout(slots);
    view.engine = stage_.engine->id();
    view.device = stage_.engine->device();
    view.transfer = stage_.particles->transfer();
    view.transfer_reason = stage_.particles->transfer_reason();
    view.slots = slots;
    view.num_kept = stage_.particles->num_kept();
    view.memory_bytes = scene::required_bytes(slots);
    view.timeline = &stage_.timing->timeline();
    view.dropped_runs = stage_.timing->dropped();
    view.timing_method = view.engine == EngineId::cuda ? "CUDA events at phase boundaries"
                                                       : "steady_clock at phase boundaries";
    view.check = check_.view();
    view.slot_map.partition = stage_.compactor->partition(slots);
    view.slot_map.sample = stage_.sampling->sample();
    if (!refresh_figures) return;
    view.rows = stage_.timing->rows(*algorithm_);
    view.frame_us = stage_.timing->frame_summary();
    view.throughput = stage_.timing->throughput(slots, slots * sizeof(compaction::Item));
}

}  // namespace warpsieve
