#pragma once

#include <utility>

#include "compaction/cuda/stamps.hpp"
#include "compaction/timing.hpp"

namespace compaction::cuda {

/// What ends a phase: its last block, or the begin of the next phase, whose first launch has stamps too. The
/// end of such a phase is rarely noted, as that delays the next launch.
enum class PhaseEnd { last_block, next_phase };

/// A recorder of the CUDA engine: kernels get their stamps from it. Every recorder that a compactor of this
/// engine gets is one.
class TimestampRecorder : public PhaseRecorder {
  public:
    /// Where the blocks of a launch in the current phase note their times; nowhere outside of a timed run.
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

/// The stamps of several launches in one phase, in their order: the first notes when the phase begins, the
/// last when it ends, and those between note nothing. In a traced run all note both.
class LaunchStamps {
  public:
    explicit LaunchStamps(const Stamps& stamps) : stamps_(stamps) {}

    /// Of the next launch, which is not the last one.
    Stamps next() { return of_launch(false); }
    /// Of the last launch.
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
