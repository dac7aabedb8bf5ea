// CUB's DeviceScan alone: one sweep over the items with decoupled look-back.
#include <cub/device/device_scan.cuh>

#include "compaction/cuda/memory.hpp"
#include "cuda/primitives/scan_step.cuh"

namespace compaction::cuda {
namespace {

class CubScan {
  public:
    static constexpr MovedBytes moved_bytes = nullptr;

    static Options with_defaults(const Options& requested) { return requested; }

    explicit CubScan(const Options&) {}

    void reserve(std::uint64_t max_items) {
        std::size_t bytes = 0;
        check(
            scan(/*scratch=*/nullptr, bytes, /*in=*/nullptr, max_items, /*out=*/nullptr, /*stream=*/nullptr),
            "DeviceScan::ExclusiveSum (size)");
        scratch_.grow_to(bytes);
    }

    void enqueue(const std::uint32_t* in, std::uint64_t num_items, std::uint32_t* out, cudaStream_t stream,
                 const Stamps&) {
        if (num_items == 0) return;
        std::size_t bytes = scratch_.size();
        check(scan(scratch_.data(), bytes, in, num_items, out, stream), "DeviceScan::ExclusiveSum");
    }

  private:
    static cudaError_t scan(void* scratch, std::size_t& bytes, const std::uint32_t* in,
                            std::uint64_t num_items, std::uint32_t* out, cudaStream_t stream) {
        return cub::DeviceScan::ExclusiveSum(scratch, bytes, in, out, static_cast<std::int64_t>(num_items),
                                             stream);
    }

    DeviceBuffer<char> scratch_;
};

}  // namespace
}  // namespace compaction::cuda

namespace compaction {

Registration register_scan_cub() {
    Registration registration = cuda::scan_step_registration<cuda::CubScan>(
        "One sweep: each tile finds the sum before it by looking back at earlier tiles.");
    registration.algorithm.authors = "NVIDIA (CCCL)";
    registration.algorithm.year = 2016;
    registration.algorithm.source =
        "Merrill, Garland 2016, Single-pass Parallel Prefix Scan with Decoupled Look-back; CUB "
        "DeviceScan::ExclusiveSum";
    registration.algorithm.summary =
        "The library scan: reads every item once and writes every sum once. It chooses its own launch "
        "configuration.";
    return registration;
}

}  // namespace compaction
