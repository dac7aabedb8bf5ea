// thrust::copy_if, with scratch memory from a pool. It returns the end of its output to the host, so it
// must wait for the device.
// Source: CCCL, thrust/copy.h, which runs CUB's DeviceSelect; Bell and Hoberock 2011, "Thrust: A
// Productivity-Oriented Library for CUDA", GPU Computing Gems Jade Edition, chapter 26.
#include <thrust/copy.h>
#include <thrust/execution_policy.h>
#include <thrust/system_error.h>

#include <cstdint>
#include <cub/device/device_select.cuh>

#include "compaction/cuda/check.hpp"
#include "compaction/cuda/detail/cub_limit.cuh"
#include "compaction/item.hpp"
#include "cuda/engine.hpp"
#include "cuda/support/scratch_pool.hpp"
#include "registration.hpp"

namespace compaction::cuda {
namespace {

__global__ void write_count(std::uint64_t* num_selected, std::uint64_t count) {
    *num_selected = count;
}

template <typename ItemT>
class ThrustCopyIf final : public Compactor {
  public:
    ThrustCopyIf(Engine& engine, const Options&) : engine_(static_cast<CudaEngine&>(engine)) {}

    Options resolved_options(std::uint64_t) const override { return {}; }

    Partition partition(std::uint64_t num_items) const override {
        return unknown_partition(num_items, "Thrust calls CUB, which does not report its tiles.");
    }

    void do_reserve(std::uint64_t max_items) override {
        constexpr std::size_t thrust_bytes = 4096;  // room for Thrust's own count and alignment
        // The storage that CUB needs inside Thrust.
        std::size_t bytes = 0;
        check(cub::DeviceSelect::If(/*d_temp_storage=*/nullptr, bytes, static_cast<const ItemT*>(nullptr),
                                    static_cast<ItemT*>(nullptr), static_cast<std::int64_t*>(nullptr),
                                    static_cast<std::int64_t>(max_items), Predicate{}, engine_.stream()),
              "DeviceSelect::If (size)");
        pool_.reserve(bytes + thrust_bytes);
    }

    void do_enqueue(const void* in, std::uint64_t num_items, void* out, std::uint64_t* num_selected,
                    Predicate keep, PhaseRecorder* recorder) override {
        const ScopedPhase phase{recorder};
        const std::uint64_t count = num_items == 0 ? 0
                                                   : copy_if(static_cast<const ItemT*>(in), num_items,
                                                             static_cast<ItemT*>(out), keep);
        write_count<<<1, 1, 0, engine_.stream()>>>(num_selected, count);
        check_launch("write_count");
    }

  private:
    std::uint64_t copy_if(const ItemT* in, std::uint64_t num_items, ItemT* out, Predicate keep) {
        try {
            const auto policy = thrust::cuda::par(pool_).on(engine_.stream());
            return static_cast<std::uint64_t>(thrust::copy_if(policy, in, in + num_items, out, keep) - out);
        } catch (const thrust::system_error& error) {
            check(static_cast<cudaError_t>(error.code().value()), "thrust::copy_if");
            throw;
        }
    }

    CudaEngine& engine_;
    ScratchPool pool_;
};

}  // namespace
}  // namespace compaction::cuda

namespace compaction {

Registration register_thrust_copy_if() {
    Registration registration;
    registration.algorithm.authors = "Bell and Hoberock; NVIDIA (CCCL)";
    registration.algorithm.year = 2011;
    registration.algorithm.source =
        "Bell, Hoberock 2011, Thrust: A Productivity-Oriented Library for CUDA; thrust::copy_if, in the CUDA "
        "Core Compute Libraries; beneath it CUB DeviceSelect (Merrill, Garland 2016, Single-pass Parallel "
        "Prefix Scan with Decoupled Look-back)";
    registration.algorithm.summary =
        "The library call that most programs use. It returns the end of its output to the host, so each call "
        "waits for the device. Its scratch memory comes from a pool, not from an allocation in each call.";
    registration.algorithm.synchronises = true;
    registration.algorithm.max_items = cuda::detail::max_cub_select_items;
    registration.algorithm.phases = {
        {PhaseRole::fused, "fused",
         "Count, prefix and move in one sweep, and the wait for the count; there is nothing to split."}};
    registration.make = make_for_item_size<cuda::ThrustCopyIf>;
    return registration;
}

}  // namespace compaction
