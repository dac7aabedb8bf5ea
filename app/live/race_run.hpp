#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "app/live/access_counting.hpp"
#include "app/live/replay_maker.hpp"
#include "app/live/trace_preparation.hpp"
#include "app/scene/source.hpp"
#include "app/settings/run_config.hpp"
#include "app/trace/traced_run.hpp"
#include "app/view_model/requests.hpp"
#include "app/view_model/snapshot.hpp"
#include "compaction/engine.hpp"
#include "experiments/paired_ratio.hpp"

namespace warpsieve {

/// Algorithms that compact the stream of the frame after the main run, each timed by itself. They share one
/// output. A round runs each lane once, in as many frames as it takes: a frame runs the lanes that fit into a
/// few milliseconds, but at least one lane. One of every two rounds runs the lanes in reverse, and every two
/// rounds start with another lane, so that of two lanes neither always follows the other. On a simulated GPU,
/// which has no times, lanes are only traced.
class RaceRun {
  public:
    /// Skips unknown ids, ids of other engines, and all after the first max_racing lanes. A lane that cannot
    /// run keeps the reason. `memory_limit_bytes`: memory limit of the output; 0: the free memory.
    RaceRun(compaction::Engine& engine, std::span<const std::string> algorithms, std::uint64_t slots,
            std::uint64_t memory_limit_bytes);

    /// Whether the race was made for exactly these ids, in this order.
    bool runs(std::span<const std::string> algorithms) const;

    /// Traces untimed compactions of these two lanes now and then, and makes replays of them.
    void make_replays(const RacePair& pair);

    /// Compacts `in`, [slots] of the current frame, with the lanes whose turn it is. Only enqueues. Throws
    /// Error{device_failure}. `scene`: what `in` was made from.
    void step(const compaction::Item* in, const RunConfig& config, std::uint64_t frame,
              const scene::Frame& scene);
    /// Collects times and verdicts that have arrived. Never waits.
    void collect();
    /// Drops the times. Call after a change of the stream or of what is measured.
    void restart();

    /// The figures of all lanes.
    RaceFigures figures() const;
    /// Changes when all lanes are measured anew.
    std::uint64_t serial() const { return serial_; }

  private:
    struct Lane {
        const compaction::Algorithm* algorithm = nullptr;
        std::string problem;
        std::unique_ptr<compaction::Compactor> compactor;
        std::unique_ptr<compaction::SpanTimer> timer;
        std::vector<experiments::RoundTime> times;  ///< of one compaction, the oldest first
        float latest_us = 0;                        ///< time of all compactions in the latest round
        std::uint64_t num_finished = 0;             ///< times that arrived since the restart
    };

    /// The traces that a replay of a lane is made from.
    struct Tracing {
        const compaction::Algorithm* algorithm = nullptr;  ///< null: no replay is requested
        ReplayMaker replays;
        AccessCounting accesses;  ///< on a simulated GPU
        std::unique_ptr<compaction::PhaseRecorder> recorder;
        const compaction::Algorithm* recorded = nullptr;  ///< the algorithm that the recorder has traced
        TracePreparation preparation;
        std::shared_ptr<const trace::TracedRun> spans;
        std::shared_ptr<const trace::MemoryReplay> newest;
        std::shared_ptr<const trace::MemoryReplay> nearest;  ///< in duration to the lane's median
    };

    void open_lane(Lane& lane);
    void allocate(std::uint64_t memory_limit_bytes);
    compaction::Verifier* verifier_of(const compaction::Algorithm& algorithm);
    void run_lanes(const compaction::Item* in, const RunConfig& config, std::uint64_t frame);
    template <typename Work>
    static void attempt(Lane& lane, Work work);
    void compact(std::size_t index, const compaction::Item* in, const RunConfig& config, std::uint64_t frame);
    void enqueue(Lane& lane, const compaction::Item* in, compaction::PhaseRecorder* recorder);
    void trace_if_due(Tracing& tracing, const compaction::Item* in, const RunConfig& config,
                      std::uint64_t frame, const scene::Frame& scene);
    static void reset(Tracing& tracing);
    static void choose_replay(Tracing& tracing, const Lane& lane);
    void collect_spans(Tracing& tracing) const;
    std::size_t lane_in_turn() const;
    void add_time(Lane& lane, const compaction::SpanTiming& timing) const;
    static double expected_us(const Lane& lane);
    static RaceLane figures_of(const Lane& lane);
    void compare_with(std::size_t reference, std::vector<RaceLane>& lanes) const;
    void collect_verdict(compaction::Verifier* verifier);

    compaction::Engine& engine_;
    std::vector<std::string> ids_;
    std::uint64_t slots_;
    compaction::Buffer out_;
    compaction::Buffer num_selected_;
    std::unique_ptr<compaction::Verifier> ordered_verifier_;    ///< for algorithms that keep the order
    std::unique_ptr<compaction::Verifier> unordered_verifier_;  ///< for the others
    std::vector<Lane> lanes_;
    std::array<Tracing, std::tuple_size_v<RacePair>> tracings_;
    std::uint64_t round_ = experiments::random_first_round();
    std::size_t num_turns_taken_ = 0;     ///< in this round
    std::size_t next_check_ = 0;          ///< index of the lane to check next, modulo the number of lanes
    std::uint64_t next_check_frame_ = 0;  ///< the next check is in this frame or later
    std::uint32_t iterations_ = 1;
    bool restart_pending_ = true;            ///< the next frame restarts the times
    std::uint64_t first_counted_round_ = 0;  ///< earlier rounds are not counted
    std::uint64_t serial_ = 0;
    std::vector<compaction::SpanTiming> finished_spans_;
};

}  // namespace warpsieve
