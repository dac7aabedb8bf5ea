// Selections beside work that holds a part of the GPU, and does not end before the selection has.
#include <cooperative_groups.h>
#include <cuda.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <iterator>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "compaction/cuda/select.cuh"
#include "tests/cuda/select_fixture.cuh"

namespace {

using compaction::cuda::select_if;
using compaction::cuda::SelectState;
using select_testing::Below;
using select_testing::DeviceArray;
using select_testing::OnCudaDevice;
using select_testing::random_records;
using Item = select_testing::Record<1>;

/// Signals between the host and the holders, in host memory that the GPU can access.
struct Signals {
    unsigned arrived;
    unsigned may_end;
};

/// Holds its multiprocessor until the host lets it end, but at most 20 s.
__global__ void hold(volatile Signals* signals) {
    if (threadIdx.x != 0) return;
    atomicAdd_system(const_cast<unsigned*>(&signals->arrived), 1U);
    const std::uint64_t begin = compaction::cuda::detail::timer_ns();
    while (signals->may_end == 0 && compaction::cuda::detail::timer_ns() - begin < 20'000'000'000) {
    }
}

__global__ void sync_grid(int times) {
    for (int i = 0; i < times; ++i) cooperative_groups::this_grid().sync();
}

/// A stream of items and a selection of it.
class Selected {
  public:
    explicit Selected(std::size_t size)
        : in_(size), out_(size), num_selected_(1), items_(random_records<Item>(size, 5)) {
        in_.upload(items_);
        EXPECT_EQ(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), cudaSuccess);
        EXPECT_EQ(state_.reserve<Item>(size), cudaSuccess);
    }
    Selected(const Selected&) = delete;
    Selected& operator=(const Selected&) = delete;
    ~Selected() { cudaStreamDestroy(stream_); }

    void enqueue() { enqueue_on(stream_); }
    void enqueue_on(cudaStream_t stream) {
        EXPECT_EQ(cudaMemsetAsync(out_.data(), 0xee, items_.size() * sizeof(Item), stream), cudaSuccess);
        EXPECT_EQ(
            select_if(state_, in_.data(), out_.data(), num_selected_.data(), items_.size(), below_, stream),
            cudaSuccess);
    }
    bool is_done() const { return cudaStreamQuery(stream_) == cudaSuccess; }

    void expect_right() {
        std::vector<Item> kept;
        std::copy_if(items_.begin(), items_.end(), std::back_inserter(kept), below_);
        ASSERT_EQ(num_selected_.download()[0], kept.size());
        std::vector<Item> selected = out_.download();
        selected.resize(kept.size());
        EXPECT_TRUE(selected == kept);
    }

  private:
    const Below below_{select_testing::keep_half};
    DeviceArray<Item> in_, out_;
    DeviceArray<std::uint64_t> num_selected_;
    std::vector<Item> items_;
    SelectState state_;
    cudaStream_t stream_ = nullptr;
};

template <typename ReadyT>
bool becomes(ReadyT ready) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(5);
    while (!ready()) {
        if (std::chrono::steady_clock::now() > end) return false;
        std::this_thread::yield();
    }
    return true;
}

