#pragma once

#include <cstddef>

namespace select_testing {

/// What the simulated GPU selects from in some milliseconds.
inline constexpr std::size_t longest_stream = 70'000;

}  // namespace select_testing
