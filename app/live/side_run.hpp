#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "app/live/check_monitor.hpp"
#include "app/live/live_timing.hpp"
#include "app/scene/particles.hpp"
#include "app/settings/settings.hpp"
#include "compaction/engine.hpp"

namespace warpsieve {

/// One algorithm in the running frames: what compacts, what judges its results, and its timings. There is
/// one, or two where the A/B lens is shown.
class SideRun {
  public:
    /// What changes the algorithm or its options, made but not yet in force.
    struct Change {
        const compaction::Algorithm* algorithm;
        compaction::Options options;
        std::unique_ptr<compaction::Compactor> compactor;  ///< none: the same one goes on
        std::unique_ptr<compaction::Verifier> verifier;    ///< none: the same one goes on
    };

    /// Reserves for streams of up to `slots`. `check` keeps what the verdicts say and outlives this; `log`,
    /// if given, gets the timings of every frame. Throws compaction::Error, as everything that reserves.
    SideRun(compaction::Engine& engine, const compaction::Algorithm& algorithm,
            const compaction::Options& options, std::uint64_t slots, CheckMonitor& check,
            std::vector<experiments::FrameSample>* log);

    /// Makes what `algorithm` and `options` need and this does not have; what runs stays as it is.
    Change prepare(const compaction::Algorithm& algorithm, const compaction::Options& options,
                   std::uint64_t slots) const;
    /// Takes a change over; says whether something else runs now.
    bool take(Change change);
    void reserve(std::uint64_t slots);

    /// Compacts the stream `iterations` times and times it. Enqueues alone, as do all that follow.
    void compact(const scene::StreamView& stream, std::uint64_t slots, std::uint32_t iterations,
                 std::uint64_t frame);
    /// Has the result compared with the reference, where the settings want it in this frame.
    void check(const scene::StreamView& stream, std::uint64_t slots, const Settings& settings,
               std::uint64_t frame);
    /// Takes in the verdict that has arrived, if one has.
    void take_verdict();

    /// What one compaction gives the GPU to do; nothing where that is not known. Nothing of it runs.
    std::optional<std::vector<compaction::Launch>> launches(const scene::StreamView& stream,
                                                            std::uint64_t slots) const;

    const compaction::Algorithm& algorithm() const { return *algorithm_; }
    compaction::Options layout(std::uint64_t slots) const { return compactor_->layout(slots); }
    compaction::Partition partition(std::uint64_t slots) const { return compactor_->partition(slots); }
    LiveTiming& timing() { return timing_; }
    const LiveTiming& timing() const { return timing_; }

  private:
    compaction::Engine& engine_;
    LiveTiming timing_;
    CheckMonitor& check_;
    const compaction::Algorithm* algorithm_;
    compaction::Options options_;
    std::unique_ptr<compaction::Verifier> verifier_;
    std::unique_ptr<compaction::Compactor> compactor_;
};

}  // namespace warpsieve