class SelectProgress : public OnCudaDevice {
  protected:
    static constexpr std::size_t lengths[] = {10'000, 1U << 20, 1U << 22, (1U << 24) + 3};

    void SetUp() override {
        OnCudaDevice::SetUp();
        if (IsSkipped()) return;
        COMPACTION_CHECK(cudaHostAlloc(&signals_, sizeof(Signals), cudaHostAllocMapped));
        *signals_ = {};
        COMPACTION_CHECK(cudaStreamCreateWithFlags(&holder_stream_, cudaStreamNonBlocking));
        COMPACTION_CHECK(cudaDeviceGetAttribute(&multiprocessors_, cudaDevAttrMultiProcessorCount, 0));
        // One holder for each multiprocessor: two do not fit.
        COMPACTION_CHECK(
            cudaFuncSetAttribute(hold, cudaFuncAttributeMaxDynamicSharedMemorySize, large_shared_bytes));
        for (const std::size_t length : lengths) selections_.push_back(std::make_unique<Selected>(length));
        // The first use of a kernel loads it, which waits for kernels that run.
        for (const auto& selection : selections_) selection->enqueue();
        COMPACTION_CHECK(cudaDeviceSynchronize());
    }

    void TearDown() override {
        if (IsSkipped()) return;
        if (signals_) release();
        EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
        if (holder_stream_) cudaStreamDestroy(holder_stream_);
        cudaFreeHost(signals_);
    }

    void release() { static_cast<volatile Signals*>(signals_)->may_end = 1; }

    void expect_progress_beside(unsigned holders, int shared_bytes) {
        *signals_ = {};
        hold<<<holders, 32, static_cast<unsigned>(shared_bytes), holder_stream_>>>(signals_);
        ASSERT_EQ(cudaGetLastError(), cudaSuccess);
        ASSERT_TRUE(becomes([&] { return static_cast<volatile Signals*>(signals_)->arrived == holders; }));
        for (std::size_t i = 0; i < selections_.size(); ++i) {
            selections_[i]->enqueue();
            EXPECT_TRUE(becomes([&] { return selections_[i]->is_done(); }))
                << lengths[i] << " items beside " << holders << " resident blocks";
        }
        EXPECT_EQ(cudaStreamQuery(holder_stream_), cudaErrorNotReady) << "the holders have ended too early";
        release();
        ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
        for (const auto& selection : selections_) selection->expect_right();
    }

    static constexpr int large_shared_bytes = 120 << 10;

    Signals* signals_ = nullptr;
    cudaStream_t holder_stream_ = nullptr;
    int multiprocessors_ = 0;
    std::vector<std::unique_ptr<Selected>> selections_;
};

TEST_F(SelectProgress, BesideResidentKernels) {
    const auto all = static_cast<unsigned>(multiprocessors_);
    for (const unsigned holders : {1U, 2U, all / 2, all - 2, all - 1}) {
        for (const int shared_bytes : {0, large_shared_bytes}) expect_progress_beside(holders, shared_bytes);
    }
}

TEST_F(SelectProgress, OfSeveralSelectionsBesideCooperativeLaunches) {
    int times = 20;
    void* arguments[] = {&times};
    for (int turn = 0; turn < 50; ++turn) {
        for (const auto& selection : selections_) selection->enqueue();
        ASSERT_EQ(cudaLaunchCooperativeKernel(sync_grid, dim3(static_cast<unsigned>(multiprocessors_)),
                                              dim3(64), arguments, 0, holder_stream_),
                  cudaSuccess);
    }
    for (const auto& selection : selections_) EXPECT_TRUE(becomes([&] { return selection->is_done(); }));
    EXPECT_TRUE(becomes([&] { return cudaStreamQuery(holder_stream_) == cudaSuccess; }));
    for (const auto& selection : selections_) selection->expect_right();
}

/// The driver's functions for green contexts, which only a program that links libcuda can name.
template <typename FunctionT>
FunctionT driver_function(const char* name) {
    void* function = nullptr;
    cudaDriverEntryPointQueryResult found{};
    if (cudaGetDriverEntryPointByVersion(name, &function, 12080, cudaEnableDefault, &found) != cudaSuccess)
        return nullptr;
    return found == cudaDriverEntryPointSuccess ? reinterpret_cast<FunctionT>(function) : nullptr;
}

TEST_F(SelectProgress, InAGreenContext) {
    const auto get_resource = driver_function<decltype(&cuDeviceGetDevResource)>("cuDeviceGetDevResource");
    const auto split = driver_function<decltype(&cuDevSmResourceSplitByCount)>("cuDevSmResourceSplitByCount");
    const auto describe = driver_function<decltype(&cuDevResourceGenerateDesc)>("cuDevResourceGenerateDesc");
    const auto create = driver_function<decltype(&cuGreenCtxCreate)>("cuGreenCtxCreate");
    const auto destroy = driver_function<decltype(&cuGreenCtxDestroy)>("cuGreenCtxDestroy");
    const auto create_stream = driver_function<decltype(&cuGreenCtxStreamCreate)>("cuGreenCtxStreamCreate");
    if (!get_resource || !split || !describe || !create || !destroy || !create_stream)
        GTEST_SKIP() << "This driver has no green contexts.";
    for (const unsigned wanted : {8U, 64U}) {
        CUdevResource all{}, part{}, rest{};
        unsigned groups = 1;
        ASSERT_EQ(get_resource(0, &all, CU_DEV_RESOURCE_TYPE_SM), CUDA_SUCCESS);
        if (all.sm.smCount <= wanted) continue;
        ASSERT_EQ(split(&part, &groups, &all, &rest, 0, wanted), CUDA_SUCCESS);
        CUdevResourceDesc description{};
        ASSERT_EQ(describe(&description, &part, 1), CUDA_SUCCESS);
        CUgreenCtx context{};
        ASSERT_EQ(create(&context, description, 0, CU_GREEN_CTX_DEFAULT_STREAM), CUDA_SUCCESS);
        CUstream stream{};
        ASSERT_EQ(create_stream(&stream, context, CU_STREAM_NON_BLOCKING, 0), CUDA_SUCCESS);
        for (std::size_t i = 0; i < selections_.size(); ++i) {
            selections_[i]->enqueue_on(stream);
            EXPECT_TRUE(becomes([&] { return cudaStreamQuery(stream) == cudaSuccess; }))
                << lengths[i] << " items on " << part.sm.smCount << " multiprocessors";
        }
        for (const auto& selected : selections_) selected->expect_right();
        ASSERT_EQ(cudaStreamDestroy(stream), cudaSuccess);
        ASSERT_EQ(destroy(context), CUDA_SUCCESS);
    }
}

}  // namespace
