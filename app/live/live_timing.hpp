#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/view_model/snapshot.hpp"
#include "compaction/engine.hpp"
#include "compaction/timing.hpp"
#include "experiments/paired_ratio.hpp"
#include "experiments/statistics.hpp"
#include "experiments/timeline.hpp"

namespace warpsieve {

/// Measures the processors' clock ten times a second. A measurement takes about 25 us of a GPU, 0.03 % of its
/// time.
class ClockWatch {
  public:
    using TimePoint = std::chrono::steady_clock::time_point;
    static constexpr std::chrono::milliseconds period{100};

    explicit ClockWatch(std::unique_ptr<compaction::ClockProbe> probe) : probe_(std::move(probe)) {}

    /// Call once per frame, before its work.
    void step(TimePoint now) {
        if (const auto hz = probe_->poll()) hz_ = *hz;
        if (last_begin_ && now - *last_begin_ < period) return;
        last_begin_ = now;
        probe_->enqueue();
    }

    /// The last measurement; 0 before the first.
    double hz() const { return hz_; }
    /// Why the clock cannot be measured, in one line; empty where it can.
    const std::string& reason() const { return probe_->reason(); }

  private:
    std::unique_ptr<compaction::ClockProbe> probe_;
    std::optional<TimePoint> last_begin_;
    double hz_ = 0;
};

/// Collects the timings of the running frames, which arrive frames later, into the timeline and the table.
/// Never waits.
class LiveTiming {
  public:
    /// `log`: receives every frame that the timeline receives, and drops none; may be null. `first_round`:
    /// the round of frame 0, where another algorithm takes turns (experiments::runs_in_reverse).
    LiveTiming(compaction::Engine& engine, std::vector<experiments::FrameSample>* log,
               std::uint64_t first_round = 0);

    /// Number of compactions at the start of a frame whose phases are timed.
    static constexpr std::uint32_t max_timed_runs = 32;

    compaction::SpanTimer* total_timer() { return total_.get(); }
    compaction::SpanTimer* simulate_timer() { return simulate_.get(); }
    compaction::SpanTimer* copy_timer() { return copy_.get(); }
    compaction::SpanTimer* publish_timer() { return publish_.get(); }
    /// The recorder of the compaction with this index in its frame; null if its phases are not timed.
    compaction::PhaseRecorder* phase_recorder_of(std::uint32_t iteration) {
        return iteration < max_timed_runs ? phases_.get() : nullptr;
    }

    /// Announces a frame before its compactions are enqueued. Its number identifies its spans and runs.
    void begin_frame(std::uint64_t frame, std::uint32_t iterations, const compaction::Algorithm& algorithm);
    /// Enqueues the copies of the frame's phase times to the host. Call it after the span of the total has
    /// ended.
    void enqueue_phase_copies(std::uint64_t frame);
    /// Adds the values that the host knows after a frame.
    void end_frame(std::uint64_t frame, float interop_us, float frame_us, std::uint64_t num_kept);
    /// Collects all timings that have finished and moves complete frames to the timeline.
    void collect();

    /// Call after a change of what is measured. Restarts the statistics of the table; the timeline continues.
    void restart_statistics();
    /// The first frame that the statistics count.
    std::uint64_t statistics_since() const { return statistics_since_; }
    void clear();

    const experiments::Timeline& timeline() const { return *timeline_; }
    /// The timeline may outlive this object: the frame that replaces the run still shows it.
    std::shared_ptr<const experiments::Timeline> shared_timeline() const { return timeline_; }
    std::uint64_t dropped() const { return total_->dropped() + phases_->dropped(); }
    const std::string& clock_reason() const { return clock_.reason(); }
    /// The table's rows over the frames since the statistics were restarted, the last 600 of them at the
    /// most. `in_turn`: whether this algorithm and another one take turns to run first, so that only
    /// pairs of frames can be compared.
    std::vector<TimingRow> rows(const compaction::Algorithm& algorithm, bool in_turn) const;
    /// The totals of these frames.
    std::vector<experiments::RoundTime> totals() const;
    experiments::Summary frame_summary() const;
    /// Means over the last 60 frames since the statistics were restarted; 0 where there are none.
    double recent_total_us() const;
    double recent_simulate_us() const;
    double recent_publish_us() const;
    /// Whether there are too few copies since the statistics were restarted for a fraction of copy bandwidth.
    bool wants_copies() const;
    /// `total_us`: the total of the table. `copy_bytes`: the size of the copies that were enqueued for
    /// comparison.
    Throughput throughput(const experiments::Summary& total_us, std::uint64_t slots,
                          std::uint64_t copy_bytes) const;

