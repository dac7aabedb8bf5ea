#include "experiments/measure.hpp"

#include <algorithm>
#include <chrono>
#include <new>
#include <utility>

#include "compaction/error.hpp"
#include "experiments/format/counts.hpp"
#include "experiments/format/numbers.hpp"
#include "experiments/interleaved_sampling.hpp"
#include "experiments/phase_timing.hpp"
#include "experiments/stream_ring.hpp"

namespace experiments {
namespace {

using compaction::Compactor;
using compaction::Engine;
using compaction::Error;
using compaction::ErrorCode;

double steady_now_s() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

constexpr double report_period_s = 0.25;

/// Reports the progress of a measurement to the hooks, at most four times a second: reporting takes time too.
class Reporter {
  public:
    /// `hooks` must have a clock and outlive the reporter.
    Reporter(const Hooks& hooks, std::size_t settings_total);

    /// Removes settings that will not be measured.
    void leave_out(std::size_t num_settings) { progress_.settings_total -= num_settings; }
    void stream_done(std::size_t num_settings, const Measurement& measurement);

    /// Returns whether a report is due; the next one is then due after a period.
    bool try_begin_report();

    /// The progress on the current stream.
    struct Stream {
        std::string activity;          ///< what is done now
        std::size_t num_settings = 0;  ///< on this stream
        std::size_t num_settled = 0;   ///< settings of these that are done
        double seconds_left = 0;       ///< estimated time for the others
    };
    void report(const Stream& stream);

