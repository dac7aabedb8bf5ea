#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "app/live/clock_watch.hpp"
#include "app/settings/settings.hpp"
#include "app/view_model/view.hpp"
#include "compaction/engine.hpp"
#include "experiments/split_schedule.hpp"
#include "experiments/timeline.hpp"

namespace warpsieve {

/// Collects what the recorders of the running frames hand over, frames later, into the timeline and the
/// table. Never waits.
class LiveTiming {
  public:
    /// `log`, if given, gets every frame that reaches the timeline, and keeps it.
    LiveTiming(compaction::Engine& engine, std::vector<experiments::FrameSample>* log);

    compaction::PhaseRecorder* total_recorder() { return total_.get(); }
    compaction::PhaseRecorder* phase_recorder() { return phases_.get(); }
    compaction::PhaseRecorder* simulate_recorder() { return simulate_.get(); }
    compaction::PhaseRecorder* copy_recorder() { return copy_.get(); }

    /// Announces a frame, by whose number all its runs go, before its compactions are enqueued. Says whether
    /// the first of them is to be timed phase by phase.
    bool begin_frame(std::uint64_t frame, std::uint32_t iterations, const compaction::Algorithm& algorithm);
    /// Adds what the host knows once a frame is over.
    void end_frame(std::uint64_t frame, float interop_us, float frame_us, std::uint64_t num_kept);
    /// Takes in all timings that have finished and moves complete frames to the timeline.
    void collect();

    /// What was measured before no longer describes what runs now: the table starts anew, the plot goes on.
    void restart_statistics();
    /// The first frame that the statistics count.
    std::uint64_t statistics_since() const { return statistics_since_; }
    void clear();

    const experiments::Timeline& timeline() const { return timeline_; }
    std::uint64_t dropped() const { return total_->dropped() + phases_->dropped(); }
    const std::string& clock_reason() const { return clock_.reason(); }
    /// The table's rows over the frames since the statistics were restarted, the last 600 of them at the
    /// most.
    std::vector<TimingRow> rows(const compaction::Algorithm& algorithm) const;
    experiments::Summary frame_summary() const;
    /// `copy_bytes`: the size of the copies that were enqueued for comparison.
    Throughput throughput(std::uint64_t slots, std::uint64_t copy_bytes) const;

  private:
    struct Pending {
        experiments::FrameSample sample;
        std::uint32_t iterations = 0;  ///< 0: the slot is free
        bool split_awaited = false;
        bool total_awaited = false;
        bool ended = false;
    };

    Pending* pending(std::uint64_t frame);
    void take_totals();
    void take_phases();
    void take_simulations();
    void take_copies();
    void move_to_timeline();
    void carry_total(experiments::FrameSample& sample);
    template <typename Value, typename Counts>
    experiments::Summary summarise_frames(Value value, Counts counts) const;

    static constexpr std::size_t frames_in_flight = 16;
    static constexpr std::size_t frames_in_statistics = 600;

    std::unique_ptr<compaction::PhaseRecorder> total_;
    std::unique_ptr<compaction::PhaseRecorder> phases_;
    std::unique_ptr<compaction::PhaseRecorder> simulate_;
    std::unique_ptr<compaction::PhaseRecorder> copy_;
    std::array<Pending, frames_in_flight> pending_;
    experiments::SplitSchedule schedule_;
    experiments::FrameSample last_split_;
    float last_plain_total_us_ = 0;
    std::uint64_t next_frame_ = 0;  ///< one past the newest
    std::uint64_t next_to_move_ = 0;
    std::uint64_t statistics_since_ = 0;
    std::uint32_t config_epoch_ = 0;
    ClockWatch clock_;
    experiments::Timeline timeline_;
    std::vector<experiments::FrameSample>* log_;
    std::vector<float> copy_us_;  ///< the last copies, in a ring
    std::size_t next_copy_ = 0;
    std::vector<compaction::RunTiming> finished_;
};

}  // namespace warpsieve