  private:
    /// Microseconds of each phase.
    using PhaseTimes = std::array<double, compaction::max_phases>;
    /// Sums over the runs of a frame.
    struct PhaseSums {
        PhaseTimes phase_us{};
        PhaseTimes hidden_us{};
        PhaseTimes gap_us{};
    };

    /// A frame that waits for its timings.
    struct PendingFrame {
        experiments::FrameSample sample;
        PhaseSums sums;                      ///< over the timed runs
        std::uint32_t iterations = 0;        ///< 0: unused
        std::size_t num_awaited_runs = 0;    ///< runs whose phase times will arrive
        std::size_t num_arrived_runs = 0;    ///< runs that arrived
        std::size_t num_timed_runs = 0;      ///< arrived runs with the phases of the algorithm
        std::size_t num_runs_with_gaps = 0;  ///< timed runs with gaps
        bool total_awaited = false;
        bool ended = false;

        bool complete() const { return ended && !total_awaited && num_arrived_runs >= num_awaited_runs; }
        void add(const compaction::RunTiming& timing);
        /// Writes the means of the sums into the sample, so that phases and the time between calls add up to
        /// the total. A total and its phases come from different clocks, and a long batch times only its
        /// first runs: phases that take longer than the total are shortened to it in proportion.
        ///
        /// If no run has phase times, as in library kernels without stamps, an only phase gets the total;
        /// several phases stay unknown.
        void average_phases();
    };

    PendingFrame* find_pending(std::uint64_t frame);
    void poll_totals();
    void poll_phases();
    void poll_simulations();
    void poll_copies();
    void poll_publishes();
    double recent_mean(float experiments::FrameSample::*us) const;
    void move_to_timeline();
    template <typename Value, typename Predicate>
    std::vector<experiments::RoundTime> counted_frames(Value value, Predicate is_counted) const;
    template <typename Value, typename Predicate>
    experiments::Summary summarise_frames(Value value, Predicate is_counted, bool in_turn) const;
    TimingRow phase_row(const compaction::Algorithm& algorithm, std::size_t phase, bool in_turn) const;

    static constexpr std::size_t frames_in_flight = 16;
    static constexpr std::size_t frames_in_statistics = 600;
    static constexpr std::size_t recent_frames = 60;

    std::unique_ptr<compaction::SpanTimer> total_;
    std::unique_ptr<compaction::PhaseRecorder> phases_;
    std::unique_ptr<compaction::SpanTimer> simulate_;
    std::unique_ptr<compaction::SpanTimer> copy_;
    std::unique_ptr<compaction::SpanTimer> publish_;
    std::array<PendingFrame, frames_in_flight> pending_;
    std::uint64_t next_frame_ = 0;           ///< one past the newest frame
    std::uint64_t runs_dropped_before_ = 0;  ///< number of dropped runs before the newest frame
    std::uint64_t next_to_move_ = 0;         ///< the next frame to move to the timeline
    std::uint64_t statistics_since_ = 0;
    std::uint32_t config_epoch_ = 0;
    ClockWatch clock_;
    std::uint64_t first_round_;
    bool has_times_;  ///< false on a simulated GPU, which has no times
    std::shared_ptr<experiments::Timeline> timeline_ = std::make_shared<experiments::Timeline>();
    std::vector<experiments::FrameSample>* log_;
    std::vector<float> copy_us_;  ///< times of the last copies, in a ring
    std::size_t next_copy_ = 0;
    std::array<float, recent_frames> publish_us_{};  ///< the last times to publish, in a ring
    std::size_t num_published_ = 0;                  ///< number of times added to publish_us_
    std::vector<compaction::SpanTiming> finished_spans_;
    std::vector<compaction::RunTiming> finished_runs_;
};

}  // namespace warpsieve
