#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "compaction/engine.hpp"
#include "experiments/setting.hpp"
#include "experiments/statistics.hpp"
#include "experiments/stopping.hpp"

namespace experiments {

/// One phase of an algorithm, timed in two ways that share nothing but the clock.
struct PhaseResult {
    std::string name;  ///< as the algorithm calls it
    compaction::PhaseRole role;
    Summary by_events_us;  ///< every boundary marked in the same call
    Summary until_end_us;  ///< from the start of the call to the end of this phase, no other boundary marked
    double by_subtraction_us =
        0;  ///< until the end of this phase less until the end of the one before: medians
};

/// What measuring one setting gave.
struct Result {
    Setting setting;
    compaction::Options layout;  ///< what `automatic` became
    std::uint64_t num_kept = 0;  ///< items of the stream that are kept

    std::vector<float> call_us;  ///< the samples: microseconds a call
    Summary us;                  ///< of the samples, throttled ones included
    Interval median_us;          ///< in which the true median lies, at 95 %
    std::uint64_t calls_per_sample = 1;
    std::size_t throttled = 0;  ///< samples taken at a clock under Policy::throttled_below
    std::uint64_t calls_timed = 0;
    std::uint64_t calls_checked = 0;  ///< of these, whose output was compared with the reference

    double useful_gb_s = 0;     ///< useful_bytes() over the median, in 10^9 bytes a second
    double copy_us = 0;         ///< a device-to-device copy of the whole stream, measured in turn with this
    double share_of_copy = 0;   ///< useful bytes a second, over those of that copy
    double floor_us = 0;        ///< a copy that moves exactly the useful bytes, measured in turn with this
    double share_of_floor = 0;  ///< floor over median

    std::vector<PhaseResult> phases;  ///< empty unless Policy::phases
    std::string wrong;                ///< what was wrong with an output; empty where all checked were right
    /// It has the samples that the policy asks for, or is wrong; otherwise it was interrupted, or is being
    /// measured still.
    bool settled = false;

    bool correct() const { return wrong.empty(); }
};

/// A setting that was not measured, and why.
struct Skipped {
    Setting setting;
    std::string reason;  ///< one sentence
};

/// The copy that others are held against, on one stream.
struct CopyResult {
    StreamSpec stream;
    Summary us;
    Interval median_us;
    double gb_s = 0;  ///< bytes read + bytes written
    std::size_t throttled = 0;
    std::string wrong;  ///< as Result::wrong
};

struct Measurement {
    std::vector<Result> results;  ///< in the order of the settings, those of one stream together
    std::vector<CopyResult> copies;
    std::vector<Skipped> skipped;
    bool interrupted = false;
    /// Why the device failed, where it did: what came before stands, what came after was not measured.
    std::string failure;
};

struct Progress {
    std::size_t settings_done = 0;
    std::size_t settings_total = 0;
    double seconds_left = 0;  ///< an estimate from what was done so far, the noise and the time limit
    std::string now;          ///< "2^20 items: 14 settings, warming up"
};

/// What measure() tells and asks on its way. All may be left empty.
struct Hooks {
    std::function<void(const Progress&)> progress;  ///< up to four times a second
    /// As often: all that stands so far, and of the stream being measured what its samples say by now, those
    /// of the warm-up until there are others. For showing it; what settles of it may still move.
    std::function<void(Measurement)> so_far;
    /// After each stream, with all that stands so far: for writing it to a file before going on.
    std::function<void(const Measurement&)> stream_done;
    const std::atomic<bool>* cancel = nullptr;  ///< set by others: stop after the sample being taken
    std::function<double()> now_s;              ///< seconds on a steady clock; steady_clock where empty
};

/// Measures the settings on `engine`, which must be that of their algorithms.
///
/// Settings of one stream are measured in turn (A B C A B C ...), with device-to-device copies among them.
/// Each sample times calls in a row from outside, after one call that is not timed. After each sample the
/// output of its last call is compared with the reference, and those of its other calls as far as they are
/// still there and checking takes no longer than measuring; every output is overwritten with nonsense before
/// it is used again, so that nobody passes with what another left there. Allocates everything for a stream
/// before its first sample. A setting that does not fit the memory, or that this device refuses, is skipped
/// and told; a wrong one keeps its samples, with Result::wrong set. Throws what compaction::validate does,
/// before anything is measured.
Measurement measure(compaction::Engine& engine, std::span<const Setting> settings, const Policy& policy,
                    const Hooks& hooks = {});

}  // namespace experiments
