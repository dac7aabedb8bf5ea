// What the CUDA sources take from libraries, for each namespace that they are compiled in.
#include <string>

#include "compaction/cuda/check.hpp"
#include "compaction/error.hpp"
#include "cuda/primitives/scanned_counts.hpp"
#include "simulated/observer.hpp"

namespace compaction::cuda {

void check(cudaError_t result, const char* call, const warpsieve::platform::SourceSite& where) {
    if (result == cudaSuccess) return;
    throw Error(result == cudaErrorMemoryAllocation ? ErrorCode::out_of_memory : ErrorCode::device_failure,
                std::string(call) + " failed on the simulated GPU: error " + std::to_string(result) + " (" +
                    where.file + ":" + std::to_string(where.line) + ").");
}

// Replaces the scan of counts in CUDA code that calls CUB.

void ScannedCounts::reserve(std::size_t num_parts) {
    counts_.grow_to(num_parts);
    offsets_.grow_to(num_parts);
}

void ScannedCounts::enqueue_scan(std::size_t num_parts, cudaStream_t) {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < num_parts; ++i) {
        offsets_.data()[i] = sum;
        sum += counts_.data()[i];
    }
    if (simulated::Observer* const observer = simulated::current_observer())
        observer->on_library_call("CUB ExclusiveSum", counts_.data(), num_parts * sizeof(std::uint32_t),
                                  offsets_.data(), num_parts * sizeof(std::uint64_t));
}

}  // namespace compaction::cuda
