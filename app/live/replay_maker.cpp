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

/// The minimum interval between two replays: the longer of this time, and this many times the time that
/// making one takes.
constexpr std::chrono::seconds min_interval{1};
constexpr int min_interval_in_makings = 20;

/// The first compactions after a change find cold caches, so they are not traced. The first trace is not used
/// either, because its recorder touches its memory for the first time.
constexpr std::uint64_t cold_frames = 8;

/// A trace that has not arrived after this many frames is given up.
constexpr std::uint64_t max_wait_frames = 120;

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
    if (is_first_making_) return true;
    const Clock::duration interval =
        std::max<Clock::duration>(min_interval, making_took_ * min_interval_in_makings);
    return refresh && Clock::now() - making_began_ >= interval;
}

void ReplayMaker::collect_result() {
    if (!making_.valid() || is_making()) return;
    Result result = making_.get();
    making_took_ = Clock::now() - making_began_;
    is_first_making_ = false;
    problem_ = std::move(result.problem);
    if (result.replay) replay_ = std::move(result.replay);
}

bool ReplayMaker::begin_frame(const ReplaySubject& subject, std::uint64_t frame, const scene::Frame& scene,
                              const Traces& traces, bool refresh) {
    if (subject != subject_) {
        // The replay in the making belongs to the old subject: wait for it, then drop it.
        if (is_making()) {
            replay_.reset();
            return false;
        }
        *this = ReplayMaker();
        subject_ = subject;
        first_frame_ = frame;
    }
    collect_result();
    if (subject.algorithm->engine == EngineId::simulated) {
        make_from_accesses(traces.accesses, scene.stream.columns, refresh);
        return false;
    }
    if (!traced_frame_) {
        if (frame < first_frame_ + cold_frames || !is_due(refresh)) return false;
        traced_frame_ = {frame, scene};
        return true;
    }
    if (traces.spans && traces.spans->frame == traced_frame_->frame) {
        const bool is_first_trace = !std::exchange(has_skipped_trace_, true);
        if (!is_first_trace)
            make(
                [spans = traces.spans,
                 input = traced_frame_->scene]() -> std::shared_ptr<trace::MemoryReplay> {
                    return trace::replay_of(spans, live_slots(input));
                },
                traced_frame_->scene.stream.columns);
        traced_frame_.reset();
    } else if (frame > traced_frame_->frame + max_wait_frames) {
        traced_frame_.reset();
    }
    return false;
}

void ReplayMaker::make_from_accesses(const std::shared_ptr<const compaction::AccessTrace>& accesses,
                                     std::uint64_t picture_columns, bool refresh) {
    if (!accesses && problem_.empty()) problem_ = compaction::simulated::no_trace_reason(*subject_.algorithm);
    if (!accesses || accesses == used_accesses_ || !is_due(refresh)) return;
    used_accesses_ = accesses;
    make([accesses, &algorithm = *subject_.algorithm, parts = subject_.partition]()
             -> std::shared_ptr<trace::MemoryReplay> { return trace::replay_of(algorithm, accesses, parts); },
         picture_columns);
}

void ReplayMaker::make(std::function<std::shared_ptr<trace::MemoryReplay>()> make_replay,
                       std::uint64_t picture_columns) {
    making_began_ = Clock::now();
    try {
        making_ = std::async(std::launch::async,
                             [make_replay = std::move(make_replay), picture_columns]() -> Result {
                                 try {
                                     std::shared_ptr<trace::MemoryReplay> replay = make_replay();
                                     replay->set_picture_columns(picture_columns);
                                     return {std::move(replay), {}};
                                 } catch (const std::exception& error) {
                                     return {nullptr, error.what()};
                                 }
                             });
    } catch (const std::system_error&) {
        is_first_making_ = false;
        problem_ = "The system has no thread left to prepare a replay, so slow motion shows none.";
    }
}

}  // namespace warpsieve
