#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "app/settings/run_config.hpp"
#include "app/view_model/snapshot.hpp"
#include "compaction/engine.hpp"

namespace warpsieve {

/// Algorithms that compact the stream of every frame after the main run, each timed by itself. They share one
/// output, and each frame starts with another lane, so that no lane always follows the same one. A frame runs
/// the lanes that fit into a few milliseconds, at least one.
class RaceRun {
  public:
    /// Ids of other engines and unknown ids are skipped, as are those after the first max_racing. A lane
    /// that cannot run keeps the reason. `memory_limit_bytes`: memory limit of the output; 0: what is
    /// free.
    RaceRun(compaction::Engine& engine, std::span<const std::string> algorithms, std::uint64_t slots,
            std::uint64_t memory_limit_bytes);

    /// Whether the race was made for exactly these ids.
    bool runs(std::span<const std::string> algorithms) const;

    /// Compacts `in`, [slots] of the current frame, with the lanes whose turn it is. Only enqueues. Throws
    /// Error{device_failure}.
    void step(const compaction::Item* in, const RunConfig& config, std::uint64_t frame);
    /// Collects times and verdicts that have arrived. Never waits.
    void collect();
    /// Forgets the times: the stream or the measurement has changed.
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
        std::vector<float> us;              ///< the newest times, in a ring
        std::vector<std::uint64_t> frames;  ///< [us] the frame of each
        std::size_t oldest = 0;             ///< index of the oldest time in a full ring
        float latest_us = 0;                ///< time of all compactions in the latest frame
        std::uint64_t finished = 0;         ///< number of times that arrived since the restart
    };

    void open_lane(Lane& lane);
    void allocate(std::uint64_t memory_limit_bytes);
    compaction::Verifier* verifier_of(const compaction::Algorithm& algorithm);
    void compact(std::size_t index, const compaction::Item* in, const RunConfig& config, std::uint64_t frame);
    void add_time(Lane& lane, float us, std::uint64_t frame) const;
    static double expected_us(const Lane& lane);
    static RaceLane described(const Lane& lane);
    static experiments::PairedRatio paired_ratio(const Lane& a, const Lane& b);
    void take_verdict(compaction::Verifier* verifier);

    compaction::Engine& engine_;
    std::vector<std::string> ids_;
    std::uint64_t slots_;
    compaction::Buffer out_;
    compaction::Buffer num_selected_;
    std::unique_ptr<compaction::Verifier> ordered_;    ///< for algorithms that keep the order
    std::unique_ptr<compaction::Verifier> unordered_;  ///< for the others
    std::vector<Lane> lanes_;
    std::size_t next_lane_ = 0;     ///< the first lane of the next frame
    std::size_t check_turn_ = 0;    ///< the lane to check next, modulo their number
    std::uint64_t check_from_ = 0;  ///< first frame of the next check
    std::uint32_t iterations_ = 1;
    bool restarts_ = true;             ///< the times restart at the next frame
    std::uint64_t counted_since_ = 0;  ///< first frame whose times count
    std::uint64_t serial_ = 0;
    std::vector<compaction::SpanTiming> finished_;
};

}  // namespace warpsieve