  private:
    const Hooks& hooks_;
    Progress progress_;
    std::size_t done_before_ = 0;  ///< number of settings of finished streams
    double started_s_;             ///< start of the measurement, on the clock of the hooks
    double next_report_s_ = 0;     ///< earliest time of the next report
};

Reporter::Reporter(const Hooks& hooks, std::size_t settings_total)
    : hooks_(hooks), started_s_(hooks.now_s()) {
    progress_.settings_total = settings_total;
}

void Reporter::stream_done(std::size_t num_settings, const Measurement& measurement) {
    done_before_ += num_settings;
    if (hooks_.stream_done) hooks_.stream_done(measurement);
}

bool Reporter::try_begin_report() {
    if (!hooks_.progress && !hooks_.so_far) return false;
    const double now_s = hooks_.now_s();
    if (now_s < next_report_s_) return false;
    next_report_s_ = now_s + report_period_s;
    return true;
}

void Reporter::report(const Stream& stream) {
    if (!hooks_.progress) return;
    const double elapsed_s = hooks_.now_s() - started_s_;
    const auto divided = [](double seconds, std::size_t settings) {
        return seconds / static_cast<double>(std::max<std::size_t>(1, settings));
    };
    // Estimate further streams from those before, or from the first one itself.
    const double seconds_per_setting = done_before_ > 0
                                           ? divided(elapsed_s, done_before_ + stream.num_settled)
                                           : divided(elapsed_s + stream.seconds_left, stream.num_settings);
    const std::size_t settings_begun = std::min(done_before_ + stream.num_settings, progress_.settings_total);
    progress_.settings_done = done_before_ + stream.num_settled;
    progress_.seconds_left =
        stream.seconds_left +
        seconds_per_setting * static_cast<double>(progress_.settings_total - settings_begun);
    progress_.activity = stream.activity;
    hooks_.progress(progress_);
}

/// Settings of one stream, which are measured in turn.
struct Group {
    StreamSpec stream;
    std::span<const Setting> settings;
};

/// The settings, those of one stream together.
std::vector<std::vector<Setting>> group_by_stream(std::span<const Setting> settings) {
    std::vector<std::vector<Setting>> groups;
    for (const Setting& setting : settings) {
        const auto takes = [&](const std::vector<Setting>& group) {
            return group.front().stream == setting.stream && group.size() < SettingSequence::max_in_turn;
        };
        const auto group = std::ranges::find_if(groups, takes);
        (group == groups.end() ? groups.emplace_back() : *group).push_back(setting);
    }
    return groups;
}

/// The maximum length of such a stream that fits into `free_bytes`.
std::uint64_t longest_that_fits(const Engine& engine, StreamSpec stream, std::uint64_t free_bytes) {
    std::uint64_t fits = 0;
    std::uint64_t too_long = stream.num_items;
    while (too_long - fits > 1) {
        stream.num_items = fits + (too_long - fits) / 2;
        (memory_needed(engine, stream) <= free_bytes ? fits : too_long) = stream.num_items;
    }
    return fits;
}

/// Why a stream does not fit into memory; empty if it does.
std::string lack_of_memory(const Engine& engine, const StreamSpec& stream, std::uint64_t free_bytes) {
    const std::uint64_t needed = memory_needed(engine, stream);
    // The engine reports 0 if it does not know.
    if (free_bytes == 0 || needed <= free_bytes) return {};
    const std::uint64_t fits = longest_that_fits(engine, stream, free_bytes);
    std::string reason = "n = " + format::count_text(stream.num_items) + " needs " +
                         format::memory_size(needed) + " (" + std::string(name_of(stream.cache)) + ", " +
                         std::to_string(bytes_of(stream.item_size)) + "-byte items), but only " +
                         format::memory_size(free_bytes) + " is free on " + engine.device().name;
    if (fits > 0) return reason + "; up to n = " + std::to_string(fits) + " would fit.";
    return reason + (stream.cache == Cache::cold ? "; --cache hot needs less." : ".");
}

SampledCall copy_of(Engine& engine, std::uint64_t num_items, compaction::ItemSize item_size) {
    SampledCall copy;
    copy.call = [&engine, size = num_items * bytes_of(item_size)](const CallBuffers& buffers,
                                                                  compaction::PhaseRecorder*) {
        engine.enqueue_copy(buffers.out, buffers.in, size);
    };
    copy.comparison = compaction::Comparison::copy;
    copy.num_items = num_items;
    copy.is_copy = true;
    return copy;
}

SampledCall call_of(const Setting& setting, Compactor& compactor) {
    SampledCall sampled;
    sampled.call = [&compactor, n = setting.stream.num_items](const CallBuffers& buffers,
                                                              compaction::PhaseRecorder* recorder) {
        compactor.enqueue(buffers.in, n, buffers.out, buffers.num_selected, compaction::keep_non_zero(),
                          recorder);
    };
    sampled.comparison = comparison_of(*setting.algorithm);
    sampled.num_items = setting.stream.num_items;
    if (setting.algorithm->truncates) {
        // It is checked only on the items that it covers.
        sampled.num_items = compactor.partition(sampled.num_items).num_items;
    }
    return sampled;
}

/// Whether the other settings can still be measured. Options have been validated, so an option that is
/// refused now exceeds this device or this length.
bool concerns_one_setting(ErrorCode code) {
    return code == ErrorCode::out_of_memory || code == ErrorCode::invalid_option ||
           code == ErrorCode::invalid_argument || code == ErrorCode::unavailable;
}

/// Measures the settings of one stream.
class GroupRun {
  public:
    GroupRun(Engine& engine, const Group& group, const Policy& policy, const Hooks& hooks, Reporter& reporter,
             Measurement& measurement)
        : engine_(engine),
          group_(group),
          policy_(policy),
          hooks_(hooks),
          reporter_(reporter),
          measurement_(measurement) {}

    void run() {
        StreamRing ring(engine_, group_.stream, RingPlan(group_.stream, engine_.device()), hooks_.cancel);
        if (cancelled()) {
            measurement_.interrupted = true;
            return;
        }
        num_kept_ = ring.num_kept();
        prepare_settings();
        if (cancelled()) measurement_.interrupted = true;
        if (prepared_.empty() || measurement_.interrupted) return;
        InterleavedSampling sampling(engine_, ring, group_.stream, sampled_, policy_, hooks_.now_s,
                                     hooks_.cancel);
        warming_up_ = true;
        measurement_.interrupted = !sampling.warm_up([&] { report(sampling, ", warming up"); });
        if (!measurement_.interrupted) {
            warming_up_ = false;
            measurement_.interrupted = !sampling.run([&] { report(sampling, ""); });
        }
        const std::size_t first_result = measurement_.results.size();
        add_results(sampling, measurement_);
        results_are_added_ = true;
        if (policy_.phases != PhaseMethod::none)
            add_phases(sampling, std::span(measurement_.results).subspan(first_result));
    }

