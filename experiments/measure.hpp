#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "compaction/engine.hpp"
#include "experiments/setting.hpp"
#include "experiments/statistics.hpp"
#include "experiments/stopping.hpp"

namespace experiments {

/// One phase of an algorithm, timed in two independent ways (see PhaseTiming). A summary without samples was
/// not measured.
struct PhaseResult {
    std::string name;  ///< the algorithm's name for it
    compaction::PhaseRole role;
    Summary by_stamps_us = {};
    Interval by_stamps_interval_us = {};  ///< 95 % interval of the median
    Summary by_subtraction_us = {};       ///< the first phase includes the time between calls
    Interval by_subtraction_interval_us = {};
    double hidden_us = 0;               ///< median of RunTiming::hidden_us
    std::optional<double> gap_us = {};  ///< median of RunTiming::gap_us; nullopt if no call recorded it
};

/// The measurements of one setting.
struct Result {
    Setting setting;
    compaction::Options resolved_options;  ///< no option is `automatic`
    std::uint64_t num_kept = 0;            ///< items of the stream that the predicate keeps

    std::vector<float> samples_us;  ///< per call
    Summary us;                     ///< all samples, including throttled ones
    Interval median_interval_us;    ///< 95 % confidence interval of the median
    std::uint64_t calls_per_sample = 1;
    std::size_t throttled = 0;  ///< samples at a clock below Policy::throttled_below
    std::uint64_t calls_timed = 0;
    std::uint64_t calls_checked = 0;  ///< timed calls whose output was compared with the reference

    double useful_gb_s = 0;     ///< useful_bytes() over the median, in 10^9 bytes per second
    double copy_us = 0;         ///< device-to-device copy of the whole stream, sampled in turn with this
    double share_of_copy = 0;   ///< useful bytes per second over those of the copy
    double floor_us = 0;        ///< copy of exactly the useful bytes, sampled in turn with this
    double share_of_floor = 0;  ///< floor over median

    std::vector<PhaseResult> phases;    ///< empty if Policy::phases is `none` or the result is wrong
    Summary between_us = {};            ///< between calls: total minus the phases by stamps
    Interval between_interval_us = {};  ///< 95 % interval of its median
    std::string no_subtraction_reason;  ///< why there are no times by subtraction, if they were requested
    std::string first_error;            ///< of a checked output; empty if all were correct
    /// Whether the result is final: it has the samples that the policy asks for, or it is wrong. Otherwise it
    /// was interrupted, or is still being measured.
    bool settled = false;
    bool is_of_warm_up = false;  ///< its samples are dropped when the warm-up ends

    bool correct() const { return first_error.empty(); }
    /// Whether a verdict may rest on it: it is correct, and no sample was taken at a throttled clock.
    bool supports_verdict() const { return correct() && throttled == 0; }
};

/// A setting that was not measured, and why.
struct Skipped {
    Setting setting;
    std::string reason;  ///< a sentence
};

/// The copy of one stream, the baseline for the speed of the settings.
struct CopyResult {
    StreamSpec stream;
    Summary us;
    Interval median_interval_us;  ///< 95 % confidence interval of the median
    double gb_s = 0;              ///< bytes read + bytes written
    std::size_t throttled = 0;
    std::string first_error;  ///< see Result::first_error
};

struct Measurement {
    std::vector<Result> results;  ///< in the order of the settings, grouped by stream
    std::vector<CopyResult> copies;
    std::vector<Skipped> skipped;
    double lowest_clock_hz = 0;  ///< of all samples of the settings; 0 if unknown
    double highest_clock_hz = 0;
    bool interrupted = false;
    /// Why the device failed; empty if it did not. Earlier results are valid, later settings were not
    /// measured.
    std::string failure;
};

struct Progress {
    std::size_t settings_done = 0;
    std::size_t settings_total = 0;
    double seconds_left = 0;  ///< estimate from the progress, the noise and the time limit
    std::string activity;     ///< "2^20 items: 14 settings, warming up"
};

/// Callbacks of measure(). All are optional.
struct Hooks {
    std::function<void(const Progress&)> progress;  ///< up to four times a second
    /// Called as often as `progress`, with all results so far, for display. Results of the current stream
    /// come from the samples taken so far (from the warm-up at first) and may still change.
    std::function<void(Measurement)> so_far;
    std::function<bool()> so_far_due;  ///< whether to call `so_far` now: copying the results takes time
    /// Called after each stream, with all results so far.
    std::function<void(const Measurement&)> stream_done;
    /// Stops after the current sample, or while a stream is prepared.
    const std::atomic<bool>* cancel = nullptr;
    std::function<double()> now_s;  ///< seconds on a steady clock; default: steady_clock
};

/// Measures the settings on `engine`, which must be that of their algorithms.
///
/// Settings of one stream are sampled in turn (A B C A B C ...), with device-to-device copies among them;
/// more than SettingSequence::max_in_turn in several such rounds. A sample times several calls in a row as a
/// whole, after one untimed call. After each sample the output of its last call is compared with the
/// reference; the outputs of its other calls too, if they still exist and checking takes no longer than
/// measuring. Every output is poisoned before its next use, so that no call passes with the output of
/// another. Allocates everything for a stream before its first sample. A setting that does not fit into
/// memory, or that the device refuses, is skipped with a reason; a wrong one keeps its samples and sets
/// Result::first_error. The settings must be valid, see compaction::validate.
Measurement measure(compaction::Engine& engine, const SettingSequence& settings, const Policy& policy,
                    const Hooks& hooks = {});

/// Measures the settings, those of one stream together. Throws like compaction::validate before measuring
/// anything.
Measurement measure(compaction::Engine& engine, std::span<const Setting> settings, const Policy& policy,
                    const Hooks& hooks = {});

}  // namespace experiments
