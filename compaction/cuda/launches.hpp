#pragma once

#include <cuda_runtime_api.h>

#include <functional>
#include <optional>
#include <vector>

#include "compaction/launch.hpp"

namespace compaction::cuda {

/// What `enqueue` gives the stream, found by capturing it into a graph: nothing of it runs. Nothing where it
/// cannot be captured.
std::optional<std::vector<Launch>> launches_of(cudaStream_t stream, const std::function<void()>& enqueue);

}  // namespace compaction::cuda
