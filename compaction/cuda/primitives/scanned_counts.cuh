#pragma once

#include <cstdint>
#include <cub/device/device_scan.cuh>
#include <cuda/std/functional>

#include "compaction/cuda/memory.hpp"

namespace compaction::cuda {

/// The metadata of an algorithm that counts parts of a stream: the count of each part and, after the scan,
/// the offset of its output. The scan is CUB's, which thrust::exclusive_scan also calls.
class ScannedCounts {
  public:
    /// Allocates for up to `num_parts` parts, at least one.
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
    /// ExclusiveSum would add in the 32 bits of a count. A 64-bit initial value makes the sums 64-bit.
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
