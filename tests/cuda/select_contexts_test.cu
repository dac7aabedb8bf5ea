// Selections after cudaDeviceReset, and selections on two devices in turn.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <memory>
#include <vector>

#include "compaction/cuda/select.cuh"
#include "compaction/cuda/select_workspace.cuh"
#include "tests/cuda/select_graph_fixture.cuh"

namespace {

namespace detail = compaction::cuda::detail;
using compaction::cuda::SelectState;
using select_testing::Below;
using select_testing::DeviceArray;
using select_testing::keep_half;
using select_testing::OnCudaDevice;
using select_testing::random_records;
using select_testing::SelectGraph;

using Item = select_testing::Record<1>;

constexpr std::size_t lengths[]{30'000, 6'000'000};

/// Selects on the current device by each path: with a state, with stream-ordered memory, and in replayed
/// graphs with storage.
void expect_selections(std::uint32_t seed) {
    for (const std::size_t size : lengths) {
        const auto in = random_records<Item>(size, seed);
        std::vector<Item> kept;
        std::copy_if(in.begin(), in.end(), std::back_inserter(kept), Below{keep_half});
        DeviceArray<Item> d_in(size), d_out(size);
        DeviceArray<std::uint64_t> d_num_selected(1);
        d_in.upload(in);
        SelectState state;
        COMPACTION_CHECK(state.reserve<Item>(size));
        for (const unsigned ticketed_blocks : {0U, 100U}) {
            d_num_selected.fill(0xee);
            COMPACTION_CHECK(detail::select_with_state(
                state, d_in.data(), d_out.data(), d_num_selected.data(), size,
                detail::ByPredicate<Below>{Below{keep_half}}, ticketed_blocks, nullptr));
            ASSERT_EQ(d_num_selected.download()[0], kept.size());
            auto out = d_out.download();
            out.resize(kept.size());
            EXPECT_TRUE(out == kept) << size << " items, ticketed blocks: " << ticketed_blocks;
        }
        d_num_selected.fill(0xee);
        COMPACTION_CHECK(detail::call_in(
            compaction::cuda::stream_ordered_memory, nullptr, [&](void* temp, std::size_t& bytes) {
                return compaction::cuda::select_if(temp, bytes, d_in.data(), d_out.data(),
                                                   d_num_selected.data(), size, Below{keep_half});
            }));
        EXPECT_EQ(d_num_selected.download()[0], kept.size()) << "stream-ordered memory";
        SelectGraph graph(d_in, size);
        for (std::size_t i = 0; i < 4; ++i) graph.expect_selected(i % 2, in);
    }
}

class SelectContexts : public OnCudaDevice {
  protected:
    void SetUp() override {
        // fork() without exec would copy the state of CUDA.
        GTEST_FLAG_SET(death_test_style, "threadsafe");
        OnCudaDevice::SetUp();
    }
};

/// A reset destroys the module with its counters and shared-memory limits, which the host has cached, and a
/// graph that owns counters.
TEST_F(SelectContexts, MayBeResetBetweenSelections) {
    const auto reset_between = [] {
        DeviceArray<Item> d_in(lengths[0]);
        expect_selections(1);
        const auto lost = std::make_unique<SelectGraph>(d_in, lengths[0]).release();
        COMPACTION_EXPECT(cudaDeviceReset());
        expect_selections(2);
        COMPACTION_EXPECT(cudaGetLastError()) << "an error was left behind";
        std::exit(lost && testing::Test::HasFailure() ? 1 : 0);
    };
    EXPECT_EXIT(reset_between(), testing::ExitedWithCode(0), "");
}

/// Its pool is made during the capture.
TEST_F(SelectContexts, StreamOrderedMemoryMayFirstBeUsedInACapture) {
    const auto capture_first = [] {
        const auto in = random_records<Item>(lengths[0], 3);
        DeviceArray<Item> d_in(lengths[0]), d_out(lengths[0]);
        DeviceArray<std::uint64_t> d_num_selected(1);
        d_in.upload(in);
        cudaStream_t stream = nullptr;
        cudaGraph_t graph = nullptr;
        cudaGraphExec_t executable = nullptr;
        COMPACTION_EXPECT(cudaStreamCreate(&stream));
        COMPACTION_EXPECT(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
        COMPACTION_EXPECT(detail::call_in(
            compaction::cuda::stream_ordered_memory, stream, [&](void* temp, std::size_t& bytes) {
                return compaction::cuda::select_if(temp, bytes, d_in.data(), d_out.data(),
                                                   d_num_selected.data(), in.size(), Below{keep_half},
                                                   stream);
            }));
        COMPACTION_EXPECT(cudaStreamEndCapture(stream, &graph));
        COMPACTION_EXPECT(cudaGraphInstantiate(&executable, graph, 0));
        for (int i = 0; i < 3; ++i) COMPACTION_EXPECT(cudaGraphLaunch(executable, stream));
        COMPACTION_EXPECT(cudaStreamSynchronize(stream));
        const auto num_kept =
            static_cast<std::uint64_t>(std::count_if(in.begin(), in.end(), Below{keep_half}));
        EXPECT_EQ(d_num_selected.download()[0], num_kept);
        std::exit(testing::Test::HasFailure() ? 1 : 0);
    };
    EXPECT_EXIT(capture_first(), testing::ExitedWithCode(0), "");
}

class SelectDevices : public OnCudaDevice {
  protected:
    void SetUp() override {
        OnCudaDevice::SetUp();
        if (IsSkipped()) return;
        int devices = 0;
        COMPACTION_CHECK(cudaGetDeviceCount(&devices));
        if (devices < num_devices) GTEST_SKIP() << "There is one CUDA device, and the test needs two.";
    }
    void TearDown() override { cudaSetDevice(0); }

    static constexpr int num_devices = 2;
};

/// The counters are numbered for all devices together, and each device has its own counters.
TEST_F(SelectDevices, ReplayGraphsInTurn) {
    for (const std::size_t size : lengths) {
        std::vector<std::unique_ptr<DeviceArray<Item>>> d_in;
        std::vector<std::unique_ptr<SelectGraph>> graphs;
        for (int device = 0; device < num_devices; ++device) {
            COMPACTION_CHECK(cudaSetDevice(device));
            d_in.push_back(std::make_unique<DeviceArray<Item>>(size));
            graphs.push_back(std::make_unique<SelectGraph>(*d_in.back(), size));
        }
        for (std::uint32_t seed = 0; seed < 12; ++seed) {
            const int device = static_cast<int>(seed / 2 % num_devices);
            const auto in = random_records<Item>(size, seed);
            COMPACTION_CHECK(cudaSetDevice(device));
            d_in[static_cast<std::size_t>(device)]->upload(in);
            graphs[static_cast<std::size_t>(device)]->expect_selected(seed % 2, in);
        }
        for (int device = 0; device < num_devices; ++device) {
            COMPACTION_CHECK(cudaSetDevice(device));
            graphs[static_cast<std::size_t>(device)].reset();
            d_in[static_cast<std::size_t>(device)].reset();
        }
    }
}

TEST_F(SelectDevices, SelectInTurnWithoutGraphs) {
    for (std::uint32_t seed = 0; seed < 4; ++seed) {
        COMPACTION_CHECK(cudaSetDevice(static_cast<int>(seed % num_devices)));
        ASSERT_NO_FATAL_FAILURE(expect_selections(seed));
    }
}

}  // namespace
