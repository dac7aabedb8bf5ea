#include <thrust/copy.h>
#include <thrust/system/tbb/execution_policy.h>

#include <algorithm>

#include "cpu/one_call.hpp"

namespace compaction {
namespace {

struct ThrustCopyIfTbb {
    template <typename ItemT>
    std::uint64_t operator()(const ItemT* in, std::uint64_t num_items, ItemT* out, Predicate keep) const {
        const ItemT* const end = thrust::copy_if(thrust::tbb::par, in, in + num_items, out, keep);
        return static_cast<std::uint64_t>(end - out);
    }

    static Partition partition(std::uint64_t num_items) {
        return unknown_partition(num_items, "oneTBB divides the stream at run time and does not report how.");
    }
};

}  // namespace

Registration register_thrust_copy_if_tbb() {
    Algorithm algorithm;
    algorithm.authors = "Bell and Hoberock; NVIDIA (CCCL)";
    algorithm.year = 2011;
    algorithm.source =
        "Bell, Hoberock 2011, Thrust: A Productivity-Oriented Library for CUDA, GPU Computing Gems Jade "
        "Edition, chapter 26; thrust::copy_if of the CUDA Core Compute Libraries, on its oneTBB system";
    algorithm.summary =
        "Thrust on the processor instead of the GPU: oneTBB's parallel scan. Its first sweep counts the kept "
        "items and its second copies them, so most items are tested twice.";
    algorithm.phases = {
        {PhaseRole::fused, "copy_if", "Two sweeps within one parallel scan; there is nothing to split."}};
    return {algorithm, make_for_item_size<cpu::OneCall, ThrustCopyIfTbb>};
}

}  // namespace compaction
