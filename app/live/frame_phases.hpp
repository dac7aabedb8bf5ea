#pragma once

#include <array>
#include <cstddef>

#include "compaction/timing.hpp"
#include "experiments/timeline.hpp"

namespace warpsieve {

/// The mean phases of the runs of one frame.
class FramePhases {
  public:
    /// Adds a run of an algorithm with `num_phases` phases. A run with another number of phases has no times.
    void add(const compaction::RunTiming& timing, std::size_t num_phases);

    /// Sets the phases of the sample and the time between calls from its total and the means, so that they
    /// add up to the total. A total and its phases come from different clocks, and a long batch times only
    /// its first runs: phases that take longer than the total are shortened to it in proportion.
    ///
    /// Without times, the only phase of an algorithm lasts the whole call, as library kernels carry no
    /// stamps; several phases stay unknown.
    void share_out(experiments::FrameSample& sample) const;

    /// How many runs were added.
    std::size_t runs() const { return timed_ + untimed_; }

  private:
    using Sums = std::array<double, compaction::max_phases>;

    Sums phase_us_{};
    Sums hidden_us_{};
    Sums gap_us_{};
    std::size_t timed_ = 0;
    std::size_t with_gaps_ = 0;  ///< of the timed ones
    std::size_t untimed_ = 0;
};

}  // namespace warpsieve