  private:
    struct Prepared {
        const Setting* setting;
        std::unique_ptr<Compactor> compactor;
        std::size_t floor_index;  ///< in sampled_: of the copy of exactly the useful bytes
    };

    void prepare_settings() {
        const StreamSpec& stream = group_.stream;
        sampled_.push_back(copy_of(engine_, stream.num_items, stream.item_size));
        for (const Setting& setting : group_.settings) {
            if (cancelled()) return;
            try {
                auto compactor =
                    engine_.make_compactor(*setting.algorithm, setting.options, stream.item_size);
                compactor->reserve(stream.num_items);
                prepared_.push_back({&setting, std::move(compactor), find_or_add_floor(*setting.algorithm)});
            } catch (const Error& error) {
                if (!concerns_one_setting(error.code())) throw;
                measurement_.skipped.push_back({setting, error.what()});
            }
        }
        first_setting_ = sampled_.size();
        for (const Prepared& each : prepared_) sampled_.push_back(call_of(*each.setting, *each.compactor));
    }

    /// Returns the index in sampled_ of the copy that moves exactly the useful bytes. A copy moves each of
    /// its bytes twice, so it has half as many.
    std::size_t find_or_add_floor(const compaction::Algorithm& algorithm) {
        const StreamSpec& stream = group_.stream;
        const std::uint64_t bytes =
            useful_bytes(algorithm.operation, stream.num_items, num_kept_, stream.item_size);
        const std::uint64_t items = std::max<std::uint64_t>(1, bytes / (2 * bytes_of(stream.item_size)));
        const auto found = std::ranges::find(sampled_, items, &SampledCall::num_items);
        if (found != sampled_.end()) return static_cast<std::size_t>(found - sampled_.begin());
        sampled_.push_back(copy_of(engine_, items, stream.item_size));
        return sampled_.size() - 1;
    }

    std::size_t count_throttled(const SampledCall& sampled, double highest_hz) const {
        return static_cast<std::size_t>(std::ranges::count_if(sampled.clock_hz, [&](double hz) {
            return hz > 0 && hz < policy_.throttled_below * highest_hz;
        }));
    }

    static void add_clock(double hz, Measurement& measurement) {
        if (!(hz > 0)) return;
        const bool is_first = measurement.lowest_clock_hz == 0;
        measurement.lowest_clock_hz = is_first ? hz : std::min(measurement.lowest_clock_hz, hz);
        measurement.highest_clock_hz = std::max(measurement.highest_clock_hz, hz);
    }

    double copy_gb_s(double copy_us) const {
        const StreamSpec& stream = group_.stream;
        const double bytes = 2.0 * static_cast<double>(stream.num_items * bytes_of(stream.item_size));
        return copy_us > 0 ? bytes / copy_us * 1e-3 : 0;
    }

    const SampledCall& copy_of_stream() const { return sampled_.front(); }
    const SampledCall& call_of_setting(std::size_t index) const { return sampled_[first_setting_ + index]; }

    /// Whether the setting has samples, or an error that was found during the warm-up.
    bool has_result(std::size_t index) const {
        return !call_of_setting(index).samples_us.empty() || !call_of_setting(index).first_error.empty();
    }

