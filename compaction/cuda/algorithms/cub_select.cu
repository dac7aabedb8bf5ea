// CUB's DeviceSelect::If, the baseline for speed. One sweep over the input with decoupled look-back.
// Source: Merrill and Garland 2016, "Single-pass Parallel Prefix Scan with Decoupled Look-back"; CCCL,
// cub/device/device_select.cuh.
#include <cstdint>
#include <cub/device/device_select.cuh>

#include "compaction/cuda/detail/cub_limit.cuh"
#include "compaction/cuda/memory.hpp"
#include "cuda/engine.hpp"
#include "registration.hpp"

namespace compaction::cuda {
namespace {

template <typename ItemT>
class CubSelect final : public Compactor {
  public:
    CubSelect(Engine& engine, const Options&) : engine_(static_cast<CudaEngine&>(engine)) {}

    Options resolved_options(std::uint64_t) const override { return {}; }

    Partition partition(std::uint64_t num_items) const override {
        return unknown_partition(num_items, "CUB chooses its tiles and does not report them.");
    }

    void do_reserve(std::uint64_t max_items) override {
        std::size_t bytes = 0;
        check(select(/*scratch=*/nullptr, bytes, /*in=*/nullptr, max_items, /*out=*/nullptr,
                     /*num_selected=*/nullptr, /*keep=*/{}),
              "DeviceSelect::If (size)");
        scratch_.grow_to(bytes);
    }

    void do_enqueue(const void* in, std::uint64_t num_items, void* out, std::uint64_t* num_selected,
                    Predicate keep, PhaseRecorder* recorder) override {
        const ScopedPhase phase{recorder};
        std::size_t bytes = scratch_.size();
        check(select(scratch_.data(), bytes, static_cast<const ItemT*>(in), num_items,
                     static_cast<ItemT*>(out), num_selected, keep),
              "DeviceSelect::If");
    }

  private:
    cudaError_t select(void* scratch, std::size_t& bytes, const ItemT* in, std::uint64_t num_items,
                       ItemT* out, std::uint64_t* num_selected, Predicate keep) {
        return cub::DeviceSelect::If(scratch, bytes, in, out, num_selected,
                                     static_cast<std::int64_t>(num_items), keep, engine_.stream());
    }

    CudaEngine& engine_;
    DeviceBuffer<char> scratch_;
};

}  // namespace
}  // namespace compaction::cuda

namespace compaction {

Registration register_cub_select() {
    Registration registration;
    registration.algorithm.authors = "NVIDIA (CCCL)";
    registration.algorithm.year = 2016;
    registration.algorithm.source =
        "Merrill, Garland 2016, Single-pass Parallel Prefix Scan with Decoupled Look-back; CUB "
        "DeviceSelect::If";
    registration.algorithm.summary =
        "The library that everybody compares with: reads the input once. Each tile finds its offset in the "
        "output by looking back at earlier tiles. CUB chooses the launch configuration.";
    registration.algorithm.max_items = cuda::detail::max_cub_select_items;
    registration.algorithm.phases = {
        {PhaseRole::fused, "fused",
         "Count, prefix and move in one sweep; they overlap, so there is nothing to split."}};
    registration.make = make_for_item_size<cuda::CubSelect>;
    return registration;
}

}  // namespace compaction
