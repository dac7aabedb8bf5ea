#pragma once

#include <cstdint>
#include <cub/device/device_scan.cuh>
#include <cuda/std/functional>

#include "compaction/cuda/memory.hpp"

namespace compaction::cuda {

/// The metadata of an algorithm that counts part by part: how many items each part keeps, and, once scanned,
/// where the output of each part starts. The scan is CUB's, which is also what thrust::exclusive_scan calls.
class ScannedCounts {
  public:
    /// Room for up to `num_parts` parts, of which there must be at least one.
    void reserve(std::size_t num_parts) {
        counts_.grow_to(num_parts);
        offsets_.grow_to(num_parts);
        std::size_t bytes = 0;
        check(scan(nullptr, bytes, num_parts, nullptr), "DeviceScan::ExclusiveScan (size)");
        scratch_.grow_to(bytes);
    }

    /// offsets()[i] = counts()[0] + ... + counts()[i - 1], for every i < num_parts.
    void enqueue_scan(std::size_t num_parts, cudaStream_t stream) {
        std::size_t bytes = scratch_.size();
        check(scan(scratch_.data(), bytes, num_parts, stream), "DeviceScan::ExclusiveScan");
    }

    std::uint32_t* counts() const { return counts_.data(); }
    std::uint64_t* offsets() const { return offsets_.data(); }

  private:
    /// ExclusiveSum would add up in the 32 bits of a count; a 64-bit first value makes all of them 64-bit
    /// sums.
    cudaError_t scan(void* scratch, std::size_t& bytes, std::size_t num_parts, cudaStream_t stream) {
        return cub::DeviceScan::ExclusiveScan(scratch, bytes, counts_.data(), offsets_.data(),
                                              ::cuda::std::plus<>{}, std::uint64_t{0},
                                              static_cast<std::int64_t>(num_parts), stream);
    }

    DeviceBuffer<std::uint32_t> counts_;
    DeviceBuffer<std::uint64_t> offsets_;
    DeviceBuffer<char> scratch_;
};

}  // namespace compaction::cuda
