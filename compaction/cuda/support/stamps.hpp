#pragma once

#include <utility>

#include "compaction/cuda/stamps.hpp"
#include "compaction/timing.hpp"

namespace compaction::cuda {

/// The event that ends a phase: its last block, or the start of the next phase, whose first launch has stamps
/// too. In the second case the end is rarely recorded, because recording delays the next launch.
enum class PhaseEnd { last_block, next_phase };

/// A recorder that gives kernels their stamps. Every recorder that is passed to a compactor of the CUDA
/// engine is of this type.
class TimestampRecorder : public PhaseRecorder {
  public:
    /// The stamps of a launch in the current phase; empty outside of a timed run.
    virtual Stamps stamps(PhaseEnd end) const = 0;
};

/// Times one phase of a run: `TimedPhase phase{recorder}; launch(kernel, {...}, ..., phase.stamps());`. A
/// library call in a phase takes no stamps. A null recorder costs one test.
class TimedPhase {
  public:
    explicit TimedPhase(PhaseRecorder* recorder, PhaseEnd end = PhaseEnd::last_block)
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
    Stamps next() { return of_launch(false); }
    /// The stamps of the last launch.
    Stamps last() { return of_launch(true); }

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
