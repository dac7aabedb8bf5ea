#pragma once

#include <hwy/highway.h>

#include <cstdint>
#include <string>
#include <vector>

namespace testing_support {

/// Highway's numbers of the instruction sets that the CPU kernels support and this processor has.
inline std::vector<std::int64_t> simd_targets() {
    return hwy::SupportedAndGeneratedTargets();
}

/// The name of an instruction set: "AVX2".
inline std::string simd_target_name(std::int64_t target) {
    return hwy::TargetName(target);
}

/// Restricts the CPU kernels to one instruction set during its lifetime. A compactor selects its kernels when
/// it is created.
class SimdTargetChoice {
  public:
    explicit SimdTargetChoice(std::int64_t target) { choose(target); }
    ~SimdTargetChoice() { choose(0); }
    SimdTargetChoice(const SimdTargetChoice&) = delete;
    SimdTargetChoice& operator=(const SimdTargetChoice&) = delete;

  private:
    /// 0 selects all of them.
    static void choose(std::int64_t target) {
        hwy::SetSupportedTargetsForTest(target);
        hwy::GetChosenTarget().DeInit();  // the next call chooses again
    }
};

}  // namespace testing_support
