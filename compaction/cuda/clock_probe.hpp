#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "compaction/cuda/memory.hpp"
#include "compaction/cuda/stream.hpp"
#include "compaction/timing.hpp"

namespace compaction::cuda {

/// How far a multiprocessor's clock and the wall clock advanced in the same time.
struct ClockSample {
    std::uint64_t cycles;
    std::uint64_t nanoseconds;

    double hz() const {
        return nanoseconds > 0 ? static_cast<double>(cycles) * 1e9 / static_cast<double>(nanoseconds) : 0;
    }
};

/// Enqueues a kernel that counts cycles for about 20 us of wall clock time. sample: [1] in device
/// memory or in pinned host memory. Does not allocate or synchronise.
void enqueue_clock_probe(ClockSample* sample, cudaStream_t stream);

/// A probe in the order of a stream's work. The kernel writes to pinned memory, and an event marks its end.
class StreamClockProbe final : public ClockProbe {
  public:
    explicit StreamClockProbe(cudaStream_t stream);

    void enqueue() override;
    std::optional<double> poll() override;
    const std::string& reason() const override { return reason_; }

  private:
    cudaStream_t stream_;
    PinnedBuffer<ClockSample> sample_;
    Event written_;
    bool in_flight_ = false;
    std::string reason_;
};

}  // namespace compaction::cuda
