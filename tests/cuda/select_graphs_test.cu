// Selections with temporary storage in CUDA graphs: which nodes they have, and the counters of their
// launches.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <thread>
#include <vector>

#include "compaction/cuda/select.cuh"
#include "tests/cuda/select_graph_fixture.cuh"

namespace {

using select_testing::DeviceArray;
using select_testing::OnCudaDevice;
using select_testing::random_records;
using select_testing::SelectGraph;

using Item = select_testing::Record<1>;

class SelectGraphs : public OnCudaDevice {};

constexpr std::size_t num_kernels_and_memsets = 3;

TEST_F(SelectGraphs, ReplayedGraphsShareStorageOfAnyContent) {
    for (const std::size_t size : {30'000, 500'000, 4'000'000, 6'000'000}) {
        DeviceArray<Item> d_in(size);
        SelectGraph graph(d_in, size);
        EXPECT_EQ(graph.num_nodes(), num_kernels_and_memsets) << "something is reset";
        for (std::uint32_t seed = 0; seed < 10; ++seed) {
            const auto in = random_records<Item>(size, seed);
            d_in.upload(in);
            ASSERT_NO_FATAL_FAILURE(graph.expect_selected(seed % 2, in));
            if (seed == 5) graph.destroy_graph();
        }
    }
}

/// Destructors of user objects run on a thread of the driver, some time later.
unsigned take_counter_within_seconds() {
    using namespace compaction::cuda::detail;
    for (int i = 0; i < 1'000; ++i) {
        if (const unsigned counter = counter_pool.take(); counter < num_launch_counters) return counter;
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return num_launch_counters;
}

TEST_F(SelectGraphs, GraphsResetTheStorageWhereNoSlotIsLeftAndGiveTheirSlotsBack) {
    using namespace compaction::cuda::detail;
    std::vector<unsigned> taken;
    while (taken.size() < num_launch_counters) {
        taken.push_back(take_counter_within_seconds());
        ASSERT_LT(taken.back(), num_launch_counters) << "an earlier test has not given its counters back";
    }
    for (const std::size_t size : {30'000, 6'000'000}) {
        const auto in = random_records<Item>(size, 7);
        DeviceArray<Item> d_in(size);
        d_in.upload(in);
        {
            SelectGraph graph(d_in, size);
            EXPECT_EQ(graph.num_nodes(), num_kernels_and_memsets + 2);
            for (std::size_t i = 0; i < 6; ++i) graph.expect_selected(i % 2, in);
        }
        // The counters of the last two, and no others.
        ASSERT_GE(taken.size(), 2U);
        for (int i = 0; i < 2; ++i) {
            counter_pool.release(taken.back());
            taken.pop_back();
        }
        {
            SelectGraph graph(d_in, size);
            EXPECT_EQ(graph.num_nodes(), num_kernels_and_memsets);
            graph.destroy_graph();
            for (std::size_t i = 0; i < 6; ++i) graph.expect_selected(i % 2, in);
            EXPECT_EQ(counter_pool.take(), num_launch_counters) << "the executables need the counters";
        }
        for (int i = 0; i < 2; ++i) {
            taken.push_back(take_counter_within_seconds());
            ASSERT_LT(taken.back(), num_launch_counters) << "a counter was not given back";
        }
    }
    for (const unsigned counter : taken) counter_pool.release(counter);
}

}  // namespace
