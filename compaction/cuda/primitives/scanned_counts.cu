// Scans the counts for all algorithms that use a library scan: CUB takes long to compile, so it is compiled
// once.
#include "cuda/primitives/scanned_counts.hpp"

#include <cub/device/device_scan.cuh>
#include <cuda/std/functional>

namespace compaction::cuda {

void ScannedCounts::reserve(std::size_t num_parts) {
    counts_.grow_to(num_parts);
    offsets_.grow_to(num_parts);
    std::size_t bytes = 0;
    check(scan(/*scratch=*/nullptr, bytes, num_parts, /*stream=*/nullptr),
          "DeviceScan::ExclusiveScan (size)");
    scratch_.grow_to(bytes);
}

void ScannedCounts::enqueue_scan(std::size_t num_parts, cudaStream_t stream) {
    std::size_t bytes = scratch_.size();
    check(scan(scratch_.data(), bytes, num_parts, stream), "DeviceScan::ExclusiveScan");
}

/// ExclusiveSum would add in 32 bits, the type of the counts. A 64-bit initial value makes the sums 64-bit.
cudaError_t ScannedCounts::scan(void* scratch, std::size_t& bytes, std::size_t num_parts,
                                cudaStream_t stream) {
    return cub::DeviceScan::ExclusiveScan(scratch, bytes, counts_.data(), offsets_.data(),
                                          ::cuda::std::plus<>{}, std::uint64_t{0},
                                          static_cast<std::int64_t>(num_parts), stream);
}

}  // namespace compaction::cuda
