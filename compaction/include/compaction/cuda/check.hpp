#pragma once

#include <cuda_runtime_api.h>

#include <source_location>

/// Checked calls of the CUDA runtime. Link the library (compaction::compaction, built with CUDA).
namespace compaction::cuda {

/// If `result` is an error, throws Error{out_of_memory} or Error{device_failure} with the call, the source
/// location and CUDA's message. Also clears CUDA's last error, so that no later check reports it again.
void check(cudaError_t result, const char* call,
           std::source_location where = std::source_location::current());

/// Checks that the preceding kernel launch was accepted. Throws like `check`.
void check_launch(const char* kernel, std::source_location where = std::source_location::current());

/// For destructors, which must not throw: prints the first failure of the process to stderr. Later failures
/// are usually consequences of the first one.
void log_failure(cudaError_t result, const char* call) noexcept;

}  // namespace compaction::cuda
