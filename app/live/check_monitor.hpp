#pragma once

#include <cstdint>
#include <string>

#include "app/view_model/snapshot.hpp"
#include "compaction/verifier.hpp"

namespace warpsieve {

/// Chooses the frames to compare with the reference and keeps the verdicts. A failure stays: no later
/// success, no change of algorithm and no switching off hides it.
class CheckMonitor {
  public:
    /// Whether to compare this frame: `every` frames after the last comparison, and at once after a change of
    /// algorithm. `wanted`: the check is on.
    bool due(bool wanted, std::uint32_t every, std::uint64_t frame, const std::string& algorithm);
    /// Notes that the comparison of this frame has begun.
    void begin(std::uint64_t frame, const std::string& algorithm);
    /// Adds a verdict.
    void take(const compaction::Verdict& verdict);

    const CheckView& view() const { return view_; }

  private:
    CheckView view_;
    std::uint64_t last_frame_ = 0;
    std::string compared_;  ///< algorithm of the last comparison
};

}  // namespace warpsieve
