#pragma once

#include <cstddef>
#include <limits>

namespace select_testing {

/// Tests shorten streams that are longer. The simulated GPU has a file of this name, which is found first.
inline constexpr std::size_t longest_stream = std::numeric_limits<std::size_t>::max();
/// Whether tests may launch the pipeline.
inline constexpr bool tests_pipeline = true;

}  // namespace select_testing
