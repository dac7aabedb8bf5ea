#pragma once

#include <cuda_runtime_api.h>

#include <functional>
#include <optional>
#include <vector>

#include "compaction/launch.hpp"

namespace compaction::cuda {

/// The work that `enqueue` enqueues, captured into a graph without running it; nullopt if it cannot be
/// captured.
std::optional<std::vector<Launch>> launches_of(cudaStream_t stream, const std::function<void()>& enqueue);

}  // namespace compaction::cuda
