#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

namespace compaction::cuda {

/// How far a multiprocessor's clock and the wall clock went in the same time.
struct ClockSample {
    std::uint64_t cycles;
    std::uint64_t nanoseconds;

    double hz() const {
        return nanoseconds > 0 ? static_cast<double>(cycles) * 1e9 / static_cast<double>(nanoseconds) : 0;
    }
};

/// Counts cycles for some 20 us of the wall clock behind the work already enqueued. sample: [1] device
/// memory. Neither allocates nor synchronises.
void enqueue_clock_probe(ClockSample* sample, cudaStream_t stream);

}  // namespace compaction::cuda
