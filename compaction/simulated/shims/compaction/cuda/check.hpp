#pragma once

#include <cuda_runtime_api.h>

#include "platform/source_site.hpp"

/// Checked calls of the runtime on the simulated GPU, where a failed launch throws by itself.
namespace compaction::cuda {

/// Throws Error{out_of_memory} or Error{device_failure} unless `result` is cudaSuccess.
void check(cudaError_t result, const char* call,
           const warpsieve::platform::SourceSite& where = warpsieve::platform::SourceSite::current());

/// For destructors: calls do not fail on the simulated GPU.
inline void log_failure(cudaError_t, const char*) noexcept {}

}  // namespace compaction::cuda
