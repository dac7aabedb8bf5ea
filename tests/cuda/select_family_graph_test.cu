// Selections up to a length on the device, in a CUDA graph.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <utility>
#include <vector>

#include "compaction/cuda/select_iterators.cuh"
#include "tests/cuda/select_family_fixture.cuh"

namespace {

using compaction::cuda::device_length;
using compaction::cuda::select_if;
using compaction::cuda::SelectState;
using select_testing::DeviceArray;
using select_testing::OnCudaDevice;
using select_testing::random_items;

struct BelowBound {
    std::uint32_t bound;
    __host__ __device__ bool operator()(std::uint32_t item) const { return item < bound; }
};

class SelectGraphs : public OnCudaDevice {};

/// Three selections, each of what the one before kept, in one graph that runs twice with other items.
TEST_F(SelectGraphs, ChainSelectionsUpToTheLengthBefore) {
    constexpr std::size_t capacity = 300'000;
    DeviceArray<std::uint32_t> d_a(capacity), d_b(capacity);
    DeviceArray<std::uint64_t> d_length(1);
    const BelowBound limits[]{{0xc0000000U}, {0x80000000U}, {0x10000000U}};
    SelectState state;
    COMPACTION_CHECK(state.reserve_for([&](void* temp, std::size_t& bytes) {
        return select_if(temp, bytes, d_a.data(), d_b.data(), d_length.data(),
                         device_length(d_length.data(), capacity), limits[0]);
    }));
    cudaStream_t stream = nullptr;
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t executable = nullptr;
    COMPACTION_CHECK(cudaStreamCreate(&stream));
    COMPACTION_CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    std::uint32_t* from = d_a.data();
    std::uint32_t* to = d_b.data();
    for (const BelowBound& limit : limits) {
        // The number of selected items is the next length, in the same memory.
        COMPACTION_CHECK(select_if(state, from, to, d_length.data(), device_length(d_length.data(), capacity),
                                   limit, stream));
        std::swap(from, to);
    }
    COMPACTION_CHECK(cudaStreamEndCapture(stream, &graph));
    COMPACTION_CHECK(cudaGraphInstantiate(&executable, graph, 0));
    for (const std::size_t size : {std::size_t{250'001}, std::size_t{5'000}}) {
        const auto in = random_items<std::uint32_t>(size, 27);
        d_a.upload(in);
        d_length.upload({size});
        COMPACTION_CHECK(cudaGraphLaunch(executable, stream));
        COMPACTION_CHECK(cudaStreamSynchronize(stream));
        std::vector<std::uint32_t> expected;
        std::copy_if(in.begin(), in.end(), std::back_inserter(expected), limits[2]);
        ASSERT_EQ(d_length.download()[0], expected.size());
        std::vector<std::uint32_t> out = d_b.download();
        out.resize(expected.size());
        EXPECT_TRUE(out == expected);
    }
    COMPACTION_CHECK(cudaGraphExecDestroy(executable));
    COMPACTION_CHECK(cudaGraphDestroy(graph));
    COMPACTION_CHECK(cudaStreamDestroy(stream));
}

}  // namespace
