#pragma once

#include <limits>

namespace testing_support {

inline constexpr float nan = std::numeric_limits<float>::quiet_NaN();
inline constexpr float infinity = std::numeric_limits<float>::infinity();

}  // namespace testing_support
