// Links NCCL and plans, without a GPU.
#include <nccl.h>

#include <cstdint>

#include "compaction/sharded_plan.hpp"

int main() {
    int version = 0;
    if (ncclGetVersion(&version) != ncclSuccess) return 1;
    const std::uint64_t offsets[] = {0, 3, 4};
    const compaction::ShardedPlan plan{compaction::ShardedResult::balanced, 2, 0, offsets};
    return plan.transfer(0, 1).num_items == 1 ? 0 : 1;
}
