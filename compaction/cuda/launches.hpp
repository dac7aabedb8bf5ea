#pragma once

#include <cuda_runtime_api.h>

#include <functional>
#include <optional>
#include <vector>

#include "compaction/launch.hpp"

namespace compaction::cuda {

/// The operations that `enqueue` submits, found by capturing them into a graph without running it; nullopt if
/// they cannot be captured.
std::optional<std::vector<Launch>> launches_of(cudaStream_t stream, const std::function<void()>& enqueue);

}  // namespace compaction::cuda
