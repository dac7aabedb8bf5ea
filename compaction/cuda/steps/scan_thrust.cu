// thrust::exclusive_scan alone, with scratch memory from a pool and without a wait for the device
// (par_nosync).
// Source: CCCL, thrust/scan.h, which runs CUB's DeviceScan; Bell and Hoberock 2011, "Thrust: A
// Productivity-Oriented Library for CUDA", GPU Computing Gems Jade Edition, chapter 26.
#include <thrust/execution_policy.h>
#include <thrust/scan.h>
#include <thrust/system_error.h>

#include <algorithm>
#include <cub/device/device_scan.cuh>
#include <cuda/std/functional>
#include <limits>

#include "cuda/primitives/scan_step.cuh"
#include "cuda/support/scratch_pool.hpp"

namespace compaction::cuda {
namespace {

class ThrustScan {
  public:
    static constexpr MovedBytes moved_bytes = nullptr;

    static Options with_defaults(const Options& requested) { return requested; }

    explicit ThrustScan(const Options&) {}

    void reserve(std::uint64_t max_items) {
        // Thrust calls CUB with 32-bit sizes for short arrays and with 64-bit sizes for others. It needs the
        // storage of the larger of the two, and room for alignment.
        constexpr std::size_t alignment_bytes = 4096;
        const std::uint64_t max_short_items = std::numeric_limits<std::uint32_t>::max();
        const std::size_t bytes =
            std::max(scratch_bytes(static_cast<std::uint32_t>(std::min(max_items, max_short_items))),
                     scratch_bytes(max_items));
        pool_.reserve(bytes + alignment_bytes);
    }

    void enqueue(const std::uint32_t* in, std::uint64_t num_items, std::uint32_t* out, cudaStream_t stream,
                 const Stamps&) {
        if (num_items == 0) return;
        try {
            const auto policy = thrust::cuda::par_nosync(pool_).on(stream);
            thrust::exclusive_scan(policy, in, in + num_items, out);
        } catch (const thrust::system_error& error) {
            check(static_cast<cudaError_t>(error.code().value()), "thrust::exclusive_scan");
            throw;
        }
    }

  private:
    template <typename Count>
    static std::size_t scratch_bytes(Count num_items) {
        std::size_t bytes = 0;
        const std::uint32_t* const in = nullptr;
        std::uint32_t* const out = nullptr;
        check(cub::DeviceScan::ExclusiveScan(/*d_temp_storage=*/nullptr, bytes, in, out,
                                             ::cuda::std::plus<>{}, std::uint32_t{0}, num_items),
              "DeviceScan::ExclusiveScan (size)");
        return bytes;
    }

    ScratchPool pool_;
};

}  // namespace
}  // namespace compaction::cuda

namespace compaction {

Registration register_scan_thrust() {
    Registration registration = cuda::scan_step_registration<cuda::ThrustScan>(
        "One sweep, by CUB: each tile finds the sum before it by looking back at earlier tiles.");
    registration.algorithm.authors = "Bell and Hoberock; NVIDIA (CCCL)";
    registration.algorithm.year = 2011;
    registration.algorithm.source =
        "Bell, Hoberock 2011, Thrust: A Productivity-Oriented Library for CUDA; thrust::exclusive_scan, in "
        "the CUDA Core Compute Libraries; used so by Gilbert and Qian, CUDA Stream Compaction (CIS 565)";
    registration.algorithm.summary =
        "The library call of the student projects. Its scratch memory comes from a pool, and it does not "
        "wait for the device (par_nosync), so that it is measured like the others.";
    return registration;
}

}  // namespace compaction
