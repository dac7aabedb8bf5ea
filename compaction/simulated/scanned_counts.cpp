// Replaces cuda/primitives/scanned_counts.cu, which calls CUB: a plain loop instead of the library.
#include "cuda/primitives/scanned_counts.hpp"

namespace compaction::simulated {

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
}

}  // namespace compaction::simulated
