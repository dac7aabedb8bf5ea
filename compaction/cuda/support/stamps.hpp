#pragma once

#include "compaction/cuda/stamps.hpp"
#include "compaction/timing.hpp"

namespace compaction::cuda {

/// A recorder of the CUDA engine: kernels get their stamps from it. Every recorder that a compactor of this
/// engine gets is one.
class StampingRecorder : public PhaseRecorder {
  public:
    /// Where the blocks of a launch in the current phase note their times; nowhere outside of a timed run.
    virtual Stamps stamps() const = 0;
};

/// Times one phase of a run: `TimedPhase phase{recorder}; launch(kernel, {...}, ..., phase.stamps());`. A
/// library call in a phase takes no stamps. A null recorder costs one test.
class TimedPhase {
  public:
    explicit TimedPhase(PhaseRecorder* recorder)
        : recorder_(static_cast<StampingRecorder*>(recorder)), phase_(recorder) {}

    Stamps stamps() const { return recorder_ ? recorder_->stamps() : Stamps{}; }

  private:
    StampingRecorder* recorder_;
    ScopedPhase phase_;
};

}  // namespace compaction::cuda
