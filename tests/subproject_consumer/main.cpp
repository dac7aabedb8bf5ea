#include <cstdint>

#include "compaction/sharded_plan.hpp"

int main() {
    const std::uint64_t offsets[]{0, 3, 7};
    const compaction::ShardedPlan plan{compaction::ShardedResult::balanced, 2, 0, offsets};
    return plan.total() == 7 ? 0 : 1;
}
