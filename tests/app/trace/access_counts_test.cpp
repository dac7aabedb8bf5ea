// The accesses of a compaction by phase.
#include <gtest/gtest.h>

#include <span>
#include <vector>

#include "app/trace/access_counts.hpp"
#include "compaction/item.hpp"

namespace warpsieve {
namespace {

TEST(AccessCounts, EachSlotIsLoadedOncePerPassAndEachKeptItemIsStoredOnce) {
    std::vector<compaction::Item> items(1 << 12);
    std::uint64_t kept = 0;
    for (std::size_t i = 0; i < items.size(); ++i) {
        items[i] = i % 3 == 0 ? static_cast<compaction::Item>(i + 1) : 0;
        kept += i % 3 == 0 ? 1 : 0;
    }
    const compaction::Algorithm& algorithm = compaction::find_algorithm("simulated_sequence_wise");
    if (!compaction::simulated::no_trace_reason(algorithm).empty()) GTEST_SKIP() << "no simulated GPU";
    const trace::AccessCounts counts =
        trace::count_accesses(algorithm, compaction::simulated::trace_compaction(
                                             algorithm, {}, compaction::ItemSize::bytes_4,
                                             std::as_bytes(std::span(items)), compaction::keep_non_zero(), 0)
                                             .trace);
    ASSERT_EQ(counts.phases.size(), algorithm.phases.size());
    EXPECT_GE(counts.phases.front().bytes_loaded, 4 * items.size());
    EXPECT_GE(counts.phases.back().bytes_loaded, 4 * items.size());
    EXPECT_EQ(counts.phases.back().bytes_stored, 4 * kept);
    std::uint64_t end = 0;
    for (const trace::PhaseAccesses& phase : counts.phases) {
        EXPECT_GE(phase.begin_step, end) << phase.name;
        EXPECT_GT(phase.steps(), 0U) << phase.name;
        end = phase.end_step;
    }
    EXPECT_LE(end, counts.num_steps);
}

}  // namespace
}  // namespace warpsieve
