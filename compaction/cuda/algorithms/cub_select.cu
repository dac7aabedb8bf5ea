// CUB's DeviceSelect::If: the yardstick. One sweep over the input with decoupled look-back.
// Source: Merrill and Garland 2016, "Single-pass Parallel Prefix Scan with Decoupled Look-back"; CCCL,
// cub/device/device_select.cuh.
#include <algorithm>
#include <cstdint>
#include <cub/device/device_select.cuh>
#include <memory>

#include "arguments.hpp"
#include "cuda/engine.hpp"
#include "cuda/support/memory.hpp"
#include "registration.hpp"

namespace compaction::cuda {
namespace {

class CubSelect final : public Compactor {
  public:
    explicit CubSelect(CudaEngine& engine) : engine_(engine) {}

    Options layout(std::uint64_t) const override { return {}; }

    void reserve(std::uint64_t max_items) override {
        std::size_t bytes = 0;
        check(select(nullptr, bytes, nullptr, max_items, nullptr, nullptr, {}), "DeviceSelect::If (size)");
        scratch_.grow_to(bytes);
        reserved_items_ = std::max(reserved_items_, max_items);
    }

    void enqueue(const Item* in, std::uint64_t num_items, Item* out, std::uint64_t* num_selected, Keep keep,
                 PhaseRecorder* recorder) override {
        check_arguments(in, num_items, out, num_selected, reserved_items_);
        const ScopedPhase phase{recorder};
        std::size_t bytes = scratch_.size();
        check(select(scratch_.data(), bytes, in, num_items, out, num_selected, keep), "DeviceSelect::If");
    }

  private:
    cudaError_t select(void* scratch, std::size_t& bytes, const Item* in, std::uint64_t num_items, Item* out,
                       std::uint64_t* num_selected, Keep keep) {
        return cub::DeviceSelect::If(scratch, bytes, in, out, num_selected,
                                     static_cast<std::int64_t>(num_items), keep, engine_.stream());
    }

    CudaEngine& engine_;
    DeviceBuffer<char> scratch_;
    std::uint64_t reserved_items_ = 0;
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
        "The library everybody measures against: reads the input once, each tile learning its place in the "
        "output by looking "
        "back at the tiles before it. It chooses its own layout.";
    registration.algorithm.phases = {
        {PhaseRole::fused, "fused",
         "Count, prefix and move in one sweep; they overlap, so there is nothing to split."}};
    registration.make = [](Engine& engine, const Options&) -> std::unique_ptr<Compactor> {
        return std::make_unique<cuda::CubSelect>(static_cast<cuda::CudaEngine&>(engine));
    };
    return registration;
}

}  // namespace compaction
