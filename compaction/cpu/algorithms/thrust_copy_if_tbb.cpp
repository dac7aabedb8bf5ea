#include <thrust/copy.h>
#include <thrust/system/tbb/execution_policy.h>

#include <algorithm>

#include "arguments.hpp"
#include "registration.hpp"

namespace compaction {
namespace {

template <typename ItemT>
class ThrustCopyIfTbb final : public Compactor {
  public:
    ThrustCopyIfTbb(Engine&, const Options&) {}

    Options layout(std::uint64_t) const override { return {}; }

    void reserve(std::uint64_t max_items) override { max_items_ = std::max(max_items_, max_items); }

    void enqueue(const void* in_items, std::uint64_t num_items, void* out_items, std::uint64_t* num_selected,
                 Keep keep, PhaseRecorder* recorder) override {
        check_arguments(in_items, num_items, out_items, num_selected, max_items_,
                        static_cast<ItemSize>(sizeof(ItemT)));
        const auto* const in = static_cast<const ItemT*>(in_items);
        auto* const out = static_cast<ItemT*>(out_items);
        ScopedPhase phase{recorder};
        const ItemT* const end = thrust::copy_if(thrust::tbb::par, in, in + num_items, out, keep);
        *num_selected = static_cast<std::uint64_t>(end - out);
    }

  private:
    std::uint64_t max_items_ = 0;
};

}  // namespace

Registration register_thrust_copy_if_tbb() {
    Algorithm algorithm;
    algorithm.authors = "Bell and Hoberock; NVIDIA (CCCL)";
    algorithm.year = 2011;
    algorithm.source =
        "Bell, Hoberock 2011, Thrust: A Productivity-Oriented Library for CUDA, GPU Computing Gems Jade "
        "Edition, "
        "chapter 26; thrust::copy_if of the CUDA Core Compute Libraries, on its oneTBB system";
    algorithm.summary =
        "Thrust on the processor instead of the GPU: oneTBB's parallel scan, whose first sweep counts what "
        "is kept "
        "and whose second copies it. The predicate is asked twice for most items.";
    algorithm.phases = {
        {PhaseRole::fused, "copy_if", "Two sweeps within one parallel scan; there is nothing to split."}};
    return {algorithm, make_for_item_size<ThrustCopyIfTbb>};
}

}  // namespace compaction
