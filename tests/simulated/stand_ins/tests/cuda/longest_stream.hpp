#pragma once

#include <cstddef>

namespace select_testing {

/// The simulated GPU selects from this many items in some milliseconds.
inline constexpr std::size_t longest_stream = 70'000;

}  // namespace select_testing
