#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <string>

#include "app/scene/source.hpp"
#include "app/settings/run_config.hpp"
#include "app/trace/memory_replay.hpp"
#include "app/trace/traced_run.hpp"
#include "compaction/partition.hpp"

namespace warpsieve {

/// What a replay shows.
struct ReplaySubject {
    const compaction::Algorithm* algorithm = nullptr;
    compaction::Partition partition;
    RunConfig config;

    bool operator==(const ReplaySubject&) const = default;
};

/// Resets the members of `config` that do not change the compaction: pause, speed, iterations, checks, B.
ReplaySubject replay_subject(const compaction::Algorithm& algorithm, const compaction::Partition& partition,
                             RunConfig config);

/// Makes replays of the compactions of the running frames, in the background: on a simulated GPU from the
/// newest traced accesses, on other engines from the spans of a frame for which begin_frame() returns true.
class ReplayMaker {
  public:
    /// The newest traces of the subject; null for none.
    struct Traces {
        std::shared_ptr<const trace::TracedRun> spans;
        std::shared_ptr<const compaction::AccessTrace> accesses;
    };

    /// Call in each frame while replays are wanted, before the compaction. `scene`: its input.
    /// `refresh`: whether a new replay replaces the last one from time to time, not only when the subject
    /// changes. Returns whether to trace the spans of this frame.
    bool begin_frame(const ReplaySubject& subject, std::uint64_t frame, const scene::Frame& scene,
                     const Traces& traces, bool refresh);

    /// The newest replay of the subject; null before the first.
    const std::shared_ptr<trace::MemoryReplay>& replay() const { return replay_; }
    /// Why the newest one could not be made, in one sentence; empty if it was.
    const std::string& problem() const { return problem_; }

  private:
    using Clock = std::chrono::steady_clock;
    struct Result {
        std::shared_ptr<trace::MemoryReplay> replay;  ///< null if there is a problem
        std::string problem;
    };
    /// A frame whose compaction is traced.
    struct TracedFrame {
        std::uint64_t frame;
        scene::Frame scene;
    };

    bool is_making() const;
    bool is_due(bool refresh) const;
    void collect_result();
    void make_from_accesses(const std::shared_ptr<const compaction::AccessTrace>& accesses,
                            std::uint64_t picture_columns, bool refresh);
    void make(std::function<std::shared_ptr<trace::MemoryReplay>()> make_replay,
              std::uint64_t picture_columns);

    ReplaySubject subject_;
    std::shared_ptr<trace::MemoryReplay> replay_;
    std::string problem_;
    std::uint64_t first_frame_ = 0;   ///< of the subject
    bool has_skipped_trace_ = false;  ///< the first trace of the subject, which is not used
    bool is_first_making_ = true;     ///< no replay of the subject has been made yet
    std::optional<TracedFrame> traced_frame_;
    std::shared_ptr<const compaction::AccessTrace> used_accesses_;  ///< the newest replay is made from them
    Clock::time_point making_began_;                                ///< of the newest replay
    Clock::duration making_took_{};                                 ///< of the last finished replay
    std::future<Result> making_;
};

}  // namespace warpsieve
