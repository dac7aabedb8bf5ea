#pragma once

#include <cstdint>
#include <string>

#include "app/view_model/view.hpp"
#include "compaction/verifier.hpp"

namespace warpsieve {

/// Decides which frames' results are compared with the reference, and keeps what the comparisons said. A
/// failure is kept for good: no later success, no change of algorithm and no switching off hides it.
class CheckMonitor {
  public:
    /// Whether the result of this frame is to be compared: `every` frames after the last one that was, and at
    /// once where another algorithm runs. `wanted`: the check is on.
    bool due(bool wanted, std::uint32_t every, std::uint64_t frame, const std::string& algorithm);
    /// The result of this frame is being compared.
    void begin(std::uint64_t frame, const std::string& algorithm);
    /// What the comparison said.
    void take(const compaction::Verdict& verdict);

    const CheckView& view() const { return view_; }

  private:
    CheckView view_;
    std::uint64_t last_frame_ = 0;
    std::string compared_;  ///< the algorithm whose result was compared last
};

}  // namespace warpsieve