    Result result_of(std::size_t index, const InterleavedSampling& sampling) const {
        const Prepared& prepared = prepared_[index];
        const SampledCall& sampled = call_of_setting(index);
        const StreamSpec& stream = group_.stream;
        Result result;
        result.setting = *prepared.setting;
        result.resolved_options = prepared.compactor->resolved_options(stream.num_items);
        result.num_kept = num_kept_;
        result.samples_us = sampled.samples_us;
        result.us = summarise(sampled.samples_us);
        result.median_interval_us = median_interval(sampled.samples_us);
        result.calls_per_sample = sampled.calls_per_sample;
        result.throttled = count_throttled(sampled, sampling.highest_clock_hz());
        result.calls_timed = sampled.calls_timed;
        result.calls_checked = sampled.calls_checked;
        result.copy_us = summarise(copy_of_stream().samples_us).median;
        result.floor_us = summarise(sampled_[prepared.floor_index].samples_us).median;
        result.first_error = sampled.first_error;
        result.is_of_warm_up = warming_up_;
        result.settled = !warming_up_ && InterleavedSampling::done(sampled);
        if (!(result.us.median > 0)) return result;  // the speeds divide by it
        const double bytes = static_cast<double>(useful_bytes(prepared.setting->algorithm->operation,
                                                              stream.num_items, num_kept_, stream.item_size));
        result.useful_gb_s = bytes / result.us.median * 1e-3;
        if (result.copy_us > 0) result.share_of_copy = result.useful_gb_s / copy_gb_s(result.copy_us);
        result.share_of_floor = result.floor_us / result.us.median;
        return result;
    }

    /// Adds the results of the samples so far.
    void add_results(const InterleavedSampling& sampling, Measurement& measurement) const {
        for (std::size_t i = 0; i < prepared_.size(); ++i) {
            if (!has_result(i)) continue;
            measurement.results.push_back(result_of(i, sampling));
            for (const double hz : call_of_setting(i).clock_hz) add_clock(hz, measurement);
        }
        const bool lacks_copy =
            measurement.copies.empty() || measurement.copies.back().stream != group_.stream;
        if (!copy_of_stream().samples_us.empty() && lacks_copy)
            measurement.copies.push_back(copy_result(sampling.highest_clock_hz()));
    }

    /// Times the phases of correct results. `results`: the results of this stream.
    void add_phases(InterleavedSampling& sampling, std::span<Result> results) {
        PhaseTiming timing(engine_, sampling, policy_);
        auto result = results.begin();
        for (std::size_t i = 0; i < prepared_.size(); ++i) {
            if (!has_result(i)) continue;
            if (!measurement_.interrupted && result->correct()) {
                SampledCall& sampled = sampled_[first_setting_ + i];
                timing.run(sampled, *result);
                result->first_error = sampled.first_error;
                if (cancelled()) measurement_.interrupted = true;
                report(sampling, ", timing the phases");
            }
            ++result;
        }
    }

    bool cancelled() const { return hooks_.cancel && hooks_.cancel->load(); }

    void report(const InterleavedSampling& sampling, const char* activity) {
        if (!reporter_.try_begin_report()) return;
        std::size_t num_settled = 0;
        for (std::size_t i = 0; i < prepared_.size() && !warming_up_; ++i)
            num_settled += InterleavedSampling::done(call_of_setting(i));
        reporter_.report({.activity = "n = " + format::count_text(group_.stream.num_items) + ", " +
                                      std::to_string(prepared_.size()) + " settings" + activity,
                          .num_settings = group_.settings.size(),
                          .num_settled = num_settled,
                          .seconds_left = sampling.seconds_left()});
        if (!hooks_.so_far || (hooks_.so_far_due && !hooks_.so_far_due())) return;
        Measurement so_far = measurement_;
        if (!results_are_added_) add_results(sampling, so_far);
        hooks_.so_far(std::move(so_far));
    }

    CopyResult copy_result(double highest_hz) const {
        const SampledCall& copy = copy_of_stream();
        CopyResult result{.stream = group_.stream,
                          .us = summarise(copy.samples_us),
                          .median_interval_us = median_interval(copy.samples_us),
                          .gb_s = 0,
                          .throttled = count_throttled(copy, highest_hz),
                          .first_error = copy.first_error};
        result.gb_s = copy_gb_s(result.us.median);
        return result;
    }

