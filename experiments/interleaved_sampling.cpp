#include "experiments/interleaved_sampling.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "compaction/error.hpp"

namespace experiments {
namespace {

constexpr double max_calls_per_sample = 4096;
/// Samples that estimate the length of a call: several, since one may be delayed.
constexpr std::size_t recent_samples = 9;

/// The number of calls that take `sample_us`, by the last samples.
std::uint64_t calls_for(double sample_us, std::span<const float> samples_us) {
    const double median = summarise(samples_us.last(std::min(samples_us.size(), recent_samples))).median;
    // The clock may read 0; the number of calls stays finite.
    const double calls = std::ceil(sample_us / std::max(median, 0.01));
    return static_cast<std::uint64_t>(std::clamp(calls, 1.0, max_calls_per_sample));
}

/// The mean of calls that took `call_us` each; nullopt without calls, or if one has other phases. A library's
/// kernels carry no stamps: its only phase lasts the whole call.
std::optional<StampedSample> mean_of(std::span<const compaction::RunTiming> runs, std::size_t num_phases,
                                     float call_us) {
    if (runs.empty()) return std::nullopt;
    StampedSample sample;
    sample.mean.num_phases = num_phases;
    const auto share = 1 / static_cast<float>(runs.size());
    const auto num_with_gaps = std::ranges::count_if(runs, &compaction::RunTiming::gaps_known);
    sample.mean.gaps_known = num_with_gaps > 0;
    for (const compaction::RunTiming& run : runs) {
        if (run.num_phases == 0 && num_phases == 1) {
            sample.mean.phase_us[0] += call_us * share;
            continue;
        }
        if (run.num_phases != num_phases) return std::nullopt;
        for (std::size_t phase = 0; phase < num_phases; ++phase) {
            sample.mean.phase_us[phase] += run.phase_us[phase] * share;
            sample.mean.hidden_us[phase] += run.hidden_us[phase] * share;
            if (run.gaps_known)
                sample.mean.gap_us[phase] += run.gap_us[phase] / static_cast<float>(num_with_gaps);
        }
    }
    sample.between_us = std::max(0.0F, call_us - sample.mean.total_us());
    return sample;
}

}  // namespace

void SampledCall::forget_samples() {
    samples_us.clear();
    clock_hz.clear();
    sampled_s = measuring_s = checking_s = 0;
    calls_timed = calls_checked = 0;
    has_enough = false;
}

InterleavedSampling::InterleavedSampling(compaction::Engine& engine, StreamRing& ring,
                                         const StreamSpec& stream, std::vector<SampledCall>& calls,
                                         const Policy& policy, const std::function<double()>& now_s,
                                         const std::atomic<bool>* cancel)
    : engine_(engine),
      ring_(ring),
      stream_(stream),
      sampled_(calls),
      policy_(policy),
      now_s_(now_s),
      cancel_(cancel),
      timer_(engine.make_timer(/*max_spans=*/1)),
      highest_clock_hz_(engine.device().max_clock_hz) {
    for (const SampledCall& sampled : sampled_) verifier_for(sampled.comparison);
}

compaction::Verifier& InterleavedSampling::verifier_for(compaction::Comparison comparison) {
    auto& verifier = verifiers_[comparison];
    if (!verifier) {
        verifier = engine_.make_verifier(comparison, stream_.item_size);
        verifier->reserve(stream_.num_items);
    }
    return *verifier;
}

bool InterleavedSampling::warm_up(const std::function<void()>& each_sample) {
    WarmUp warm_up(policy_, sampled_.size());
    do {
        for (std::size_t i = 0; i < sampled_.size(); ++i) {
            if (cancelled()) return false;
            SampledCall& sampled = sampled_[i];
            sampled.samples_us.push_back(take_sample(sampled));
            warm_up.add(i, now_s_(), sampled.samples_us.back());
            sampled.calls_per_sample = calls_for(policy_.sample_us, sampled.samples_us);
            each_sample();
        }
    } while (!warm_up.done(now_s_()));
    for (SampledCall& sampled : sampled_) sampled.forget_samples();
    return true;
}

bool InterleavedSampling::run(const std::function<void()>& each_sample) {
    last_clock_hz_ = engine_.measure_clock_hz();
    highest_clock_hz_ = std::max(highest_clock_hz_, last_clock_hz_);
    const auto settings_done = [this] {
        return std::ranges::all_of(sampled_,
                                   [](const SampledCall& each) { return each.is_copy || done(each); });
    };
    while (!std::ranges::all_of(sampled_, done)) {
        const bool only_copies_left = settings_done();
        for (SampledCall& sampled : sampled_) {
            if (cancelled()) return false;
            const bool is_needed_by_others = sampled.is_copy && !only_copies_left;
            if (!is_needed_by_others && done(sampled)) continue;
            sample_with_clock(sampled);
            each_sample();
        }
    }
    return true;
}

bool InterleavedSampling::done(const SampledCall& sampled) {
    // More samples of a wrong result are useless.
    return sampled.has_enough || !sampled.first_error.empty();
}

double InterleavedSampling::seconds_left() const {
    double seconds = 0;
    for (const SampledCall& each : sampled_) {
        if (!each.is_copy && !done(each))
            seconds += experiments::seconds_left(policy_, each.samples_us, each.sampled_s, each.spent_s());
    }
    return seconds;
}

void InterleavedSampling::sample_with_clock(SampledCall& sampled) {
    const double before_hz = last_clock_hz_;
    const float call_us = take_sample(sampled);
    last_clock_hz_ = engine_.measure_clock_hz();
    highest_clock_hz_ = std::max(highest_clock_hz_, last_clock_hz_);
    sampled.samples_us.push_back(call_us);
    sampled.clock_hz.push_back(std::min(before_hz, last_clock_hz_));
    sampled.sampled_s += static_cast<double>(call_us) * 1e-6 * static_cast<double>(sampled.calls_per_sample);
    sampled.has_enough =
        sampled.has_enough || enough(policy_, sampled.samples_us, sampled.sampled_s, sampled.spent_s());
}

float InterleavedSampling::time_span(const std::function<void()>& enqueue) {
    {
        const compaction::ScopedSpan span{timer_.get(), /*span=*/0};
        enqueue();
    }
    engine_.synchronise();
    spans_.clear();
    timer_->poll(spans_);
    if (spans_.size() != 1) {
        throw compaction::Error(compaction::ErrorCode::device_failure,
                                "The engine returned no time for its calls, so they cannot be measured.");
    }
    return spans_.front().us;
}

float InterleavedSampling::take_sample(SampledCall& sampled) {
    const double start_s = now_s_();
    const std::uint64_t calls = sampled.calls_per_sample;
    // An untimed call first puts caches and clocks into the state between two calls.
    const std::size_t untimed = ring_.take();
    sampled.call(ring_[untimed], /*recorder=*/nullptr);
    const float span_us = time_span([&] {
        for (std::uint64_t call = 0; call < calls; ++call)
            sampled.call(ring_[ring_.take()], /*recorder=*/nullptr);
    });
    sampled.calls_timed += calls;
    sampled.measuring_s += now_s_() - start_s;
    check_outputs(sampled, (untimed + 1) % ring_.size(), calls);
    ring_.poison(untimed, calls + 1);
    return span_us / static_cast<float>(calls);
}

void InterleavedSampling::check_outputs(SampledCall& sampled, std::size_t first, std::size_t calls) {
    // A buffer that two calls wrote holds only the later output.
    const std::size_t visible = std::min(calls, ring_.size());
    const std::size_t last = first + calls - 1;
    for (std::size_t back = 0; back < visible; ++back) {
        // Besides the newest output, check no longer than was measured.
        if (back > 0 && sampled.checking_s >= sampled.measuring_s) return;
        check(sampled, (last - back) % ring_.size());
    }
}

void InterleavedSampling::check(SampledCall& sampled, std::size_t index) {
    const double start_s = now_s_();
    const CallBuffers buffers = ring_[index];
    compaction::Verifier& verifier = verifier_for(sampled.comparison);
    verifier.enqueue(/*run=*/0, buffers.in, sampled.num_items, buffers.out, buffers.num_selected,
                     compaction::keep_non_zero());
    engine_.synchronise();
    const std::optional<compaction::Verdict> verdict = verifier.poll();
    ++sampled.calls_checked;
    const bool correct = verdict && verdict->correct();
    // Keep the first error: later ones mostly follow from it.
    if (!correct && sampled.first_error.empty())
        sampled.first_error = verdict ? verdict->describe() : "the check returned no verdict";
    sampled.checking_s += now_s_() - start_s;
}

std::optional<StampedSample> InterleavedSampling::take_stamped_sample(SampledCall& sampled,
                                                                      compaction::PhaseRecorder& recorder,
                                                                      std::size_t num_phases) {
    const std::uint64_t calls = std::min<std::uint64_t>(sampled.calls_per_sample, max_stamped_calls);
    const std::size_t untimed = ring_.take();
    sampled.call(ring_[untimed], /*recorder=*/nullptr);
    const float call_us = time_span([&] {
                              for (std::uint64_t call = 0; call < calls; ++call) {
                                  const compaction::ScopedRun run{&recorder, call};
                                  sampled.call(ring_[ring_.take()], &recorder);
                              }
                          }) /
                          static_cast<float>(calls);
    recorder.collect();
    engine_.synchronise();
    runs_.clear();
    recorder.poll(runs_);
    sampled.calls_timed += calls;
    check(sampled, (untimed + calls) % ring_.size());
    ring_.poison(untimed, calls + 1);
    return mean_of(runs_, num_phases, call_us);
}

std::vector<std::unique_ptr<compaction::Replay>> InterleavedSampling::record_phases(SampledCall& sampled) {
    return engine_.record_phases([&](compaction::PhaseRecorder* recorder) {
        for (std::uint64_t call = 0; call < sampled.calls_per_sample; ++call) {
            const compaction::ScopedRun run{recorder, call};
            sampled.call(ring_[call % ring_.size()], recorder);
        }
    });
}

float InterleavedSampling::take_replay_sample(SampledCall& sampled, compaction::Replay& replay) {
    const std::uint64_t calls = sampled.calls_per_sample;
    // The untimed call that precedes the replay uses other buffers if the ring has some.
    std::size_t untimed = ring_.size() - 1;
    if (calls < ring_.size()) {
        // A replay uses the same buffers each time. This write evicts them from the cache.
        ring_.poison(0, ring_.size());
        untimed = calls;
    }
    sampled.call(ring_[untimed], /*recorder=*/nullptr);
    const float span_us = time_span([&] { replay.enqueue(); });
    sampled.calls_timed += calls;
    return span_us / static_cast<float>(calls);
}

void InterleavedSampling::check_replay(SampledCall& sampled, compaction::Replay& replay) {
    ring_.poison(0, ring_.size());
    replay.enqueue();
    check(sampled, (sampled.calls_per_sample - 1) % ring_.size());
    ring_.poison(0, ring_.size());
}

}  // namespace experiments
