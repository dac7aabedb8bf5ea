#include "app/live/replay_maker.hpp"

#include <algorithm>
#include <exception>
#include <span>
#include <system_error>
#include <utility>
#include <vector>

#include "app/scene/sources.hpp"
#include "compaction/access_trace.hpp"
#include "compaction/predicate.hpp"

namespace warpsieve {
namespace {

using compaction::EngineId;
using compaction::Item;

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

std::shared_ptr<trace::MemoryReplay> simulate(const ReplaySubject& subject, const scene::Frame& frame) {
    const std::vector<bool> live = live_slots(frame);
    std::vector<Item> handles(live.size());
    for (std::uint32_t slot = 0; slot < handles.size(); ++slot)
        if (live[slot]) handles[slot] = scene::handle_of(slot);
    auto made = compaction::simulated::trace_compaction(
        *subject.algorithm, subject.config.a.options, compaction::ItemSize::bytes_4,
        std::as_bytes(std::span(handles)), compaction::keep_non_zero(), subject.config.schedule_seed);
    return trace::replay_of(*subject.algorithm,
                            std::make_shared<const compaction::AccessTrace>(std::move(made.trace)),
                            subject.partition);
}

}  // namespace

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

void ReplayMaker::take_made() {
    if (!making_.valid() || is_making()) return;
    Made made = making_.get();
    took_ = Clock::now() - begun_;
    is_first_ = false;
    problem_ = std::move(made.problem);
    if (made.replay) replay_ = std::move(made.replay);
}

bool ReplayMaker::begin_frame(const ReplaySubject& subject, std::uint64_t frame, const scene::Frame& scene,
                              const std::shared_ptr<const trace::TracedRun>& traced, bool refresh) {
    if (subject != subject_) {
        // What is being made is not of the new subject, and must not be taken for it.
        if (is_making()) return false;
        *this = ReplayMaker();
        subject_ = subject;
        first_frame_ = frame;
    }
    take_made();
    if (subject.algorithm->engine == EngineId::simulated) {
        if (is_due(refresh)) make([subject, scene] { return simulate(subject, scene); });
        return false;
    }
    if (awaited_) {
        if (traced && traced->frame == awaited_->frame) {
            const bool is_cold = !std::exchange(has_traced_, true);
            if (!is_cold)
                make([traced, input = awaited_->scene]() -> std::shared_ptr<trace::MemoryReplay> {
                    return trace::replay_of(*traced, live_slots(input));
                });
            awaited_.reset();
        } else if (frame > awaited_->frame + longest_wait_frames) {
            awaited_.reset();
        }
        return false;
    }
    if (frame < first_frame_ + cold_frames || !is_due(refresh)) return false;
    awaited_ = {frame, scene};
    return true;
}

void ReplayMaker::make(std::function<std::shared_ptr<trace::MemoryReplay>()> make_replay) {
    begun_ = Clock::now();
    try {
        making_ = std::async(std::launch::async, [make_replay = std::move(make_replay)]() -> Made {
            try {
                return {make_replay(), {}};
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
