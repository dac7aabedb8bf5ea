#pragma once

#include <cuda_runtime_api.h>

#include <source_location>

namespace compaction::cuda {

/// Throws Error{out_of_memory} or Error{device_failure} that names the call, the place and CUDA's own
/// words, unless `result` is cudaSuccess. Clears CUDA's last error, so that it is told once.
void check(cudaError_t result, const char* call,
           std::source_location where = std::source_location::current());

/// After a kernel launch: was it accepted?
void check_launch(const char* kernel, std::source_location where = std::source_location::current());

/// For destructors, which must not throw: the first failure of the process goes to stderr, the rest follow
/// from it.
void log_failure(cudaError_t result, const char* call) noexcept;

}  // namespace compaction::cuda
