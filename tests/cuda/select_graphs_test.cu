// Selections with temporary storage in CUDA graphs: which nodes they have, and the slots of their launch counters.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <thread>
#include <utility>
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

class SelectGraphs : public OnCudaDevice {};

/// A graph of two selections with one storage, whose output is the other's input.
class SelectGraph {
  public:
    SelectGraph(const DeviceArray<Item>& in, std::size_t size)
        : in_(in), size_(size), between_(size), out_(size) {
        std::size_t bytes = 0;
        COMPACTION_EXPECT(
            select_if(nullptr, bytes, in_.data(), out_.data(), counts_.data(), size_, Below{keep_half}));
        temp_.emplace(bytes);
        temp_->fill(0x5a);
        COMPACTION_EXPECT(cudaStreamCreate(&stream_));
        COMPACTION_EXPECT(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeGlobal));
        enqueue();
        COMPACTION_EXPECT(cudaStreamEndCapture(stream_, &graph_));
        for (cudaGraphExec_t& each : executables_) COMPACTION_EXPECT(cudaGraphInstantiate(&each, graph_, 0));
    }
    SelectGraph(const SelectGraph&) = delete;
    SelectGraph& operator=(const SelectGraph&) = delete;
    ~SelectGraph() {
        for (cudaGraphExec_t each : executables_) EXPECT_EQ(cudaGraphExecDestroy(each), cudaSuccess);
        destroy_graph();
        EXPECT_EQ(cudaStreamDestroy(stream_), cudaSuccess);
    }

    /// The executables stay.
    void destroy_graph() {
        if (graph_) COMPACTION_EXPECT(cudaGraphDestroy(std::exchange(graph_, nullptr)));
    }
    std::size_t num_nodes() const {
        std::size_t nodes = 0;
        COMPACTION_EXPECT(cudaGraphGetNodes(graph_, nullptr, &nodes));
        return nodes;
    }

    /// Replays an executable, and then enqueues the same calls on the stream.
    void expect_selected(std::size_t executable, const std::vector<Item>& in) {
        const auto kept = std::count_if(in.begin(), in.end(), Below{keep_half});
        const auto kept_of_kept = std::count_if(in.begin(), in.end(), Below{keep_half / 2});
        for (const bool replays : {true, false}) {
            counts_.fill(0xee);
            if (replays) {
                COMPACTION_EXPECT(cudaGraphLaunch(executables_[executable], stream_));
            } else {
                enqueue();
            }
            COMPACTION_EXPECT(cudaStreamSynchronize(stream_));
            const std::vector<std::uint64_t> counts = counts_.download();
            EXPECT_EQ(counts[0], kept);
            EXPECT_EQ(counts[1], kept_of_kept);
        }
    }

  private:
    void enqueue() {
        // Items of the first call that are not kept come after those that are.
        std::size_t bytes = temp_->size();
        COMPACTION_EXPECT(cudaMemsetAsync(between_.data(), 0xff, size_ * sizeof(Item), stream_));
        COMPACTION_EXPECT(select_if(temp_->data(), bytes, in_.data(), between_.data(), counts_.data(), size_,
                                    Below{keep_half}, stream_));
        COMPACTION_EXPECT(select_if(temp_->data(), bytes, between_.data(), out_.data(), counts_.data() + 1,
                                    size_, Below{keep_half / 2}, stream_));
    }

    const DeviceArray<Item>& in_;
    std::size_t size_;
    DeviceArray<Item> between_, out_;
    DeviceArray<std::uint64_t> counts_{2};
    std::optional<DeviceArray<char>> temp_;
    cudaStream_t stream_ = nullptr;
    cudaGraph_t graph_ = nullptr;
    std::array<cudaGraphExec_t, 2> executables_{};
};

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
unsigned take_slot_within_seconds() {
    using namespace compaction::cuda::detail;
    for (int i = 0; i < 1'000; ++i) {
        if (const unsigned slot = launch_slots.take(); slot < num_launch_slots) return slot;
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return num_launch_slots;
}

TEST_F(SelectGraphs, GraphsResetTheStorageWhereNoSlotIsLeftAndGiveTheirSlotsBack) {
    using namespace compaction::cuda::detail;
    std::vector<unsigned> taken;
    while (taken.size() < num_launch_slots) {
        taken.push_back(take_slot_within_seconds());
        ASSERT_LT(taken.back(), num_launch_slots) << "an earlier test has not given its slots back";
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
        // The slots of the last two, and no others.
        ASSERT_GE(taken.size(), 2U);
        for (int i = 0; i < 2; ++i) {
            launch_slots.give_back(taken.back());
            taken.pop_back();
        }
        {
            SelectGraph graph(d_in, size);
            EXPECT_EQ(graph.num_nodes(), num_kernels_and_memsets);
            graph.destroy_graph();
            for (std::size_t i = 0; i < 6; ++i) graph.expect_selected(i % 2, in);
            EXPECT_EQ(launch_slots.take(), num_launch_slots) << "the executables need the slots";
        }
        for (int i = 0; i < 2; ++i) {
            taken.push_back(take_slot_within_seconds());
            ASSERT_LT(taken.back(), num_launch_slots) << "a slot was not given back";
        }
    }
    for (const unsigned slot : taken) launch_slots.give_back(slot);
}

}  // namespace
