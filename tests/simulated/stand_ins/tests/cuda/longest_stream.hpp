#pragma once

#include <cstddef>

namespace select_testing {

/// The simulated GPU selects from this many items in some milliseconds.
#ifdef CHECK_ALL_ACCESSES
/// A single wave: the pipeline reads whole buffers, also where a chunk fills only a part.
inline constexpr std::size_t longest_stream = 30'000;
inline constexpr bool tests_pipeline = false;
#else
inline constexpr std::size_t longest_stream = 70'000;
inline constexpr bool tests_pipeline = true;
#endif

}  // namespace select_testing
