#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "compaction/cuda/stamps.hpp"
#include "compaction/partition.hpp"
#include "compaction/timing.hpp"

namespace compaction::cuda {

/// The event that ends a phase.
enum class PhaseEnd {
    end_of_last_block,
    /// The first launch of the next phase has stamps too. The end of the last block is rarely recorded,
    /// because that delays the next launch.
    start_of_next_phase,
};

/// A recorder that gives kernels their stamps. Every recorder that is passed to a compactor of the CUDA
/// engine is of this type.
class TimestampRecorder : public PhaseRecorder {
  public:
    /// The stamps of a launch in the current phase, which ends with `end`; empty outside of a timed run.
    virtual Stamps stamps(PhaseEnd end) const = 0;
};

/// The launches of a traced run, and which items their blocks process. `traced` of all stamps that a
/// TimestampRecorder returns points to one.
struct DescribedLaunches : TracedLaunches {
    std::vector<BlockParts> parts = {};  ///< [Launch::description - 1]
};

/// Describes which items the blocks of the next launch with these stamps process. `describe()` returns a
/// BlockParts; it is called only in a traced run. Returns the stamps.
template <typename Describe>
Stamps with_parts(const Stamps& stamps, const Describe& describe) {
    if (!stamps.traced) return stamps;
    auto& launches = static_cast<DescribedLaunches&>(*stamps.traced);
    if (launches.parts.size() >= TracedLaunches::max_launches) return stamps;
    const BlockParts& parts = launches.parts.emplace_back(describe());
    launches.next_description = static_cast<std::uint32_t>(launches.parts.size());
    if (parts.appends)
        launches.next_records = {parts.partition.num_parts, sizeof(AppendRecord)};
    else if (parts.by_ticket || parts.waits)
        launches.next_records = {parts.partition.num_parts, sizeof(PartRecord)};
    return stamps;
}

/// Adds a launch without stamps, of a kernel that only resets memory, to the launches of a traced run.
inline void add_reset(const Stamps& stamps) {
    if (!stamps.traced) return;
    TracedLaunches& traced = *stamps.traced;
    if (traced.launches.size() < TracedLaunches::max_launches)
        traced.launches.push_back({.phase = stamps.phase,
                                   .first_entry = traced.num_entries,
                                   .blocks = 0,
                                   .first_blocks = 0,
                                   .last_from = 0,
                                   .threads = 0,
                                   .description = 0});
    else
        ++traced.launches_left_out;
}

/// Times one phase of a run: `TimedPhase phase{recorder}; launch(kernel, {...}, ..., phase.stamps());`. A
/// library call in a phase takes no stamps. A null recorder costs one test.
class TimedPhase {
  public:
    explicit TimedPhase(PhaseRecorder* recorder, PhaseEnd end = PhaseEnd::end_of_last_block)
        : recorder_(static_cast<TimestampRecorder*>(recorder)), end_(end), phase_(recorder) {}

    Stamps stamps() const { return recorder_ ? recorder_->stamps(end_) : Stamps{}; }

  private:
    TimestampRecorder* recorder_;
    PhaseEnd end_;
    ScopedPhase phase_;
};

/// The stamps of several launches in one phase, in order: the first records the start of the phase, the last
/// its end, and those between record nothing. In a traced run all record both.
class LaunchStamps {
  public:
    explicit LaunchStamps(const Stamps& stamps) : stamps_(stamps) {}

    /// The stamps of the next launch, which is not the last one.
    Stamps next() { return of_launch(/*is_last=*/false); }
    /// The stamps of the last launch.
    Stamps last() { return of_launch(/*is_last=*/true); }

  private:
    Stamps of_launch(bool is_last) {
        Stamps stamps = stamps_;
        const bool is_first = std::exchange(is_first_, false);
        if (!is_first && !is_last && !stamps.traced) return {};
        if (!is_first) stamps.first_blocks = 0;
        if (!is_last) stamps.last_threads = 0;
        return stamps;
    }

    Stamps stamps_;
    bool is_first_ = true;
};

}  // namespace compaction::cuda
