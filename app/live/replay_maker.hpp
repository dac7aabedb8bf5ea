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

/// Leaves out of `config` what changes nothing in the compaction: pause, speed, iterations, checks, B.
ReplaySubject replay_subject(const compaction::Algorithm& algorithm, const compaction::Partition& partition,
                             RunConfig config);

/// Makes replays of the compactions of the running frames, in the background: on a simulated GPU from the
/// newest traced accesses, on other engines from the spans of a frame that it asks for.
class ReplayMaker {
  public:
    /// The newest traces of the subject; null for none.
    struct Traces {
        std::shared_ptr<const trace::TracedRun> spans;
        std::shared_ptr<const compaction::AccessTrace> accesses;
    };

    /// Call in each frame while replays are wanted, before the compaction. `scene`: its input; `refresh`: a
    /// new replay replaces the last one from time to time, else only when the subject changes. Returns
    /// whether to trace the spans of this frame.
    bool begin_frame(const ReplaySubject& subject, std::uint64_t frame, const scene::Frame& scene,
                     const Traces& traces, bool refresh);

    /// The newest replay of the subject; null before the first.
    const std::shared_ptr<trace::MemoryReplay>& replay() const { return replay_; }
    /// Why the newest one could not be made, in one sentence; empty if it was.
    const std::string& problem() const { return problem_; }

  private:
    using Clock = std::chrono::steady_clock;
    struct Made {
        std::shared_ptr<trace::MemoryReplay> replay;
        std::string problem;
    };
    /// A frame whose compaction is traced.
    struct Awaited {
        std::uint64_t frame;
        scene::Frame scene;
    };

    bool is_making() const;
    bool is_due(bool refresh) const;
    void collect_made();
    void follow_accesses(const std::shared_ptr<const compaction::AccessTrace>& accesses,
                         std::uint64_t picture_columns, bool refresh);
    void make(std::function<std::shared_ptr<trace::MemoryReplay>()> make_replay,
              std::uint64_t picture_columns);

    ReplaySubject subject_;
    std::shared_ptr<trace::MemoryReplay> replay_;
    std::string problem_;
    std::uint64_t first_frame_ = 0;  ///< of the subject
    bool has_traced_ = false;        ///< a compaction of the subject was traced
    bool is_first_ = true;           ///< none of the subject was made yet
    std::optional<Awaited> awaited_;
    std::shared_ptr<const compaction::AccessTrace> used_;  ///< what the newest replay was made from
    Clock::time_point begun_;                              ///< when the newest replay was begun
    Clock::duration took_{};                               ///< how long it took
    std::future<Made> making_;
};

}  // namespace warpsieve
