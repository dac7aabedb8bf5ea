// thrust::exclusive_scan as Qian's program calls it: each call allocates device memory, copies the array
// between host and device, scans with Thrust's own allocation, and frees everything. Compared with
// `scan_thrust`, which does none of this, it shows what the calls around the scan cost. Its phase is the scan
// alone, as in the publication: from the end of the copies to the end of the scan. Source: Qian, "CUDA Stream
// Compaction" (CIS 565), "Thrust GPU Implementation".
#include <thrust/execution_policy.h>
#include <thrust/scan.h>
#include <thrust/system_error.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "compaction/cuda/check.hpp"
#include "compaction/cuda/detail/launch.cuh"
#include "compaction/cuda/memory.hpp"
#include "compaction/cuda/stamps.cuh"
#include "cuda/primitives/scan_step.cuh"

namespace compaction::cuda {
namespace {

/// Records the time between other work of the stream, as an event does.
__global__ void record_time(Stamps stamps) {
    const BlockStamp stamp(stamps);
}

class ThrustScanPerCall {
  public:
    static constexpr MovedBytes moved_bytes = nullptr;

    static Options with_defaults(const Options& requested) { return requested; }

    explicit ThrustScanPerCall(const Options&) {}

    /// Allocates the array on the host, in pageable memory as in the publication.
    void reserve(std::uint64_t max_items) { host_.resize(max_items); }

    /// Copies to the host and back to the device. The publication copies to the device first; here the input
    /// and the output of a step are on the device.
    void enqueue(const std::uint32_t* in, std::uint64_t num_items, std::uint32_t* out, cudaStream_t stream,
                 const Stamps& stamps) {
        if (num_items == 0) return;
        LaunchStamps scan_stamps(stamps);
        const std::size_t bytes = num_items * sizeof(std::uint32_t);
        const DeviceBuffer<std::uint32_t> device_in(num_items);
        const DeviceBuffer<std::uint32_t> device_out(num_items);
        check(cudaMemcpyAsync(host_.data(), in, bytes, cudaMemcpyDeviceToHost, stream), "cudaMemcpyAsync");
        check(cudaMemcpyAsync(device_in.data(), host_.data(), bytes, cudaMemcpyHostToDevice, stream),
              "cudaMemcpyAsync");
        check(detail::launch(record_time, {/*blocks=*/1, /*threads=*/32, 0, stream}, scan_stamps.next()),
              "record_time");
        try {
            thrust::exclusive_scan(thrust::cuda::par.on(stream), device_in.data(),
                                   device_in.data() + num_items, device_out.data());
        } catch (const thrust::system_error& error) {
            check(static_cast<cudaError_t>(error.code().value()), "thrust::exclusive_scan");
            throw;
        }
        check(detail::launch(record_time, {/*blocks=*/1, /*threads=*/32, 0, stream}, scan_stamps.last()),
              "record_time");
        check(cudaMemcpyAsync(out, device_out.data(), bytes, cudaMemcpyDeviceToDevice, stream),
              "cudaMemcpyAsync");
        // The copy must have ended before its source is freed.
        check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
    }

  private:
    std::vector<std::uint32_t> host_;
};

}  // namespace
}  // namespace compaction::cuda

namespace compaction {

Registration register_scan_thrust_per_call() {
    Registration registration = cuda::scan_step_registration<cuda::ThrustScanPerCall>(
        "CUB's scan in one sweep, with the allocation of its scratch memory; without the copies of the "
        "call.");
    registration.algorithm.authors = "Qian; with Thrust of Bell and Hoberock, NVIDIA (CCCL)";
    registration.algorithm.year = 2025;
    registration.algorithm.source =
        "Qian, CUDA Stream Compaction (CIS 565), Thrust GPU Implementation; thrust::exclusive_scan, in the "
        "CUDA Core Compute Libraries";
    registration.algorithm.summary =
        "The library call with all that the student project times around it: in each call, device memory is "
        "allocated and freed and the array is copied between host and device.";
    registration.algorithm.synchronises = true;
    return registration;
}

}  // namespace compaction