    Engine& engine_;
    const Group& group_;
    const Policy& policy_;
    const Hooks& hooks_;
    Reporter& reporter_;
    Measurement& measurement_;
    bool warming_up_ = false;
    bool results_are_added_ = false;  ///< to measurement_
    std::uint64_t num_kept_ = 0;
    std::vector<Prepared> prepared_;
    std::vector<SampledCall> sampled_;  ///< the copy of the whole stream, other copies, then the settings
    std::size_t first_setting_ = 0;     ///< index in sampled_ of the first setting
};

Hooks with_clock(Hooks hooks) {
    if (!hooks.now_s) hooks.now_s = steady_now_s;
    return hooks;
}

/// Measures one stream after another.
class Session {
  public:
    Session(Engine& engine, const SettingSequence& settings, const Policy& policy, const Hooks& hooks)
        : engine_(engine),
          settings_(settings),
          policy_(policy),
          hooks_(with_clock(hooks)),
          reporter_(hooks_, settings.size),
          free_bytes_(engine.free_memory_bytes()) {}

    Measurement run() {
        settings_.give([this](std::span<const Setting> together) {
            if (hooks_.cancel && hooks_.cancel->load()) measurement_.interrupted = true;
            if (measurement_.interrupted || !measurement_.failure.empty()) return false;
            const Group group{together.front().stream, together};
            num_skipped_before_ = measurement_.skipped.size();
            const std::string reason = lack_of_memory(engine_, group.stream, free_bytes_);
            if (reason.empty()) {
                measure(group);
                reporter_.stream_done(group.settings.size(), measurement_);
            } else {
                skip(group, reason);
                reporter_.leave_out(group.settings.size());
            }
            return true;
        });
        return std::move(measurement_);
    }

  private:
    void skip(const Group& group, const std::string& reason) {
        for (const Setting& setting : group.settings) {
            // A setting may already have been skipped for another reason.
            const auto of_group = std::span(measurement_.skipped).subspan(num_skipped_before_);
            if (std::ranges::find(of_group, setting, &Skipped::setting) == of_group.end())
                measurement_.skipped.push_back({setting, reason});
        }
    }

    void measure(const Group& group) {
        try {
            GroupRun(engine_, group, policy_, hooks_, reporter_, measurement_).run();
        } catch (const Error& error) {
            if (error.code() == ErrorCode::out_of_memory) return skip(group, error.what());
            if (error.code() != ErrorCode::device_failure) throw;
            measurement_.failure = error.what();
        } catch (const std::bad_alloc&) {
            skip(group, "n = " + format::count_text(group.stream.num_items) +
                            ": host memory ran out. Choose a shorter stream, close other programs or raise "
                            "the memory limit.");
        }
    }

    Engine& engine_;
    const SettingSequence& settings_;
    Policy policy_;
    Hooks hooks_;
    Reporter reporter_;
    std::uint64_t free_bytes_;            ///< of the device, before the first stream
    std::size_t num_skipped_before_ = 0;  ///< number of settings skipped before the current stream
    Measurement measurement_;
};

}  // namespace

Measurement measure(Engine& engine, const SettingSequence& settings, const Policy& policy,
                    const Hooks& hooks) {
    if (engine.id() == compaction::EngineId::simulated) {
        throw Error(ErrorCode::invalid_argument,
                    "A simulated GPU has no times to measure; use --engine cuda or --engine cpu.");
    }
    return Session(engine, settings, policy, hooks).run();
}

Measurement measure(Engine& engine, std::span<const Setting> settings, const Policy& policy,
                    const Hooks& hooks) {
    for (const Setting& setting : settings)
        compaction::validate(*setting.algorithm, setting.options, setting.stream.item_size);
    const auto give = [&](const TakeSettings& take) {
        for (const std::vector<Setting>& group : group_by_stream(settings))
            if (!take(group)) return;
    };
    return measure(engine, SettingSequence{settings.size(), give}, policy, hooks);
}

}  // namespace experiments
