#include "app/live/replay_maker.hpp"

#include <algorithm>
#include <exception>
#include <system_error>
#include <utility>
#include <vector>

#include "app/scene/sources.hpp"
#include "compaction/access_trace.hpp"

namespace warpsieve {
namespace {

using compaction::EngineId;

constexpr std::chrono::seconds shortest_interval{1};
/// The interval between two replays over the time that making one takes.
constexpr int interval_in_makings = 20;

/// The first compactions after a change find cold caches, so they are not traced. Neither is the first trace
/// used, because its recorder touches its memory for the first time.
constexpr std::uint64_t cold_frames = 8;

/// After so many frames, the trace of a frame is given up.
constexpr std::uint64_t longest_wait_frames = 120;

std::vector<bool> live_slots(const scene::Frame& frame) {
    std::vector<bool> live(frame.slots);
    scene::visit_source(frame, [&](const auto& source) {
        for (std::uint64_t slot = 0; slot < frame.slots; ++slot)
            live[slot] = source.is_live(static_cast<std::uint32_t>(slot));
    });
    return live;
}

}  // namespace

ReplaySubject replay_subject(const compaction::Algorithm& algorithm, const compaction::Partition& partition,
                             RunConfig config) {
    config.paused = false;
    config.speed = 1;
    config.iterations = 0;
    config.check = true;
    config.check_every = 0;
    config.b = {};
    return {&algorithm, partition, std::move(config)};
}

bool ReplayMaker::is_making() const {
    return making_.valid() && making_.wait_for(std::chrono::seconds(0)) != std::future_status::ready;
}

bool ReplayMaker::is_due(bool refresh) const {
    if (making_.valid()) return false;
    if (is_first_) return true;
    const Clock::duration interval =
        std::max<Clock::duration>(shortest_interval, took_ * interval_in_makings);
    return refresh && Clock::now() - begun_ >= interval;
}

void ReplayMaker::collect_made() {
    if (!making_.valid() || is_making()) return;
    Made made = making_.get();
    took_ = Clock::now() - begun_;
    is_first_ = false;
    problem_ = std::move(made.problem);
    if (made.replay) replay_ = std::move(made.replay);
}

bool ReplayMaker::begin_frame(const ReplaySubject& subject, std::uint64_t frame, const scene::Frame& scene,
                              const Traces& traces, bool refresh) {
    if (subject != subject_) {
        // What is being made is not of the new subject, and must not be taken for it.
        if (is_making()) {
            replay_.reset();
            return false;
        }
        *this = ReplayMaker();
        subject_ = subject;
        first_frame_ = frame;
    }
    collect_made();
    if (subject.algorithm->engine == EngineId::simulated) {
        follow_accesses(traces.accesses, scene.stream.columns, refresh);
        return false;
    }
    if (!awaited_) {
        if (frame < first_frame_ + cold_frames || !is_due(refresh)) return false;
        awaited_ = {frame, scene};
        return true;
    }
    if (traces.spans && traces.spans->frame == awaited_->frame) {
        if (std::exchange(has_traced_, true))
            make(
                [spans = traces.spans, input = awaited_->scene]() -> std::shared_ptr<trace::MemoryReplay> {
                    return trace::replay_of(spans, live_slots(input));
                },
                awaited_->scene.stream.columns);
        awaited_.reset();
    } else if (frame > awaited_->frame + longest_wait_frames) {
        awaited_.reset();
    }
    return false;
}

void ReplayMaker::follow_accesses(const std::shared_ptr<const compaction::AccessTrace>& accesses,
                                  std::uint64_t picture_columns, bool refresh) {
    if (!accesses && problem_.empty()) problem_ = compaction::simulated::no_trace_reason(*subject_.algorithm);
    if (!accesses || accesses == used_ || !is_due(refresh)) return;
    used_ = accesses;
    make([accesses, &algorithm = *subject_.algorithm, parts = subject_.partition]()
             -> std::shared_ptr<trace::MemoryReplay> { return trace::replay_of(algorithm, accesses, parts); },
         picture_columns);
}

void ReplayMaker::make(std::function<std::shared_ptr<trace::MemoryReplay>()> make_replay,
                       std::uint64_t picture_columns) {
    begun_ = Clock::now();
    try {
        making_ =
            std::async(std::launch::async, [make_replay = std::move(make_replay), picture_columns]() -> Made {
                try {
                    std::shared_ptr<trace::MemoryReplay> replay = make_replay();
                    replay->set_picture_columns(picture_columns);
                    return {std::move(replay), {}};
                } catch (const std::exception& error) {
                    return {nullptr, error.what()};
                }
            });
    } catch (const std::system_error&) {
        is_first_ = false;
        problem_ = "The system has no thread left to prepare a replay, so slow motion shows none.";
    }
}

}  // namespace warpsieve
