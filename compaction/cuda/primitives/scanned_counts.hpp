#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "compaction/cuda/memory.hpp"
#include "cuda/support/working_buffers.hpp"

namespace compaction::cuda {

/// The metadata of an algorithm that counts parts of a stream: the count of each part and, after the scan,
/// the offset of its output. enqueue_scan() is CUB's scan, which thrust::exclusive_scan also calls; an
/// algorithm may instead scan the counts itself.
class ScannedCounts {
  public:
    /// Allocates for up to `num_parts` parts, at least one.
    void reserve(std::size_t num_parts);

    /// offsets()[i] = counts()[0] + ... + counts()[i - 1], for every i < num_parts.
    void enqueue_scan(std::size_t num_parts, cudaStream_t stream);

    /// The counts and offsets for Compactor::working_buffers. parts: what is counted, such as "blocks".
    std::vector<WorkingBuffer> working_buffers(const std::string& parts) const {
        return count_buffers(parts, counts_, offsets_);
    }

    std::uint32_t* counts() const { return counts_.data(); }
    std::uint64_t* offsets() const { return offsets_.data(); }

  private:
    cudaError_t scan(void* scratch, std::size_t& bytes, std::size_t num_parts, cudaStream_t stream);

    DeviceBuffer<std::uint32_t> counts_;
    DeviceBuffer<std::uint64_t> offsets_;
    DeviceBuffer<char> scratch_;
};

}  // namespace compaction::cuda
