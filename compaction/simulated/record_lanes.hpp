#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "compaction/lane_trace.hpp"

namespace compaction::simulated {

/// A buffer of global memory that a kernel uses.
struct RecordedBuffer {
    std::string name;               ///< unique among the buffers
    const void* data = nullptr;     ///< from allocate_global
    std::size_t size_bytes = 0;     ///< at least 1
    std::size_t element_bytes = 4;  ///< 1 to 16
};

/// Calls `launch`, and records every step of every lane of the kernels that it launches. A launch that fails
/// ends the trace, which then says why. `buffers`: all global memory that the kernels use; the first one is
/// the input. Compile the kernels with the options of the target `compaction_simulated_checks`; with
/// -fsanitize-coverage=trace-pc, too, the trace has the lines that access nothing. Throws
/// Error{invalid_argument} if a kernel uses other memory.
LaneTrace record_lanes(const std::vector<RecordedBuffer>& buffers, const std::function<void()>& launch);

}  // namespace compaction::simulated
