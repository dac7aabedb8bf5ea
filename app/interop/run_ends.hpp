#pragma once

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstdint>

#include "compaction/cuda/memory.hpp"
#include "compaction/cuda/stream.hpp"
#include "workloads/stream_function.hpp"

namespace warpsieve::interop {

/// The run ends of Pattern::runs in device memory. Copied when they change, without a wait.
class DeviceRunEnds {
  public:
    DeviceRunEnds(std::uint64_t slots, cudaStream_t stream) : stream_(stream) {
        // Four times the number of runs of the usual length.
        grow_to(slots / 1024 + 64);
    }

    /// The function with its run ends on the device. While an earlier copy is in flight, returns the earlier
    /// function.
    workloads::StreamFunction on_device(const workloads::StreamFunction& stream) {
        if (stream.pattern != workloads::Pattern::runs) return stream;
        if (!same_stream(stream, sent_) && arrived_.ready()) send(stream);
        return sent_;
    }

  private:
    void grow_to(std::size_t size) {
        pinned_.grow_to(size);
        ends_.grow_to(size);
    }

    void send(const workloads::StreamFunction& stream) {
        grow_to(stream.num_runs);
        std::copy_n(stream.run_ends, stream.num_runs, pinned_.data());
        compaction::cuda::check(
            cudaMemcpyAsync(ends_.data(), pinned_.data(), stream.num_runs * sizeof(std::uint64_t),
                            cudaMemcpyHostToDevice, stream_),
            "cudaMemcpyAsync of the run ends");
        arrived_.record(stream_);
        sent_ = stream;
        sent_.run_ends = ends_.data();
    }

    cudaStream_t stream_;
    compaction::cuda::PinnedBuffer<std::uint64_t> pinned_;
    compaction::cuda::DeviceBuffer<std::uint64_t> ends_;
    compaction::cuda::Event arrived_;
    workloads::StreamFunction sent_;
};

}  // namespace warpsieve::interop
