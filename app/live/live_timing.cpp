#include "app/live/live_timing.hpp"

#include <algorithm>
#include <chrono>
#include <string>

namespace warpsieve {
namespace {

using experiments::FrameSample;

constexpr std::size_t copies_kept = 32;
constexpr auto every_frame = [](const FrameSample&) { return true; };
constexpr auto plain_frames = [](const FrameSample& sample) { return sample.plain; };
constexpr auto split_frames = [](const FrameSample& sample) { return sample.split; };

}  // namespace

LiveTiming::LiveTiming(compaction::Engine& engine, std::vector<FrameSample>* log)
    : total_(engine.make_recorder(frames_in_flight)),
      phases_(engine.make_recorder(frames_in_flight)),
      simulate_(engine.make_recorder(frames_in_flight)),
      copy_(engine.make_recorder(frames_in_flight)),
      clock_(engine.make_clock_probe()),
      log_(log) {
    copy_us_.reserve(copies_kept);
    finished_.reserve(frames_in_flight);
}

LiveTiming::Pending* LiveTiming::pending(std::uint64_t frame) {
    Pending& slot = pending_[frame % frames_in_flight];
    return slot.iterations > 0 && slot.sample.frame == frame ? &slot : nullptr;
}

bool LiveTiming::begin_frame(std::uint64_t frame, std::uint32_t iterations,
                             const compaction::Algorithm& algorithm) {
    clock_.step(std::chrono::steady_clock::now());
    next_frame_ = frame + 1;
    // Where there is one phase, the total is that phase, and nothing is to be split.
    const bool split = algorithm.phases.size() > 1 && schedule_.next(iterations);
    Pending& slot = pending_[frame % frames_in_flight];
    slot = {};
    slot.sample.frame = frame;
    slot.sample.algorithm = &algorithm;
    slot.sample.split = split;
    slot.sample.config_epoch = config_epoch_;
    slot.iterations = iterations;
    slot.total_awaited = true;
    slot.split_awaited = split;
    return split;
}

void LiveTiming::end_frame(std::uint64_t frame, float interop_us, float frame_us, std::uint64_t num_kept) {
    if (Pending* slot = pending(frame)) {
        slot->sample.interop_us = interop_us;
        slot->sample.frame_us = frame_us;
        slot->sample.num_kept = num_kept;
        slot->sample.clock_hz = clock_.hz();
        slot->ended = true;
    }
}

void LiveTiming::collect() {
    // In the reverse order of the work: when a frame's last timing is there, the earlier ones are too.
    take_copies();
    take_phases();
    take_totals();
    take_simulations();
    move_to_timeline();
}

void LiveTiming::take_totals() {
    finished_.clear();
    total_->poll(finished_);
    for (const compaction::RunTiming& timing : finished_) {
        Pending* slot = pending(timing.run);
        if (!slot) continue;
        slot->total_awaited = false;
        slot->sample.total_us = timing.total_us() / static_cast<float>(slot->iterations);
        if (timing.run >= statistics_since_)
            schedule_.add_batch(timing.total_us(), slot->iterations, slot->sample.split);
    }
}

void LiveTiming::take_phases() {
    finished_.clear();
    phases_->poll(finished_);
    for (const compaction::RunTiming& timing : finished_) {
        Pending* slot = pending(timing.run);
        if (!slot) continue;
        slot->split_awaited = false;
        slot->sample.phase_us = timing.phase_us;
        slot->sample.num_phases = timing.num_phases;
        if (timing.run >= statistics_since_) schedule_.add_split(timing.total_us());
    }
}

void LiveTiming::take_simulations() {
    finished_.clear();
    simulate_->poll(finished_);
    for (const compaction::RunTiming& timing : finished_) {
        if (Pending* slot = pending(timing.run)) slot->sample.simulate_us = timing.total_us();
    }
}

void LiveTiming::take_copies() {
    finished_.clear();
    copy_->poll(finished_);
    for (const compaction::RunTiming& timing : finished_) {
        if (timing.run < statistics_since_) continue;
        if (copy_us_.size() < copies_kept) {
            copy_us_.push_back(timing.total_us());
        } else {
            copy_us_[next_copy_] = timing.total_us();
        }
        next_copy_ = (next_copy_ + 1) % copies_kept;
    }
}

void LiveTiming::move_to_timeline() {
    for (; next_to_move_ < next_frame_; ++next_to_move_) {
        Pending* slot = pending(next_to_move_);
        if (!slot) continue;  // overtaken by the ring before its timings came: counted as dropped
        if (!slot->ended || slot->total_awaited || slot->split_awaited) {
            const bool about_to_be_overtaken = next_to_move_ + frames_in_flight <= next_frame_;
            if (about_to_be_overtaken) continue;
            return;
        }
        FrameSample& sample = slot->sample;
        if (sample.algorithm->phases.size() == 1) {
            sample.phase_us[0] = sample.total_us;
            sample.num_phases = 1;
            sample.split = true;
        } else if (!sample.split && last_split_.algorithm == sample.algorithm) {
            sample.phase_us = last_split_.phase_us;
            sample.num_phases = last_split_.num_phases;
        }
        if (sample.split) last_split_ = sample;
        carry_total(sample);
        timeline_.push(sample);
        if (log_) log_->push_back(sample);
        slot->iterations = 0;
    }
}

/// A total with boundaries in it is not the total: it is carried on from the last frame without.
void LiveTiming::carry_total(FrameSample& sample) {
    sample.plain = !sample.split || sample.algorithm->phases.size() == 1 || schedule_.split_batches_count();
    if (sample.plain) {
        last_plain_total_us_ = sample.total_us;
    } else if (sample.frame > statistics_since_ && last_plain_total_us_ > 0) {
        sample.total_us = last_plain_total_us_;
    }
}

void LiveTiming::restart_statistics() {
    statistics_since_ = next_frame_;
    ++config_epoch_;
    schedule_.restart();
    last_plain_total_us_ = 0;
    copy_us_.clear();
    next_copy_ = 0;
}

void LiveTiming::clear() {
    timeline_.clear();
    restart_statistics();
}

template <typename Value, typename Counts>
experiments::Summary LiveTiming::summarise_frames(Value value, Counts counts) const {
    const std::size_t size = timeline_.size();
    std::vector<float> values;
    values.reserve(std::min(size, frames_in_statistics));
    for (std::size_t i = size - std::min(size, frames_in_statistics); i < size; ++i) {
        const FrameSample& sample = timeline_[i];
        if (sample.frame >= statistics_since_ && counts(sample)) values.push_back(value(sample));
    }
    return experiments::summarise(values);
}

std::vector<TimingRow> LiveTiming::rows(const compaction::Algorithm& algorithm) const {
    std::vector<TimingRow> rows;
    for (std::size_t phase = 0; phase < algorithm.phases.size(); ++phase) {
        const compaction::Phase& each = algorithm.phases[phase];
        rows.push_back(
            {each.name, each.meaning, each.role, true,
             summarise_frames([phase](const FrameSample& sample) { return sample.phase_us[phase]; },
                              split_frames)});
    }
    const bool on_cpu = algorithm.engine == compaction::EngineId::cpu;
    const std::string_view boundary = on_cpu ? "lets all threads finish and reads the clock."
                                             : "makes the GPU drain and write a time, and "
                                               "keeps the next phase from beginning early.";
    rows.push_back(
        {std::string(total_row_name),
         "One compaction, timed from outside over the frame's iterations, without boundaries between its "
         "phases. The phases add up to more, because each boundary " +
             std::string(boundary),
         std::nullopt, true,
         summarise_frames([](const FrameSample& sample) { return sample.total_us; }, plain_frames)});
    rows.push_back(
        {std::string(interop_row_name),
         on_cpu
             ? "Host time to lend OpenGL's buffers to the engine, once a frame. The CPU engine writes into "
               "memory of its own and borrows none, so this is 0."
             : "Host time to lend OpenGL's buffers to CUDA and take them back, once a frame. Not part of "
               "the total.",
         std::nullopt, false,
         summarise_frames([](const FrameSample& sample) { return sample.interop_us; }, every_frame)});
    rows.push_back(
        {"simulate", "Spawning, ageing and moving every slot, before compaction. Not part of the total.",
         std::nullopt, false,
         summarise_frames([](const FrameSample& sample) { return sample.simulate_us; }, every_frame)});
    return rows;
}

experiments::Summary LiveTiming::frame_summary() const {
    return summarise_frames([](const FrameSample& sample) { return sample.frame_us; }, every_frame);
}

Throughput LiveTiming::throughput(std::uint64_t slots, std::uint64_t copy_bytes) const {
    const experiments::Summary total_us =
        summarise_frames([](const FrameSample& sample) { return sample.total_us; }, plain_frames);
    const double kept =
        summarise_frames([](const FrameSample& sample) { return static_cast<float>(sample.num_kept); },
                         every_frame)
            .median;
    const experiments::Summary copy_us = experiments::summarise(copy_us_);
    Throughput throughput;
    if (total_us.median > 0) {
        const double useful_bytes = (static_cast<double>(slots) + kept) * sizeof(compaction::Item);
        throughput.useful_gb_s = useful_bytes / total_us.median * 1e-3;
    }
    if (copy_us.median > 0)
        throughput.copy_gb_s = 2.0 * static_cast<double>(copy_bytes) / copy_us.median * 1e-3;
    throughput.useful_noise = total_us.noise();
    throughput.copy_noise = copy_us.noise();
    if (throughput.copy_gb_s > 0) throughput.share_of_copy = throughput.useful_gb_s / throughput.copy_gb_s;
    return throughput;
}

}  // namespace warpsieve
