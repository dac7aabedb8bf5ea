#pragma once

#include <cuda_runtime_api.h>

#include <source_location>

/// Checked calls of the CUDA runtime. Link the library (compaction::compaction, built with CUDA).
namespace compaction::cuda {

/// Throws Error{out_of_memory} or Error{device_failure}, with the call, the source location and CUDA's
/// message, unless `result` is cudaSuccess. Clears CUDA's last error, so that it is reported once.
void check(cudaError_t result, const char* call,
           std::source_location where = std::source_location::current());

/// Checks that the preceding kernel launch was accepted. Throws like `check`.
void check_launch(const char* kernel, std::source_location where = std::source_location::current());

/// For destructors, which must not throw: prints the first failure of the process to stderr. Later ones
/// follow from it.
void log_failure(cudaError_t result, const char* call) noexcept;

}  // namespace compaction::cuda
