#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/live/access_counting.hpp"
#include "app/live/live_timing.hpp"
#include "app/live/trace_preparation.hpp"
#include "app/scene/particles.hpp"
#include "app/settings/run_config.hpp"
#include "app/trace/traced_run.hpp"
#include "app/view_model/snapshot.hpp"
#include "compaction/engine.hpp"
#include "compaction/verifier.hpp"

namespace warpsieve {

/// Chooses the frames to compare with the reference and keeps the verdicts. A failure stays recorded after a
/// later success, a change of algorithm, and while the check is off.
class CheckMonitor {
  public:
    /// Switches the check on or off, for result().
    void set_enabled(bool enabled);
    /// Whether to compare this frame while the check is on: `every` frames after the last comparison, and at
    /// once after a change of algorithm.
    bool due(std::uint32_t every, std::uint64_t frame, const std::string& algorithm) const;
    /// Records that the comparison of this frame has begun.
    void begin(std::uint64_t frame, const std::string& algorithm);
    /// Adds a verdict.
    void add(const compaction::Verdict& verdict);

    const CheckResult& result() const { return result_; }

  private:
    CheckResult result_;
    std::uint64_t last_frame_ = 0;
    std::string compared_algorithm_;  ///< id, of the last comparison
};

/// What side A or B of the comparison runs in every frame: an algorithm with its compactor, verifier and
/// timings. Without the A/B lens only A runs.
class SideRun {
  public:
    /// A change of algorithm or options, prepared but not yet applied.
    struct Change {
        const compaction::Algorithm* algorithm;
        compaction::Options options;
        std::unique_ptr<compaction::Compactor> compactor;  ///< null: unchanged
        std::unique_ptr<compaction::Verifier> verifier;    ///< null: unchanged
    };

    /// Reserves for streams of up to `slots`. `check` keeps the verdicts and must outlive this; `log`
    /// receives the timings of every frame, if not null. `first_round`: see LiveTiming. Throws
    /// compaction::Error.
    SideRun(compaction::Engine& engine, const compaction::Algorithm& algorithm,
            const compaction::Options& options, std::uint64_t slots, CheckMonitor& check,
            std::vector<experiments::FrameSample>* log, std::uint64_t first_round = 0);

    /// Allocates what a change to `algorithm` and `options` needs, and leaves this run as it is. Throws
    /// compaction::Error.
    Change prepare(const compaction::Algorithm& algorithm, const compaction::Options& options,
                   std::uint64_t slots) const;
    /// Applies a change; returns whether the algorithm or an option changed.
    bool apply(Change change);
    void reserve(std::uint64_t slots);

    /// Compacts the stream `iterations` times and measures the time. Waits only if the algorithm
    /// synchronises. `takes_turns`: whether another side compacts the same stream. Both sides then
    /// write to the scratch buffer while they are timed, because the address of an output, and who read it
    /// last, change a time by several percent; fill_output() fills their own outputs.
    void compact(const scene::FrameBuffers& buffers, std::uint64_t slots, const RunConfig& config,
                 std::uint64_t frame, bool takes_turns);
    /// Compacts into the output of this side, if compact() did not. Call when all sides have been timed.
    void fill_output(const scene::FrameBuffers& buffers, std::uint64_t slots);
    /// Compares the result with the reference if the frame is due. Only enqueues.
    void check(const scene::FrameBuffers& buffers, std::uint64_t slots, const RunConfig& config,
               std::uint64_t frame);
    /// Counts the accesses of a compaction of the stream now and then, on a simulated GPU only.
    void count_accesses(const scene::FrameBuffers& buffers, std::uint64_t slots, std::uint64_t seed,
                        std::uint64_t frame);
    /// Null before the first count, after a change, for algorithms without a trace, and on engines that are
    /// not simulated.
    const AccessCounting::Result& counted_accesses() const { return counting_.result(); }
    std::shared_ptr<const trace::AccessCounts> access_counts() const {
        const AccessCounting::Result& counted = counting_.result();
        return counted ? std::shared_ptr<const trace::AccessCounts>(counted, &counted->counts) : nullptr;
    }
    /// Call after a change of what is measured.
    void restart_statistics();
    /// Asks for a trace of the first compaction in the next compact(): all its blocks, and the roles of the
    /// warps of block `roles_block`.
    void request_trace(std::uint32_t roles_block) { requested_roles_block_ = roles_block; }
    /// The newest trace; null before the first, and after a change. Never waits.
    std::shared_ptr<const trace::TracedRun> traced() const { return newest_trace_; }
    /// Whether a frame was traced whose trace has not arrived. Becomes true in the next compact() after a
    /// request.
    bool awaits_trace() const { return trace_awaited_; }
    /// Collects a trace that has arrived, and prepares it in the background. Never waits.
    void collect_trace();
    /// Waits until a trace that has arrived is prepared, and collects it.
    void drain_trace();

    /// Collects a verdict that has arrived.
    void collect_verdict();

    /// The launches of one compaction, captured without running them; nullopt if that is impossible.
    std::optional<std::vector<compaction::Launch>> launches(const scene::FrameBuffers& buffers,
                                                            std::uint64_t slots) const;

    const compaction::Algorithm& algorithm() const { return *algorithm_; }
    compaction::Options options(std::uint64_t slots) const { return compactor_->resolved_options(slots); }
    compaction::Partition partition(std::uint64_t slots) const { return compactor_->partition(slots); }
    LiveTiming& timing() { return timing_; }
    const LiveTiming& timing() const { return timing_; }

  private:
    bool is_check_due(const RunConfig& config, std::uint64_t frame) const;

    compaction::Engine& engine_;
    LiveTiming timing_;
    CheckMonitor& check_;
    const compaction::Algorithm* algorithm_;
    compaction::Options options_;
    std::unique_ptr<compaction::Verifier> verifier_;
    std::unique_ptr<compaction::Compactor> compactor_;
    std::optional<std::uint32_t> requested_roles_block_;
    TracePreparation trace_preparation_;
    bool trace_awaited_ = false;
    bool is_output_due_ = false;     ///< the timed calls of this frame went into the scratch buffer
    bool changed_ = true;            ///< since the last compact()
    std::uint64_t first_frame_ = 0;  ///< first frame of the current algorithm and options
    std::shared_ptr<const trace::TracedRun> newest_trace_;
    AccessCounting counting_;
};

}  // namespace warpsieve
