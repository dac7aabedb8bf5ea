#pragma once

#include <hwy/highway.h>

#include <cstdint>
#include <string>
#include <vector>

namespace testing_support {

/// The instruction sets that the CPU kernels are compiled for and this processor has, as Highway numbers
/// them.
inline std::vector<std::int64_t> simd_targets() {
    return hwy::SupportedAndGeneratedTargets();
}

/// "AVX2".
inline std::string simd_target_name(std::int64_t target) {
    return hwy::TargetName(target);
}

/// While it lives the CPU kernels are those of one instruction set. Compactors ask for theirs when they are
/// made.
class SimdTargetChoice {
  public:
    explicit SimdTargetChoice(std::int64_t target) { choose(target); }
    ~SimdTargetChoice() { choose(0); }
    SimdTargetChoice(const SimdTargetChoice&) = delete;
    SimdTargetChoice& operator=(const SimdTargetChoice&) = delete;

  private:
    /// 0 stands for all that there are.
    static void choose(std::int64_t target) {
        hwy::SetSupportedTargetsForTest(target);
        hwy::GetChosenTarget().DeInit();  // the next call chooses anew
    }
};

}  // namespace testing_support
