// Selections in the bodies of conditional graph nodes, which run as often as a condition says. Compiled as
// relocatable device code, because kernels that set a condition need it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "compaction/cuda/select.cuh"
#include "tests/cuda/select_fixture.cuh"

namespace {

using compaction::cuda::select_if;
using select_testing::Below;
using select_testing::DeviceArray;
using select_testing::keep_half;
using select_testing::OnCudaDevice;
using select_testing::random_records;

using Item = select_testing::Record<1>;

constexpr unsigned num_turns = 7;
constexpr std::uint32_t step = 0x9e3779b9;  ///< added to each item after each turn

__global__ void add_step(Item* items, std::size_t size) {
    for (std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; i < size;
         i += std::size_t{gridDim.x} * blockDim.x)
        items[i].word[0] += step;
}

__global__ void end_turn(const std::uint64_t* count, std::uint64_t* counts, unsigned* turn,
                         cudaGraphConditionalHandle condition) {
    counts[(*turn)++] = *count;
    cudaGraphSetConditional(condition, *turn < num_turns);
}

/// A graph of one conditional node. Its body selects, notes the count and changes the items.
class ConditionalGraph {
  public:
    ConditionalGraph(cudaGraphConditionalNodeType type, std::size_t size)
        : size_(size), items_(size), out_(size) {
        std::size_t bytes = 0;
        COMPACTION_EXPECT(enqueue_select(nullptr, bytes, nullptr));
        temp_.emplace(bytes);
        temp_->fill(0x5a);
        COMPACTION_EXPECT(cudaStreamCreate(&stream_));
        COMPACTION_EXPECT(cudaGraphCreate(&graph_, 0));
        cudaGraphConditionalHandle condition{};
        COMPACTION_EXPECT(
            cudaGraphConditionalHandleCreate(&condition, graph_, 1, cudaGraphCondAssignDefault));
        cudaGraphNodeParams params{};
        params.type = cudaGraphNodeTypeConditional;
        params.conditional.handle = condition;
        params.conditional.type = type;
        params.conditional.size = 1;
        cudaGraphNode_t node = nullptr;
        COMPACTION_EXPECT(cudaGraphAddNode(&node, graph_, nullptr, nullptr, 0, &params));
        capture(params.conditional.phGraph_out[0], condition);
        COMPACTION_EXPECT(cudaGraphInstantiate(&executable_, graph_, 0));
    }
    ConditionalGraph(const ConditionalGraph&) = delete;
    ConditionalGraph& operator=(const ConditionalGraph&) = delete;
    ~ConditionalGraph() {
        EXPECT_EQ(cudaGraphExecDestroy(executable_), cudaSuccess);
        EXPECT_EQ(cudaGraphDestroy(graph_), cudaSuccess);
        EXPECT_EQ(cudaStreamDestroy(stream_), cudaSuccess);
    }

    /// Launches the graph once; its body runs `turns` times.
    void expect_counts(std::vector<Item> in, unsigned turns) {
        items_.upload(in);
        turn_.fill(0);
        counts_.fill(0xee);
        COMPACTION_CHECK(cudaGraphLaunch(executable_, stream_));
        COMPACTION_CHECK(cudaStreamSynchronize(stream_));
        ASSERT_EQ(turn_.download()[0], turns);
        const std::vector<std::uint64_t> counts = counts_.download();
        for (unsigned turn = 0; turn < turns; ++turn) {
            EXPECT_EQ(counts[turn], std::count_if(in.begin(), in.end(), Below{keep_half})) << "turn " << turn;
            for (Item& item : in) item.word[0] += step;
        }
    }

  private:
    cudaError_t enqueue_select(void* temp, std::size_t& bytes, cudaStream_t stream) {
        return select_if(temp, bytes, items_.data(), out_.data(), count_.data(), size_, Below{keep_half},
                         stream);
    }

    void capture(cudaGraph_t body, cudaGraphConditionalHandle condition) {
        COMPACTION_CHECK(
            cudaStreamBeginCaptureToGraph(stream_, body, nullptr, nullptr, 0, cudaStreamCaptureModeGlobal));
        std::size_t bytes = temp_->size();
        COMPACTION_CHECK(enqueue_select(temp_->data(), bytes, stream_));
        end_turn<<<1, 1, 0, stream_>>>(count_.data(), counts_.data(), turn_.data(), condition);
        add_step<<<256, 256, 0, stream_>>>(items_.data(), size_);
        COMPACTION_CHECK(cudaGetLastError());
        COMPACTION_CHECK(cudaStreamEndCapture(stream_, &body));
    }

    std::size_t size_;
    DeviceArray<Item> items_, out_;
    DeviceArray<std::uint64_t> count_{1}, counts_{num_turns};
    DeviceArray<unsigned> turn_{1};
    std::optional<DeviceArray<char>> temp_;
    cudaStream_t stream_ = nullptr;
    cudaGraph_t graph_ = nullptr;
    cudaGraphExec_t executable_ = nullptr;
};

class SelectConditional : public OnCudaDevice {
  protected:
    static void expect_counts(cudaGraphConditionalNodeType type, unsigned turns) {
        for (const std::size_t size : {30'000, 500'000, 6'000'000}) {
            ConditionalGraph graph(type, size);
            for (std::uint32_t seed = 0; seed < 4; ++seed)
                ASSERT_NO_FATAL_FAILURE(graph.expect_counts(random_records<Item>(size, seed), turns));
        }
    }
};

TEST_F(SelectConditional, BodiesRunOnce) {
    expect_counts(cudaGraphCondTypeIf, 1);
}

/// The turns of one launch repeat the arguments of the selection, as replays do.
TEST_F(SelectConditional, BodiesOfLoopsRunAgain) {
    expect_counts(cudaGraphCondTypeWhile, num_turns);
}

}  // namespace
