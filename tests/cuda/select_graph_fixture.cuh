#pragma once

#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "compaction/cuda/select.cuh"
#include "tests/cuda/select_fixture.cuh"

namespace select_testing {

/// A graph of two selections with one storage, whose output is the other's input.
class SelectGraph {
  public:
    using Item = Record<1>;

    SelectGraph(const DeviceArray<Item>& in, std::size_t size)
        : in_(in), size_(size), between_(size), out_(size) {
        std::size_t bytes = 0;
        COMPACTION_EXPECT(compaction::cuda::select_if(nullptr, bytes, in_.data(), out_.data(), counts_.data(),
                                                      size_, Below{keep_half}));
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
        COMPACTION_EXPECT(compaction::cuda::select_if(temp_->data(), bytes, in_.data(), between_.data(),
                                                      counts_.data(), size_, Below{keep_half}, stream_));
        COMPACTION_EXPECT(compaction::cuda::select_if(temp_->data(), bytes, between_.data(), out_.data(),
                                                      counts_.data() + 1, size_, Below{keep_half / 2},
                                                      stream_));
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

}  // namespace select_testing
