#include "app/live/live_timing.hpp"

#include <algorithm>
#include <chrono>
#include <numeric>
#include <string>
#include <utility>

namespace warpsieve {
namespace {

using experiments::FrameSample;

constexpr std::size_t copies_recorded = 32;
/// The median of three copies tolerates one that was interrupted.
constexpr std::size_t min_copies = 3;
constexpr auto every_frame = [](const FrameSample&) { return true; };
constexpr auto frames_with_phases = [](const FrameSample& sample) { return sample.num_phases > 0; };
constexpr auto frames_with_gaps = [](const FrameSample& sample) { return sample.gaps_known; };

}  // namespace

LiveTiming::LiveTiming(compaction::Engine& engine, std::vector<FrameSample>* log, std::uint64_t first_round)
    : total_(engine.make_timer(frames_in_flight)),
      phases_(engine.make_recorder(frames_in_flight * max_timed_runs)),
      simulate_(engine.make_timer(frames_in_flight)),
      copy_(engine.make_timer(frames_in_flight)),
      publish_(engine.make_timer(frames_in_flight)),
      clock_(engine.make_clock_probe()),
      first_round_(first_round),
      has_times_(engine.id() != compaction::EngineId::simulated),
      log_(log) {
    copy_us_.reserve(copies_recorded);
    finished_spans_.reserve(frames_in_flight);
    finished_runs_.reserve(frames_in_flight * max_timed_runs);
}

void LiveTiming::PendingFrame::add(const compaction::RunTiming& timing) {
    const std::size_t num_phases = sample.algorithm->phases.size();
    ++num_arrived_runs;
    if (timing.num_phases != num_phases) return;
    ++num_timed_runs;
    if (timing.gaps_known) ++num_runs_with_gaps;
    for (std::size_t phase = 0; phase < num_phases; ++phase) {
        sums.phase_us[phase] += static_cast<double>(timing.phase_us[phase]);
        sums.hidden_us[phase] += static_cast<double>(timing.hidden_us[phase]);
        sums.gap_us[phase] += static_cast<double>(timing.gap_us[phase]);
    }
}

void LiveTiming::PendingFrame::average_phases() {
    const std::size_t num_phases = sample.algorithm->phases.size();
    if (num_timed_runs == 0) {
        if (num_arrived_runs == 0 || num_phases != 1) return;
        sample.num_phases = 1;
        sample.phase_us[0] = sample.total_us;
        return;
    }
    const auto num_timed = static_cast<double>(num_timed_runs);
    const auto total_us = static_cast<double>(sample.total_us);
    const double phases_us = std::accumulate(sums.phase_us.begin(), sums.phase_us.end(), 0.0) / num_timed;
    const double scale = phases_us > total_us ? total_us / phases_us : 1;
    const double phase_scale = scale / num_timed;
    const double gap_scale = num_runs_with_gaps > 0 ? scale / static_cast<double>(num_runs_with_gaps) : 0;
    sample.num_phases = num_phases;
    sample.gaps_known = num_runs_with_gaps > 0;
    sample.between_us = static_cast<float>(std::max(total_us - phases_us, 0.0));
    for (std::size_t phase = 0; phase < num_phases; ++phase) {
        sample.phase_us[phase] = static_cast<float>(sums.phase_us[phase] * phase_scale);
        sample.hidden_us[phase] = static_cast<float>(sums.hidden_us[phase] * phase_scale);
        sample.gap_us[phase] = static_cast<float>(sums.gap_us[phase] * gap_scale);
    }
}

LiveTiming::PendingFrame* LiveTiming::find_pending(std::uint64_t frame) {
    PendingFrame& frame_timing = pending_[frame % frames_in_flight];
    return frame_timing.iterations > 0 && frame_timing.sample.frame == frame ? &frame_timing : nullptr;
}

void LiveTiming::begin_frame(std::uint64_t frame, std::uint32_t iterations,
                             const compaction::Algorithm& algorithm) {
    clock_.step(std::chrono::steady_clock::now());
    next_frame_ = frame + 1;
    runs_dropped_before_ = phases_->dropped();
    PendingFrame& frame_timing = pending_[frame % frames_in_flight];
    frame_timing = {};
    frame_timing.sample.frame = frame;
    frame_timing.sample.algorithm = &algorithm;
    frame_timing.sample.config_epoch = config_epoch_;
    frame_timing.iterations = iterations;
    frame_timing.num_awaited_runs = has_times_ ? std::min(iterations, max_timed_runs) : 0;
    frame_timing.total_awaited = true;
}

void LiveTiming::enqueue_phase_copies(std::uint64_t frame) {
    phases_->collect();
    PendingFrame* const frame_timing = find_pending(frame);
    // The times of dropped runs will not arrive.
    if (frame_timing && has_times_)
        frame_timing->num_awaited_runs -= static_cast<std::size_t>(phases_->dropped() - runs_dropped_before_);
}

void LiveTiming::end_frame(std::uint64_t frame, float interop_us, float frame_us, std::uint64_t num_kept) {
    if (PendingFrame* frame_timing = find_pending(frame)) {
        frame_timing->sample.interop_us = interop_us;
        frame_timing->sample.frame_us = frame_us;
        frame_timing->sample.num_kept = num_kept;
        frame_timing->sample.clock_hz = clock_.hz();
        frame_timing->ended = true;
    }
}

void LiveTiming::collect() {
    // Poll in the reverse order of the work: if a frame's last timing has arrived, its earlier ones have too.
    poll_publishes();
    poll_copies();
    poll_phases();
    poll_totals();
    poll_simulations();
    move_to_timeline();
}

void LiveTiming::poll_totals() {
    finished_spans_.clear();
    total_->poll(finished_spans_);
    for (const compaction::SpanTiming& timing : finished_spans_) {
        PendingFrame* frame_timing = find_pending(timing.span);
        if (!frame_timing) continue;
        frame_timing->total_awaited = false;
        if (has_times_)
            frame_timing->sample.total_us = timing.us / static_cast<float>(frame_timing->iterations);
    }
}

void LiveTiming::poll_phases() {
    finished_runs_.clear();
    phases_->poll(finished_runs_);
    for (const compaction::RunTiming& timing : finished_runs_) {
        PendingFrame* const frame_timing = find_pending(timing.run);
        if (frame_timing && has_times_) frame_timing->add(timing);
    }
}

void LiveTiming::poll_simulations() {
    finished_spans_.clear();
    simulate_->poll(finished_spans_);
    for (const compaction::SpanTiming& timing : finished_spans_) {
        if (PendingFrame* frame_timing = find_pending(timing.span))
            frame_timing->sample.simulate_us = timing.us;
    }
}

void LiveTiming::poll_copies() {
    finished_spans_.clear();
    copy_->poll(finished_spans_);
    for (const compaction::SpanTiming& timing : finished_spans_) {
        if (!has_times_ || timing.span < statistics_since_) continue;
        if (copy_us_.size() < copies_recorded) {
            copy_us_.push_back(timing.us);
        } else {
            copy_us_[next_copy_] = timing.us;
        }
        next_copy_ = (next_copy_ + 1) % copies_recorded;
    }
}

void LiveTiming::poll_publishes() {
    finished_spans_.clear();
    publish_->poll(finished_spans_);
    for (const compaction::SpanTiming& timing : finished_spans_)
        publish_us_[num_published_++ % recent_frames] = timing.us;
}

void LiveTiming::move_to_timeline() {
    for (; next_to_move_ < next_frame_; ++next_to_move_) {
        PendingFrame* frame_timing = find_pending(next_to_move_);
        if (!frame_timing) continue;  // its entry was reused before its timings arrived; counted as dropped
        const bool will_be_reused = next_to_move_ + frames_in_flight <= next_frame_;
        if (!frame_timing->complete() && !will_be_reused) return;
        if (!frame_timing->ended || frame_timing->total_awaited) continue;  // its total is not known
        frame_timing->average_phases();
        timeline_->push(frame_timing->sample);
        if (log_) log_->push_back(frame_timing->sample);
        frame_timing->iterations = 0;
    }
}

void LiveTiming::restart_statistics() {
    statistics_since_ = next_frame_;
    ++config_epoch_;
    copy_us_.clear();
    next_copy_ = 0;
}

void LiveTiming::clear() {
    timeline_->clear();
    restart_statistics();
}

template <typename Value, typename Predicate>
std::vector<experiments::RoundTime> LiveTiming::counted_frames(Value value, Predicate is_counted) const {
    const std::size_t size = timeline_->size();
    std::vector<experiments::RoundTime> frames;
    frames.reserve(std::min(size, frames_in_statistics));
    for (std::size_t i = size - std::min(size, frames_in_statistics); i < size; ++i) {
        const FrameSample& sample = (*timeline_)[i];
        if (sample.frame >= statistics_since_ && is_counted(sample))
            frames.push_back({first_round_ + sample.frame, value(sample)});
    }
    return frames;
}

template <typename Value, typename Predicate>
experiments::Summary LiveTiming::summarise_frames(Value value, Predicate is_counted, bool in_turn) const {
    const std::vector<experiments::RoundTime> frames = counted_frames(value, is_counted);
    if (in_turn) return experiments::summarise_pairs(frames);
    std::vector<float> values;
    for (const experiments::RoundTime& frame : frames) values.push_back(frame.us);
    return experiments::summarise(values);
}

std::vector<experiments::RoundTime> LiveTiming::totals() const {
    return counted_frames([](const FrameSample& sample) { return sample.total_us; }, every_frame);
}

TimingRow LiveTiming::phase_row(const compaction::Algorithm& algorithm, std::size_t phase,
                                bool in_turn) const {
    const auto summary_of = [&](auto times, auto is_counted) {
        return summarise_frames([=](const FrameSample& sample) { return (sample.*times)[phase]; }, is_counted,
                                in_turn);
    };
    return {.name = algorithm.phases[phase].name,
            .role = algorithm.phases[phase].role,
            .us = summary_of(&FrameSample::phase_us, frames_with_phases),
            .hidden_us = summary_of(&FrameSample::hidden_us, frames_with_phases).median,
            .gap_us = summary_of(&FrameSample::gap_us, frames_with_gaps).median};
}

std::vector<TimingRow> LiveTiming::rows(const compaction::Algorithm& algorithm, bool in_turn) const {
    std::vector<TimingRow> rows;
    for (std::size_t phase = 0; phase < algorithm.phases.size(); ++phase)
        rows.push_back(phase_row(algorithm, phase, in_turn));
    const auto add = [&](std::string_view name, bool in_total, float FrameSample::*us, auto is_counted) {
        rows.push_back({.name = std::string(name),
                        .role = {},
                        .in_total = in_total,
                        .us = summarise_frames([us](const FrameSample& sample) { return sample.*us; },
                                               is_counted, in_turn)});
    };
    add(between_row_name, /*in_total=*/true, &FrameSample::between_us, frames_with_phases);
    add(total_row_name, /*in_total=*/true, &FrameSample::total_us, every_frame);
    add(interop_row_name, /*in_total=*/false, &FrameSample::interop_us, every_frame);
    add(simulate_row_name, /*in_total=*/false, &FrameSample::simulate_us, every_frame);
    return rows;
}

experiments::Summary LiveTiming::frame_summary() const {
    return summarise_frames([](const FrameSample& sample) { return sample.frame_us; }, every_frame,
                            /*in_turn=*/false);
}

double LiveTiming::recent_mean(float FrameSample::*us) const {
    double sum_us = 0;
    std::size_t frames = 0;
    for (std::size_t i = timeline_->size(); i-- > 0 && frames < recent_frames; ++frames) {
        if ((*timeline_)[i].frame < statistics_since_) break;
        sum_us += static_cast<double>((*timeline_)[i].*us);
    }
    return frames > 0 ? sum_us / static_cast<double>(frames) : 0;
}

double LiveTiming::recent_total_us() const {
    return recent_mean(&FrameSample::total_us);
}

double LiveTiming::recent_simulate_us() const {
    return recent_mean(&FrameSample::simulate_us);
}

double LiveTiming::recent_publish_us() const {
    const std::size_t known = std::min(num_published_, recent_frames);
    if (known == 0) return 0;
    return std::accumulate(publish_us_.begin(), publish_us_.begin() + static_cast<std::ptrdiff_t>(known),
                           0.0) /
           static_cast<double>(known);
}

bool LiveTiming::wants_copies() const {
    return copy_us_.size() < min_copies;
}

Throughput LiveTiming::throughput(const experiments::Summary& total_us, std::uint64_t slots,
                                  std::uint64_t copy_bytes) const {
    const double kept =
        summarise_frames([](const FrameSample& sample) { return static_cast<float>(sample.num_kept); },
                         every_frame, /*in_turn=*/false)
            .median;
    const experiments::Summary copy_us = experiments::summarise(copy_us_);
    const double bytes_read_and_written = 2.0 * static_cast<double>(copy_bytes);
    constexpr double gb_s_of_bytes_per_us = 1e-3;
    Throughput throughput;
    if (total_us.median > 0) {
        const double useful_bytes = (static_cast<double>(slots) + kept) * sizeof(compaction::Item);
        throughput.useful_gb_s = useful_bytes / total_us.median * gb_s_of_bytes_per_us;
    }
    if (!wants_copies() && copy_us.median > 0)
        throughput.copy_gb_s = bytes_read_and_written / copy_us.median * gb_s_of_bytes_per_us;
    throughput.useful_noise = total_us.noise();
    throughput.copy_noise = copy_us.noise();
    if (throughput.copy_gb_s > 0) throughput.fraction_of_copy = throughput.useful_gb_s / throughput.copy_gb_s;
    return throughput;
}

}  // namespace warpsieve
