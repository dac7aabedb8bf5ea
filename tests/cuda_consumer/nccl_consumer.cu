// Links NCCL and compiles a sharded selection, without a GPU.
#include <nccl.h>

#include <cstdint>

#include "compaction/cuda/sharded_select.cuh"

namespace {

struct IsOdd {
    __device__ bool operator()(std::uint32_t item) const { return item % 2 != 0; }
};

}  // namespace

int main() {
    int version = 0;
    if (ncclGetVersion(&version) != ncclSuccess) return 1;
    compaction::cuda::ShardedSelectState nothing;
    const auto status = compaction::cuda::sharded_select_if(
        nothing, compaction::ShardedResult::balanced, compaction::ShardedArrays<std::uint32_t>{}, IsOdd{});
    return status == compaction::ShardedStatus::invalid_argument ? 0 : 1;
}
