#include "app/live/race_run.hpp"

#include <algorithm>
#include <cmath>
#include <new>
#include <optional>
#include <utility>

#include "app/settings/window_preferences.hpp"
#include "compaction/error.hpp"
#include "experiments/paired_ratio.hpp"

namespace warpsieve {
namespace {

using compaction::Algorithm;
using compaction::Comparison;
using compaction::Error;
using compaction::ErrorCode;

constexpr std::size_t frames_in_flight = 16;
constexpr std::size_t times_recorded = 2 * experiments::max_pairs;
/// The first calls of a compactor pay for pages and code that they touch first.
constexpr std::uint64_t warm_up_spans = 2;
/// Lanes run in a frame until their times reach this sum.
constexpr double budget_us = 6'000;

/// Differs for each race and each restart.
std::uint64_t next_serial() {
    static std::uint64_t serial = 0;
    return ++serial;
}

}  // namespace

RaceRun::RaceRun(compaction::Engine& engine, std::span<const std::string> algorithms, std::uint64_t slots,
                 std::uint64_t memory_limit_bytes)
    : engine_(engine), ids_(algorithms.begin(), algorithms.end()), slots_(slots), serial_(next_serial()) {
    for (const std::string& id : ids_) {
        const auto found = std::ranges::find(compaction::catalogue(), id, &Algorithm::id);
        if (found == compaction::catalogue().end() || found->engine != engine.id()) continue;
        const bool is_repeated = std::ranges::find(lanes_, &*found, &Lane::algorithm) != lanes_.end();
        if (!is_repeated && lanes_.size() < max_racing) lanes_.emplace_back().algorithm = &*found;
    }
    finished_spans_.reserve(frames_in_flight);
    allocate(memory_limit_bytes);
    for (Lane& lane : lanes_) {
        if (lane.problem.empty()) open_lane(lane);
    }
}

/// Allocates the output that the lanes share. Without it, no lane can run.
void RaceRun::allocate(std::uint64_t memory_limit_bytes) {
    const std::uint64_t bytes = slots_ * sizeof(compaction::Item);
    try {
        if (memory_limit_bytes > 0 && bytes > memory_limit_bytes)
            throw Error(ErrorCode::out_of_memory,
                        "The output of the race needs " + std::to_string((bytes >> 20) + 1) +
                            " MiB, more than the memory limit leaves. Choose fewer slots.");
        out_ = engine_.allocate(bytes);
        num_selected_ = engine_.allocate(sizeof(std::uint64_t));
    } catch (const Error& error) {
        for (Lane& lane : lanes_) lane.problem = error.what();
    }
}

/// Runs `work` for a lane. If it fails, the lane keeps the reason and runs no more.
template <typename Work>
void RaceRun::attempt(Lane& lane, Work work) {
    try {
        work();
    } catch (const Error& error) {
        if (error.code() == ErrorCode::device_failure) throw;
        lane.problem = error.what();
    } catch (const std::bad_alloc&) {
        lane.problem = "Host memory ran out.";
    }
    if (!lane.problem.empty()) lane.compactor.reset();
}

void RaceRun::open_lane(Lane& lane) {
    attempt(lane, [&] {
        lane.compactor = engine_.make_compactor(*lane.algorithm, {});
        lane.compactor->reserve(slots_);
        lane.timer = engine_.make_timer(frames_in_flight);
        lane.times.reserve(times_recorded);
        auto& verifier =
            comparison_of(*lane.algorithm) == Comparison::in_order ? ordered_verifier_ : unordered_verifier_;
        if (!verifier) {
            auto new_verifier = engine_.make_verifier(comparison_of(*lane.algorithm));
            new_verifier->reserve(slots_);
            verifier = std::move(new_verifier);
        }
    });
}

bool RaceRun::runs(std::span<const std::string> algorithms) const {
    return std::ranges::equal(ids_, algorithms);
}

void RaceRun::restart() {
    restart_pending_ = true;
    serial_ = next_serial();
    for (Tracing& tracing : tracings_) reset(tracing);
    for (Lane& lane : lanes_) {
        lane.times.clear();
        lane.num_finished = 0;
    }
}

compaction::Verifier* RaceRun::verifier_of(const Algorithm& algorithm) {
    return (comparison_of(algorithm) == Comparison::in_order ? ordered_verifier_ : unordered_verifier_).get();
}

/// Expected time of a lane in a frame. A lane without times counts as the whole budget, so that no other lane
/// follows in this frame.
double RaceRun::expected_us(const Lane& lane) {
    if (!lane.compactor) return 0;
    return lane.latest_us > 0 ? static_cast<double>(lane.latest_us) : budget_us;
}

void RaceRun::reset(Tracing& tracing) {
    tracing.accesses.reset();
    tracing.newest.reset();
    tracing.nearest.reset();
}

void RaceRun::make_replays(const RacePair& pair) {
    for (std::size_t i = 0; i < pair.size(); ++i) {
        if (tracings_[i].algorithm == pair[i]) continue;
        tracings_[i].algorithm = pair[i];
        reset(tracings_[i]);
    }
}

void RaceRun::step(const compaction::Item* in, const RunConfig& config, std::uint64_t frame,
                   const scene::Frame& scene) {
    if (!lanes_.empty() && engine_.id() != compaction::EngineId::simulated) run_lanes(in, config, frame);
    for (Tracing& tracing : tracings_) trace_if_due(tracing, in, config, frame, scene);
}

/// The lane that runs next in this round.
std::size_t RaceRun::lane_in_turn() const {
    const std::size_t position =
        experiments::runs_in_reverse(round_) ? lanes_.size() - 1 - num_turns_taken_ : num_turns_taken_;
    return (round_ / 2 + position) % lanes_.size();
}

void RaceRun::run_lanes(const compaction::Item* in, const RunConfig& config, std::uint64_t frame) {
    if (std::exchange(restart_pending_, false)) {
        first_counted_round_ = ++round_;
        num_turns_taken_ = 0;
    }
    iterations_ = config.iterations;
    // A lane that does not run is not checked.
    if (!lanes_[next_check_ % lanes_.size()].compactor) ++next_check_;
    for (double spent_us = 0; num_turns_taken_ < lanes_.size() && spent_us < budget_us; ++num_turns_taken_) {
        const std::size_t index = lane_in_turn();
        compact(index, in, config, frame);
        spent_us += expected_us(lanes_[index]);
    }
    if (num_turns_taken_ < lanes_.size()) return;
    num_turns_taken_ = 0;
    ++round_;
}

void RaceRun::compact(std::size_t index, const compaction::Item* in, const RunConfig& config,
                      std::uint64_t frame) {
    Lane& lane = lanes_[index];
    if (!lane.compactor) return;
    attempt(lane, [&] {
        {
            const compaction::ScopedSpan span{lane.timer.get(), round_};
            for (std::uint32_t iteration = 0; iteration < config.iterations; ++iteration)
                enqueue(lane, in, /*recorder=*/nullptr);
        }
        if (!config.check || frame < next_check_frame_ || next_check_ % lanes_.size() != index) return;
        if (verifier_of(*lane.algorithm)
                ->enqueue(index, in, slots_, out_.as<compaction::Item>(), num_selected_.as<std::uint64_t>(),
                          compaction::keep_non_zero())) {
            ++next_check_;
            next_check_frame_ = frame + config.check_every;
        }
    });
}

void RaceRun::enqueue(Lane& lane, const compaction::Item* in, compaction::PhaseRecorder* recorder) {
    lane.compactor->enqueue(in, slots_, out_.as<compaction::Item>(), num_selected_.as<std::uint64_t>(),
                            compaction::keep_non_zero(), recorder);
}

/// Traces a compaction of the lane if its replay needs one.
void RaceRun::trace_if_due(Tracing& tracing, const compaction::Item* in, const RunConfig& config,
                           std::uint64_t frame, const scene::Frame& scene) {
    const auto lane = std::ranges::find(lanes_, tracing.algorithm, &Lane::algorithm);
    if (!tracing.algorithm || lane == lanes_.end() || !lane->compactor) return;
    tracing.accesses.collect();
    if (engine_.id() == compaction::EngineId::simulated && tracing.accesses.due(frame))
        tracing.accesses.begin(*lane->algorithm, {}, {in, slots_}, config.schedule_seed, frame);
    ReplaySubject subject = replay_subject(*lane->algorithm, lane->compactor->partition(slots_), config);
    subject.config.a = {};  // a change of A does not concern the lane
    const AccessCounting::Result& accesses = tracing.accesses.result();
    const ReplayMaker::Traces traces{tracing.spans, accesses ? accesses->trace : nullptr};
    const bool trace_is_due = tracing.replays.begin_frame(subject, frame, scene, traces, !config.paused);
    choose_replay(tracing, *lane);
    if (!trace_is_due) return;
    attempt(*lane, [&] {
        if (!tracing.recorder) tracing.recorder = engine_.make_recorder(1);
        tracing.recorded = lane->algorithm;
        tracing.recorder->request_trace(/*roles_block=*/0);
        {
            const compaction::ScopedRun run{tracing.recorder.get(), frame};
            enqueue(*lane, in, tracing.recorder.get());
        }
        tracing.recorder->collect();
    });
}

/// Chooses the replay whose duration is nearest to the median: a compaction that another program interrupts
/// takes much longer.
void RaceRun::choose_replay(Tracing& tracing, const Lane& lane) {
    const std::shared_ptr<const trace::MemoryReplay> newest = tracing.replays.replay();
    if (newest == tracing.newest) return;
    tracing.newest = newest;
    const double median_us = experiments::summarise_pairs(lane.times).median;
    const auto distance = [&](const trace::MemoryReplay& replay) {
        return std::abs(replay.duration() - median_us);
    };
    if (!newest || newest->in_steps() || !tracing.nearest || distance(*newest) < distance(*tracing.nearest))
        tracing.nearest = newest;
}

void RaceRun::collect_spans(Tracing& tracing) const {
    if (!tracing.recorder) return;
    std::vector<compaction::RunTiming> unused_timings;
    tracing.recorder->poll(unused_timings);  // reads the trace too
    if (auto prepared = tracing.preparation.collect()) tracing.spans = std::move(prepared);
    if (tracing.preparation.busy()) return;
    auto spans = tracing.recorder->poll_trace();
    if (!spans) return;
    const std::uint64_t frame = spans->run;
    const auto lane = std::ranges::find(lanes_, tracing.recorded, &Lane::algorithm);
    const double median_us = lane != lanes_.end() ? experiments::summarise_pairs(lane->times).median : 0;
    tracing.preparation.begin(*tracing.recorded, frame, *std::move(spans), median_us);
}

void RaceRun::collect() {
    for (Tracing& tracing : tracings_) collect_spans(tracing);
    for (Lane& lane : lanes_) {
        if (!lane.timer) continue;
        finished_spans_.clear();
        lane.timer->poll(finished_spans_);
        for (const compaction::SpanTiming& timing : finished_spans_) {
            const std::uint64_t round = timing.span;
            if (!restart_pending_ && round >= first_counted_round_ && ++lane.num_finished > warm_up_spans)
                add_time(lane, timing);
        }
    }
    collect_verdict(ordered_verifier_.get());
    collect_verdict(unordered_verifier_.get());
}

/// Adds the time of one round. It had `iterations_` compactions, because a change of that number restarts the
/// race.
void RaceRun::add_time(Lane& lane, const compaction::SpanTiming& timing) const {
    lane.latest_us = timing.us;
    if (lane.times.size() == times_recorded) lane.times.erase(lane.times.begin());
    lane.times.push_back({timing.span, timing.us / static_cast<float>(iterations_)});
}

void RaceRun::collect_verdict(compaction::Verifier* verifier) {
    if (!verifier) return;
    const auto verdict = verifier->poll();
    if (!verdict || verdict->correct()) return;
    Lane& lane = lanes_[verdict->run];  // compact() numbers the checked runs by their lanes
    lane.problem = "Wrong result: " + verdict->describe();
    lane.compactor.reset();
}

RaceLane RaceRun::figures_of(const Lane& lane) {
    const experiments::Summary us = experiments::summarise_pairs(lane.times);
    return {lane.algorithm, lane.problem, us.n, us.median, {}};
}

/// Compares every lane with the reference lane, whose time stays. The times of the others follow from the
/// ratios.
void RaceRun::compare_with(std::size_t reference, std::vector<RaceLane>& lanes) const {
    const std::vector<experiments::RoundTime>& times = lanes_[reference].times;
    std::vector<float> means_us;
    for (const experiments::Pair& pair : experiments::pairs_of(times, times)) means_us.push_back(pair.a_us);
    const double reference_us = experiments::summarise(means_us).median;
    for (std::size_t i = 0; i < lanes.size(); ++i) {
        RaceLane& lane = lanes[i];
        const auto ratio = experiments::compare_pairs(experiments::pairs_of(lanes_[i].times, times));
        lane.over_fastest = ratio;
        if (!ratio.known()) continue;
        lane.median_us = ratio.median * reference_us;
        lane.interval = {ratio.interval.low * reference_us, ratio.interval.high * reference_us,
                         ratio.interval.coverage};
    }
    lanes[reference].interval = experiments::median_interval(means_us);
}

RaceFigures RaceRun::figures() const {
    RaceFigures figures{serial_, {}};
    for (const Lane& lane : lanes_) figures.lanes.push_back(figures_of(lane));
    const auto is_faster = [](const RaceLane& a, const RaceLane& b) {
        return std::pair{!a.runs(), a.median_us} < std::pair{!b.runs(), b.median_us};
    };
    // In pairs, the lane with the smallest median may be slower than another, which then becomes the
    // reference.
    std::optional<std::size_t> reference;
    for (std::size_t i = 0; i < lanes_.size(); ++i) {
        const auto fastest = std::ranges::min_element(figures.lanes, is_faster);
        const auto index = static_cast<std::size_t>(fastest - figures.lanes.begin());
        if (!fastest->runs() || reference == index) break;
        reference = index;
        compare_with(index, figures.lanes);
    }
    for (const Tracing& tracing : tracings_) {
        const auto lane = std::ranges::find(figures.lanes, tracing.algorithm, &RaceLane::algorithm);
        if (!tracing.algorithm || lane == figures.lanes.end()) continue;
        lane->replay = tracing.nearest;
        lane->replay_problem = tracing.replays.problem();
    }
    return figures;
}

}  // namespace warpsieve
