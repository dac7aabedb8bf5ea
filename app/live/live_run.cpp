#include "app/live/live_run.hpp"

#include <algorithm>
#include <optional>

#include "app/scene/sources.hpp"

namespace warpsieve {
namespace {

/// Frames from one reference copy to the next.
constexpr std::uint64_t copy_every = 30;
/// Copy interval until three copies are timed.
constexpr std::uint64_t first_copies_every = 5;

}  // namespace

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

}  // namespace warpsieve
