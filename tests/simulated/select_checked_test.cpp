// Selections, compiled so that the simulated GPU sees each load and store, on the ways that a call takes only
// under contention: tickets instead of the pipeline, and counting other blocks' tiles instead of waiting.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "simulated/card.hpp"
#include "tests/simulated/select_runs.hpp"

namespace compaction {
namespace {

using namespace simulated_select;

class SelectUnderChecks : public testing::Test {
  protected:
    // The pipeline reads whole slots, also where a chunk fills only a part, and ignores the rest. Tickets
    // write again what it wrote before a block left it.
    void SetUp() override {
        simulated::set_checks({.accesses = true, .stale_values = true, .allows_rewrites = true});
    }
    void TearDown() override { simulated::set_checks({}); }

    template <typename DifferenceT>
    static void expect_no_fault(std::uint64_t planned_seed, DifferenceT difference) {
        expect_none("simulated_select_checked_test", planned_seed, difference);
    }
};

/// The seeds of a few schedules of all orders and times of copies, on cards of different sizes.
constexpr std::uint64_t few_seeds[] = {0, 13, 26, 36, 58, 76, 107, 141, 144, 157, 170, 254};

TEST_F(SelectUnderChecks, GoesOnByTicketsWhereBlocksAreNotAllResident) {
    const std::vector<std::uint32_t> table = random_table();
    for (const std::uint64_t planned : few_seeds) {
        const unsigned blocks = simulated::schedule_of(planned).multiprocessors + 1 + planned % 4;
        const std::size_t num_items = 5'000 + planned * 303;
        expect_no_fault(planned, [&](std::uint64_t seed) {
            return planned % 2 == 0
                       ? pipeline_difference(num_items, seed, blocks, 2, IsOdd{})
                       : pipeline_difference(num_items, seed, blocks, 2, IsInTable{table.data()});
        });
    }
}

TEST_F(SelectUnderChecks, StaysInThePipelineOrLeaves) {
    for (const std::uint64_t planned : few_seeds) {
        const unsigned blocks = simulated::schedule_of(planned).multiprocessors;
        expect_no_fault(planned, [&](std::uint64_t seed) {
            return pipeline_difference(20'000 + planned * 303, seed, blocks, 1, IsOdd{});
        });
    }
}

TEST_F(SelectUnderChecks, StaysInThePipeline) {
    const std::vector<std::uint32_t> table = random_table();
    for (const std::uint64_t planned : {36U, 58U, 107U, 141U, 144U, 170U}) {
        const unsigned blocks = simulated::schedule_of(planned).multiprocessors;
        expect_no_fault(planned, [&](std::uint64_t seed) {
            return pipeline_difference(100'003, seed, blocks, 1U << 30, IsInTable{table.data()});
        });
    }
}

TEST_F(SelectUnderChecks, WaitsForTheLaunchBefore) {
    for (const std::uint64_t planned : few_seeds) {
        for (const bool with_storage : {false, true}) {
            expect_no_fault(planned, [&](std::uint64_t seed) {
                return overlapping_difference(9'001 + planned * 10, seed, with_storage, IsOdd{});
            });
        }
    }
}

/// Blocks that do not wait for each other.
TEST_F(SelectUnderChecks, CountsTheTilesOfBlocksThatAreLate) {
    for (const std::uint64_t planned : few_seeds) {
        for (const unsigned spins : {0U, 1U}) {
            expect_no_fault(planned, [&](std::uint64_t seed) {
                return single_wave_difference(3'001 + planned * 10, seed, spins, IsOdd{});
            });
        }
    }
}

}  // namespace
}  // namespace compaction
